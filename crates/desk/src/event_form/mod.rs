//! The form of an event.

mod dates;
mod duplicates;
mod editor;
mod fields;
mod offers;
mod preview;
mod read;
mod repetition;
mod shown;
mod tickets;
mod translations;
mod values;

use app::{
    AppError,
    calendar::{Precondition, Prepared},
    event::EventView,
};
use axum::{
    extract::{Path, rejection::PathRejection},
    http::StatusCode,
    response::Response,
};
use domain::{Event, EventId};
use forms::{Fields, Reading};

pub(crate) use dates::{act, dates};
pub(crate) use fields::title_of;
pub(crate) use repetition::{in_words, inputs_of};
pub(crate) use translations::{translate, translations};
pub(crate) use values::LOCAL;

use crate::{
    events::{failed, not_found},
    images::picture,
    page,
    request::DeskRequest,
};
use preview::{FILL, PAGE};
use read::{id_of, key, read};
use shown::{load, refused, show, zone};
use values::Values;

/// `GET` of an empty form, or of one with the values of another event.
pub(crate) async fn new(request: DeskRequest) -> Response {
    let values = match request.parameter("copy").and_then(|id| id.parse().ok()) {
        None => Values::blank(&request.state, request.language),
        Some(id) => match read(&request, id).await {
            Ok(view) => Values::copied(&view, zone(&request)),
            Err(error) => return failed(&request, error),
        },
    };
    show(&request, StatusCode::OK, values, None, Vec::new()).await
}

/// `POST` of a new event.
pub(crate) async fn create(mut request: DeskRequest) -> Response {
    if request.form.get(FILL).is_some() {
        let values = Values::sent(&request.form);
        return show(&request, StatusCode::OK, values, None, Vec::new()).await;
    }
    if let Err(error) = picture::keep(&mut request).await {
        return failed(&request, error);
    }
    let fields = fields::of_form(&mut request.form, None);
    let caller = request.caller();
    let calendar = &request.state.calendar;
    let write = forms::create::<Event>(&fields, Reading::of(calendar, caller));
    let check = || calendar.check_new(caller, &write);
    let bytes = write.faults.sent_bytes();
    let checked = calendar.cpu_limiter().run(bytes, check).await;
    let prepared = match before_saving(&request, None, &fields, checked.flatten()).await {
        Ok(prepared) => prepared,
        Err(answer) => return answer,
    };
    match calendar.create_prepared(caller, prepared).await {
        Ok(view) => saved(&request, &view).await,
        Err(error) => refused(&request, None, error).await,
    }
}

/// `GET` of the form of an event.
pub(crate) async fn edit(
    path: Result<Path<String>, PathRejection>,
    request: DeskRequest,
) -> Response {
    let Some(id) = id_of(&path) else {
        return not_found(&request);
    };
    match read(&request, id).await {
        Ok(view) => {
            let values = Values::of(&view, zone(&request));
            show(&request, StatusCode::OK, values, Some(&view), Vec::new()).await
        }
        Err(error) => failed(&request, error),
    }
}

/// `POST` of the changes of an event.
pub(crate) async fn update(
    path: Result<Path<String>, PathRejection>,
    mut request: DeskRequest,
) -> Response {
    let Some(id) = id_of(&path) else {
        return not_found(&request);
    };
    let view = match read(&request, id).await {
        Ok(view) => view,
        Err(error) => return failed(&request, error),
    };
    if request.form.get(FILL).is_some() {
        let values = Values::sent(&request.form);
        return show(&request, StatusCode::OK, values, Some(&view), Vec::new()).await;
    }
    let stored = Values::of(&view, zone(&request));
    if let Err(error) = picture::keep(&mut request).await {
        return failed(&request, error);
    }
    let fields = fields::of_form(&mut request.form, Some(&stored));
    let revision = request
        .form
        .get("revision")
        .and_then(|text| text.parse().ok());
    let expected = revision.map_or(Precondition::Any, |one| Precondition::OneOf(vec![one]));
    let caller = request.caller();
    let calendar = &request.state.calendar;
    let write = forms::update::<Event>(&fields, Reading::of(calendar, caller));
    let check = || calendar.check_update(caller, &write);
    let bytes = write.faults.sent_bytes();
    let checked = calendar.cpu_limiter().run(bytes, check).await;
    let prepared = match before_saving(&request, Some(&view), &fields, checked.flatten()).await {
        Ok(prepared) => prepared,
        Err(answer) => return answer,
    };
    let update = calendar.update_prepared(caller, key(id), &expected, prepared);
    match update.await {
        Ok(view) => saved(&request, &view).await,
        Err(error) => refused(&request, Some(&view), error).await,
    }
}

/// The write, if nothing keeps it from being stored.
///
/// # Errors
///
/// The form again: with what is wrong, with the dates that it gives, or with events that look like it.
async fn before_saving(
    request: &DeskRequest,
    view: Option<&EventView>,
    fields: &Fields,
    checked: Result<Prepared<Event>, AppError>,
) -> Result<Prepared<Event>, Response> {
    let prepared = match checked {
        Ok(prepared) => prepared,
        Err(error) => return Err(refused(request, view, error).await),
    };
    match request.form.get("preview") {
        None => {}
        Some(PAGE) => return Err(preview::page(request, view, &prepared).await),
        Some(_) => return Err(preview::dates(request, view, &prepared).await),
    }
    let alike = duplicates::find(request, view, fields, &prepared).await;
    if alike.is_empty() {
        return Ok(prepared);
    }
    let values = Values::sent(&request.form);
    let page = load(request, values, view, Vec::new(), false).await;
    Err(match page {
        Ok(page) => {
            let page = page.with_warning(alike);
            page::response(StatusCode::CONFLICT, request.language, &page)
        }
        Err(error) => failed(request, error),
    })
}

/// A redirect to the form of a stored event.
async fn saved(request: &DeskRequest, view: &EventView) -> Response {
    if let Err(error) = picture::describe(request, view.image.as_deref()).await {
        return failed(request, error);
    }
    let id = view.event.id.map_or(0, EventId::get);
    request.see(&format!("/desk/event/{id}?saved={}", view.event.revision))
}
