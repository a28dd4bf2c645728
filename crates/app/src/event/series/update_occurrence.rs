//! Updates and deletions of one occurrence.

use domain::{
    Event, FieldName, Record, Status, Stored,
    event::{OverrideField, Repetition},
    recurrence::Recurrence,
};

use super::{
    detach::detach,
    overrides::{is_override, renew_one, set_override},
    store_series::{check_extra, save_dates},
    written_back::{keep_price, take_fields_of_series},
};
use crate::{
    entry::EntryWrite,
    error::AppError,
    event::EventWrite,
    fault::Fault,
    ports::{OccurrencePlan, Repositories},
    request::Request,
    resource::{self, Located, Resource as _, writes},
};

/// Changes one occurrence. Its series is locked.
pub(super) async fn change(
    changes: EventWrite,
    before: Located<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let EntryWrite { mut shared, own } = changes;
    take_fields_of_series(&mut shared, &own, &before, request)?;
    let status = shared.status.take();
    let Some(mut series) = series_of(&before, unit).await? else {
        return before.stored();
    };
    if status == Some(Status::Publish) && series.is_in_trash() {
        return Err(AppError::invalid(FieldName::Status, Fault::OfSeriesOnly));
    }
    if before.is_gone() && status != Some(Status::Publish) {
        return Err(Event::not_found());
    }
    let goes = status == Some(Status::Trash) && !before.is_in_trash();
    let mut before = stored(&series, before, request, unit).await?;
    if status == Some(Status::Publish) && before.is_in_trash() {
        (series, before) = revive(series, before, request, unit).await?;
    }
    if own.series.detach {
        let detached = detach(&series, before.clone(), false, request, unit).await?;
        without_slot(series, &before, request, unit).await?;
        let event =
            resource::change::<Event>(EntryWrite { shared, own }, detached, request, unit).await?;
        return Ok(event.record);
    }
    let after = change_fields(EntryWrite { shared, own }, &series, before, request, unit).await?;
    if goes {
        put_in_trash(after.into(), request, unit).await
    } else {
        Ok(after)
    }
}

/// Changes the fields of one occurrence.
async fn change_fields(
    changes: EventWrite,
    series: &Stored<Event>,
    before: Stored<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let Some(content) = changed_content(changes, series, &before, request, unit).await? else {
        return Ok(before);
    };
    // A record without own fields stays until the series changes: `modified` does not go back.
    let is_override = is_override(series, before.id, unit).await?;
    set_override(series, &before, content, is_override, request, unit).await
}

/// The content of one occurrence after a change of its fields. `None` if it stays as it is.
pub(super) async fn changed_content(
    changes: EventWrite,
    series: &Stored<Event>,
    before: &Stored<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Option<Event>, AppError> {
    let mut base = before.clone();
    if let (Some(reset), Repetition::Occurrence(occurrence)) = (
        &changes.own.series.reset,
        &mut base.content.details.repetition,
    ) {
        occurrence.overridden = reset.apply(&occurrence.overridden);
        let slot = occurrence.slot;
        if let Some(content) = series.inherited_by(&base.content, slot) {
            base.content = content;
        }
    }
    let is_original = request.language() == before.language;
    let sent = OverrideField::ALL.into_iter();
    let sent = sent.filter(|field| changes.own.sends(&changes.shared, *field));
    let sent: Vec<_> = sent
        .filter(|field| is_original || !field.is_text())
        .collect();
    let sends_cost = changes.own.sends_cost();
    // No slug is requested: an occurrence has that of its series.
    let (mut content, _) = Event::changed_content(changes, &base, request, unit).await?;
    if sends_cost {
        keep_price(&mut content, series, request.site);
    }
    let Some(mut content) = series.with_overrides(&base, content, |field| sent.contains(&field))
    else {
        return Ok(None);
    };
    content.modified = before.modified;
    if content == before.content {
        return Ok(None);
    }
    content.modified = request.now;
    Ok(Some(content))
}

/// The series of an occurrence.
pub(in crate::event) async fn series_of(
    occurrence: &Event,
    unit: &dyn Repositories,
) -> Result<Option<Stored<Event>>, AppError> {
    match occurrence.occurrence() {
        Some(one) => Ok(unit.events().find(one.series).await?),
        None => Ok(None),
    }
}

/// The occurrence with an ID: one that is not stored yet gets it.
pub(super) async fn stored(
    series: &Stored<Event>,
    occurrence: Located<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let (None, Some(one)) = (occurrence.id, occurrence.occurrence()) else {
        return occurrence.stored();
    };
    let added = OccurrencePlan {
        added: vec![one.slot],
        ..OccurrencePlan::default()
    };
    let ids = writes::apply(series, &added, request, unit).await?;
    // A slot that the series has deleted is in the trash.
    Located {
        id: ids.first().copied(),
        ..occurrence
    }
    .stored()
}

/// Deletes the slot of an occurrence from its series, which stays in the trash with all that it had.
pub(super) async fn put_in_trash(
    before: Located<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let Some(series) = series_of(&before, unit).await? else {
        return before.stored();
    };
    let before = stored(&series, before, request, unit).await?;
    let had_content = is_override(&series, before.id, unit).await?;
    let series = without_slot(series, &before, request, unit).await?;
    let deleted = unit
        .events()
        .find(before.id)
        .await?
        .ok_or_else(Event::not_found)?;
    if had_content {
        // It was renewed with the series.
        return Ok(deleted);
    }
    let slot = deleted.occurrence().map(|one| one.slot);
    match slot.and_then(|slot| series.inherited_by(&deleted, slot)) {
        Some(content) => set_override(&series, &deleted, content, false, request, unit).await,
        None => Ok(deleted),
    }
}

/// Deletes an occurrence for good. Its slot stays deleted.
pub(super) async fn remove(
    before: Located<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let Some(series) = series_of(&before, unit).await? else {
        return Ok(());
    };
    if before.is_gone() && !series.is_in_trash() {
        return Err(Event::not_found());
    }
    let series = if before.is_in_trash() && !series.is_in_trash() {
        series
    } else {
        without_slot(series, &before, request, unit).await?
    };
    let removed = OccurrencePlan {
        removed: before.id.into_iter().collect(),
        ..OccurrencePlan::default()
    };
    writes::apply(&series, &removed, request, unit).await?;
    Ok(())
}

/// The series with the slot of an occurrence deleted.
async fn without_slot(
    series: Stored<Event>,
    occurrence: &Event,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let (Some(one), Some(own)) = (occurrence.occurrence(), series.series()) else {
        return Ok(series);
    };
    let recurrence = &own.recurrence;
    let mut deleted = recurrence.deleted().clone();
    deleted.insert(one.slot);
    let recurrence = recurrence.with_dates(recurrence.extra().clone(), deleted);
    save_dates(series, recurrence, request, unit).await
}

/// Brings an occurrence back from the trash, with its slot.
async fn revive(
    series: Stored<Event>,
    before: Stored<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<(Stored<Event>, Stored<Event>), AppError> {
    let (Some(one), Some(own)) = (before.occurrence(), series.series()) else {
        return Ok((series, before));
    };
    let slot = one.slot;
    let recurrence = with_slot(&own.recurrence, slot);
    check_extra(&recurrence, &own.recurrence, FieldName::Status)?;
    let had_content = is_override(&series, before.id, unit).await?;
    let series = save_dates(series, recurrence, request, unit).await?;
    let revived = unit
        .events()
        .find(before.id)
        .await?
        .ok_or_else(Event::not_found)?;
    let revived = if had_content && revived.is_in_trash() {
        renew_one(&series, revived, request, unit).await?
    } else {
        revived
    };
    Ok((series, revived))
}

fn with_slot(recurrence: &Recurrence, slot: domain::recurrence::Slot) -> Recurrence {
    let (mut extra, mut deleted) = (recurrence.extra().clone(), recurrence.deleted().clone());
    deleted.remove(&slot);
    if !recurrence.has_slot(slot) {
        extra.insert(slot);
    }
    recurrence.with_dates(extra, deleted)
}
