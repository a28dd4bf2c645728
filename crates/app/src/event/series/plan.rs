//! The effect of a change of a series on its occurrences, worked out before it is stored.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    time::Duration,
};

use domain::{
    Event, EventId, Stored,
    event::{Series, Window},
    recurrence::Slot,
    time::Timestamp,
};

use crate::{
    error::AppError,
    event::{SeriesChange, SlotChanges},
    ports::{OccurrenceChanges, Repositories, StoredOccurrence},
};

const SECOND: Duration = Duration::from_secs(1);

const DAY: Duration = Duration::from_hours(24);

/// The change of the occurrences from one recurrence to another.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) stored: OccurrenceChanges,
    /// Occurrences without a record of their own that go to the trash.
    pub(super) trashed: Vec<EventId>,
    /// Occurrences with a record of their own that go to the trash.
    pub(super) orphans: Vec<EventId>,
    /// Occurrences that were in the trash before, of a series that stops repeating.
    pub(super) former: Vec<EventId>,
    /// Slots that become extra dates.
    pub(super) extra: BTreeSet<Slot>,
    /// The present slots of occurrences whose slots have changed.
    pub(super) renamed: HashMap<EventId, Slot>,
    pub(super) counted: SlotChanges,
}

/// Works out the change of the occurrences.
pub(super) async fn plan(
    before: &Stored<Event>,
    after: &Event,
    fields: &SeriesChange,
    unit: &dyn Repositories,
) -> Result<Plan, AppError> {
    let stored = unit.occurrences();
    let rows = match before.series() {
        Some(_) => stored.of_series(before.id, &Window::default()).await?,
        None => Vec::new(),
    };
    let rows: Rows = rows.into_iter().map(|row| (row.slot, row)).collect();
    let mut plan = Plan::default();
    let Some(new) = after.series() else {
        let series = before.series();
        let is_held = |row: &StoredOccurrence| series.is_some_and(|one| one.is_held_at(row.slot));
        let (there, gone): (Vec<_>, Vec<_>) = rows.into_values().partition(is_held);
        plan.counted.removed = there.len();
        plan.former = gone.into_iter().map(|row| row.id).collect();
        plan.leave(there, unit).await?;
        return Ok(plan);
    };
    let end = new.kept_until.unwrap_or(Timestamp::MAX);
    let Some(old) = before.series() else {
        let slots = new.recurrence.occurrences(..end).map(|one| one.slot);
        plan.stored.added = slots.collect();
        return Ok(plan);
    };
    let change = Change {
        old,
        new,
        bound: match (old.kept_until, new.kept_until) {
            (Some(kept), _) | (None, Some(kept)) => kept,
            (None, None) => Timestamp::MAX,
        },
        end,
    };
    let mut left = plan.keep(&change, rows);
    plan.add(&change, &mut left);
    plan.settle(&change, left, fields, unit).await?;
    Ok(plan)
}

/// The stored occurrences of a series.
type Rows = BTreeMap<Slot, StoredOccurrence>;

/// A change from one recurrence to another.
struct Change<'a> {
    old: &'a Series,
    new: &'a Series,
    /// The instant before which all slots are compared. Occurrences beyond it, which exist by writes of
    /// their own, are looked at one by one.
    bound: Timestamp,
    /// The instant before which all occurrences of the new one are stored.
    end: Timestamp,
}

impl Change<'_> {
    /// Whether the times of all slots may differ.
    fn retimes(&self) -> bool {
        self.old.recurrence.start() != self.new.recurrence.start()
    }

    /// Whether the occurrence of a new slot is stored.
    fn stores(&self, slot: Slot) -> bool {
        let when = self.new.recurrence.time_at(slot);
        when.is_some_and(|when| when.start().utc < self.end)
    }
}

/// The rest to be decided, with the slots that are in use.
#[derive(Default)]
struct Left {
    /// Occurrences that lose their slots, with the names that these would have.
    leaving: Vec<(StoredOccurrence, Slot)>,
    /// Occurrences that were in the trash.
    in_trash: Vec<(StoredOccurrence, Slot)>,
    /// New slots.
    added: BTreeSet<Slot>,
    taken: HashSet<Slot>,
}

impl Plan {
    /// Plans for the occurrences that there are.
    fn keep(&mut self, change: &Change<'_>, mut rows: Rows) -> Left {
        let Change { old, new, .. } = change;
        let comparison = old.recurrence.compare(&new.recurrence, change.bound);
        let mut left = Left::default();
        for (from, to) in comparison.kept.iter().chain(&comparison.deleted) {
            left.taken.insert(*to);
            if let Some(row) = rows.remove(from) {
                if change.retimes() || from != to {
                    self.place(&row, *to);
                }
            } else if change.stores(*to) && new.is_held_at(*to) {
                self.stored.added.push(*to);
            }
        }
        self.counted.kept = comparison.kept.len();
        self.counted.removed = comparison.removed.len();
        let slots: Vec<Slot> = rows.keys().copied().collect();
        let names = old.recurrence.moved_names(&new.recurrence, &slots);
        let gone: HashSet<Slot> = comparison.removed.iter().copied().collect();
        for ((slot, row), name) in rows.into_iter().zip(names) {
            // One that would leave the years 1 to 9999 stays where it is.
            let name = new.recurrence.time_at(name).map_or(slot, |_| name);
            let was_beyond = old.is_held_at(slot) && !gone.contains(&slot);
            self.counted.removed += usize::from(was_beyond && !new.is_held_at(name));
            if !old.is_held_at(slot) {
                left.in_trash.push((row, name));
            } else if was_beyond && new.is_held_at(name) {
                self.counted.kept += 1;
                left.taken.insert(name);
                if change.retimes() || slot != name {
                    self.place(&row, name);
                }
            } else if new.recurrence.deleted().contains(&name) {
                left.taken.insert(name);
                if slot != name {
                    self.place(&row, name);
                }
                if row.is_own {
                    self.orphans.push(row.id);
                } else {
                    self.trashed.push(row.id);
                }
            } else {
                left.leaving.push((row, name));
            }
        }
        left.added = comparison.added.into_iter().collect();
        left
    }

    /// Plans for the new slots. An occurrence in the trash comes back with its slot.
    fn add(&mut self, change: &Change<'_>, left: &mut Left) {
        let beyond = change.bound.min(change.end)..change.end;
        let beyond = change
            .new
            .recurrence
            .occurrences(beyond)
            .map(|one| one.slot);
        let beyond = beyond.filter(|slot| !left.taken.contains(slot));
        left.added.extend(beyond);
        for slot in std::mem::take(&mut left.added) {
            self.counted.added += 1;
            left.taken.insert(slot);
            let back = left.in_trash.iter().position(|(_, name)| *name == slot);
            if let Some(place) = back {
                let (row, name) = left.in_trash.swap_remove(place);
                if row.slot != name {
                    self.place(&row, name);
                }
            } else if change.stores(slot) {
                self.stored.added.push(slot);
            }
        }
        self.stored.added.sort_unstable();
        self.stored.added.dedup();
    }

    /// Plans for the occurrences that lose their slots, and for those in the trash.
    async fn settle(
        &mut self,
        change: &Change<'_>,
        left: Left,
        fields: &SeriesChange,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        let Left {
            leaving,
            in_trash,
            mut taken,
            ..
        } = left;
        let names: HashMap<EventId, Slot> =
            leaving.iter().map(|(row, name)| (row.id, *name)).collect();
        let leaving = leaving.into_iter().map(|(row, _)| row).collect();
        let (orphans, vanishing) = self.orphans_among(leaving, unit).await?;
        self.stored
            .removed
            .extend(vanishing.iter().map(|row| row.id));
        let orphans = orphans.into_iter().map(|row| {
            let name = names.get(&row.id).copied().unwrap_or(row.slot);
            (row, name, true)
        });
        let in_trash = in_trash.into_iter().map(|(row, name)| (row, name, false));
        let has_days = change.new.recurrence.first().all_day();
        let step = if has_days { DAY } else { SECOND };
        for (row, name, is_leaving) in orphans.chain(in_trash) {
            // No two occurrences have one slot.
            let mut slot = name;
            while !taken.insert(slot) {
                slot = Slot::new(slot.local() + step);
            }
            if slot != row.slot {
                self.place(&row, slot);
            }
            match (is_leaving, fields.keeps_orphans) {
                (false, _) => {}
                (true, true) => {
                    self.extra.insert(slot);
                }
                (true, false) if row.is_own => self.orphans.push(row.id),
                (true, false) => self.trashed.push(row.id),
            }
        }
        Ok(())
    }

    /// Plans that an occurrence gets a slot, and the times of it.
    fn place(&mut self, row: &StoredOccurrence, slot: Slot) {
        self.stored.kept.push((row.id, slot));
        self.renamed.insert(row.id, slot);
    }

    /// Divides occurrences that lose their slots into those that a person changed or refers to, and
    /// the others.
    async fn orphans_among(
        &self,
        leaving: Vec<StoredOccurrence>,
        unit: &dyn Repositories,
    ) -> Result<(Vec<StoredOccurrence>, Vec<StoredOccurrence>), AppError> {
        let records = leaving.iter().filter(|row| row.is_own);
        let records: Vec<_> = records.map(|row| row.id).collect();
        let records = unit.events().find_many(&records).await?.into_iter();
        let has_own = |event: &Stored<Event>| {
            let occurrence = event.occurrence();
            occurrence.is_some_and(|one| !one.own.is_empty())
        };
        let own: HashSet<_> = records.filter(has_own).map(|one| one.id).collect();
        let plain = leaving.iter().map(|row| row.id);
        let plain: Vec<_> = plain.filter(|id| !own.contains(id)).collect();
        let parents = if plain.is_empty() {
            Vec::new()
        } else {
            unit.occurrences().parents_among(&plain).await?
        };
        let is_orphan = |row: &StoredOccurrence| own.contains(&row.id) || parents.contains(&row.id);
        Ok(leaving.into_iter().partition(is_orphan))
    }

    /// Plans that all occurrences go, as the event stops repeating.
    async fn leave(
        &mut self,
        leaving: Vec<StoredOccurrence>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        let (orphans, vanishing) = self.orphans_among(leaving, unit).await?;
        self.stored
            .removed
            .extend(vanishing.iter().map(|row| row.id));
        let (own, plain): (Vec<_>, Vec<_>) = orphans.into_iter().partition(|row| row.is_own);
        self.orphans.extend(own.iter().map(|row| row.id));
        self.trashed.extend(plain.iter().map(|row| row.id));
        Ok(())
    }
}
