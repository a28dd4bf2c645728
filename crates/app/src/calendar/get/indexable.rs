//! The records of whose pages search engines are told.

use domain::{
    Id, Language, Stored,
    policy::{Caller, Visibility},
    time::Timestamp,
};

use crate::{
    calendar::Calendar,
    error::AppError,
    ports::Repositories,
    resource::{self, Resource},
};

/// The number of records that are read at once.
const BATCH: usize = 50;

/// The records from one ID to another of whose pages search engines are told, which are read as they
/// are written.
///
/// ```
/// use events_calendar_app::{calendar::IndexableRecords, write::NewVenue};
/// use domain::{Status, Venue, VenueId};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
///
/// let draft = NewVenue::builder("Barn".parse()?).status(Status::Draft).build();
/// calendar.create(editor, &draft).await?;
/// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).build()).await?;
/// let first = calendar.next_indexable::<Venue>(None).await?;
/// assert_eq!(first, Some(mill.entry.id));
/// assert_eq!(calendar.next_indexable::<Venue>(first).await?, None);
///
/// // Each record has a view in each of its languages.
/// let mut records = IndexableRecords::<Venue>::after(VenueId::from_raw(0), VenueId::from_raw(1000));
/// let read = calendar.read_indexable(&mut records).await?.unwrap();
/// assert_eq!((read.len(), read[0].len()), (1, 1));
/// assert_eq!(read[0][0].entry.title.as_str(), "Old Mill");
/// assert!(calendar.read_indexable(&mut records).await?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct IndexableRecords<R> {
    /// The last record that was read, or the ID before the first one.
    after: Id<R>,
    last: Id<R>,
}

impl<R> IndexableRecords<R> {
    /// The records after an ID, up to another one.
    pub const fn after(after: Id<R>, last: Id<R>) -> Self {
        Self { after, last }
    }
}

impl Calendar {
    /// The first record after an ID of whose page search engines are told.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    #[tracing::instrument(name = "app.next_indexable", skip_all, fields(kind = %R::KIND))]
    pub async fn next_indexable<R: Resource>(
        &self,
        mut after: Option<Id<R>>,
    ) -> Result<Option<Id<R>>, AppError> {
        let reads = self.store.bulk_reads().await?;
        loop {
            let ids = R::repository(&*reads).ids_after(after, BATCH).await?;
            if ids.is_empty() {
                return Ok(None);
            }
            after = ids.last().copied();
            let found = indexable(&ids, self.now(), &*reads).await?;
            if let Some(first) = found.first() {
                return Ok(Some(first.id));
            }
        }
    }

    /// Reads the next records, each with its views in all its languages; none after the last one.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn read_indexable<R: Resource>(
        &self,
        records: &mut IndexableRecords<R>,
    ) -> Result<Option<Vec<Vec<R::View>>>, AppError> {
        let (now, reads) = (self.now(), self.store.bulk_reads().await?);
        let repository = R::repository(&*reads);
        loop {
            let mut ids = repository.ids_after(Some(records.after), BATCH).await?;
            ids.retain(|id| *id <= records.last);
            let Some(last) = ids.last() else {
                return Ok(None);
            };
            records.after = *last;
            let found = indexable(&ids, now, &*reads).await?;
            if !found.is_empty() {
                return in_all_languages(found, now, &*reads).await.map(Some);
            }
        }
    }
}

/// The records among some of whose pages search engines are told.
async fn indexable<R: Resource>(
    ids: &[Id<R>],
    now: Timestamp,
    repositories: &dyn Repositories,
) -> Result<Vec<Stored<R>>, AppError> {
    let mut records = R::repository(repositories).find_many(ids).await?;
    records.retain(|record| record.is_indexable(now));
    Ok(records)
}

/// The views of records for everybody, in each language that they have.
async fn in_all_languages<R: Resource>(
    records: Vec<Stored<R>>,
    now: Timestamp,
    repositories: &dyn Repositories,
) -> Result<Vec<Vec<R::View>>, AppError> {
    let mut views: Vec<Vec<R::View>> = records.iter().map(|_| Vec::new()).collect();
    for language in Language::ALL {
        let visibility = Visibility {
            language,
            ..Visibility::new(Caller::Anonymous, now)
        };
        let has = |record: &Stored<R>| record.languages().contains(&language);
        let with: Vec<_> = records.iter().filter(|one| has(one)).cloned().collect();
        if with.is_empty() {
            continue;
        }
        let read = resource::load::<R>(with, &visibility, repositories).await?;
        let of_records = views.iter_mut().zip(&records);
        let of_records = of_records.filter(|(_, record)| has(record));
        for ((views, _), view) in of_records.zip(read) {
            views.push(view);
        }
    }
    Ok(views)
}
