//! Pairs of records that look alike, and what a merge leaves for its undoing.

use async_trait::async_trait;
use domain::{
    EventId, FieldName, Id, Kind,
    duplicate::{Duplicate, DuplicateState},
    page::{Page, PageRequest},
    time::Timestamp,
};

use crate::ports::StoreError;

/// A pair of records as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDuplicate {
    /// The ID, which no later pair gets.
    pub id: Id<Duplicate>,
    /// The pair.
    pub pair: Duplicate,
    /// The merge of a merged pair.
    pub merge: Option<Merge>,
}

/// The effects of a merge, as its undoing needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    /// The ID of the record that stayed.
    pub kept: i64,
    /// The fields that it took from the other one.
    pub fields: Vec<FieldName>,
    /// The two records before the merge, that which stayed first: texts of [`Repository::keep`](crate::ports::Repository::keep).
    pub before: [String; 2],
    /// The revision of the other one since the merge.
    pub gone_revision: i64,
    /// The things that belong to the record that stayed, and belonged to the other one.
    pub moved: Vec<Moved>,
    /// The time of the merge.
    pub at: Timestamp,
}

/// Something that a merge moved from one record to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// An event that named the record.
    Event {
        /// The event.
        id: EventId,
        /// The index of the record among the organizers of an event that named both, from 0.
        beside: Option<usize>,
    },
    /// The row of the ledger of imports of a source and an identifier.
    Import {
        /// The name of the source.
        source: String,
        /// The identifier there.
        uid: String,
    },
}

/// Which pairs a list holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DuplicateFilter {
    /// Only the pairs in a state.
    pub state: Option<DuplicateState>,
    /// Only the pairs of a kind.
    pub kind: Option<Kind>,
}

/// Stores pairs of records that look alike. There is at most one of two records. A pair is deleted with either record; a merged
/// one only with the record that stayed.
///
/// ```
/// use events_calendar_app::{
///     ports::{DuplicateFilter, Duplicates, Merge, Moved, Repositories, Store, StoredDuplicate},
///     test_support::{InMemoryStore, add_user, at, event},
/// };
/// use domain::{Kind, Role, duplicate::{Duplicate, DuplicateReason, DuplicateState, Likeness}, page::PageRequest};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// add_user(&store, "ada", Role::Editor).await;
/// let unit = store.begin().await?;
/// let [fair, show] = [event("Fair").insert(&*unit).await, event("Fair!").insert(&*unit).await];
/// let likeness = Likeness { score: 90, reasons: vec![DuplicateReason::Title] };
/// let records = [&fair, &show].map(|one| (one.id.get(), one.revision));
/// let found = Duplicate::new(Kind::Event, records, likeness);
///
/// let duplicates: &dyn Duplicates = unit.duplicates();
/// let mut stored: StoredDuplicate = duplicates.insert(&found).await?;
/// assert_eq!(duplicates.find(stored.id).await?.as_ref(), Some(&stored));
/// assert_eq!(duplicates.of_pair(Kind::Event, found.records).await?.as_ref(), Some(&stored));
/// assert_eq!(duplicates.newest().await?, Some(stored.id));
/// assert_eq!(duplicates.open_of(Kind::Event, show.id.get()).await?, [stored.clone()]);
/// duplicates.set_compared("7").await?;
/// assert_eq!(duplicates.compared().await?.as_deref(), Some("7"));
/// let page = PageRequest::new(1, 10, 100);
/// assert_eq!(duplicates.page(&DuplicateFilter::default(), page).await?.total, 1);
///
/// stored.pair.state = DuplicateState::Merged;
/// stored.merge = Some(Merge {
///     kept: fair.id.get(),
///     fields: Vec::new(),
///     before: ["kept".to_owned(), "gone".to_owned()],
///     gone_revision: show.revision + 1,
///     moved: vec![Moved::Import { source: "club".to_owned(), uid: "1".to_owned() }],
///     at: at("2030-01-01 12:00:00"),
/// });
/// assert!(duplicates.update(&stored).await?);
/// assert_eq!(duplicates.merged_into(Kind::Event, show.id.get()).await?, Some(fair.id.get()));
/// assert!(duplicates.delete(stored.id).await?);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait Duplicates: Send + Sync {
    /// The pair with an ID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn find(&self, id: Id<Duplicate>) -> Result<Option<StoredDuplicate>, StoreError>;

    /// The pair of two records, of which the lower ID comes first.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn of_pair(
        &self,
        kind: Kind,
        records: [i64; 2],
    ) -> Result<Option<StoredDuplicate>, StoreError>;

    /// The ID of the pair that was added last, of those that are left.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn newest(&self) -> Result<Option<Id<Duplicate>>, StoreError>;

    /// A page of a list, the highest scores first, then the lowest IDs.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn page(
        &self,
        filter: &DuplicateFilter,
        page: PageRequest,
    ) -> Result<Page<StoredDuplicate>, StoreError>;

    /// Adds a pair of records, of which none is stored.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn insert(&self, pair: &Duplicate) -> Result<StoredDuplicate, StoreError>;

    /// Changes the likeness, the revisions, the state and the merge of a pair. Returns whether there is one.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn update(&self, stored: &StoredDuplicate) -> Result<bool, StoreError>;

    /// Deletes a pair. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn delete(&self, id: Id<Duplicate>) -> Result<bool, StoreError>;

    /// The open pairs of a record, by their IDs.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn open_of(&self, kind: Kind, record: i64) -> Result<Vec<StoredDuplicate>, StoreError>;

    /// The position up to which records were compared, as it was stored last.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn compared(&self) -> Result<Option<String>, StoreError>;

    /// Stores the position up to which records were compared.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn set_compared(&self, position: &str) -> Result<(), StoreError>;

    /// The record into which one was merged.
    ///
    /// # Errors
    ///
    /// As for `find`.
    async fn merged_into(&self, kind: Kind, gone: i64) -> Result<Option<i64>, StoreError>;
}
