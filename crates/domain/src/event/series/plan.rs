//! The effect of a change of a series on its occurrences, worked out before it is stored.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    time::Duration,
};

use super::super::{Event, Series};
use crate::{EventId, Stored, recurrence::Slot, time::Timestamp};

const SECOND: Duration = Duration::from_secs(1);

const DAY: Duration = Duration::from_hours(24);

/// An occurrence that is stored, as far as its series says.
///
/// ```
/// use domain::{EventId, event::StoredOccurrence, time::Timestamp};
///
/// let start = Timestamp::from_seconds(1_800_000_000).unwrap();
/// let occurrence = StoredOccurrence {
///     id: EventId::from_raw(2),
///     slot: "2027-03-02T19:00:00".parse()?,
///     start,
///     end: start,
///     is_own: false,
///     is_parent: true,
/// };
/// assert!(occurrence.is_orphan(&[]), "an event refers to it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredOccurrence {
    /// Its ID among events.
    pub id: EventId,
    /// Its name within the series.
    pub slot: Slot,
    /// The start, also of an occurrence that was moved.
    pub start: Timestamp,
    /// The end.
    pub end: Timestamp,
    /// Whether it is an override: it has a record of its own, as it has fields of its own, or had since
    /// the last change of the series, or is in the trash.
    pub is_own: bool,
    /// Whether an event names it as its parent.
    pub is_parent: bool,
}

impl StoredOccurrence {
    /// Whether the occurrence goes to the trash when it loses its slot, and does not vanish: a person
    /// changed it, or an event refers to it.
    pub fn is_orphan(&self, overrides: &[Stored<Event>]) -> bool {
        let mut overrides = overrides.iter().filter(|one| one.id == self.id);
        self.is_parent || overrides.any(|one| one.occurrence().is_some_and(|one| !one.own.is_empty()))
    }
}

/// The effect of a write on the slots of a series, up to its horizon.
///
/// ```
/// use domain::event::SlotChanges;
///
/// let changes = SlotChanges { kept: 3, added: 3, removed: 3, trashed: Vec::new() };
/// assert_ne!(changes, SlotChanges::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotChanges {
    /// The number of slots that remain.
    pub kept: usize,
    /// The number of new slots.
    pub added: usize,
    /// The number of slots that are gone.
    pub removed: usize,
    /// The occurrences that lost their slot and are in the trash, by ID.
    pub trashed: Vec<EventId>,
}

/// The change of the stored occurrences from one recurrence to another.
///
/// ```
/// use std::collections::BTreeSet;
/// use domain::{
///     Entry, EventId, Stored, UserId, event::*, recurrence::Recurrence, text::Title,
///     time::{EventTime, Timestamp, Zone, parse_civil},
/// };
///
/// let start = parse_civil("2027-03-02 19:00:00").unwrap();
/// let first = EventTime::new(Zone::utc(), start, start, false)?;
/// let weekly = |rule: &str| {
///     let rule = rule.parse().ok();
///     let recurrence = Recurrence::from_stored(first.clone(), rule, BTreeSet::new(), BTreeSet::new());
///     let mut details = EventDetails::new(first.clone(), "a@cal.example".to_owned());
///     details.repetition = Repetition::Series(Box::new(Series::new(recurrence)));
///     let now = Timestamp::from_seconds(0).unwrap();
///     Entry::new(UserId::from_raw(1), "Jazz".parse::<Title>().unwrap(), details, now)
/// };
/// let (two, three) = (weekly("FREQ=WEEKLY;COUNT=2"), weekly("FREQ=WEEKLY;COUNT=3"));
/// let rows = two.series().unwrap().recurrence.occurrences(..).zip(1..).map(|(one, id)| StoredOccurrence {
///     id: EventId::from_raw(id),
///     slot: one.slot,
///     start: one.when.start().utc,
///     end: one.when.end().utc,
///     is_own: false,
///     is_parent: false,
/// });
/// let plan = SeriesPlan::between(&two, &three, rows.collect(), &[], false);
/// assert_eq!((plan.changes.kept, plan.changes.added), (2, 1));
/// assert_eq!(plan.added, ["2027-03-16T19:00:00".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesPlan {
    /// Slots that get an occurrence, in order.
    pub added: Vec<Slot>,
    /// Occurrences that get another slot, or the same at another time.
    pub kept: Vec<(EventId, Slot)>,
    /// Occurrences that vanish.
    pub removed: Vec<EventId>,
    /// Occurrences that were in the trash before, of a series that stops repeating.
    pub former: Vec<EventId>,
    /// Slots that become extra dates.
    pub extra: BTreeSet<Slot>,
    /// The effect on the slots of the series, with the occurrences that go to the trash.
    pub changes: SlotChanges,
}

impl SeriesPlan {
    /// The change from an event to another; each may be a series. `rows` are the stored occurrences,
    /// `overrides` the records of those that have one. An occurrence that outlives its slot goes to the
    /// trash, or becomes an extra date if the series `keeps_orphans`.
    pub fn between(
        before: &Event,
        after: &Event,
        rows: Vec<StoredOccurrence>,
        overrides: &[Stored<Event>],
        keeps_orphans: bool,
    ) -> Self {
        let mut plan = Self::default();
        match (before.series(), after.series()) {
            (None, None) => {}
            (None, Some(new)) => plan.added = new.stored_slots(),
            (Some(old), None) => plan.leave(old, rows, overrides),
            (Some(old), Some(new)) => {
                let change = Change {
                    old,
                    new,
                    overrides,
                    bound: old.kept_until.or(new.kept_until).unwrap_or(Timestamp::MAX),
                    end: new.kept_until.unwrap_or(Timestamp::MAX),
                };
                let rows = rows.into_iter().map(|row| (row.slot, row)).collect();
                let mut left = plan.keep(&change, rows);
                plan.add(&change, &mut left);
                plan.settle(&change, left, keeps_orphans);
            }
        }
        plan.changes.trashed.sort_unstable();
        plan
    }

    /// Plans that all occurrences go, as the event stops repeating.
    fn leave(&mut self, old: &Series, rows: Vec<StoredOccurrence>, overrides: &[Stored<Event>]) {
        for row in rows {
            if !old.is_held_at(row.slot) {
                self.former.push(row.id);
                continue;
            }
            self.changes.removed += 1;
            if row.is_orphan(overrides) {
                self.changes.trashed.push(row.id);
            } else {
                self.removed.push(row.id);
            }
        }
    }
}

/// The stored occurrences of a series.
type Rows = BTreeMap<Slot, StoredOccurrence>;

/// A change from one recurrence to another.
struct Change<'a> {
    old: &'a Series,
    new: &'a Series,
    overrides: &'a [Stored<Event>],
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

impl SeriesPlan {
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
                self.added.push(*to);
            }
        }
        self.changes.kept = comparison.kept.len();
        self.changes.removed = comparison.removed.len();
        let slots: Vec<Slot> = rows.keys().copied().collect();
        let names = old.recurrence.moved_names(&new.recurrence, &slots);
        let gone: HashSet<Slot> = comparison.removed.iter().copied().collect();
        for ((slot, row), name) in rows.into_iter().zip(names) {
            // One that would leave the years 1 to 9999 stays where it is.
            let name = new.recurrence.time_at(name).map_or(slot, |_| name);
            let was_beyond = old.is_held_at(slot) && !gone.contains(&slot);
            self.changes.removed += usize::from(was_beyond && !new.is_held_at(name));
            if !old.is_held_at(slot) {
                left.in_trash.push((row, name));
            } else if was_beyond && new.is_held_at(name) {
                self.changes.kept += 1;
                left.taken.insert(name);
                if change.retimes() || slot != name {
                    self.place(&row, name);
                }
            } else if new.recurrence.deleted().contains(&name) {
                left.taken.insert(name);
                if slot != name {
                    self.place(&row, name);
                }
                self.changes.trashed.push(row.id);
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
            self.changes.added += 1;
            left.taken.insert(slot);
            let back = left.in_trash.iter().position(|(_, name)| *name == slot);
            if let Some(place) = back {
                let (row, name) = left.in_trash.swap_remove(place);
                if row.slot != name {
                    self.place(&row, name);
                }
            } else if change.stores(slot) {
                self.added.push(slot);
            }
        }
        self.added.sort_unstable();
        self.added.dedup();
    }

    /// Plans for the occurrences that lose their slots, and for those in the trash.
    fn settle(&mut self, change: &Change<'_>, left: Left, keeps_orphans: bool) {
        let Left {
            leaving,
            in_trash,
            mut taken,
            ..
        } = left;
        let (orphans, vanishing): (Vec<_>, Vec<_>) = leaving
            .into_iter()
            .partition(|(row, _)| row.is_orphan(change.overrides));
        self.removed.extend(vanishing.iter().map(|(row, _)| row.id));
        let orphans = orphans.into_iter().map(|(row, name)| (row, name, true));
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
            match (is_leaving, keeps_orphans) {
                (false, _) => {}
                (true, true) => drop(self.extra.insert(slot)),
                (true, false) => self.changes.trashed.push(row.id),
            }
        }
    }

    /// Plans that an occurrence gets a slot, and the times of it.
    fn place(&mut self, row: &StoredOccurrence, slot: Slot) {
        self.kept.push((row.id, slot));
    }
}
