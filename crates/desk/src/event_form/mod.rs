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

use app::{AppError, calendar::Prepared, event::EventView};
use axum::{http::StatusCode, response::Response};
use domain::{Event, EventId};
use forms::{Fields, Reading};

pub(crate) use dates::{act, dates};
pub(crate) use fields::title_of;
pub(crate) use repetition::{in_words, inputs_of};
pub(crate) use translations::{translate, translations};
pub(crate) use values::LOCAL;

use crate::{
    images::picture,
    page::{self, Answer},
    request::{DeskRequest, PathText},
    words::Word,
};
use preview::{FILL, PAGE};
use read::{find, key, read};
use shown::{load, refused, show, zone};
use values::Values;

/// `GET` of an empty form, or of one with the values of another event.
pub(crate) async fn new(request: DeskRequest) -> Answer {
    let values = match request.parameter("copy").and_then(|id| id.parse().ok()) {
        None => Values::blank(&request.state, request.language),
        Some(id) => {
            let view = request.found(read(&request, id).await, Word::NO_SUCH_EVENT)?;
            Values::copied(&view, zone(&request))
        }
    };
    show(&request, StatusCode::OK, values, None, Vec::new()).await
}

/// `POST` of a new event.
pub(crate) async fn create(mut request: DeskRequest) -> Answer {
    if request.form.get(FILL).is_some() {
        let values = Values::sent(&request.form);
        return show(&request, StatusCode::OK, values, None, Vec::new()).await;
    }
    let kept = picture::keep(&mut request).await;
    request.found(kept, Word::NO_SUCH_EVENT)?;
    let fields = fields::of_form(&mut request.form, None);
    let caller = request.caller();
    let calendar = &request.state.calendar;
    let write = forms::create::<Event>(&fields, Reading::of(calendar, caller));
    let check = || calendar.check_new(caller, &write);
    let bytes = write.faults.sent_bytes();
    let checked = calendar.cpu_limiter().run(bytes, check).await;
    let prepared = before_saving(&request, None, &fields, checked.flatten()).await?;
    match calendar.create_prepared(caller, prepared).await {
        Ok(view) => saved(&request, &view).await,
        Err(error) => refused(&request, None, error).await,
    }
}

/// `GET` of the form of an event.
pub(crate) async fn edit(path: PathText, request: DeskRequest) -> Answer {
    let (_, view) = find(&request, &path).await?;
    let values = Values::of(&view, zone(&request));
    show(&request, StatusCode::OK, values, Some(&view), Vec::new()).await
}

/// `POST` of the changes of an event.
pub(crate) async fn update(path: PathText, mut request: DeskRequest) -> Answer {
    let (id, view) = find(&request, &path).await?;
    if request.form.get(FILL).is_some() {
        let values = Values::sent(&request.form);
        return show(&request, StatusCode::OK, values, Some(&view), Vec::new()).await;
    }
    let stored = Values::of(&view, zone(&request));
    let kept = picture::keep(&mut request).await;
    request.found(kept, Word::NO_SUCH_EVENT)?;
    let fields = fields::of_form(&mut request.form, Some(&stored));
    let expected = request.expected();
    let caller = request.caller();
    let calendar = &request.state.calendar;
    let write = forms::update::<Event>(&fields, Reading::of(calendar, caller));
    let check = || calendar.check_update(caller, &write);
    let bytes = write.faults.sent_bytes();
    let checked = calendar.cpu_limiter().run(bytes, check).await;
    let prepared = before_saving(&request, Some(&view), &fields, checked.flatten()).await?;
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
        Err(error) => return Err(refused(request, view, error).await?),
    };
    match request.form.get("preview") {
        None => {}
        Some(PAGE) => return Err(preview::page(request, view, &prepared).await?),
        Some(_) => return Err(preview::dates(request, view, &prepared).await?),
    }
    let alike = duplicates::find(request, view, fields, &prepared).await;
    if alike.is_empty() {
        return Ok(prepared);
    }
    let values = Values::sent(&request.form);
    let page = load(request, values, view, Vec::new(), false).await?;
    let page = page.with_warning(alike);
    Err(page::response(
        StatusCode::CONFLICT,
        request.language,
        &page,
    ))
}

/// A redirect to the form of a stored event.
async fn saved(request: &DeskRequest, view: &EventView) -> Answer {
    let described = picture::describe(request, view.image.as_deref()).await;
    request.found(described, Word::NO_SUCH_EVENT)?;
    let id = view.event.id.map_or(0, EventId::get);
    Ok(request.see(&format!("/desk/event/{id}?saved={}", view.event.revision)))
}
