//! The difference between two recurrences of one series.

use std::collections::BTreeMap;

use super::{moved::Shift, set::Recurrence, slot::Slot};
use crate::time::{NaiveDate, Timestamp};

/// What a change of a recurrence did to its occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Slots that remain, by their former and their new names, in order.
    pub kept: Vec<(Slot, Slot)>,
    /// New slots that are none of the former ones.
    pub added: Vec<Slot>,
    /// Former slots that are none of the new ones.
    pub removed: Vec<Slot>,
}

impl Recurrence {
    /// Compares the occurrences that start before a horizon with those of another recurrence that
    /// takes this one's place.
    ///
    /// A slot remains if the new recurrence has it, moved as the start is ([`Shift`]). A slot at
    /// another time of the same day is the same one if that day has one before and after.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use domain::recurrence::{Comparison, Recurrence};
    /// # use domain::time::{EventTime, Timestamp, Zone, parse_civil};
    /// # let start = parse_civil("2027-03-02 19:00:00").unwrap();
    /// # let first = EventTime::new(Zone::utc(), start, start, false)?;
    /// let recurrence = |rule: &str| {
    ///     let rule = rule.parse().ok();
    ///     Recurrence::from_stored(first.clone(), rule, BTreeSet::new(), BTreeSet::new())
    /// };
    /// let old = recurrence("FREQ=WEEKLY;COUNT=6");
    /// let new = recurrence("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6");
    /// let Comparison { kept, added, removed } = old.compare(&new, Timestamp::MAX);
    /// assert_eq!((kept.len(), added.len(), removed.len()), (3, 3, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, new: &Self, horizon: Timestamp) -> Comparison {
        let shift = Shift::between(self.first(), new.first());
        let mut days = BTreeMap::<NaiveDate, [Vec<(Slot, Slot)>; 2]>::new();
        for former in self.occurrences(..horizon) {
            let slot = shift.apply(former.slot);
            days.entry(slot.day()).or_default()[0].push((former.slot, slot));
        }
        for added in new.occurrences(..horizon) {
            let slot = added.slot;
            days.entry(slot.day()).or_default()[1].push((slot, slot));
        }
        let mut comparison = Comparison::default();
        for [old, new] in days.into_values() {
            let is_one = old.len() == 1 && new.len() == 1;
            let mut is_kept = vec![false; new.len()];
            for (former, slot) in old {
                match new.iter().position(|(new, _)| is_one || *new == slot) {
                    Some(index) if !is_kept[index] => {
                        is_kept[index] = true;
                        comparison.kept.push((former, new[index].0));
                    }
                    _ => comparison.removed.push(former),
                }
            }
            let added = new.iter().zip(is_kept).filter(|(_, is_kept)| !is_kept);
            comparison.added.extend(added.map(|((slot, _), _)| *slot));
        }
        comparison
    }
}
