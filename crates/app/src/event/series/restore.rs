//! Restores former states of events of any repetition.

use domain::{
    Event, FieldName, Stored, audit::TrailValues, event::Repetition, recurrence::horizon,
};

use super::{
    overrides::{is_override, set_override},
    store_series::save_series,
    update_occurrence::{series_of, stored},
};
use crate::{
    error::AppError,
    event::{SeriesChange, recurrence::check_number},
    ports::Repositories,
    request::Request,
    resource::{Changed, Former, Located, Resource as _, former_states},
};

/// Stores an event with the fields of a former state.
pub(in crate::event) async fn restore(
    before: Located<Event>,
    values: &TrailValues,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Changed<Event>, AppError> {
    if before.occurrence().is_some() {
        return Ok(restore_occurrence(before, values, request, unit)
            .await?
            .into());
    }
    let mut content = Event::former(&before, values, Former::Restored, request, unit).await?;
    let before = before.stored()?;
    let slugs = former_states::slugs(&before.content, values);
    extend_to_today(&mut content, &before, request)?;
    count(&mut content, &before, request);
    if content != before.content || !slugs.is_empty() {
        content.modified = request.now;
    }
    let change = SeriesChange::default();
    save_series(before, content, slugs, &change, request, unit).await
}

/// Stores an occurrence with the fields of its own that it had.
async fn restore_occurrence(
    before: Located<Event>,
    values: &TrailValues,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let Some(series) = series_of(&before, unit).await? else {
        return before.stored();
    };
    if before.is_gone() {
        return Err(Event::not_found());
    }
    let mut content = Event::former(&before, values, Former::Restored, request, unit).await?;
    let before = stored(&series, before, request, unit).await?;
    count(&mut content, &before, request);
    content.modified = before.modified;
    if content == before.content {
        return Ok(before);
    }
    content.modified = request.now;
    let is_override = is_override(&series, before.id, unit).await?;
    set_override(&series, &before, content, is_override, request, unit).await
}

/// Counts the change, and remembers a start that moved, as each update does.
fn count(content: &mut Event, before: &Stored<Event>, request: &Request<'_>) {
    content.details.count_change_since(&before.details);
    content.details.rescheduling =
        content.rescheduling_since(before, request.announces_moves, request.now);
}

/// Gives a series of a former state the horizon of today.
fn extend_to_today(
    content: &mut Event,
    before: &Event,
    request: &Request<'_>,
) -> Result<(), AppError> {
    let is_same = content.details.repetition == before.details.repetition;
    let Repetition::Series(series) = &mut content.details.repetition else {
        return Ok(());
    };
    if is_same {
        return Ok(());
    }
    let site = request.site;
    let horizon = horizon(request.now, &site.zone, site.recurrence_months);
    check_number(&series.recurrence, horizon)
        .map_err(|fault| AppError::invalid(FieldName::Recurrence, fault))?;
    let today = series.recurrence.is_endless().then_some(horizon);
    series.kept_until = today.max(today.and(series.kept_until));
    Ok(())
}
