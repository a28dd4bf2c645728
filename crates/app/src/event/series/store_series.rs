//! Stores a change of a series, and brings its occurrences in line.

use std::collections::{HashMap, HashSet};

use domain::{
    Event, EventId, FieldName, Stored,
    event::{Repetition, SeriesPlan},
    recurrence::{InvalidRecurrence, Recurrence},
};

use super::{
    detach::detach,
    overrides::{overrides, renewals},
};
use crate::{
    error::AppError,
    event::{SeriesChange, tombstone::save_event},
    ports::{OccurrenceFilter, OccurrencePlan, Repositories, SlugRequests},
    request::Request,
    resource::{Changed, writes},
};

/// Stores a change of an event that is a series before it, after it, or both, and brings its
/// occurrences in line.
pub(super) async fn save_series(
    before: Stored<Event>,
    mut content: Event,
    slugs: SlugRequests,
    fields: &SeriesChange,
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
    let has_slots = old != new;
    let (plan, own) = if has_slots {
        let (all, occurrences) = (OccurrenceFilter::default(), unit.occurrences());
        let (rows, parents) = match &old {
            Some(_) => (
                occurrences.of_series(before.id, &all).await?,
                occurrences.parents(before.id).await?,
            ),
            None => Default::default(),
        };
        let own = rows.iter().filter(|row| row.is_override).map(|row| row.id);
        let own = unit.events().find_many(&own.collect::<Vec<_>>()).await?;
        let keeps_orphans = fields.keeps_orphans;
        let plan = SeriesPlan::between(&before, &content, rows, &own, &parents, keeps_orphans);
        (plan, own)
    } else if old.is_some() {
        (SeriesPlan::default(), overrides(before.id, unit).await?)
    } else {
        Default::default()
    };
    if let Repetition::Series(series) = &mut content.details.repetition
        && !plan.extra.is_empty()
    {
        let mut extra = series.recurrence.extra().clone();
        extra.extend(&plan.extra);
        let deleted = series.recurrence.deleted().clone();
        let with_extra = series.recurrence.with_dates(extra, deleted);
        check_extra(&with_extra, &series.recurrence, FieldName::Orphans)?;
        series.recurrence = with_extra;
    }
    if has_slots || fields.resets_overrides {
        content.modified = request.now;
    }
    if new.is_none() {
        release(&before, &plan, request, unit).await?;
    }
    let after = save_event(before, content, slugs, request, unit).await?;
    if new.is_some() {
        let overrides: HashSet<_> = own.iter().map(|one| one.id).collect();
        let trashed = plan.changes.trashed.iter().copied();
        let trashed: Vec<_> = trashed.filter(|id| !overrides.contains(id)).collect();
        let removed: HashSet<_> = plan.removed.iter().copied().collect();
        let own = own.into_iter().filter(|one| !removed.contains(&one.id));
        let slots = plan.kept.iter().copied().collect();
        let changes = OccurrencePlan {
            added: plan.added,
            kept: plan.kept,
            removed: plan.removed,
            ..renewals(&after, own, &slots, fields.resets_overrides)
        };
        writes::apply(&after, &changes, request, unit).await?;
        trash(&after, &trashed, request, unit).await?;
    }
    Ok(Changed {
        record: after,
        slots: (has_slots && old.is_some()).then_some(plan.changes),
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
    content.details.count_change_since(&series.details);
    let after = save_event(series, content, SlugRequests::default(), request, unit).await?;
    let own = overrides(after.id, unit).await?;
    let renewals = renewals(&after, own, &HashMap::new(), false);
    writes::apply(&after, &renewals, request, unit).await?;
    Ok(after)
}

/// Checks that a recurrence has no more extra dates than it may have, unless it has as many already.
pub(super) fn check_extra(
    recurrence: &Recurrence,
    before: &Recurrence,
    field: FieldName,
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

/// Puts plain occurrences into the trash.
async fn trash(
    series: &Stored<Event>,
    ids: &[EventId],
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let mut plan = OccurrencePlan::default();
    for plain in unit.events().find_many(ids).await? {
        let slot = plain.occurrence().map(|one| one.slot);
        if let Some(content) = slot.and_then(|slot| series.inherited_by(&plain, slot)) {
            let content = plain.override_with(content);
            plan.overridden.push((plain, content));
        }
    }
    writes::apply(series, &plan, request, unit).await?;
    Ok(())
}

/// Makes the occurrences that a person changed, of a series that stops repeating, events of their own
/// in the trash, and deletes the others.
async fn release(
    series: &Stored<Event>,
    plan: &SeriesPlan,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let ids = [&*plan.changes.trashed, &plan.former].concat();
    for occurrence in unit.events().find_many(&ids).await? {
        detach(series, occurrence, true, request, unit).await?;
    }
    let removed = OccurrencePlan {
        removed: plan.removed.clone(),
        ..OccurrencePlan::default()
    };
    writes::apply(series, &removed, request, unit).await?;
    Ok(())
}
