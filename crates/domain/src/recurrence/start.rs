//! The start of a recurrence: its first slot, and the time of it.

use chrono::TimeDelta;

use super::slot::Slot;
use crate::time::{EventTime, InvalidEventTime, SentDate, Zone};

/// The first slot of a recurrence with its time, and the length of all occurrences by the clock.
///
/// An [`EventTime`] is a start whose slot is the wall clock that it shows. They differ after a
/// [split](super::Recurrence::split) where the clocks skip the wall clock of the slot, or that of
/// its end. Later slots are counted from the slot, not from the time shown.
///
/// ```
/// use events_calendar_domain::recurrence::{Recurrence, Start};
/// use events_calendar_domain::time::{EventTime, parse_civil};
/// # use std::collections::BTreeSet;
///
/// // The clocks skip 02:30 on 28 March.
/// let time = |text| parse_civil(text).unwrap();
/// let (start, end) = (time("2027-03-28 03:30:00"), time("2027-03-28 04:00:00"));
/// let first = EventTime::new("Europe/Paris".parse()?, start, end, false)?;
/// let start = Start::from_stored(first.clone(), "2027-03-28T02:30:00".parse()?, 30 * 60);
/// assert_eq!(start.first(), &first);
/// assert_ne!(start, Start::from(first));
///
/// let rule = Some("FREQ=DAILY;COUNT=2".parse()?);
/// let daily = Recurrence::from_stored(start.clone(), rule, BTreeSet::new(), BTreeSet::new());
/// assert_eq!(daily.start(), &start);
/// assert_eq!(daily.last().unwrap().when.start().local, time("2027-03-29 02:30:00"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    first: EventTime,
    slot: Slot,
    length: TimeDelta,
}

impl From<EventTime> for Start {
    fn from(first: EventTime) -> Self {
        let [slot, end] = shown(&first);
        Self {
            length: length([slot, end], &first),
            slot,
            first,
        }
    }
}

impl Start {
    /// Wraps what [`Self::first`], [`Self::slot`] and [`Self::length`] gave before.
    ///
    /// ```
    /// # use events_calendar_domain::recurrence::Start;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let start = Start::from(EventTime::new(Zone::utc(), start, start, false)?);
    /// let stored = (start.first().clone(), start.slot(), start.length());
    /// assert_eq!(Start::from_stored(stored.0, stored.1, stored.2), start);
    /// # Ok::<(), events_calendar_domain::time::InvalidEventTime>(())
    /// ```
    pub fn from_stored(first: EventTime, slot: Slot, length: i64) -> Self {
        Self {
            length: TimeDelta::try_seconds(length.max(0)).unwrap_or_default(),
            slot: Slot::at(slot.local(), first.all_day()),
            first,
        }
    }

    /// The time of the first occurrence.
    pub fn first(&self) -> &EventTime {
        &self.first
    }

    /// The first slot.
    ///
    /// ```
    /// # use events_calendar_domain::recurrence::{Slot, Start};
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// let nine = parse_civil("2027-03-02 09:00:00").unwrap();
    /// let eleven = parse_civil("2027-03-02 11:00:00").unwrap();
    /// let start = Start::from(EventTime::new(Zone::utc(), nine, eleven, false)?);
    /// assert_eq!(start.slot(), Slot::new(nine));
    /// assert_eq!(start.length(), 2 * 3600);
    /// # Ok::<(), events_calendar_domain::time::InvalidEventTime>(())
    /// ```
    pub fn slot(&self) -> Slot {
        self.slot
    }

    /// The distance of an end from its slot by the clock, in seconds; of whole days, the distance of
    /// the last day from the first.
    pub fn length(&self) -> i64 {
        self.length.num_seconds()
    }

    /// The time of an occurrence at a slot; none outside the years 1 to 9999.
    pub(super) fn time_at(&self, slot: Slot) -> Option<EventTime> {
        if slot == self.slot {
            return Some(self.first.clone());
        }
        self.time_in(self.first.zone(), slot)
    }

    fn time_in(&self, zone: &Zone, slot: Slot) -> Option<EventTime> {
        let last = slot.plus(self.length).local();
        if self.first.all_day() {
            return EventTime::new(zone.clone(), slot.local(), last, true).ok();
        }
        let start = zone.at_local(slot.local()).ok()?;
        let mut end = zone.at_local(last).ok()?;
        if end.utc < start.utc {
            end = zone.at(start.utc.saturating_add(self.length()));
        }
        EventTime::between(zone.clone(), start, end, false).ok()
    }

    /// The start after a move of its first occurrence. A wall clock that is shown as before means the
    /// one that the clocks skipped for it, as before.
    pub(super) fn moved(&self, to: &EventTime) -> Self {
        if to.all_day() != self.first.all_day() {
            return Self::from(to.clone());
        }
        let (before, after) = (shown(&self.first), shown(to));
        let own = [self.slot, self.slot.plus(self.length)];
        let [slot, end] = [0, 1].map(|at| {
            if after[at] == before[at] {
                own[at]
            } else {
                after[at]
            }
        });
        self.at([slot, end], to)
    }

    /// The start with these wall clocks, and with the time that they have in the zone of `to`.
    fn at(&self, [slot, end]: [Slot; 2], to: &EventTime) -> Self {
        let plain = Self::from(to.clone());
        let mut moved = Self {
            length: length([slot, end], to),
            slot,
            first: to.clone(),
        };
        // In another zone, the clocks need not skip what they skipped here.
        if to.zone() != self.first.zone()
            && (moved.slot, moved.length) != (plain.slot, plain.length)
            && let Some(first) = moved.time_in(to.zone(), slot)
        {
            moved.first = first;
        }
        moved
    }

    /// The start with which the occurrence of a slot comes at `to`.
    pub(super) fn start_for(&self, slot: Slot, to: &EventTime) -> Result<Self, InvalidEventTime> {
        let from = self.time_at(slot);
        let from = from.as_ref().unwrap_or(&self.first);
        let zone = to.zone();
        let (before, after) = (shown(from), shown(to));
        if to.all_day() != self.first.all_day() {
            let days = after[0].day() - slot.day();
            let start = self.slot.plus(days).day().and_time(after[0].local().time());
            let end = Slot::new(start).plus(length(after, to)).local();
            return Ok(EventTime::new(zone.clone(), start, end, to.all_day())?.into());
        }
        let stored = [self.first.start(), self.first.end()];
        let clocks = [slot, slot.plus(self.length)];
        let own = [self.slot, self.slot.plus(self.length)];
        let own = [0, 1].map(|at| {
            if after[at] == before[at] {
                own[at]
            } else {
                own[at].plus(after[at].local() - clocks[at].local())
            }
        });
        let sent = |at: usize| {
            if after[at] != before[at] {
                SentDate::at_local(zone, own[at].local())
            } else if zone == self.first.zone() {
                Ok(stored[at].into())
            } else {
                SentDate::at_local(zone, stored[at].local)
            }
        };
        let first = EventTime::sent(zone.clone(), sent(0)?, sent(1)?, to.all_day());
        // The start can move forward over the end, where the clocks skip it.
        let first = first.or_else(|error| {
            let length = (own[1].local() - own[0].local()).max(TimeDelta::zero());
            let start = Self {
                first: to.clone(),
                slot: own[0],
                length,
            };
            start.time_in(zone, own[0]).ok_or(error)
        });
        Ok(self.at(own, &first?))
    }
}

/// The wall clocks that a time shows, at its start and at its end, or their days.
fn shown(time: &EventTime) -> [Slot; 2] {
    [time.start(), time.end()].map(|moment| Slot::at(moment.local, time.all_day()))
}

/// The distance between the wall clocks of a time; the elapsed time if the clocks go back between
/// them, and show a later time at the start.
fn length([start, end]: [Slot; 2], time: &EventTime) -> TimeDelta {
    let by_clock = end.local() - start.local();
    if by_clock < TimeDelta::zero() {
        TimeDelta::seconds(time.end().utc.seconds() - time.start().utc.seconds())
    } else {
        by_clock
    }
}
