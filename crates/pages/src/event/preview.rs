//! The page of an event that is not stored.

use app::event::EventView;
use axum::{http::StatusCode, response::Response};
use domain::Event;
use http_service::{AppState, BackForm};

use crate::{
    content::{Content, Head, Page},
    record::HasPage as _,
    request::{PageRequest, page_response},
};

/// The page, with a form that leads back to where the event is written. It has nothing that needs the address of an event.
pub(crate) fn preview(state: &AppState, view: &EventView, back: BackForm) -> Response {
    let request = PageRequest::unrouted(state, view.language);
    let shown = Event::content(view, &request);
    let body = Content {
        event: None,
        add_to_calendar: None,
        back: Some(back),
        ..shown
    };
    let head = Head {
        noindex: true,
        is_private: true,
        ..request.plain_head()
    };
    page_response(StatusCode::OK, &Page { head, body })
}
