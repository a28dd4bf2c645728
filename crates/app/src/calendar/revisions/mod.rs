//! The revisions of a record: reading them, restoring one, and the record as it was.

use async_trait::async_trait;
use domain::{
    Kind,
    audit::{AuditFilter, FieldChange},
    page::{Page, PageRequest},
    policy::{Caller, Capability},
    time::Timestamp,
};

use super::{Calendar, Precondition, Work, check_not_merged, require_write, view};
use crate::{
    error::AppError,
    fault::{Warning, Warnings},
    ports::{AuditEntry, Repositories, UnitOfWork},
    request::{RecordKey, Request},
    resource::{Changed, Former, Located, Resource, former_states},
    write::ReadOptions,
};

/// A record after a former revision of it was restored.
///
/// ```
/// use events_calendar_app::{calendar::{Precondition, Restored}, write::{NewVenue, ReadOptions, VenueUpdate}};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
/// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).city("Lyon").build()).await?;
/// let key = || mill.entry.id.into();
/// let moved = VenueUpdate::builder().city("Vienne").build();
/// calendar.update(editor, key(), &Precondition::Any, &moved).await?;
///
/// let options = ReadOptions::default();
/// let rehearsed = calendar.rehearse_restoration(editor, key(), 1, &options).await?;
/// let restored = calendar.restore_revision(editor, key(), 1, &Precondition::Any, &options).await?;
/// let Restored { view, changes, warnings } = restored;
/// assert_eq!((view.entry.details.city.as_str(), view.entry.revision), ("Lyon", 3));
/// assert_eq!(changes[0].to_string(), "city: Vienne → Lyon");
/// assert_eq!(changes, rehearsed.changes);
/// assert!(warnings.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Restored<V> {
    /// The record.
    pub view: V,
    /// The fields that changed, in their order.
    pub changes: Vec<FieldChange>,
    /// The parts of the revision that had no effect, such as links to records that are gone.
    pub warnings: Vec<Warning>,
}

/// The record of a key, for a caller who may change it. Others do not learn whether it exists.
async fn editable<R: Resource>(
    repositories: &dyn Repositories,
    key: &RecordKey<R>,
    caller: Caller,
    for_update: bool,
) -> Result<Located<R>, AppError> {
    require_write::<R>(caller)?;
    let found = R::locate(repositories, key, for_update).await?;
    let edits_all = caller.can_in(R::KIND, Capability::EditOthers)
        || matches!(R::KIND, Kind::Category | Kind::Tag);
    match found {
        Some(record) if record.may_edit(caller) => {
            check_not_merged(repositories, &record).await?;
            Ok(record)
        }
        None if edits_all => Err(R::not_found()),
        Some(_) | None => Err(AppError::Forbidden),
    }
}

/// Restores a revision of a record.
struct Restore<'a, R: Resource> {
    request: Request<'a>,
    key: &'a RecordKey<R>,
    revision: i64,
    expected: &'a Precondition,
}

#[async_trait]
impl<R: Resource> Work for Restore<'_, R> {
    type Output = Restored<R::View>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Restored<R::View>, AppError> {
        let warnings = Warnings::default();
        R::lock_for_restore(unit).await?;
        let before = editable(&*unit, self.key, self.request.caller, true).await?;
        let request = self.request.about(self.key, &before.content);
        self.expected.check(before.revision, before.modified())?;
        let is_it = |entry: &AuditEntry| entry.revision == self.revision;
        let state = former_states::state_at(&before, is_it, &*unit).await?;
        let state = state.ok_or(AppError::RevisionNotFound)?;
        let warned = Request {
            warnings: Some(&warnings),
            ..request
        };
        let present = before.content.clone();
        let Changed { record, slots } = R::restore(before, &state.values, &warned, unit).await?;
        Ok(Restored {
            changes: FieldChange::between(Some(&present), Some(&record.content)),
            view: view(&*unit, &request, record, slots).await?,
            warnings: warnings.take(),
        })
    }
}

impl Calendar {
    /// A page of the revisions of a record, the newest first, below the entry of a number if there is one; for a caller who
    /// may change the record.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::NewVenue};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::{Role, page::PageRequest};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let author = add_user(&store, "joe", Role::Author).await;
    /// # let calendar = calendar(store).await;
    /// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).build()).await?;
    /// let page = PageRequest::new(1, 10, 100);
    /// let revisions = calendar.revisions(editor, mill.entry.id.into(), None, page).await?;
    /// assert_eq!(revisions.rows[0].revision, 1);
    /// let refused = calendar.revisions(author, mill.entry.id.into(), None, page).await;
    /// assert!(matches!(refused, Err(AppError::Forbidden)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`]; [`AppError::Forbidden`] for callers who may not change the record, also if there is
    /// none; [`AppError::NotFound`] for callers who may change all.
    pub async fn revisions<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        below: Option<i64>,
        page: PageRequest,
    ) -> Result<Page<AuditEntry>, AppError> {
        let reads = self.store.reads().await?;
        let record = editable(&*reads, &key, caller, false).await?;
        let id = record.stored()?.id;
        let filter = AuditFilter {
            kind: Some(R::KIND.into()),
            record: Some(id.get()),
            below,
            ..AuditFilter::default()
        };
        Ok(reads.audit().page(&filter, page).await?)
    }

    /// Gives a record the field values that it had after a revision, as an update does. Status, author and password stay. A
    /// link that the caller may not make today is left out, with a warning. See [`Restored`].
    ///
    /// # Errors
    ///
    /// As for [`revisions`](Self::revisions); [`AppError::PreconditionFailed`]; [`AppError::RevisionNotFound`].
    #[tracing::instrument(name = "app.restore", skip_all, fields(kind = %R::KIND))]
    pub async fn restore_revision<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        revision: i64,
        expected: &Precondition,
        options: &ReadOptions,
    ) -> Result<Restored<R::View>, AppError> {
        let restore = Restore {
            request: self.request_with(caller, options),
            key: &key,
            revision,
            expected,
        };
        self.in_unit(&restore).await
    }

    /// The effect that [`restore_revision`](Self::restore_revision) would have. Nothing is stored.
    ///
    /// # Errors
    ///
    /// As for [`restore_revision`](Self::restore_revision).
    #[tracing::instrument(name = "app.rehearse_restoration", skip_all, fields(kind = %R::KIND))]
    pub async fn rehearse_restoration<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        revision: i64,
        options: &ReadOptions,
    ) -> Result<Restored<R::View>, AppError> {
        let restore = Restore {
            request: self.request_with(caller, options),
            key: &key,
            revision,
            expected: &Precondition::Any,
        };
        self.rehearse(&restore).await
    }

    /// A record as it was at an instant, for a caller who may change it now. Its related records are the present ones.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::{NewVenue, ReadOptions}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, at, calendar};
    /// # use domain::{Role, page::PageRequest};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).build()).await?;
    /// let options = ReadOptions::default();
    /// let now = calendar.now();
    /// let same = calendar.get_as_of(editor, mill.entry.id.into(), now, &options).await?;
    /// assert_eq!(same.entry.title, mill.entry.title);
    /// let before = now.saturating_add(-1);
    /// let none = calendar.get_as_of(editor, mill.entry.id.into(), before, &options).await;
    /// assert!(matches!(none, Err(AppError::NotFound(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`revisions`](Self::revisions); [`AppError::NotFound`] before the first entry of the record in the trail.
    pub async fn get_as_of<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        at: Timestamp,
        options: &ReadOptions,
    ) -> Result<R::View, AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.reads().await?;
        let repositories = &*reads;
        let record = editable(repositories, &key, caller, false).await?;
        let is_it = |entry: &AuditEntry| entry.at <= at;
        let state = former_states::state_at(&record, is_it, repositories).await?;
        let state = state.ok_or_else(R::not_found)?;
        let request = request.about(&key, &record.content);
        let shown = Former::Shown(at);
        let mut content = R::former(&record, &state.values, shown, &request, repositories).await?;
        content.restore_standing(&state.values, state.at);
        let former = Located {
            id: record.id,
            revision: state.revision,
            content,
        };
        view(repositories, &request, former, None).await
    }
}
