//! Occurrences: slots with their times.

use std::{
    collections::VecDeque,
    iter,
    ops::{Bound, RangeBounds},
};

use super::{
    set::{MARGIN, Recurrence},
    slot::Slot,
};
use crate::time::{EventTime, Timestamp};

/// One time at which an event happens.
///
/// ```
/// # use std::collections::BTreeSet;
/// # use events_calendar_domain::recurrence::Recurrence;
/// # use events_calendar_domain::time::{EventTime, parse_civil};
/// # let time = |text| parse_civil(text).unwrap();
/// # let (start, end) = (time("2027-03-27 02:30:00"), time("2027-03-27 03:00:00"));
/// let first = EventTime::new("Europe/Paris".parse()?, start, end, false)?;
/// let rule = Some("FREQ=DAILY;COUNT=2".parse()?);
/// let daily = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
/// // The clocks skip the time of the second one.
/// let second = daily.occurrences(..).nth(1).unwrap();
/// assert_eq!(second.slot.to_string(), "2027-03-28T02:30:00");
/// assert_eq!(second.when.start().local, time("2027-03-28 03:30:00"));
/// assert_eq!(second.when.end().local, time("2027-03-28 04:00:00"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Its name within the series.
    pub slot: Slot,
    /// Its start and its end.
    pub when: EventTime,
}

impl Recurrence {
    /// The time of an occurrence at a slot, whether or not there is one; none outside the years 1
    /// to 9999.
    ///
    /// A wall clock that the clocks skip moves forward, one that occurs twice means the first time
    /// (RFC 5545, section 3.3.5). The end keeps its distance from the slot by the clock; should it
    /// then be before the start, it is the start plus that distance. Whole days stay as many as the
    /// first ones. The first slot has the time of the event.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, parse_civil};
    /// # let time = |text| parse_civil(text).unwrap();
    /// let (start, end) = (time("2027-10-23 22:00:00"), time("2027-10-24 06:00:00"));
    /// let first = EventTime::new("Europe/Paris".parse()?, start, end, false)?;
    /// let weekly = Some("FREQ=WEEKLY".parse()?);
    /// let nights = Recurrence::from_stored(first, weekly, BTreeSet::new(), BTreeSet::new());
    /// let night = nights.time_at("2027-10-30T22:00:00".parse()?).unwrap();
    /// assert_eq!(night.end().local, time("2027-10-31 06:00:00"));
    /// assert_eq!(night.end().utc.to_string(), "2027-10-31 05:00:00", "nine hours later");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn time_at(&self, slot: Slot) -> Option<EventTime> {
        self.start().time_at(slot)
    }

    /// The occurrence at a slot; none if there is no such slot, if it is deleted, or if another
    /// slot has the same instant by its own wall clock.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// assert!(weekly.occurrence_at("2027-03-09T19:00:00".parse()?).is_some());
    /// assert!(weekly.occurrence_at("2027-03-10T19:00:00".parse()?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occurrence_at(&self, slot: Slot) -> Option<Occurrence> {
        let is_there = self.has_slot(slot) && !self.deleted().contains(&slot);
        is_there.then(|| self.occurrence(slot))?
    }

    /// The occurrence of a slot that is there, deleted or not.
    pub(super) fn occurrence(&self, slot: Slot) -> Option<Occurrence> {
        let when = self.time_at(slot)?;
        let shown = Slot::shown_by(&when);
        let is_taken = shown != slot && self.has_slot(shown);
        (!is_taken).then_some(Occurrence { slot, when })
    }

    /// The occurrences whose start is in a window, in the order of their slots.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY".parse()?);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// let instant = |text| weekly.first().zone().at_local(parse_civil(text).unwrap());
    /// let march = instant("2044-03-01 00:00:00")?.utc..instant("2044-04-01 00:00:00")?.utc;
    /// assert_eq!(weekly.occurrences(march).count(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occurrences(
        &self,
        window: impl RangeBounds<Timestamp>,
    ) -> impl Iterator<Item = Occurrence> {
        let all = self.all_occurrences(window);
        all.filter(|one| !self.deleted().contains(&one.slot))
    }

    /// The occurrences whose start is in a window, those of [deleted slots](Self::deleted) included,
    /// in the order of their slots.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=3".parse()?);
    /// let deleted = BTreeSet::from(["2027-01-12T19:00:00".parse()?]);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), deleted);
    /// assert_eq!(weekly.occurrences(..).count(), 2);
    /// assert_eq!(weekly.all_occurrences(..).count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_occurrences(
        &self,
        window: impl RangeBounds<Timestamp>,
    ) -> impl Iterator<Item = Occurrence> {
        let bounds = (window.start_bound().cloned(), window.end_bound().cloned());
        let near = |instant: Timestamp, margin| {
            Slot::new(self.first().zone().at(instant).local).plus(margin)
        };
        let from = match bounds.0 {
            Bound::Included(start) | Bound::Excluded(start) => near(start, -MARGIN),
            Bound::Unbounded => Slot::MIN,
        };
        let last = match bounds.1 {
            Bound::Included(end) | Bound::Excluded(end) => near(end, MARGIN),
            Bound::Unbounded => Slot::MAX,
        };
        let occurrences = self.occurrences_between(from, last);
        occurrences.filter(move |one| bounds.contains(&one.when.start().utc))
    }

    /// The occurrences of the slots from one to another, both included, and deleted ones, too.
    pub(super) fn occurrences_between(
        &self,
        from: Slot,
        to: Slot,
    ) -> impl Iterator<Item = Occurrence> {
        let slots = Ahead {
            rest: self.all_slots_between(from, to),
            read: VecDeque::new(),
        };
        slots.occurrences_of(self)
    }

    /// The number of occurrences; none for an endless rule.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Timestamp, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let weekly = |rule: &str| {
    ///     let rule = rule.parse().ok();
    ///     Recurrence::from_stored(first.clone(), rule, BTreeSet::new(), BTreeSet::new())
    /// };
    /// let six = weekly("FREQ=WEEKLY;COUNT=6");
    /// assert_eq!(six.total(), Some(6));
    /// assert_eq!(six.last().unwrap().slot.to_string(), "2027-04-06T19:00:00");
    /// let endless = weekly("FREQ=WEEKLY");
    /// assert_eq!((endless.total(), endless.last()), (None, None));
    /// assert_eq!(endless.count_before(Timestamp::MAX, 5000), 5000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn total(&self) -> Option<usize> {
        (!self.is_endless()).then(|| self.occurrences(..).count())
    }

    /// The last occurrence; none for an endless rule.
    pub fn last(&self) -> Option<Occurrence> {
        if self.is_endless() {
            return None;
        }
        let slots: Vec<_> = self.slots(..).collect();
        slots
            .into_iter()
            .rev()
            .find_map(|slot| self.occurrence(slot))
    }

    /// The number of slots before an instant, deleted ones included, but at most `limit`: what a
    /// store has to keep up to a horizon.
    pub fn count_before(&self, horizon: Timestamp, limit: usize) -> usize {
        let horizon = Slot::new(self.first().zone().at(horizon).local);
        let slots = self.all_slots_between(Slot::MIN, horizon).take(limit);
        slots.take_while(|slot| *slot < horizon).count()
    }
}

/// Slots in order, of which some are read ahead: a slot that the clocks skip has an occurrence only
/// if no later slot is at its instant.
struct Ahead<I> {
    rest: I,
    read: VecDeque<Slot>,
}

impl<I: Iterator<Item = Slot>> Ahead<I> {
    /// The occurrences of the slots.
    fn occurrences_of(mut self, recurrence: &Recurrence) -> impl Iterator<Item = Occurrence> {
        let occurrences = iter::from_fn(move || {
            let slot = self.read.pop_front().or_else(|| self.rest.next())?;
            let when = recurrence.time_at(slot);
            let shown = when.as_ref().map_or(slot, Slot::shown_by);
            let is_taken = shown != slot && self.has(shown);
            let when = when.filter(|_| !is_taken);
            Some(when.map(|when| Occurrence { slot, when }))
        });
        occurrences.flatten()
    }

    /// Whether a slot is still to come.
    fn has(&mut self, slot: Slot) -> bool {
        while self.read.back().is_none_or(|last| *last < slot) {
            match self.rest.next() {
                Some(next) => self.read.push_back(next),
                None => break,
            }
        }
        self.read.contains(&slot)
    }
}
