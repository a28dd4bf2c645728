//! The split of a recurrence at a slot.

use std::collections::BTreeSet;

use chrono::TimeDelta;

use super::{
    date_value::DateValue,
    set::{MARGIN, Recurrence},
    slot::Slot,
    start::Start,
};

const SECOND: TimeDelta = TimeDelta::seconds(1);

/// The reason why a recurrence is not split at a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSplit {
    /// It is the first slot, or all slots before it are deleted: nothing would be before it.
    #[error("this occurrence is the first date")]
    First,
    /// It is an extra date alone, from which no rule goes on.
    #[error("this occurrence is an extra date")]
    Extra,
    /// There is no such slot, it has no occurrence of its own, or it and all later ones are deleted.
    #[error("this occurrence is no date of the recurrence")]
    NoSlot,
}

impl Recurrence {
    /// The recurrence before a slot, and that from it on. Together, they have the occurrences of the
    /// whole, at the same starts.
    ///
    /// Extra dates before the start are a half of their own, without a rule.
    ///
    /// COUNT is divided. Any other rule ends a second before the slot, as UNTIL in UTC; with whole
    /// days, on the day before. Extra and deleted dates go with their side. If the clocks skip the
    /// wall clock of the slot, or that of its end, the second half has a [`Start`](super::Start) that
    /// shows another one.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::{InvalidSplit, Recurrence};
    /// # use events_calendar_domain::time::{EventTime, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new("Europe/Paris".parse()?, start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let six = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// let [before, after] = six.split("2027-03-16T19:00:00".parse()?)?;
    /// assert_eq!(before.rule().unwrap().to_string(), "FREQ=WEEKLY;COUNT=2");
    /// assert_eq!(after.rule().unwrap().to_string(), "FREQ=WEEKLY;COUNT=4");
    /// assert!(before.slots(..).chain(after.slots(..)).eq(six.slots(..)));
    /// assert_eq!(six.split(six.first_slot()), Err(InvalidSplit::First));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidSplit`]. A split at a deleted slot of the rule is allowed; each half needs an occurrence.
    pub fn split(&self, at: Slot) -> Result<[Self; 2], InvalidSplit> {
        if at == self.first_slot() {
            return self.split_at_start();
        }
        let rule = self.rule().filter(|_| self.has_rule_slot(at));
        let rule = match rule {
            Some(rule) => rule,
            None if self.extra().contains(&at) => return Err(InvalidSplit::Extra),
            None => return Err(InvalidSplit::NoSlot),
        };
        let when = self.occurrence(at).ok_or(InvalidSplit::NoSlot)?.when;
        let last_before = if when.all_day() {
            at.day().pred_opt().map(DateValue::Day)
        } else {
            Some(DateValue::Instant(when.start().utc.saturating_add(-1)))
        };
        let past = rule.parts().count.map(|_| {
            (0..)
                .zip(self.rule_slots())
                .take_while(|(_, slot)| *slot < at)
                .count()
        });
        let past = past.and_then(|past| i64::try_from(past).ok());
        let ended = rule.with(|parts| match past {
            Some(past) => parts.count = Some(past),
            None => parts.until = last_before,
        });
        let begun = rule.with(|parts| {
            let counts = parts.count.zip(past);
            parts.count = counts.map(|(count, past)| count - past);
        });
        let [extra_before, extra_after] = sides(self.extra(), at);
        let [deleted_before, deleted_after] = sides(self.deleted(), at);
        let start = self.start().clone();
        let before = Self::from_stored(start, Some(ended), extra_before, deleted_before);
        let before = before.ended_at(at, self);
        let start = Start::from_stored(when, at, self.start().length());
        let after = Self::from_stored(start, Some(begun), extra_after, deleted_after);
        halves(before, after)
    }

    /// The extra dates before the start, and the rest.
    fn split_at_start(&self) -> Result<[Self; 2], InvalidSplit> {
        let at = self.first_slot();
        let [extra_before, extra_after] = sides(self.extra(), at);
        let [deleted_before, deleted_after] = sides(self.deleted(), at);
        let first = extra_before.iter().next().copied();
        let first = first.and_then(|slot| Some((slot, self.time_at(slot)?)));
        let (slot, when) = first.ok_or(InvalidSplit::First)?;
        let start = Start::from_stored(when, slot, self.start().length());
        let before = Self::from_stored(start, None, extra_before, deleted_before);
        let before = before.ended_at(at, self);
        let (start, rule) = (self.start().clone(), self.rule().cloned());
        let after = Self::from_stored(start, rule, extra_after, deleted_after);
        halves(before, after)
    }

    /// The recurrence with the occurrences of `whole` before `at`.
    ///
    /// Near a change of daylight saving time, `UNTIL` compares instants while slots compare wall clocks,
    /// and a slot without an occurrence in `whole` can have one without the later slots. Differences are
    /// repaired with extra and deleted dates.
    fn ended_at(self, at: Slot, whole: &Self) -> Self {
        let near = |recurrence: &Self, last: Slot| -> BTreeSet<Slot> {
            let slots = recurrence.all_slots_between(at.plus(-MARGIN), last);
            let occurrences = slots.filter_map(|slot| recurrence.occurrence(slot));
            occurrences.map(|one| one.slot).collect()
        };
        let wanted = near(whole, at.plus(-SECOND));
        let own = near(&self, at.plus(MARGIN));
        let mut extra = self.extra().clone();
        let mut deleted = self.deleted().clone();
        extra.extend(wanted.difference(&own));
        deleted.extend(own.difference(&wanted));
        self.with_dates(extra, deleted)
    }
}

/// The slots before one, and those from it on.
fn sides(slots: &BTreeSet<Slot>, at: Slot) -> [BTreeSet<Slot>; 2] {
    let mut before = slots.clone();
    let after = before.split_off(&at);
    [before, after]
}

/// Both halves, if each has an occurrence.
fn halves(before: Recurrence, after: Recurrence) -> Result<[Recurrence; 2], InvalidSplit> {
    let has_occurrence = |half: &Recurrence| half.occurrences(..).next().is_some();
    match (has_occurrence(&before), has_occurrence(&after)) {
        (true, true) => Ok([before, after]),
        (false, _) => Err(InvalidSplit::First),
        (true, false) => Err(InvalidSplit::NoSlot),
    }
}
