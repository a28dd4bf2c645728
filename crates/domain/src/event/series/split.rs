//! The split of a series at a slot.

use super::super::{Event, Repetition, Series};
use crate::{
    EventId, Stored,
    recurrence::{InvalidSplit, Recurrence, Slot},
    time::Timestamp,
};

/// The halves of a series that is split. Each names the other. The first half keeps ID and UID, with the next
/// sequence number; the second one is a new record with a UID of its own and sequence number 0.
///
/// ```
/// use events_calendar_domain::{Event, EventId, Stored, event::SeriesSplit, recurrence::{InvalidSplit, Slot}};
///
/// fn halves(series: &Stored<Event>, at: Slot, second: EventId) -> Result<[Event; 2], InvalidSplit> {
///     let split = SeriesSplit::at(series, at, "b@cal.example".to_owned(), series.modified)?;
///     assert!(split.before().is_some_and(|before| !before.is_endless()));
///     let content = split.second.clone();
///     Ok([split.first_before(second), content])
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesSplit {
    /// The slots before, without the link to the other half: see [`Self::first_before`].
    first: Event,
    /// The slots from the split on, with the slugs of the whole.
    pub second: Event,
}

impl SeriesSplit {
    /// Splits a series at a slot. `uid` is the UID of the second half.
    ///
    /// # Errors
    ///
    /// [`InvalidSplit`], also if the event is no series.
    pub fn at(
        series: &Stored<Event>,
        at: Slot,
        uid: String,
        now: Timestamp,
    ) -> Result<Self, InvalidSplit> {
        let whole = series.series().ok_or(InvalidSplit::NoSlot)?;
        let [before, after] = whole.recurrence.split(at)?;
        let half = |recurrence: Recurrence, previous, next| {
            let mut half = series.content.clone();
            half.modified = now;
            half.details.when = recurrence.first().clone();
            half.details.repetition = Repetition::Series(Box::new(Series {
                kept_until: whole.kept_until.filter(|_| recurrence.is_endless()),
                recurrence,
                previous,
                next,
            }));
            half
        };
        let mut first = half(before, whole.previous, None);
        first.details.count_change_since(&series.details);
        let mut second = half(after, Some(series.id), whole.next);
        second.details.uid = uid;
        second.details.sequence = 0;
        Ok(Self { first, second })
    }

    /// The recurrence of the first half.
    pub fn before(&self) -> Option<&Recurrence> {
        Some(&self.first.series()?.recurrence)
    }

    /// The first half, before the second one with an ID.
    pub fn first_before(self, second: EventId) -> Event {
        let mut first = self.first;
        if let Repetition::Series(series) = &mut first.details.repetition {
            series.next = Some(second);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        Entry, UserId,
        event::EventDetails,
        text::Title,
        time::{EventTime, Zone, parse_civil},
    };

    #[test]
    fn the_halves_name_each_other() {
        let start = parse_civil("2027-03-02 19:00:00").unwrap();
        let now = Timestamp::from_seconds(1_800_000_000).unwrap();
        let first = EventTime::new(Zone::utc(), start, start, false).unwrap();
        let [whole, second, next, previous] = [1, 2, 3, 4].map(EventId::from_raw);
        for (rule, kept_until, of_second) in [
            ("FREQ=WEEKLY;COUNT=6", None, None),
            ("FREQ=WEEKLY", Some(now), Some(now)),
        ] {
            let rule = Some(rule.parse().unwrap());
            let none = BTreeSet::new;
            let recurrence = Recurrence::from_stored(first.clone(), rule, none(), none());
            let mut details = EventDetails::new(first.clone(), "a@cal.example".to_owned());
            details.sequence = 7;
            details.repetition = Repetition::Series(Box::new(Series {
                kept_until,
                recurrence,
                previous: Some(previous),
                next: Some(next),
            }));
            let title: Title = "Jazz".parse().unwrap();
            let series = Stored {
                id: whole,
                revision: 1,
                content: Entry::new(UserId::from_raw(1), title, details, now),
            };
            let split = |slot: &str| {
                let slot = slot.parse().unwrap();
                SeriesSplit::at(&series, slot, "b@cal.example".to_owned(), now)
            };
            let halves = split("2027-03-16T19:00:00").unwrap();
            let after = halves.second.clone();
            let before = halves.first_before(second);
            let of = |event: &Event| {
                let (series, details) = (event.series().unwrap(), &event.details);
                let links = (series.previous, series.next, series.kept_until);
                (details.uid.clone(), details.sequence, links)
            };
            let links = (Some(previous), Some(second), None);
            assert_eq!(of(&before), ("a@cal.example".to_owned(), 8, links));
            let links = (Some(whole), Some(next), of_second);
            assert_eq!(of(&after), ("b@cal.example".to_owned(), 0, links));
            assert_eq!(split("2027-03-02T19:00:00"), Err(InvalidSplit::First));
        }
    }
}
