//! The slots that single dates mean.

use chrono::TimeDelta;

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
