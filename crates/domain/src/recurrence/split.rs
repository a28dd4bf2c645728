//! The split of a recurrence at a slot.

use std::collections::BTreeSet;

use chrono::TimeDelta;

use super::{
    date_value::DateValue,
    set::{MARGIN, Recurrence, first_slot},
    slot::Slot,
};

const SECOND: TimeDelta = TimeDelta::seconds(1);

/// The reason why a recurrence is not split at a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSplit {
    /// It is the first slot: nothing would be before it.
    #[error("is the first date")]
    First,
    /// It is an extra date alone, from which no rule goes on.
    #[error("is an extra date")]
    Extra,
    /// There is no such slot, or it has no occurrence of its own.
    #[error("is no date of the recurrence")]
    NoSlot,
}

impl Recurrence {
    /// The recurrence before a slot, and that from it on. Together, they have the occurrences of the
    /// whole, at the same starts.
    ///
    /// COUNT is divided. Any other rule ends a second before the slot, as UNTIL in UTC; with whole
    /// days, on the day before. Extra and deleted dates go with their side. The second half starts
    /// at the time of its slot: if the clocks skip that wall clock, or that of its end, it has the
    /// moved one, and later ends have their distance from it.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::{InvalidSplit, Recurrence};
    /// # use domain::time::{EventTime, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// let first = EventTime::new("Europe/Paris".parse()?, start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let six = Recurrence::from_stored(first, rule, BTreeSet::new(), BTreeSet::new());
    /// let [before, after] = six.split("2027-03-16T19:00:00".parse()?)?;
    /// assert_eq!(before.rule().unwrap().to_string(), "FREQ=WEEKLY;COUNT=2");
    /// assert_eq!(after.rule().unwrap().to_string(), "FREQ=WEEKLY;COUNT=4");
    /// assert!(before.slots().chain(after.slots()).eq(six.slots()));
    /// assert_eq!(six.split(six.first_slot()), Err(InvalidSplit::First));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidSplit`]. A deleted slot of the rule is as good as another.
    pub fn split(&self, at: Slot) -> Result<[Self; 2], InvalidSplit> {
        if at == self.first_slot() {
            return Err(InvalidSplit::First);
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
        let start = first_slot(&when);
        // Where the clocks jump, the start can come after later slots: they become extra dates.
        let (next, last) = (at.plus(SECOND), start.plus(-SECOND));
        let overtaken: Vec<_> = self.rule_slots_between(next, last).collect();
        let past = past.zip(i64::try_from(overtaken.len()).ok());
        let begun = rule.with(|parts| {
            let counts = parts.count.zip(past);
            parts.count = counts.map(|(count, (past, overtaken))| count - past - overtaken);
            if start != at {
                // The start no longer says what the rule leaves open.
                let completed = parts.completed(at.local());
                let (hours, minutes) = (parts.hours.clone(), parts.minutes.clone());
                *parts = completed;
                if when.all_day() {
                    (parts.hours, parts.minutes) = (hours, minutes);
                }
            }
        });
        let sides = |slots: &BTreeSet<Slot>| {
            let mut before = slots.clone();
            let after = before.split_off(&at);
            [before, after]
        };
        let [extra_before, mut extra_after] = sides(self.extra());
        extra_after.extend(overtaken);
        let [deleted_before, mut deleted_after] = sides(self.deleted());
        if deleted_after.remove(&at) {
            deleted_after.insert(start);
        }
        let before = Self::from_stored(
            self.first().clone(),
            Some(ended),
            extra_before,
            deleted_before,
        );
        let after = Self::from_stored(when, Some(begun), extra_after, deleted_after);
        Ok([before.ended_at(at, self), after])
    }

    /// The recurrence with the slots of `whole` before `at`, even where the clocks jump there and
    /// the instant of an end says something else than the wall clock.
    fn ended_at(self, at: Slot, whole: &Self) -> Self {
        let near = |recurrence: &Self| -> BTreeSet<Slot> {
            let slots = recurrence.rule_slots_between(at.plus(-MARGIN), at.plus(MARGIN));
            slots.collect()
        };
        let (own, mut wanted) = (near(&self), near(whole));
        wanted.split_off(&at);
        let mut extra = self.extra().clone();
        let mut deleted = self.deleted().clone();
        extra.extend(wanted.difference(&own));
        deleted.extend(own.difference(&wanted));
        self.with_dates(extra, deleted)
    }
}
