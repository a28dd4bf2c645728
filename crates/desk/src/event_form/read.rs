//! The event of a form.

use app::{AppError, event::EventView, request::RecordKey};
use axum::response::Response;
use domain::{Event, EventId};

use crate::{
    records,
    request::{DeskRequest, PathText},
    words::Word,
};

/// The key of an event.
pub(super) fn key(id: i64) -> RecordKey<Event> {
    RecordKey::Id(EventId::from_raw(id))
}

/// An event that the person may change. The form has the texts of the original.
pub(super) async fn read(request: &DeskRequest, id: i64) -> Result<EventView, AppError> {
    let (view, _) = records::read::<Event>(request, id).await?;
    Ok(view)
}

/// The event of a path with its ID, or the page of an error.
pub(super) async fn find(
    request: &DeskRequest,
    path: &PathText,
) -> Result<(i64, EventView), Response> {
    let Some(id) = path.id() else {
        return Err(request.not_found(Word::NO_SUCH_EVENT));
    };
    let view = request.found(read(request, id).await, Word::NO_SUCH_EVENT)?;
    Ok((id, view))
}
