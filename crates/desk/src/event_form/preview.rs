//! Previews of a form before it is stored: the dates, and the page for visitors.

use app::{calendar::Prepared, event::EventView};
use axum::http::StatusCode;
use domain::{Event, event::Repetition};
use http_service::BackForm;

use super::{
    repetition::Preview,
    shown::{load, refused},
    values::Values,
};
use crate::{
    page::{self, Answer},
    request::DeskRequest,
    words::Word,
};

/// The value of the button that shows the page.
pub(super) const PAGE: &str = "page";

/// The field of a form that fills the form of an event, and stores nothing.
pub(super) const FILL: &str = "fill";

/// The name of the buttons of previews.
const PREVIEW: &str = "preview";

/// The form again, with the dates that it gives. Nothing is stored.
pub(super) async fn dates(
    request: &DeskRequest,
    view: Option<&EventView>,
    prepared: &Prepared<Event>,
) -> Answer {
    let calendar = &request.state.calendar;
    let stored = view.and_then(|view| view.event.clone().stored().ok());
    let times = prepared.times(calendar, request.caller(), stored.as_ref());
    let (when, repetition) = match times {
        Ok(times) => times,
        Err(error) => return refused(request, view, error).await,
    };
    let recurrence = match &repetition {
        Repetition::Series(series) => Some(&series.recurrence),
        _ => None,
    };
    let preview = Preview::of(&when, recurrence, calendar.now(), request.language);
    let values = Values::sent(&request.form);
    let page = load(request, values, view, Vec::new(), false).await?;
    let page = page.with_preview(preview);
    Ok(page::response(StatusCode::OK, request.language, &page))
}

/// The page of the event as visitors would see it, with a way back to the form. Nothing is stored.
pub(super) async fn page(
    request: &DeskRequest,
    view: Option<&EventView>,
    prepared: &Prepared<Event>,
) -> Answer {
    let state = &request.state;
    let Some(preview) = state.event_preview else {
        return Err(request.not_found(Word::NO_SUCH_EVENT));
    };
    let id = view.and_then(|view| view.event.id);
    let shown = state
        .calendar
        .preview_event(request.caller(), id.map(Into::into), prepared);
    let shown = match shown.await {
        Ok(shown) => shown,
        Err(error) => return refused(request, view, error).await,
    };
    let path = match id {
        Some(id) => format!("/desk/event/{id}"),
        None => "/desk/event/new".to_owned(),
    };
    let typed = request.form.fields.iter();
    let back = BackForm {
        action: request.url(&path),
        fields: typed.filter(|(name, _)| name != PREVIEW).cloned().collect(),
        button: (FILL, request.word(Word::BACK_TO_FORM)),
        note: request.word(Word::PREVIEW_NOTE),
        language: request.language,
    };
    Ok(preview(state, &shown, back))
}
