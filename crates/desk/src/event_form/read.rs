//! The event of a form.

use app::{AppError, event::EventView, request::RecordKey, write::ReadOptions};
use axum::extract::{Path, rejection::PathRejection};
use domain::{Event, EventId};

use crate::request::DeskRequest;

/// The ID in a path.
pub(super) fn id_of(path: &Result<Path<String>, PathRejection>) -> Option<i64> {
    path.as_ref().ok()?.0.parse().ok().filter(|id| *id > 0)
}

/// The key of an event.
pub(super) fn key(id: i64) -> RecordKey<Event> {
    RecordKey::Id(EventId::from_raw(id))
}

/// An event that the person may change.
pub(super) async fn read(request: &DeskRequest, id: i64) -> Result<EventView, AppError> {
    let calendar = &request.state.calendar;
    // The form has the texts of the original.
    let view = calendar
        .get(request.caller(), key(id), &request.options())
        .await?;
    let original = ReadOptions::default().language(view.event.language);
    let view = calendar.get(request.caller(), key(id), &original).await?;
    if request.caller().may_edit(&view.event.content) {
        Ok(view)
    } else {
        Err(AppError::Forbidden)
    }
}
