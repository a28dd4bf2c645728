//! The occurrences of events that repeat.

use async_trait::async_trait;
use domain::{Event, EventId, Stored, event::Window, recurrence::Slot, time::Timestamp};

use super::StoreError;

pub use domain::event::StoredOccurrence;

/// The stored occurrences of a series that are asked for.
///
/// ```
/// use events_calendar_app::ports::{OccurrenceFilter, StoredOccurrence};
///
/// fn is_plain(one: &StoredOccurrence) -> bool {
///     OccurrenceFilter::default().holds(one) && !OccurrenceFilter::overrides().holds(one)
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OccurrenceFilter {
    /// They start and end within it.
    pub window: Window,
    /// Only those that are overrides.
    pub overrides_only: bool,
    /// Only the one with this ID.
    pub id: Option<EventId>,
}

impl OccurrenceFilter {
    /// Whether the filter accepts an occurrence.
    pub fn holds(&self, one: &StoredOccurrence) -> bool {
        self.window.holds(one.start, one.end)
            && (one.is_override || !self.overrides_only)
            && self.id.is_none_or(|id| id == one.id)
    }

    /// All overrides.
    pub fn overrides() -> Self {
        Self {
            overrides_only: true,
            ..Self::default()
        }
    }
}

/// A change of the occurrences of a series. An override is an occurrence with content of its own.
///
/// ```
/// use events_calendar_app::ports::OccurrencePlan;
///
/// let slot = "2027-03-02T19:00:00".parse()?;
/// let plan = OccurrencePlan { added: vec![slot], ..OccurrencePlan::default() };
/// assert_ne!(plan, OccurrencePlan::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OccurrencePlan {
    /// Occurrences that are deleted for good, also overrides.
    pub removed: Vec<EventId>,
    /// Occurrences of this or another series, with their slots in this one.
    pub kept: Vec<(EventId, Slot)>,
    /// Slots that get an occurrence, in order. None of them has one yet, unless it is removed or gets
    /// another slot.
    pub added: Vec<Slot>,
    /// Occurrences that become overrides, with their content.
    pub overridden: Vec<(Stored<Event>, Event)>,
    /// Overrides that follow the series again.
    pub cleared: Vec<Stored<Event>>,
    /// Overrides that get new content.
    pub changed: Vec<(Stored<Event>, Event)>,
    /// Overrides that become events which belong to no series. Their content is then updated as that
    /// of any event.
    pub detached: Vec<EventId>,
}

/// An occurrence with a given ID, and with its revision.
///
/// ```
/// use events_calendar_app::ports::GivenOccurrence;
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
/// of its own; or as an override. [`Stored::renew`] says what becomes of
/// overrides after a change of the series.
///
/// A change of the series by [`Repository::update`](super::Repository) also changes whether lists hold
/// the plain occurrences, but not their slots and times.
///
/// ```
/// use events_calendar_app::ports::{GivenOccurrence, OccurrenceFilter, OccurrencePlan, Repositories, Store, UnitOfWork};
/// use events_calendar_app::test_support::{at, series};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
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
/// let stored = occurrences.of_series(series.id, &OccurrenceFilter::default()).await?;
/// let second = stored[1];
/// assert_eq!(occurrences.find_slot(series.id, second.slot).await?, Some(second.id));
/// assert!(occurrences.parents(series.id).await?.is_empty());
///
/// // The second one becomes an override, and the third one vanishes.
/// let plain = unit.events().find(second.id).await?.unwrap();
/// let plan = OccurrencePlan {
///     removed: vec![stored[2].id],
///     overridden: vec![(plain.clone(), plain.content.clone())],
///     ..OccurrencePlan::default()
/// };
/// occurrences.apply(&series, &plan).await?;
/// let overrides = occurrences.of_series(series.id, &OccurrenceFilter::overrides()).await?;
/// assert_eq!((overrides.len(), overrides[0].id), (1, second.id));
///
/// // It becomes an event.
/// let plan = OccurrencePlan { detached: vec![second.id], ..OccurrencePlan::default() };
/// occurrences.apply(&series, &plan).await?;
/// let left = occurrences.of_series(series.id, &OccurrenceFilter::default()).await?;
/// assert_eq!(left.len(), 1);
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
    /// The stored occurrences of a series that a filter accepts, also those in the trash, by start and
    /// ID.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn of_series(
        &self,
        series: EventId,
        filter: &OccurrenceFilter,
    ) -> Result<Vec<StoredOccurrence>, StoreError>;

    /// The stored occurrences of a series that events name as their parent.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn parents(&self, series: EventId) -> Result<Vec<EventId>, StoreError>;

    /// The stored occurrence at a slot.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn find_slot(&self, series: EventId, slot: Slot) -> Result<Option<EventId>, StoreError>;

    /// Stores a change of the occurrences of a series, and returns the IDs of the added ones, which
    /// ascend with their slots. Added and kept occurrences get the times of their slots by the
    /// recurrence of `series`; kept overrides keep their content. An occurrence that becomes an
    /// override, changes or follows its series again gets the next revision. The number of statements
    /// does not depend on the number of occurrences, except removed and detached overrides, and
    /// overrides beyond some hundred.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if an occurrence that becomes an override is one already, or if one of
    /// those whose content changes was changed.
    async fn apply(
        &self,
        series: &Stored<Event>,
        plan: &OccurrencePlan,
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
