//! The occurrences of events that repeat.

use async_trait::async_trait;
use domain::{Event, EventId, Stored, event::Window, recurrence::Slot, time::Timestamp};

use super::StoreError;

pub use domain::event::StoredOccurrence;

/// A change of the occurrences of a series.
///
/// ```
/// use app::ports::OccurrenceChanges;
///
/// let slot = "2027-03-02T19:00:00".parse()?;
/// let changes = OccurrenceChanges { added: vec![slot], ..OccurrenceChanges::default() };
/// assert!(!changes.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OccurrenceChanges {
    /// Slots that get an occurrence, in order. None of them has one yet, unless it is removed or gets
    /// another slot.
    pub added: Vec<Slot>,
    /// Occurrences of this or another series, with their slots in this one.
    pub kept: Vec<(EventId, Slot)>,
    /// Occurrences that are deleted for good, with their own records.
    pub removed: Vec<EventId>,
}

impl OccurrenceChanges {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.kept.is_empty() && self.removed.is_empty()
    }
}

/// An occurrence with a given ID, and with its revision.
///
/// ```
/// use app::ports::GivenOccurrence;
/// use domain::EventId;
///
/// let slot = "2027-03-02T19:00:00".parse()?;
/// let second = GivenOccurrence { id: EventId::from_raw(2), slot, revision: 1 };
/// assert_eq!(second, second.clone());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenOccurrence {
    /// Its ID among events.
    pub id: EventId,
    /// Its name within the series.
    pub slot: Slot,
    /// The revision of the event that it is.
    pub revision: i64,
}

/// The occurrences of series.
///
/// An occurrence has an ID among those of events. [`Repository::find_many`](super::Repository) gives
/// it as its series says ([`Stored::occurrence_at`]), with the sum of the revisions of its series and
/// of its own; or as its own record, if it has one. Own records are changed as other events are:
/// [`Repository::update`](super::Repository) stores what [`Stored::inherited_by`] makes of them after
/// a change of the series.
///
/// A change of the series by [`Repository::update`](super::Repository) also changes whether lists hold
/// the occurrences without a record of their own, but not their slots and times.
///
/// ```
/// use app::ports::{GivenOccurrence, OccurrenceChanges, Repositories, Store, UnitOfWork};
/// use app::test_support::{at, series};
/// use domain::event::Window;
/// # use app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store.clone()).await;
/// let yoga = series("Yoga", "2030-03-05 19:00:00", "FREQ=WEEKLY;COUNT=3").build();
/// let series = calendar.create(editor, &yoga).await?.event.stored()?;
///
/// let unit = store.begin().await?;
/// let occurrences = unit.occurrences();
/// let stored = occurrences.of_series(series.id, &Window::default()).await?;
/// let second = stored[1];
/// assert_eq!(occurrences.find_slot(series.id, second.slot).await?, Some(second.id));
///
/// // A record of its own, and back.
/// let plain = unit.events().find(second.id).await?.unwrap();
/// let own = occurrences.set_own(&plain, plain.content.clone()).await?;
/// assert_eq!(occurrences.own_records(series.id).await?, [own.id]);
/// assert!(occurrences.has_own_record(own.id).await?);
/// occurrences.clear_own(&series, &own).await?;
/// let plain = unit.events().find(second.id).await?.unwrap();
/// occurrences.set_own_records(&[(plain.clone(), plain.content.clone())]).await?;
/// assert!(occurrences.has_own_record(second.id).await?);
/// let own = unit.events().find(second.id).await?.unwrap();
/// occurrences.clear_own(&series, &own).await?;
/// let plain = unit.events().find(second.id).await?.unwrap();
/// let own = occurrences.set_own(&plain, plain.content.clone()).await?;
/// occurrences.renew(&series, &[own.clone()], &[]).await?;
///
/// // The third one vanishes, the second one becomes an event.
/// let removed = OccurrenceChanges { removed: vec![stored[2].id], ..OccurrenceChanges::default() };
/// occurrences.save(&series, &removed).await?;
/// let plain = unit.events().find(second.id).await?.unwrap();
/// occurrences.set_own(&plain, plain.content.clone()).await?;
/// occurrences.detach(second.id).await?;
/// assert_eq!(occurrences.of_series(series.id, &Window::default()).await?.len(), 1);
///
/// // An occurrence with a given ID.
/// let again = GivenOccurrence { id: domain::EventId::from_raw(70), slot: second.slot, revision: 4 };
/// occurrences.insert_at(&series, &[again]).await?;
/// assert_eq!(unit.events().find(again.id).await?.unwrap().revision, 4);
///
/// // No series is endless.
/// let now = at("2030-01-01 00:00:00");
/// assert!(occurrences.lock_unfinished(now, 100).await?.is_empty());
/// assert_eq!(occurrences.extend(&[]).await?, 0);
/// assert_eq!(occurrences.horizon(now).await?, None);
/// unit.commit().await?;
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait OccurrenceRepository: Send + Sync {
    /// The stored occurrences of a series that start and end within a window, also those in the
    /// trash, by start and ID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn of_series(
        &self,
        series: EventId,
        window: &Window,
    ) -> Result<Vec<StoredOccurrence>, StoreError>;

    /// The IDs of the own records that name a series as theirs, in order. The record of an occurrence
    /// that another series takes over ([`Self::save`]) names it once its content is updated.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn own_records(&self, series: EventId) -> Result<Vec<EventId>, StoreError>;

    /// Whether an occurrence has a record of its own.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn has_own_record(&self, occurrence: EventId) -> Result<bool, StoreError>;

    /// The stored occurrence at a slot.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn find_slot(&self, series: EventId, slot: Slot) -> Result<Option<EventId>, StoreError>;

    /// Stores a change of the occurrences of a series, and returns the IDs of the added ones, which
    /// ascend with their slots. Added and kept occurrences get the times of their slots by the
    /// recurrence of `series`. A number of statements that does not depend on the number of
    /// occurrences without a record of their own. Own records keep their content.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn save(
        &self,
        series: &Stored<Event>,
        changes: &OccurrenceChanges,
    ) -> Result<Vec<EventId>, StoreError>;

    /// Adds occurrences of a series with their IDs, which are free and positive, and their revisions.
    /// Later events and occurrences get greater IDs.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if an ID or a slot is taken.
    async fn insert_at(
        &self,
        series: &Stored<Event>,
        occurrences: &[GivenOccurrence],
    ) -> Result<(), StoreError>;

    /// Gives an occurrence a record of its own, under its ID and with the next revision.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if it has one.
    async fn set_own(
        &self,
        before: &Stored<Event>,
        content: Event,
    ) -> Result<Stored<Event>, StoreError>;

    /// Gives occurrences of one series records of their own, as [`Self::set_own`] does. A number of
    /// statements that does not depend on the number of records, up to some hundred.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if one of them has one, or changed.
    async fn set_own_records(&self, records: &[(Stored<Event>, Event)]) -> Result<(), StoreError>;

    /// Deletes the own record of an occurrence, which follows its series again, with the next
    /// revision.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if it changed.
    async fn clear_own(
        &self,
        series: &Stored<Event>,
        own: &Stored<Event>,
    ) -> Result<Stored<Event>, StoreError>;

    /// Changes own records of a series, each with the next revision: the occurrences of `cleared` follow
    /// the series again, as [`Self::clear_own`] makes them, and `changed` get new content. A number of
    /// statements that does not depend on that of records.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if one of them changed.
    async fn renew(
        &self,
        series: &Stored<Event>,
        cleared: &[Stored<Event>],
        changed: &[(Stored<Event>, Event)],
    ) -> Result<(), StoreError>;

    /// Makes the own record of an occurrence an event that belongs to no series. Its content is
    /// then updated as that of any event.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn detach(&self, id: EventId) -> Result<(), StoreError>;

    /// Locks endless series of which the occurrences are stored up to an instant before `until`, at
    /// most `limit`. It skips series that another unit of work has locked.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn lock_unfinished(
        &self,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<Stored<Event>>, StoreError>;

    /// Stores occurrences of endless series at slots, in order, and the instants up to which those of
    /// each series are stored from now on: the rest of a series is as it was locked. An occurrence that
    /// is at a slot already stays. Returns the number of new ones. The revisions of the series, and
    /// of their former occurrences, stay. A number of statements that does not depend on that of series.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if a series changed.
    async fn extend(&self, series: &[(Stored<Event>, Vec<Slot>)]) -> Result<usize, StoreError>;

    /// The earliest instant up to which the occurrences of an endless series are stored, of all
    /// series whose occurrences public lists hold; none without such a series.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn horizon(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError>;
}
