//! The slots of a recurrence.

use std::iter;

use chrono::{NaiveDateTime, TimeDelta};

use super::{
    date_value::DateValue,
    rule::Rule,
    set::{MARGIN, Recurrence, last_second},
    slot::Slot,
};

impl Recurrence {
    /// All slots but the deleted ones, in order. Those of an endless rule end with the year 9999.
    ///
    /// Where the clocks jump, two slots can come to one instant: only one of them has an
    /// occurrence.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        self.slots_from(Slot::MIN)
    }

    /// The slots that are not before `from`, except for deleted ones. A rule without COUNT begins
    /// there at once.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY".parse()?);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// let march = weekly.slots_from("9000-03-01T00:00:00".parse()?).next();
    /// assert_eq!(march.unwrap().to_string(), "9000-03-04T19:00:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slots_from(&self, from: Slot) -> impl Iterator<Item = Slot> {
        let slots = self.all_slots_from(from);
        slots.filter(|slot| !self.deleted().contains(slot))
    }

    /// The slots that are not before `from`, deleted ones included.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::{Recurrence, Slot};
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-01-05 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=3".parse()?);
    /// let deleted = BTreeSet::from(["2027-01-12T19:00:00".parse()?]);
    /// let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), deleted);
    /// assert_eq!(weekly.slots().count(), 2);
    /// assert_eq!(weekly.all_slots_from(Slot::MIN).count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_slots_from(&self, from: Slot) -> impl Iterator<Item = Slot> {
        self.all_slots_between(from, Slot::new(NaiveDateTime::MAX))
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
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, Zone, parse_civil};
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
        self.rule_slots_between(Slot::MIN, Slot::new(NaiveDateTime::MAX))
    }

    /// The start, and the slots of the rule after it, from one to another, both included.
    pub(super) fn rule_slots_between(&self, from: Slot, to: Slot) -> impl Iterator<Item = Slot> {
        let start = self.first_slot();
        let parts = self.rule().map(Rule::parts);
        let count = parts.and_then(|parts| parts.count);
        let until = parts.and_then(|parts| parts.until);
        let after_start = start.plus(TimeDelta::seconds(1));
        let leap_to = match count {
            None => from.max(after_start),
            Some(_) => after_start,
        };
        let more = count.and_then(|count| usize::try_from(count - 1).ok());
        let bounds = until.map(|until| self.until_bounds(until));
        let last = bounds.map_or(to.local(), |[_, last]| last.min(to.local()));
        let rest = self.pattern().into_iter();
        let rest = rest.flat_map(move |pattern| pattern.slots_between(leap_to.local(), last));
        let rest = rest.map(Slot::new).take(more.unwrap_or(usize::MAX));
        let rest = rest.filter(move |slot| {
            bounds.is_none_or(|[certain, _]| slot.local() <= certain || self.is_by(*slot, until))
        });
        let start = (start <= to).then_some(start).into_iter();
        start.chain(rest).skip_while(move |slot| *slot < from)
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
