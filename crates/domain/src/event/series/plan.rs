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
/// use events_calendar_domain::{EventId, event::StoredOccurrence, time::Timestamp};
///
/// let start = Timestamp::from_seconds(1_800_000_000).unwrap();
/// let occurrence = StoredOccurrence {
///     id: EventId::from_raw(2),
///     slot: "2027-03-02T19:00:00".parse()?,
///     start,
///     end: start,
///     is_override: false,
/// };
/// assert_eq!(occurrence, occurrence.clone());
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
    /// Whether it is an override: it has fields of its own, or had since
    /// the last change of the series, or is in the trash.
    pub is_override: bool,
}

/// The effect of a write on the slots of a series, up to its horizon.
///
/// ```
/// use events_calendar_domain::event::SlotChanges;
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
/// use events_calendar_domain::{
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
///     is_override: false,
/// });
/// let plan = SeriesPlan::between(&two, &three, rows.collect(), &[], &[], false);
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
    /// `overrides` the records of those that have one, `parents` those that an event names as its parent.
    /// An occurrence that loses its slot vanishes, unless a person changed it or an event refers to it:
    /// such an orphan goes to the trash, or becomes an extra date if the series `keeps_orphans`.
    pub fn between(
        before: &Event,
        after: &Event,
        rows: Vec<StoredOccurrence>,
        overrides: &[Stored<Event>],
        parents: &[EventId],
        keeps_orphans: bool,
    ) -> Self {
        let mut plan = Self::default();
        let is_changed = |event: &&Stored<Event>| {
            let occurrence = event.occurrence();
            occurrence.is_some_and(|one| !one.overridden.is_empty())
        };
        let changed = overrides.iter().filter(is_changed).map(|one| one.id);
        let orphans = changed.chain(parents.iter().copied()).collect();
        match (before.series(), after.series()) {
            (None, None) => {}
            (None, Some(new)) => plan.added = new.stored_slots(),
            (Some(old), None) => plan.leave(old, rows, &orphans),
            (Some(old), Some(new)) => {
                let change = Change {
                    old,
                    new,
                    orphans,
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
    fn leave(&mut self, old: &Series, rows: Vec<StoredOccurrence>, orphans: &HashSet<EventId>) {
        for row in rows {
            if !old.is_held_at(row.slot) {
                self.former.push(row.id);
                continue;
            }
            self.changes.removed += 1;
            if orphans.contains(&row.id) {
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
    /// The occurrences that do not vanish with their slots.
    orphans: HashSet<EventId>,
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
                    self.kept.push((row.id, *to));
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
                    self.kept.push((row.id, name));
                }
            } else if new.recurrence.deleted().contains(&name) {
                left.taken.insert(name);
                if slot != name {
                    self.kept.push((row.id, name));
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
            if let Some(index) = back {
                let (row, name) = left.in_trash.swap_remove(index);
                if row.slot != name {
                    self.kept.push((row.id, name));
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
            .partition(|(row, _)| change.orphans.contains(&row.id));
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
                self.kept.push((row.id, slot));
            }
            match (is_leaving, keeps_orphans) {
                (false, _) => {}
                (true, true) => drop(self.extra.insert(slot)),
                (true, false) => self.changes.trashed.push(row.id),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Entry, UserId,
        event::{EventDetails, OverrideField, Repetition},
        recurrence::Recurrence,
        text::Title,
        time::{EventTime, Zone, parse_civil},
    };

    /// A series with this rule, from Tuesday 2 March 2027, 19:00, without some deleted days.
    fn series(rule: &str, start: &str, deleted: &[&str]) -> Stored<Event> {
        let start = parse_civil(start).unwrap();
        let first = EventTime::new(Zone::utc(), start, start, false).unwrap();
        let deleted = deleted.iter().map(|day| format!("{day}T19:00:00"));
        let deleted = deleted.map(|slot| slot.parse().unwrap()).collect();
        let rule = Some(rule.parse().unwrap());
        let recurrence = Recurrence::from_stored(first.clone(), rule, BTreeSet::new(), deleted);
        let mut details = EventDetails::new(first, "a@cal.example".to_owned());
        details.repetition = Repetition::Series(Box::new(Series::new(recurrence)));
        let title: Title = "Jazz".parse().unwrap();
        let content = Entry::new(UserId::from_raw(1), title, details, Timestamp::MAX);
        Stored {
            id: EventId::from_raw(100),
            revision: 1,
            content,
        }
    }

    /// The rows of a series, with IDs from 1, and the overrides among them.
    fn rows(series: &Stored<Event>, own: &[i64]) -> (Vec<StoredOccurrence>, Vec<Stored<Event>>) {
        let slots = series.series().unwrap().recurrence.slots(..).zip(1..);
        let rows = slots.map(|(slot, id)| {
            let start = series.occurrence_at(slot).unwrap().details.when.start().utc;
            StoredOccurrence {
                id: EventId::from_raw(id),
                slot,
                start,
                end: start,
                is_override: own.contains(&id),
            }
        });
        let rows: Vec<_> = rows.collect();
        let own = rows.iter().filter(|row| row.is_override).map(|row| {
            let plain = series.occurrence_at(row.slot).unwrap();
            let mut changed = plain.clone();
            changed.title = "Own".parse().unwrap();
            let is_title = |field| field == OverrideField::Title;
            Stored {
                id: row.id,
                revision: 1,
                content: series.with_overrides(&plain, changed, is_title).unwrap(),
            }
        });
        let own = own.collect();
        (rows, own)
    }

    const START: &str = "2027-03-02 19:00:00";

    #[test]
    fn slots_are_kept_added_and_removed() {
        let weekly = || series("FREQ=WEEKLY;COUNT=6", START, &[]);
        let (rows, own) = rows(&weekly(), &[5]);
        for (rule, start, kept, added, removed, trashed, vanished) in [
            ("FREQ=WEEKLY;COUNT=6", START, 6, 0, 0, 0, 0),
            ("FREQ=WEEKLY;COUNT=6", "2027-03-02 20:00:00", 6, 0, 0, 0, 0),
            ("FREQ=WEEKLY;COUNT=8", START, 6, 2, 0, 0, 0),
            ("FREQ=WEEKLY;COUNT=5", START, 5, 0, 1, 0, 1),
            ("FREQ=WEEKLY;COUNT=2", START, 2, 0, 4, 1, 3),
            ("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6", START, 3, 3, 3, 1, 2),
        ] {
            let new = series(rule, start, &[]);
            let plan = SeriesPlan::between(&weekly(), &new, rows.clone(), &own, &[], false);
            let SlotChanges {
                kept: k,
                added: a,
                removed: r,
                trashed: t,
            } = &plan.changes;
            assert_eq!((*k, *a, *r), (kept, added, removed), "{rule} {start}");
            assert_eq!((t.len(), plan.removed.len()), (trashed, vanished), "{rule}");
            assert_eq!(plan.added.len(), added, "{rule}");
            let moves = if start == START { 0 } else { 6 };
            assert_eq!(plan.kept.len(), moves, "{rule} {start}");
        }
    }

    #[test]
    fn orphans_go_to_the_trash_or_become_extra_dates() {
        let (old, new) = (
            series("FREQ=WEEKLY;COUNT=6", START, &[]),
            series("FREQ=WEEKLY;COUNT=2", START, &[]),
        );
        let (rows, own) = rows(&old, &[5]);
        let parents = [rows[3].id];
        let ids = [4, 5].map(EventId::from_raw);
        let plan = SeriesPlan::between(&old, &new, rows.clone(), &own, &parents, false);
        assert_eq!((&plan.changes.trashed[..], plan.extra.len()), (&ids[..], 0));
        let plan = SeriesPlan::between(&old, &new, rows.clone(), &own, &parents, true);
        assert_eq!(plan.changes.trashed, []);
        assert_eq!(plan.extra, BTreeSet::from([rows[3].slot, rows[4].slot]));
    }

    #[test]
    fn a_series_that_stops_lets_its_occurrences_go() {
        let old = series("FREQ=WEEKLY;COUNT=4", START, &["2027-03-09"]);
        let (rows, own) = rows(&series("FREQ=WEEKLY;COUNT=4", START, &[]), &[1]);
        let mut once = old.content.clone();
        once.details.repetition = Repetition::Once;
        let plan = SeriesPlan::between(&old, &once, rows, &own, &[], true);
        let [first, second, third, fourth] = [1, 2, 3, 4].map(EventId::from_raw);
        assert_eq!(
            (plan.changes.trashed, plan.former),
            (vec![first], vec![second])
        );
        assert_eq!(
            (plan.removed, plan.changes.removed),
            (vec![third, fourth], 3)
        );
        let again = SeriesPlan::between(&once, &old, Vec::new(), &[], &[], false);
        assert_eq!(again.added.len(), 3);
    }

    #[test]
    fn what_is_in_the_trash_moves_and_comes_back() {
        let all = series("FREQ=WEEKLY;COUNT=4", START, &[]);
        let without = series("FREQ=WEEKLY;COUNT=4", START, &["2027-03-09"]);
        let (rows, _) = rows(&all, &[]);
        let back = SeriesPlan::between(&without, &all, rows.clone(), &[], &[], false);
        assert_eq!(
            (back.changes.added, back.added.len(), back.kept.len()),
            (1, 0, 0)
        );
        let later = series("FREQ=WEEKLY;COUNT=4", "2027-03-03 19:00:00", &[]);
        let moved = SeriesPlan::between(&without, &later, rows, &[], &[], false);
        assert_eq!(moved.kept.len(), 4);
    }

    #[test]
    fn deleted_slots_put_their_occurrences_into_the_trash() {
        let all = series("FREQ=WEEKLY;COUNT=4", START, &[]);
        let without = series("FREQ=WEEKLY;COUNT=4", START, &["2027-03-09"]);
        let (rows, own) = rows(&all, &[]);
        let plan = SeriesPlan::between(&all, &without, rows, &own, &[], false);
        assert_eq!(plan.changes.trashed, [EventId::from_raw(2)]);
        assert_eq!(plan.removed, []);
    }
}
