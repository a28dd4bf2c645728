//! The journal of changes.

use async_trait::async_trait;
use domain::{
    Kind,
    policy::{Audience, Reach},
    time::Timestamp,
};

use super::StoreError;

/// A record of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordRef {
    /// The kind.
    pub kind: Kind,
    /// The ID among the records of the kind.
    pub id: i64,
}

/// A change of one record, with its audience before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    /// The number, from 1. Numbers follow the order of commits.
    pub number: u64,
    /// The record.
    pub record: RecordRef,
    /// The audience before the change.
    pub was: Audience,
    /// The audience after the change.
    pub is: Audience,
}

/// A place in the journal: behind an entry, or before the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JournalCursor {
    /// The number of the entry; 0 before the first one.
    pub number: u64,
    /// The random number of that entry. It differs in a database that was restored from a backup and
    /// then changed in another way.
    pub nonce: u32,
}

/// The entries that a reader asks for: the first one of each record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryQuery {
    /// The number behind which the first entries are looked for.
    pub after: u64,
    /// The number up to which a reader of pages has them already.
    pub read: u64,
    /// The greatest number, which [`Journal::end`] gave.
    pub until: u64,
    /// The kinds of the records.
    pub kinds: Vec<Kind>,
    /// Some records; none for all.
    pub records: Option<Vec<RecordRef>>,
    /// The reader, as for [`Journal::last_visible`]: other entries do not exist for the query.
    pub reach: Reach,
    /// Most entries.
    pub limit: u64,
}

impl EntryQuery {
    /// All entries between two numbers.
    pub fn between(after: u64, until: u64, limit: u64) -> Self {
        Self {
            after,
            read: after,
            until,
            kinds: Kind::ALL.to_vec(),
            records: None,
            reach: Reach::All,
            limit,
        }
    }
}

/// A scheduled publication of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    /// When it takes effect.
    pub due: Timestamp,
    /// The record.
    pub record: RecordRef,
}

impl Publication {
    /// The order of publications: by instant, name of the kind, and ID.
    pub fn order(&self) -> (Timestamp, &'static str, i64) {
        (self.due, self.record.kind.name(), self.record.id)
    }
}

/// Whether a journal still has all that happened after a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorState {
    /// It has.
    Valid,
    /// Entries after the place were deleted.
    TooOld,
    /// The journal never had the place: it belongs to another history.
    Unknown,
}

/// The journal of changes of events, venues, organizers, categories and tags.
///
/// Each unit of work that creates, changes or deletes such a record adds an entry, whichever program
/// writes. A change of a counter, for example of the events of a tag, adds none. A record also has an
/// entry when it shows something else because another record changed:
///
/// - an event, when the audience of its venue, of an organizer or of its parent changes, or when one of
///   these, a category or a tag of it is deleted;
/// - a category, when a slug or the parent of a category above it changes;
/// - a series, when the series before or after it is split;
/// - a record with an image, when the alternative text of the image changes.
///
/// Such an entry has the same audience before and after. A journal belongs to the store itself, not to a
/// unit of work: it has what is committed.
///
/// ```
/// use events_calendar_app::{
///     ports::{CursorState, EntryQuery, Journal, JournalCursor, JournalEntry, Publication, RecordRef, Store, StoreError},
///     test_support::{InMemoryStore, at, in_unit, tag},
/// };
/// use domain::{Kind, policy::Reach};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// let store = InMemoryStore::new();
/// let journal: &dyn Journal = store.journal();
/// let before: JournalCursor = journal.end().await?;
/// let loud = in_unit(&store, async |unit| tag("Loud").insert(unit).await).await;
///
/// let end = journal.end().await?;
/// let entries: Vec<JournalEntry> = journal.first_entries(&EntryQuery::between(before.number, end.number, 10)).await?;
/// let record = RecordRef { kind: Kind::Tag, id: loud.id.get() };
/// assert_eq!(entries[0].record, record);
/// assert!(!entries[0].was.is_public() && entries[0].is.is_public());
/// assert_eq!(journal.last_visible(Reach::Published).await?, end);
/// assert_eq!(journal.check(before).await?, CursorState::Valid);
///
/// // No publication was scheduled, and the last entry is never deleted.
/// let (then, later) = (at("2020-01-01 00:00:00"), at("2100-01-01 00:00:00"));
/// let none = Publication { due: then, record };
/// assert_eq!(none.order(), (then, "tag", record.id));
/// assert_eq!(journal.became_due(&none, later, 10).await?, []);
/// assert_eq!(journal.last_due(later, Reach::All).await?, None);
/// assert_eq!(journal.prune(later, 1, 10).await?, 0);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait Journal: Send + Sync {
    /// The place behind the last entry. It MUST cover every commit that was acknowledged before the
    /// call, by any process. Reads that begin after the call MUST cover the same commits.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn end(&self) -> Result<JournalCursor, StoreError>;

    /// The place behind the last entry of a record that was or became public, due or not, or that was or
    /// became another record that the reach includes; before the first entry if there is none.
    ///
    /// Where another record is the cause of the entry of a public record, this cause was or became public,
    /// too. The place MUST cover every commit that was acknowledged before the call. Reads that begin after
    /// the call MUST cover the same commits.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn last_visible(&self, reach: Reach) -> Result<JournalCursor, StoreError>;

    /// Whether the journal still has all entries after a place.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn check(&self, cursor: JournalCursor) -> Result<CursorState, StoreError>;

    /// The first entry of each record that the query asks for, in the order of numbers. It has the audience
    /// that the record had at `after`, or one that the reach includes as little.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn first_entries(&self, query: &EntryQuery) -> Result<Vec<JournalEntry>, StoreError>;

    /// The publications behind one in their [order](Publication::order) that took effect until an instant,
    /// at most `limit`. They needed no write.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn became_due(
        &self,
        after: &Publication,
        until: Timestamp,
        limit: u64,
    ) -> Result<Vec<Publication>, StoreError>;

    /// The latest publication that took effect at an instant or before, of records that public lists
    /// show or that the reach includes; none without one. A record that becomes due later makes it greater.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn last_due(
        &self,
        until: Timestamp,
        reach: Reach,
    ) -> Result<Option<Timestamp>, StoreError>;

    /// Deletes at most `limit` of the oldest entries: those that were made before an instant, and those before the
    /// last `keep` ones, never the last entry. Returns how many.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn prune(&self, before: Timestamp, keep: u64, limit: u64) -> Result<u64, StoreError>;
}
