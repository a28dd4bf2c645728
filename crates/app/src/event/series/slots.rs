//! The change of the occurrences of a series that follows from a change of the series.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    time::Duration,
};

use domain::{
    Event, EventId, Stored,
    event::{OwnFields, Repetition, Window},
    recurrence::{InvalidRecurrence, Recurrence, Slot},
    time::Timestamp,
};

use super::detach::detach;
use crate::{
    error::AppError,
    event::{SlotChanges, series_fields::SeriesFields},
    ports::{OccurrenceChanges, Repositories, SlugRequests, StoredOccurrence},
    request::Request,
    resource::{Changed, save},
};

const SECOND: Duration = Duration::from_secs(1);

const DAY: Duration = Duration::from_hours(24);

/// The change of the occurrences from one recurrence to another.
#[derive(Debug, Default)]
struct Plan {
    stored: OccurrenceChanges,
    /// Occurrences without a record of their own that go to the trash.
    trashed: Vec<EventId>,
    /// Occurrences with a record of their own that go to the trash.
    orphans: Vec<EventId>,
    /// Occurrences that were in the trash before, of a series that stops repeating.
    former: Vec<EventId>,
    /// Slots that become extra dates.
    extra: BTreeSet<Slot>,
    /// The present slots of occurrences whose slots have changed.
    renamed: HashMap<EventId, Slot>,
    counted: SlotChanges,
}

/// Stores a change of an event that is a series before it, after it, or both, and brings its
/// occurrences in line.
pub(super) async fn save_series(
    before: Stored<Event>,
    mut content: Event,
    slugs: SlugRequests,
    fields: &SeriesFields,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Changed<Event>, AppError> {
    let old = before.series().map(|series| series.recurrence.clone());
    let new = content.series().map(|series| series.recurrence.clone());
    if old == new && !fields.resets_overrides && slugs.is_empty() {
        let mut same = content.clone();
        keep_horizon(&mut same, &before);
        same.modified = before.modified;
        if same == before.content {
            return Ok(before.into());
        }
    }
    if old == new {
        // Without a change of the slots, the horizon stays: the maintenance moves it.
        keep_horizon(&mut content, &before);
    }
    let plan = match (&old, &new) {
        (old, new) if old == new => None,
        _ => Some(plan(&before, &content, fields, unit).await?),
    };
    if let (Some(plan), Repetition::Series(series)) = (&plan, &mut content.details.repetition)
        && !plan.extra.is_empty()
    {
        let mut extra = series.recurrence.extra().clone();
        extra.extend(&plan.extra);
        let deleted = series.recurrence.deleted().clone();
        let with_extra = series.recurrence.with_dates(extra, deleted);
        check_extra(&with_extra, &series.recurrence, "orphans")?;
        series.recurrence = with_extra;
    }
    if plan.is_some() || fields.resets_overrides {
        content.modified = request.now;
    }
    let plan = plan.unwrap_or_default();
    if new.is_none() {
        release(&before, &plan, unit).await?;
    }
    let after = save(before, content, slugs, request, unit).await?;
    let had_slots = old != new;
    if new.is_some() {
        unit.occurrences().save(&after, &plan.stored).await?;
        renew(&after, &plan, fields.resets_overrides, unit).await?;
        trash(&after, &plan.trashed, unit).await?;
    }
    let Plan {
        trashed,
        orphans,
        counted,
        ..
    } = plan;
    let mut trashed = [trashed, orphans].concat();
    trashed.sort_unstable();
    let slots = (had_slots && old.is_some()).then_some(SlotChanges { trashed, ..counted });
    Ok(Changed {
        record: after,
        slots,
    })
}

/// Stores the recurrence of a series after one of its slots was deleted or came back.
pub(super) async fn save_dates(
    series: Stored<Event>,
    recurrence: Recurrence,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let mut content = series.content.clone();
    if let Repetition::Series(series) = &mut content.details.repetition {
        series.recurrence = recurrence;
    }
    content.modified = request.now;
    content.details.sequence += 1;
    let after = save(series, content, SlugRequests::default(), request, unit).await?;
    renew(&after, &Plan::default(), false, unit).await?;
    Ok(after)
}

/// Checks that a recurrence has no more extra dates than it may have, unless it has as many already.
pub(super) fn check_extra(
    recurrence: &Recurrence,
    before: &Recurrence,
    field: &'static str,
) -> Result<(), AppError> {
    let most = Recurrence::MAX_DATES.max(before.extra().len());
    if recurrence.extra().len() > most {
        return Err(AppError::invalid(
            field,
            InvalidRecurrence::TooManyDates.into(),
        ));
    }
    Ok(())
}

fn keep_horizon(content: &mut Event, before: &Event) {
    if let (Repetition::Series(series), Some(before)) =
        (&mut content.details.repetition, before.series())
    {
        series.kept_until = before.kept_until;
    }
}

/// Works out the change of the occurrences.
async fn plan(
    before: &Stored<Event>,
    after: &Event,
    fields: &SeriesFields,
    unit: &dyn Repositories,
) -> Result<Plan, AppError> {
    let stored = unit.occurrences();
    let rows = match before.series() {
        Some(_) => stored.of_series(before.id, &Window::default()).await?,
        None => Vec::new(),
    };
    let mut rows: BTreeMap<Slot, StoredOccurrence> =
        rows.into_iter().map(|row| (row.slot, row)).collect();
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
    let is_kept = |slot: Slot| {
        let when = new.recurrence.time_at(slot);
        when.is_some_and(|when| when.start().utc < end)
    };
    let Some(old) = before.series() else {
        let slots = new.recurrence.occurrences(..end).map(|one| one.slot);
        plan.stored.added = slots.collect();
        return Ok(plan);
    };
    // Occurrences beyond the bound, which exist by writes of their own, are looked at one by one.
    let bound = match (old.kept_until, new.kept_until) {
        (Some(kept), _) | (None, Some(kept)) => kept,
        (None, None) => Timestamp::MAX,
    };
    let comparison = old.recurrence.compare(&new.recurrence, bound);
    let retimes = old.recurrence.start() != new.recurrence.start();
    let mut taken: HashSet<Slot> = HashSet::new();
    for (from, to) in comparison.kept.iter().chain(&comparison.deleted) {
        taken.insert(*to);
        if let Some(row) = rows.remove(from) {
            if retimes || from != to {
                plan.place(&row, *to);
            }
        } else if is_kept(*to) && new.is_held_at(*to) {
            plan.stored.added.push(*to);
        }
    }
    plan.counted.kept = comparison.kept.len();
    plan.counted.removed = comparison.removed.len();
    let (mut leaving, mut in_trash) = (Vec::new(), Vec::new());
    let slots: Vec<Slot> = rows.keys().copied().collect();
    let names = old.recurrence.moved_names(&new.recurrence, &slots);
    let gone: HashSet<Slot> = comparison.removed.iter().copied().collect();
    for ((slot, row), name) in rows.into_iter().zip(names) {
        // One that would leave the years 1 to 9999 stays where it is.
        let name = new.recurrence.time_at(name).map_or(slot, |_| name);
        let was_beyond = old.is_held_at(slot) && !gone.contains(&slot);
        plan.counted.removed += usize::from(was_beyond && !new.is_held_at(name));
        if !old.is_held_at(slot) {
            in_trash.push((row, name));
        } else if was_beyond && new.is_held_at(name) {
            plan.counted.kept += 1;
            taken.insert(name);
            if retimes || slot != name {
                plan.place(&row, name);
            }
        } else if new.recurrence.deleted().contains(&name) {
            taken.insert(name);
            if slot != name {
                plan.place(&row, name);
            }
            if !row.is_own {
                plan.trashed.push(row.id);
            }
        } else {
            leaving.push((row, name));
        }
    }
    let beyond = new.recurrence.occurrences(bound.min(end)..end);
    let beyond = beyond
        .map(|one| one.slot)
        .filter(|slot| !taken.contains(slot));
    let added: BTreeSet<Slot> = comparison.added.iter().copied().chain(beyond).collect();
    for slot in added {
        plan.counted.added += 1;
        taken.insert(slot);
        // An occurrence in the trash comes back with its slot.
        if let Some(place) = in_trash.iter().position(|(_, name)| *name == slot) {
            let (row, name) = in_trash.swap_remove(place);
            if row.slot != name {
                plan.place(&row, name);
            }
        } else if is_kept(slot) {
            plan.stored.added.push(slot);
        }
    }
    plan.stored.added.sort_unstable();
    plan.stored.added.dedup();
    let names: HashMap<EventId, Slot> = leaving.iter().map(|(row, name)| (row.id, *name)).collect();
    let leaving = leaving.into_iter().map(|(row, _)| row).collect();
    let (orphans, vanishing) = plan.orphans_among(leaving, unit).await?;
    plan.stored
        .removed
        .extend(vanishing.iter().map(|row| row.id));
    let orphans = orphans.into_iter().map(|row| {
        let name = names.get(&row.id).copied().unwrap_or(row.slot);
        (row, name, true)
    });
    let in_trash = in_trash.into_iter().map(|(row, name)| (row, name, false));
    let step = if new.recurrence.first().all_day() {
        DAY
    } else {
        SECOND
    };
    for (row, name, is_leaving) in orphans.chain(in_trash) {
        // No two occurrences have one slot.
        let mut slot = name;
        while !taken.insert(slot) {
            slot = Slot::new(slot.local() + step);
        }
        if slot != row.slot {
            plan.place(&row, slot);
        }
        match (is_leaving, fields.keeps_orphans) {
            (false, _) => {}
            (true, true) => {
                plan.extra.insert(slot);
            }
            (true, false) if row.is_own => plan.orphans.push(row.id),
            (true, false) => plan.trashed.push(row.id),
        }
    }
    Ok(plan)
}

impl Plan {
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
        let plain: Vec<_> = leaving
            .iter()
            .filter(|row| !row.is_own)
            .map(|row| row.id)
            .collect();
        let parents = if plain.is_empty() {
            Vec::new()
        } else {
            unit.occurrences().parents_among(&plain).await?
        };
        let is_orphan = |row: &StoredOccurrence| row.is_own || parents.contains(&row.id);
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

/// Renews the own records of a series after its change. `resets` makes them lose their own fields.
async fn renew(
    series: &Stored<Event>,
    plan: &Plan,
    resets: bool,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let ids = unit.occurrences().own_records(series.id).await?;
    for own in unit.events().find_many(&ids).await? {
        let slot = plan.renamed.get(&own.id).copied();
        renew_one(series, own, slot, resets, unit).await?;
    }
    Ok(())
}

/// Renews one own record, and returns the occurrence.
pub(super) async fn renew_one(
    series: &Stored<Event>,
    own: Stored<Event>,
    slot: Option<Slot>,
    resets: bool,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let Some(occurrence) = own.occurrence() else {
        return Ok(own);
    };
    let slot = slot.unwrap_or(occurrence.slot);
    let mut source = own.content.clone();
    if resets && let Repetition::Occurrence(occurrence) = &mut source.details.repetition {
        occurrence.own = OwnFields::default();
    }
    let Some(content) = series.inherited_by(&source, slot) else {
        return Ok(own);
    };
    let is_plain = content.occurrence().is_some_and(|one| one.own.is_empty());
    let is_held = series.series().is_some_and(|one| one.is_held_at(slot));
    if is_plain && is_held {
        return Ok(unit.occurrences().clear_own(series, &own).await?);
    }
    if content == own.content {
        return Ok(own);
    }
    Ok(unit
        .events()
        .update(&own, content, SlugRequests::default())
        .await?)
}

/// Puts occurrences without a record of their own into the trash.
async fn trash(
    series: &Stored<Event>,
    ids: &[EventId],
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    for plain in unit.events().find_many(ids).await? {
        let slot = plain.occurrence().map(|one| one.slot);
        let content = slot.and_then(|slot| series.inherited_by(&plain, slot));
        if let Some(content) = content {
            unit.occurrences().set_own(&plain, content).await?;
        }
    }
    Ok(())
}

/// Makes the occurrences that a person changed, of a series that stops repeating, events of their own
/// in the trash, and deletes the others.
async fn release(
    series: &Stored<Event>,
    plan: &Plan,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let ids = [&*plan.trashed, &plan.orphans, &plan.former].concat();
    for occurrence in unit.events().find_many(&ids).await? {
        detach(series, occurrence, true, unit).await?;
    }
    unit.occurrences().save(series, &plan.stored).await?;
    Ok(())
}
