//! Stores a change of a series, and brings its occurrences in line.

use domain::{
    Event, EventId, FieldName, Stored,
    event::Repetition,
    recurrence::{InvalidRecurrence, Recurrence},
};

use super::{
    detach::detach,
    overrides::{renew_all, set_own},
    plan::{Plan, plan},
};
use crate::{
    error::AppError,
    event::{SeriesChange, SlotChanges, publicity::save_event},
    ports::{Repositories, SlugRequests},
    request::Request,
    resource::Changed,
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
        check_extra(&with_extra, &series.recurrence, FieldName::Orphans)?;
        series.recurrence = with_extra;
    }
    if plan.is_some() || fields.resets_overrides {
        content.modified = request.now;
    }
    let plan = plan.unwrap_or_default();
    if new.is_none() {
        release(&before, &plan, request, unit).await?;
    }
    let after = save_event(before, content, slugs, request, unit).await?;
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
    let after = save_event(series, content, SlugRequests::default(), request, unit).await?;
    renew(&after, &Plan::default(), false, unit).await?;
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

/// Renews the own records of a series after its change. `resets` makes them lose their own fields.
async fn renew(
    series: &Stored<Event>,
    plan: &Plan,
    resets: bool,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let ids = unit.occurrences().own_records(series.id).await?;
    if ids.is_empty() {
        return Ok(());
    }
    let own = unit.events().find_many(&ids).await?;
    renew_all(series, own, &plan.renamed, resets, unit).await
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
            set_own(&plain, content, unit).await?;
        }
    }
    Ok(())
}

/// Makes the occurrences that a person changed, of a series that stops repeating, events of their own
/// in the trash, and deletes the others.
async fn release(
    series: &Stored<Event>,
    plan: &Plan,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let ids = [&*plan.trashed, &plan.orphans, &plan.former].concat();
    for occurrence in unit.events().find_many(&ids).await? {
        detach(series, occurrence, true, request, unit).await?;
    }
    unit.occurrences().save(series, &plan.stored).await?;
    Ok(())
}
