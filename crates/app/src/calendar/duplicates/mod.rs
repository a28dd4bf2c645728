//! Duplicates: pairs of records that look alike, their merges, and the undoing of these.

mod find;
mod links;
mod merge;
mod undo;

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use domain::{
    Entry, Event, FieldName, Id, Kind, Organizer, OrganizerDetails, Record as _, Status, Stored,
    Venue, VenueDetails,
    duplicate::{Duplicate, DuplicateState},
    entry::Details,
    event::EventDetails,
    page::{Page, PageRequest},
    policy::{Caller, Capability},
    text::Title,
    time::Timestamp,
};

use crate::{
    calendar::{Calendar, Work, bounded, require},
    error::AppError,
    ports::{DuplicateFilter, Repositories, StoredDuplicate, UnitOfWork},
    resource::Resource,
};

pub use find::Found;

/// A decision how a pair is merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeWrite {
    /// The ID of the record that stays.
    pub keep: i64,
    /// For each field, the ID of the record from which it comes. A field that is not named is that of the record that stays;
    /// if it is blank, that of the other one, if both are public.
    pub fields: BTreeMap<FieldName, i64>,
}

/// A pair of records as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateView {
    /// The pair.
    pub stored: StoredDuplicate,
    /// The records that exist.
    pub records: Vec<DuplicateRecord>,
}

/// A record of a pair, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateRecord {
    /// The ID.
    pub id: i64,
    /// The title or name.
    pub title: Title,
    /// The status.
    pub status: Status,
}

/// A merge that was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The pair, which is open again.
    pub view: DuplicateView,
    /// The fields that somebody changed since the merge. They stay as they are.
    pub stayed: Vec<FieldName>,
}

/// The records of a kind with these IDs, as a list shows them.
async fn records_of<D: Details>(
    ids: Vec<i64>,
    now: Timestamp,
    repositories: &dyn Repositories,
) -> Result<Vec<((Kind, i64), DuplicateRecord)>, AppError>
where
    Entry<D>: Resource,
{
    let ids: Vec<_> = ids.into_iter().map(Id::from_raw).collect();
    let found = <Entry<D> as Resource>::repository(repositories).find_many(&ids);
    let record = |one: Stored<Entry<D>>| {
        let record = DuplicateRecord {
            id: one.id.get(),
            title: one.title.clone(),
            status: one.status(now),
        };
        ((D::KIND, record.id), record)
    };
    Ok(found.await?.into_iter().map(record).collect())
}

/// Pairs with what lists show of their records. The number of statements does not depend on the number of pairs.
async fn views(
    pairs: Vec<StoredDuplicate>,
    now: Timestamp,
    repositories: &dyn Repositories,
) -> Result<Vec<DuplicateView>, AppError> {
    let ids = |kind| {
        let of_kind = pairs.iter().filter(move |one| one.pair.kind == kind);
        let mut ids: Vec<_> = of_kind.flat_map(|one| one.pair.records).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let mut records = records_of::<EventDetails>(ids(Kind::Event), now, repositories).await?;
    records.extend(records_of::<VenueDetails>(ids(Kind::Venue), now, repositories).await?);
    let organizers = ids(Kind::Organizer);
    records.extend(records_of::<OrganizerDetails>(organizers, now, repositories).await?);
    let records: HashMap<_, _> = records.into_iter().collect();
    let view = |stored: StoredDuplicate| {
        let Duplicate {
            kind, records: ids, ..
        } = stored.pair;
        let of_pair = ids.iter().filter_map(|id| records.get(&(kind, *id)));
        DuplicateView {
            records: of_pair.cloned().collect(),
            stored,
        }
    };
    Ok(pairs.into_iter().map(view).collect())
}

async fn view(
    stored: StoredDuplicate,
    now: Timestamp,
    unit: &dyn Repositories,
) -> Result<DuplicateView, AppError> {
    let mut views = views(vec![stored], now, unit).await?;
    views.pop().ok_or(AppError::DuplicateNotFound)
}

/// The pair with an ID. A pair that was found again since, after a change of its records, has another ID.
async fn found(
    id: Id<Duplicate>,
    repositories: &dyn Repositories,
) -> Result<StoredDuplicate, AppError> {
    let duplicates = repositories.duplicates();
    if let Some(found) = duplicates.find(id).await? {
        return Ok(found);
    }
    let newest = duplicates.newest().await?;
    Err(
        if id.get() > 0 && newest.is_some_and(|newest| id < newest) {
            AppError::DuplicateChanged
        } else {
            AppError::DuplicateNotFound
        },
    )
}

/// Locks the records of a pair, the lower ID first, and checks that the caller may change both.
async fn locked<D: Details>(
    pair: &Duplicate,
    caller: Caller,
    unit: &dyn UnitOfWork,
) -> Result<[Stored<Entry<D>>; 2], AppError>
where
    Entry<D>: Resource,
{
    let repository = <Entry<D> as Resource>::repository(unit);
    let [lower, higher] = pair.records.map(Id::from_raw);
    let lower = repository.find_for_update(lower).await?;
    let higher = repository.find_for_update(higher).await?;
    let (Some(lower), Some(higher)) = (lower, higher) else {
        return Err(AppError::DuplicateChanged);
    };
    if [&lower, &higher].iter().any(|one| !one.may_edit(caller)) {
        return Err(AppError::DuplicateNotFound);
    }
    Ok([lower, higher])
}

struct Dismiss {
    caller: Caller,
    id: Id<Duplicate>,
    now: Timestamp,
}

impl Dismiss {
    async fn of<D: Details>(
        &self,
        mut stored: StoredDuplicate,
        unit: &dyn UnitOfWork,
    ) -> Result<DuplicateView, AppError>
    where
        Entry<D>: Resource,
    {
        locked::<D>(&stored.pair, self.caller, unit).await?;
        if stored.pair.state != DuplicateState::Open {
            return Err(AppError::DuplicateChanged);
        }
        stored.pair.state = DuplicateState::Dismissed;
        unit.duplicates().update(&stored).await?;
        view(stored, self.now, unit).await
    }
}

#[async_trait]
impl Work for Dismiss {
    type Output = DuplicateView;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<DuplicateView, AppError> {
        let stored = found(self.id, unit).await?;
        match stored.pair.kind {
            Kind::Event => self.of::<EventDetails>(stored, unit).await,
            Kind::Venue => self.of::<VenueDetails>(stored, unit).await,
            _ => self.of::<OrganizerDetails>(stored, unit).await,
        }
    }
}

impl Calendar {
    /// A page of the pairs of records that look alike, for editors, who may change all records: the highest scores first.
    ///
    /// ```
    /// use events_calendar_app::calendar::{DuplicateRecord, DuplicateView, Found, MergeWrite, Undone};
    /// use events_calendar_app::{AppError, ports::{DuplicateFilter, RecordRef}, request::RecordKey};
    /// use events_calendar_app::{test_support::*, write::{NewVenue, ReadOptions}};
    /// use domain::{Kind, Role, Venue, duplicate::DuplicateState, page::PageRequest};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = InMemoryStore::new();
    /// let editor = add_user(&store, "ada", Role::Editor).await;
    /// let author = add_user(&store, "bob", Role::Author).await;
    /// let calendar = calendar(store).await;
    /// let mill = NewVenue::builder("Old Mill".parse()?).city("Lyon").build();
    /// let first = calendar.create(editor, &mill).await?.entry.id;
    /// let twin = NewVenue::builder("The Old Mill".parse()?).city("Lyon").phone("12").build();
    /// let second = calendar.create(editor, &twin).await?.entry.id;
    ///
    /// // A program that brought a record compares it at once; a job finds the others.
    /// let brought = RecordRef { kind: Kind::Venue, id: second.get() };
    /// let found: Found = calendar.compare(&[brought]).await?;
    /// assert_eq!(found.pairs.len(), 1);
    /// assert_eq!(calendar.find_duplicates().await?, 0);
    /// calendar.skip_comparison().await?;
    ///
    /// let (all, page) = (DuplicateFilter::default(), PageRequest::new(1, 10, 100));
    /// assert!(matches!(calendar.duplicates(author, all, page).await, Err(AppError::Forbidden)));
    /// let pair: DuplicateView = calendar.duplicates(editor, all, page).await?.rows.remove(0);
    /// let DuplicateRecord { title, .. } = &pair.records[1];
    /// assert_eq!(title.as_str(), "The Old Mill");
    /// assert_eq!(calendar.duplicate(editor, pair.stored.id).await?, pair);
    ///
    /// // The second one becomes a former address of the first one.
    /// let write = MergeWrite { keep: first.get(), ..MergeWrite::default() };
    /// let merged = calendar.merge_duplicate(editor, pair.stored.id, &write).await?;
    /// assert_eq!(merged.stored.pair.state, DuplicateState::Merged);
    /// let options = ReadOptions::default();
    /// let kept = calendar.get::<Venue>(editor, first.into(), &options).await?;
    /// assert_eq!(kept.entry.details.phone, "12", "what was blank is filled");
    /// let key: RecordKey<Venue> = second.into();
    /// assert!(calendar.get(editor, key, &options).await.is_err());
    /// assert_eq!(calendar.resolve_merged::<Venue>(editor, second, &options).await?, Some(first));
    ///
    /// let undone: Undone = calendar.undo_merge(editor, pair.stored.id).await?;
    /// assert!(undone.stayed.is_empty());
    /// // Without doubt, a pair is merged without a person; this one has another name.
    /// assert_eq!(calendar.merge_sure(editor, &found, &[brought].into()).await?, 0);
    /// calendar.dismiss_duplicate(editor, pair.stored.id).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right.
    pub async fn duplicates(
        &self,
        caller: Caller,
        filter: DuplicateFilter,
        page: PageRequest,
    ) -> Result<Page<DuplicateView>, AppError> {
        let page = bounded(page, &self.site);
        require(caller, Capability::EditOthers)?;
        let reads = self.store.reads().await?;
        let Page {
            rows,
            total,
            request,
        } = reads.duplicates().page(&filter, page).await?;
        Ok(Page {
            rows: views(rows, self.now(), &*reads).await?,
            total,
            request,
        })
    }

    /// A pair, for editors.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such pair.
    pub async fn duplicate(
        &self,
        caller: Caller,
        id: Id<Duplicate>,
    ) -> Result<DuplicateView, AppError> {
        require(caller, Capability::EditOthers)?;
        let reads = self.store.reads().await?;
        let stored = reads.duplicates().find(id).await?;
        let stored = stored.ok_or(AppError::DuplicateNotFound)?;
        view(stored, self.now(), &*reads).await
    }

    /// Merges the records of a pair, for editors.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such pair, a pair that changed or is closed, bad fields.
    #[tracing::instrument(name = "app.duplicate.merge", skip_all)]
    pub async fn merge_duplicate(
        &self,
        caller: Caller,
        id: Id<Duplicate>,
        write: &MergeWrite,
    ) -> Result<DuplicateView, AppError> {
        require(caller, Capability::EditOthers)?;
        let request = self.request_of(caller);
        self.in_unit(&merge::MergePair { request, id, write }).await
    }

    /// Closes a pair whose records are two things, for editors.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such pair, a pair that is closed.
    #[tracing::instrument(name = "app.duplicate.dismiss", skip_all)]
    pub async fn dismiss_duplicate(
        &self,
        caller: Caller,
        id: Id<Duplicate>,
    ) -> Result<DuplicateView, AppError> {
        require(caller, Capability::EditOthers)?;
        let now = self.now();
        self.in_unit(&Dismiss { caller, id, now }).await
    }

    /// Undoes a merge within 30 days, for editors.
    ///
    /// # Errors
    ///
    /// [`AppError`]: no right, no such pair, a pair that is not merged, a merge that cannot be undone any more.
    #[tracing::instrument(name = "app.duplicate.undo", skip_all)]
    pub async fn undo_merge(&self, caller: Caller, id: Id<Duplicate>) -> Result<Undone, AppError> {
        require(caller, Capability::EditOthers)?;
        let request = self.request_of(caller);
        self.in_unit(&undo::UndoMerge { request, id }).await
    }
}

/// The kinds whose records are compared and merged.
const KINDS: [Kind; 3] = [Event::KIND, Venue::KIND, Organizer::KIND];
