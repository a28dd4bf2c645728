//! The slots that single dates mean.

use chrono::{TimeDelta, Timelike};

use super::{
    date_value::DateValue,
    rule::Rule,
    set::{Recurrence, last_second},
    slot::Slot,
};
use crate::time::Timestamp;

/// Slots of a recurrence, deleted or not, to be looked up many times.
pub(super) struct Lookup<'a> {
    recurrence: &'a Recurrence,
    /// All slots of a rule with COUNT, which are counted from the start; other rules begin anywhere.
    counted: Option<Vec<Slot>>,
}

impl Recurrence {
    /// The one slot that a date means, deleted or not: its wall clock, its instant, or the only one
    /// of its day.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new("Europe/Paris".parse()?, start, start, false)?;
    /// # let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// # let weekly = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// for id in ["2027-03-16T19:00:00", "20270316T190000", "2027-03-16", "20270316T180000Z"] {
    ///     let slot = weekly.find(id.parse()?).unwrap();
    ///     assert_eq!(slot.to_string(), "2027-03-16T19:00:00");
    ///     assert_eq!(weekly.recurrence_id(slot).to_string(), "2027-03-16T19:00:00");
    /// }
    /// assert_eq!(weekly.find("2027-03-17".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, date: DateValue) -> Option<Slot> {
        match *self.lookup().slots_at(date) {
            [slot] => Some(slot),
            _ => None,
        }
    }

    /// A slot as RECURRENCE-ID: a day if the event takes whole days, otherwise a wall clock.
    pub fn recurrence_id(&self, slot: Slot) -> DateValue {
        if self.first().all_day() {
            DateValue::Day(slot.day())
        } else {
            DateValue::Local(slot.local())
        }
    }

    /// A slot within a slug: its day, and its time of day if the day has several slots.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::Recurrence;
    /// # use domain::time::{EventTime, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let extra = BTreeSet::from(["2027-03-16T23:30:00".parse()?]);
    /// let series = Recurrence::from_stored(first, rule, extra, BTreeSet::new());
    /// let (second, third) = ("2027-03-09T19:00:00".parse()?, "2027-03-16T19:00:00".parse()?);
    /// assert_eq!(series.label(second), "2027-03-09");
    /// assert_eq!(series.label(third), "2027-03-16-1900");
    /// assert_eq!(series.find_label("2027-03-16-1900"), Some(third));
    /// assert_eq!(series.find_label("2027-03-16"), None, "two slots");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn label(&self, slot: Slot) -> String {
        let day = DateValue::Day(slot.day());
        let local = slot.local();
        match self.lookup().slots_at(day).len() {
            0 | 1 => day.to_string(),
            _ if local.second() == 0 => format!("{day}-{}", local.format("%H%M")),
            _ => format!("{day}-{}", local.format("%H%M%S")),
        }
    }

    /// The slot with a label, deleted or not.
    pub fn find_label(&self, label: &str) -> Option<Slot> {
        let (day, _) = label.split_at_checked("YYYY-MM-DD".len())?;
        let day = day.parse().ok()?;
        let slots = self.lookup().slots_at(day);
        slots.into_iter().find(|slot| self.label(*slot) == label)
    }

    pub(super) fn lookup(&self) -> Lookup<'_> {
        let parts = self.rule().map(Rule::parts);
        let has_count = parts.is_some_and(|parts| parts.count.is_some());
        Lookup {
            recurrence: self,
            counted: has_count.then(|| self.all_slots_from(Slot::MIN).collect()),
        }
    }
}

impl Lookup<'_> {
    /// The slots that a date means: its wall clock, its instant, or those of its day.
    pub(super) fn slots_at(&self, date: DateValue) -> Vec<Slot> {
        match self.local(date) {
            DateValue::Day(day) => self.between(Slot::of_day(day), Slot::new(last_second(day))),
            DateValue::Local(local) => self.between(Slot::new(local), Slot::new(local)),
            DateValue::Instant(instant) => {
                let is_at = |slot: &Slot| {
                    let when = self.recurrence.time_at(*slot);
                    when.is_some_and(|when| when.start().utc == instant)
                };
                self.candidates(instant).find(is_at).into_iter().collect()
            }
        }
    }

    /// The slots that a deleted date means; at least one.
    pub(super) fn deleted_slots(&self, date: DateValue) -> Vec<Slot> {
        let slots = self.slots_at(date);
        if !slots.is_empty() {
            return slots;
        }
        let first = self.recurrence.first_slot().local();
        let local = match date {
            DateValue::Day(day) => day.and_time(first.time()),
            DateValue::Local(local) => local,
            DateValue::Instant(instant) => self.recurrence.first().zone().at(instant).local,
        };
        vec![Slot::at(local, self.recurrence.first().all_day())]
    }

    /// A date as the slots have it: a day if the event takes whole days.
    fn local(&self, date: DateValue) -> DateValue {
        let first = self.recurrence.first();
        match date {
            DateValue::Local(local) if first.all_day() => DateValue::Day(local.date()),
            DateValue::Instant(instant) if first.all_day() => {
                DateValue::Day(first.zone().at(instant).local.date())
            }
            date => date,
        }
    }

    /// The slots at the wall clock of an instant, and at the wall clock that the clocks skipped
    /// within the day before it and that has moved there.
    fn candidates(&self, instant: Timestamp) -> impl Iterator<Item = Slot> {
        let zone = self.recurrence.first().zone();
        let day_before = instant.saturating_add(-86_400);
        let shown = zone.at(instant).local;
        let elapsed = TimeDelta::seconds(instant.seconds() - day_before.seconds());
        let jump = shown - zone.at(day_before).local - elapsed;
        let shown = Slot::new(shown);
        let skipped = (jump > TimeDelta::zero()).then(|| shown.plus(-jump));
        let slots = [Some(shown), skipped].into_iter().flatten();
        slots.flat_map(|slot| self.between(slot, slot))
    }

    fn between(&self, from: Slot, to: Slot) -> Vec<Slot> {
        match &self.counted {
            None => self.recurrence.all_slots_between(from, to).collect(),
            Some(slots) => {
                let start = slots.partition_point(|slot| *slot < from);
                let slots = slots.iter().skip(start).copied();
                slots.take_while(|slot| *slot <= to).collect()
            }
        }
    }
}
