//! Writes of series and of their occurrences.
//!
//! The row of the series is locked first, whatever a write changes.

mod batch;
mod detach;
mod locate;
mod overrides;
mod restore;
mod split_series;
mod store_series;
mod update_occurrence;
mod update_series;
mod written_back;

use domain::{
    Event, EventId, FieldName, Record as _, Stored,
    event::{Repetition, Scope},
    recurrence::Slot,
};

use crate::{
    error::AppError,
    event::{EventWrite, SeriesChange, tombstone},
    fault::Fault,
    ports::{OccurrenceFilter, OccurrencePlan, Repositories, SlugRequests},
    request::Request,
    resource::{self, Changed, Located, Resource as _, writes},
};

pub(crate) use batch::OccurrenceBatch;
pub(crate) use locate::locate_split;
pub(super) use locate::{locate, locate_former};
pub(super) use restore::restore;
pub(super) use update_occurrence::series_of;

/// Stores a new event with its occurrences.
pub(super) async fn create(
    changes: EventWrite,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let event = resource::create::<Event>(changes, request, unit).await?;
    if request.origin.is_some() && event.is_public(request.now) {
        // An event with this UID may have been deleted before.
        unit.tombstones().remove(&event.details.uid).await?;
    }
    if let Some(series) = event.series() {
        let added = OccurrencePlan {
            added: series.stored_slots(),
            ..OccurrencePlan::default()
        };
        writes::apply(&event, &added, request, unit).await?;
    }
    Ok(event)
}

/// Stores a change of an event of any repetition.
pub(super) async fn change(
    changes: EventWrite,
    before: Located<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Changed<Event>, AppError> {
    let scope = changes.own.series.scope;
    let Repetition::Occurrence(one) = &before.details.repetition else {
        check_scope(&before, scope)?;
        return update_series::change(changes, before.stored()?, None, request, unit).await;
    };
    let (slot, scope) = (one.slot, scope.unwrap_or(Scope::This));
    if scope == Scope::This {
        return Ok(
            Box::pin(update_occurrence::change(changes, before, request, unit))
                .await?
                .into(),
        );
    }
    let fields = &changes.own.series;
    for (field, is_sent) in [
        (FieldName::Detach, fields.detach),
        (FieldName::Reset, fields.reset.is_some()),
    ] {
        if is_sent {
            return Err(AppError::invalid(field, Fault::OfOccurrenceOnly));
        }
    }
    let Some(series) = update_occurrence::series_of(&before, unit).await? else {
        return Ok(before.stored()?.into());
    };
    if before.is_gone() {
        return Err(Event::not_found());
    }
    let before = update_occurrence::stored(&series, before, request, unit).await?;
    let series = scoped(series, scope, slot, request, unit).await?;
    let via = Some(&before);
    let after = update_series::change(changes, series, via, request, unit).await?;
    answer(Some(before.id), after, unit).await
}

/// The record that the request names, or else the series.
async fn answer(
    named: Option<EventId>,
    changed: Changed<Event>,
    unit: &dyn Repositories,
) -> Result<Changed<Event>, AppError> {
    let named = match named {
        Some(id) => unit.events().find(id).await?,
        None => None,
    };
    let record = named.unwrap_or(changed.record);
    Ok(Changed { record, ..changed })
}

/// Only all occurrences change by a write on their series.
fn check_scope(event: &Event, scope: Option<Scope>) -> Result<(), AppError> {
    if event.series().is_some() && matches!(scope, Some(Scope::This | Scope::Following)) {
        return Err(AppError::invalid(FieldName::Scope, Fault::ScopeOfSeries));
    }
    Ok(())
}

/// Stores an event of any repetition in the trash.
pub(super) async fn put_in_trash(
    before: Located<Event>,
    (content, slugs): (Event, SlugRequests),
    scope: Option<Scope>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let none = SeriesChange::default();
    let Some(one) = before.occurrence() else {
        check_scope(&before, scope)?;
        let before = before.stored()?;
        let trashed = store_series::save_series(before, content, slugs, &none, request, unit);
        return Ok(trashed.await?.record);
    };
    let scope = scope.unwrap_or(Scope::This);
    if scope == Scope::This {
        return update_occurrence::put_in_trash(before, request, unit).await;
    }
    let slot = one.slot;
    let Some(series) = update_occurrence::series_of(&before, unit).await? else {
        return before.stored();
    };
    let series = scoped(series, scope, slot, request, unit).await?;
    if let Some((content, slugs)) = series.trash(request.now)? {
        let trashed =
            store_series::save_series(series, content, slugs, &none, request, unit).await?;
        return Ok(answer(before.id, trashed, unit).await?.record);
    }
    before.stored()
}

/// The series that a write on an occurrence concerns: the whole one, or its second half after a split.
async fn scoped(
    series: Stored<Event>,
    scope: Scope,
    slot: Slot,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    if scope != Scope::Following {
        return Ok(series);
    }
    let second = split_series::split(&series, slot, request, unit).await?;
    Ok(second.unwrap_or(series))
}

/// Deletes an event of any repetition for good.
pub(super) async fn remove(
    before: Located<Event>,
    scope: Option<Scope>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let series = match (before.occurrence(), scope) {
        (Some(_), None | Some(Scope::This)) => {
            return update_occurrence::remove(before, request, unit).await;
        }
        (Some(one), Some(scope)) => {
            let Some(series) = update_occurrence::series_of(&before, unit).await? else {
                return Ok(());
            };
            scoped(series, scope, one.slot, request, unit).await?
        }
        (None, scope) => {
            check_scope(&before, scope)?;
            before.stored()?
        }
    };
    if series.is_public(request.now) {
        tombstone::put(&series, request.now, unit).await?;
    }
    let mut overrides = Vec::new();
    if let Some(own) = series.series() {
        let (previous, next) = (own.previous, own.next);
        let all = OccurrenceFilter::overrides();
        overrides = unit.occurrences().of_series(series.id, &all).await?;
        let removed = OccurrencePlan {
            removed: overrides.iter().map(|one| one.id).collect(),
            ..OccurrencePlan::default()
        };
        writes::apply(&series, &removed, request, unit).await?;
        split_series::link(previous, |one| one.next = next, unit).await?;
        split_series::link(next, |one| one.previous = previous, unit).await?;
    }
    writes::delete(&series, request, unit).await?;
    for id in overrides.iter().map(|one| one.id).chain([series.id]) {
        let trail = unit.audit();
        trail.forget_values(Event::KIND.into(), id.get()).await?;
    }
    Ok(())
}
