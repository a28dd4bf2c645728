//! The slots of a recurrence.

use std::{
    iter,
    ops::{Bound, RangeBounds},
};

use chrono::{NaiveDateTime, TimeDelta};

use super::{
    date_value::DateValue,
    rule::Rule,
    set::{MARGIN, Recurrence, last_second},
    slot::Slot,
};

impl Recurrence {
    /// Yields the slots in a range in order, without deleted ones. The expansion seeks to the start of
    /// the range, and stops at the year 9999.
    ///
    /// In a gap of daylight saving time, two slots may map to one instant; only the first has an
    /// occurrence.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::{Recurrence, Slot};
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY".parse()?);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// let from: Slot = "9000-03-01T00:00:00".parse()?;
    /// assert_eq!(weekly.slots(from..).next().unwrap().to_string(), "9000-03-04T19:00:00");
    /// assert_eq!(weekly.slots(from.."9000-03-11T19:00:00".parse()?).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slots(&self, range: impl RangeBounds<Slot>) -> impl Iterator<Item = Slot> {
        let slots = self.all_slots(range);
        slots.filter(|slot| !self.deleted().contains(slot))
    }

    /// The slots in a range, deleted ones included.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::{Recurrence, Slot};
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=3".parse()?);
    /// let deleted = BTreeSet::from(["2027-01-12T19:00:00".parse()?]);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), deleted);
    /// assert_eq!(weekly.slots(..).count(), 2);
    /// assert_eq!(weekly.all_slots(..).count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_slots(&self, range: impl RangeBounds<Slot>) -> impl Iterator<Item = Slot> {
        let bounds = (range.start_bound().cloned(), range.end_bound().cloned());
        let from = match bounds.0 {
            Bound::Included(from) | Bound::Excluded(from) => from,
            Bound::Unbounded => Slot::MIN,
        };
        let to = match bounds.1 {
            Bound::Included(to) | Bound::Excluded(to) => to,
            Bound::Unbounded => Slot::MAX,
        };
        let slots = self.all_slots_between(from, to);
        slots.filter(move |slot| bounds.contains(slot))
    }

    /// The slots from one to another, both included, and deleted ones, too.
    pub(super) fn all_slots_between(&self, from: Slot, to: Slot) -> impl Iterator<Item = Slot> {
        let mut rule = self.rule_slots_between(from, to).peekable();
        // A range must not end before it begins.
        let mut extra = self.extra().range(from..=to.max(from)).copied().peekable();
        iter::from_fn(move || {
            let next = match (rule.peek().copied(), extra.peek().copied()) {
                (Some(rule), Some(extra)) => rule.min(extra),
                (rule, extra) => rule.or(extra)?,
            };
            rule.next_if_eq(&next);
            extra.next_if_eq(&next);
            Some(next)
        })
    }

    /// Whether there is a slot at a wall clock, deleted or not.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::Recurrence;
    /// # use events_calendar_domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=3".parse()?);
    /// let extra = BTreeSet::from(["2027-01-08T19:00:00".parse()?]);
    /// let weekly = Recurrence::from_stored(first, rule, extra, BTreeSet::new());
    /// assert!(weekly.has_slot("2027-01-08T19:00:00".parse()?));
    /// assert!(!weekly.has_rule_slot("2027-01-08T19:00:00".parse()?));
    /// assert!(weekly.has_rule_slot("2027-01-12T19:00:00".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_slot(&self, slot: Slot) -> bool {
        self.extra().contains(&slot) || self.has_rule_slot(slot)
    }

    /// Whether the start or the rule gives a slot at a wall clock, deleted or not.
    pub fn has_rule_slot(&self, slot: Slot) -> bool {
        self.rule_slots_between(slot, slot).next() == Some(slot)
    }

    /// The start, and the slots of the rule after it.
    pub(super) fn rule_slots(&self) -> impl Iterator<Item = Slot> {
        self.rule_slots_between(Slot::MIN, Slot::MAX)
    }

    /// The start, and the slots of the rule after it, from one to another, both included.
    pub(super) fn rule_slots_between(&self, from: Slot, to: Slot) -> impl Iterator<Item = Slot> {
        let start = self.first_slot();
        let parts = self.rule().map(Rule::parts);
        let until = parts.and_then(|parts| parts.until);
        let more = parts.and_then(|parts| usize::try_from(parts.count? - 1).ok());
        let after_start = start.plus(TimeDelta::seconds(1));
        let more_slots = move |from: Slot, to: NaiveDateTime| {
            let pattern = self.pattern().into_iter();
            let slots = pattern.flat_map(move |pattern| pattern.slots_between(from.local(), to));
            slots.map(Slot::new)
        };
        let bounds = until.map(|until| self.until_bounds(until));
        let mut last = bounds.map_or(to.local(), |[_, last]| last.min(to.local()));
        let mut most = usize::MAX;
        if let Some(more) = more {
            if from <= start {
                most = more;
            } else {
                let all = || {
                    more_slots(after_start, NaiveDateTime::MAX)
                        .take(more)
                        .last()
                };
                last = last.min(self.last_counted(|| all().unwrap_or(start)).local());
            }
        }
        let rest = more_slots(from.max(after_start), last).take(most);
        let rest = rest.filter(move |slot| {
            bounds.is_none_or(|[certain, _]| slot.local() <= certain || self.is_by(*slot, until))
        });
        let start = (from <= start && start <= to).then_some(start);
        start.into_iter().chain(rest)
    }

    /// The wall clocks up to which slots are certainly before an end, and after which none are.
    fn until_bounds(&self, until: DateValue) -> [NaiveDateTime; 2] {
        match until {
            DateValue::Instant(instant) => {
                let local = Slot::new(self.first().zone().at(instant).local);
                [local.plus(-MARGIN).local(), local.plus(MARGIN).local()]
            }
            DateValue::Local(local) => [local; 2],
            DateValue::Day(day) => [last_second(day); 2],
        }
    }

    /// Whether the instant of a slot is not after an end.
    fn is_by(&self, slot: Slot, until: Option<DateValue>) -> bool {
        match (until, self.first().zone().at_local(slot.local())) {
            (Some(DateValue::Instant(until)), Ok(moment)) => moment.utc <= until,
            _ => false,
        }
    }
}
