//! Series of calendar files.

use std::collections::BTreeSet;

use domain::{
    recurrence::{Recurrence, Slot},
    time::Timestamp,
};

use super::event::FeedEvent;

/// A series of a calendar file, with the occurrences that differ from it.
///
/// ```
/// use events_calendar_app::feed::{FeedEvent, FeedOverride, FeedSeries, FeedStatus, InLanguage};
/// use domain::{
///     Language, recurrence::{Recurrence, RecurrenceParts}, time::{EventTime, Timestamp, parse_civil},
/// };
///
/// let [start, end] = ["2027-03-02 19:00:00", "2027-03-02 21:00:00"].map(|text| parse_civil(text).unwrap());
/// let first = EventTime::new("Europe/Paris".parse()?, start, end, false)?;
/// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
/// let recurrence = Recurrence::new(first.clone(), RecurrenceParts { rule, ..RecurrenceParts::default() })?;
/// let event = FeedEvent {
///     uid: "500@cal.example".to_owned(),
///     stamp: first.start().utc,
///     when: first,
///     sequence: 1,
///     status: FeedStatus::Confirmed,
///     title: InLanguage::new("Jazz night".to_owned(), Language::English),
///     url: "https://cal.example/event/jazz-night/".to_owned(),
///     content: None,
/// };
///
/// // The fourth one is cancelled.
/// let slot = "2027-03-23T19:00:00".parse()?;
/// let when = recurrence.time_at(slot).unwrap();
/// let fourth = FeedEvent { when, status: FeedStatus::Cancelled, ..event.clone() };
/// let series = FeedSeries {
///     overrides: vec![FeedOverride { slot, event: fourth }],
///     ..FeedSeries::new(event, recurrence, Timestamp::MAX)
/// };
/// assert!(series.left_out.is_empty());
/// assert_eq!(series.horizon(), Timestamp::MAX);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedSeries {
    /// The fields that the occurrences have in common. The time is that of the first slot.
    pub event: FeedEvent,
    /// When it happens.
    pub recurrence: Recurrence,
    /// The slots of occurrences that are not in the file, besides the deleted ones.
    pub left_out: BTreeSet<Slot>,
    /// The occurrences with fields of their own or cancelled, in the order of their slots. They have
    /// the UID of the series, and a sequence that is not below its own.
    pub overrides: Vec<FeedOverride>,
    /// The instant before which occurrences are named that a reader of the rule would put at other
    /// times, as their length by the clock is another elapsed time. [`Self::horizon`] limits it.
    pub until: Timestamp,
}

/// The time for which an endless series names such occurrences at most, in seconds: forty years.
const LONGEST: i64 = 40 * 366 * 86_400;

impl FeedSeries {
    /// A series all of whose occurrences follow it.
    pub fn new(event: FeedEvent, recurrence: Recurrence, until: Timestamp) -> Self {
        Self {
            event,
            recurrence,
            left_out: BTreeSet::new(),
            overrides: Vec::new(),
            until,
        }
    }

    /// The instant before which the file names occurrences: [`Self::until`], of an endless series at
    /// most forty years after its start or its last change.
    pub fn horizon(&self) -> Timestamp {
        if !self.recurrence.is_endless() {
            return self.until;
        }
        let begin = self.recurrence.first().start().utc.max(self.event.stamp);
        self.until.min(begin.saturating_add(LONGEST))
    }
}

/// An occurrence of a series that differs from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedOverride {
    /// Its slot (RECURRENCE-ID).
    pub slot: Slot,
    /// The occurrence with all its values.
    pub event: FeedEvent,
}
