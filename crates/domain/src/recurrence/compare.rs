//! The difference between two recurrences of one series.

use std::{cmp::Ordering, collections::BTreeSet};

use super::{
    occurrence::Occurrence,
    set::{MARGIN, Recurrence, last_second},
    slot::Slot,
};
use crate::time::Timestamp;

/// A slot, its name after a change, and its instant.
#[derive(Clone, Copy, Debug)]
struct Named {
    name: Slot,
    slot: Slot,
    start: Timestamp,
}

/// The effect of a change of a recurrence on its occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Slots that remain, by their former and their new names, in order.
    pub kept: Vec<(Slot, Slot)>,
    /// New slots that are none of the former ones, or that were deleted.
    pub added: Vec<Slot>,
    /// Former slots that are none of the new ones, or that are deleted now.
    pub removed: Vec<Slot>,
    /// Slots that were deleted and are, by their former and their new names, in order.
    pub deleted: Vec<(Slot, Slot)>,
}

impl Recurrence {
    /// Compares the occurrences that start before a horizon with those of another recurrence that
    /// takes this one's place.
    ///
    /// A slot remains if the new recurrence has it, moved as by [`Self::moved`], even at or after the
    /// horizon. A slot at another time of the same day is the same one if that day has one before
    /// and after, deleted or not.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::recurrence::{Comparison, Recurrence};
    /// # use events_calendar_domain::time::{EventTime, Timestamp, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let recurrence = |rule: &str| {
    ///     let rule = rule.parse().ok();
    ///     Recurrence::from_stored(first.clone(), rule, BTreeSet::new(), BTreeSet::new())
    /// };
    /// let old = recurrence("FREQ=WEEKLY;COUNT=6");
    /// let new = recurrence("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6");
    /// let Comparison { kept, added, removed, .. } = old.compare(&new, Timestamp::MAX);
    /// assert_eq!((kept.len(), added.len(), removed.len()), (3, 3, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, new: &Self, horizon: Timestamp) -> Comparison {
        let last = Slot::new(self.first().zone().at(horizon).local).plus(MARGIN);
        let mut comparison = Comparison::default();
        for pair in self.pairs(new, last) {
            let former = pair[0].filter(|former| former.start < horizon);
            let present = pair[1].filter(|one| former.is_some() || one.start < horizon);
            let was_there = former.is_some_and(|one| !self.deleted().contains(&one.slot));
            let is_there = present.is_some_and(|one| !new.deleted().contains(&one.slot));
            match (former, present) {
                (Some(former), Some(present)) if was_there == is_there => {
                    let slots = (former.slot, present.slot);
                    if is_there {
                        comparison.kept.push(slots);
                    } else {
                        comparison.deleted.push(slots);
                    }
                }
                (former, present) => {
                    let removed = former.filter(|_| was_there);
                    comparison.removed.extend(removed.map(|one| one.slot));
                    let added = present.filter(|_| is_there);
                    comparison.added.extend(added.map(|one| one.slot));
                }
            }
        }
        comparison
    }

    /// The recurrence with its deleted slots under the names that they have by its rule, where they
    /// had others in `old`.
    pub(super) fn with_deleted_of(self, old: &Self) -> Self {
        let mut deleted = old.deleted().clone();
        let days: BTreeSet<_> = old.deleted().iter().map(|slot| slot.day()).collect();
        for day in days {
            if let ([former], [new]) = (&*old.shown_of(day), &*self.shown_of(day))
                && deleted.remove(former)
            {
                deleted.insert(*new);
            }
        }
        self.with_dates(self.extra().clone(), deleted)
    }

    /// The slots up to `last` that have occurrences, deleted or not, each beside the new one that it
    /// is, in the order of their new names. New ones go as far as former ones become.
    fn pairs(&self, new: &Self, last: Slot) -> Vec<[Option<Named>; 2]> {
        let shift = self.shift_to(new, Some(last));
        let mut old = self.named(last, |slot| shift.apply(slot));
        // Extra dates can change places with slots of the rule.
        // Several slots become one: a slot that is not deleted stands for it.
        old.sort_by_key(|one| (one.name, self.deleted().contains(&one.slot)));
        let last = old.last().map_or(last, |one| one.name.max(last));
        let new = new.named(Slot::new(last_second(last.day())), |slot| slot);
        let (mut old, mut new) = (&*old, &*new);
        let mut pairs = Vec::with_capacity(old.len().max(new.len()));
        while let Some(day) = [old.first(), new.first()]
            .into_iter()
            .flatten()
            .map(|one| one.name.day())
            .min()
        {
            let (mut olds, mut news);
            (olds, old) = old.split_at(old.partition_point(|one| one.name.day() <= day));
            (news, new) = new.split_at(new.partition_point(|one| one.name.day() <= day));
            if let ([former], [one]) = (olds, news) {
                pairs.push([Some(*former), Some(*one)]);
                continue;
            }
            loop {
                let order = match (olds.first(), news.first()) {
                    (Some(former), Some(one)) => former.name.cmp(&one.name),
                    (Some(_), None) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    (None, None) => break,
                };
                let mut pair = [None; 2];
                if order.is_le() {
                    pair[0] = olds.split_off_first().copied();
                }
                if order.is_ge() {
                    pair[1] = news.split_off_first().copied();
                }
                pairs.push(pair);
            }
        }
        pairs
    }

    fn named(&self, last: Slot, name: impl Fn(Slot) -> Slot) -> Vec<Named> {
        let named = |one: Occurrence| Named {
            name: name(one.slot),
            slot: one.slot,
            start: one.when.start().utc,
        };
        self.occurrences_between(Slot::MIN, last)
            .map(named)
            .collect()
    }
}
