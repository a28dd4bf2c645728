//! A form that is filled from a calendar file, a message or a page.

mod calendar_file;
mod found;
mod json_ld;

use std::sync::Arc;

use app::AppError;
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{policy::Capability, web_url::WebUrl};

use self::found::Found;
use crate::{
    events::failed,
    page::{self, Frame},
    request::DeskRequest,
    words::Word,
};

/// The longest file, in bytes.
const MAX_FILE: usize = 1024 * 1024;

/// The page.
#[derive(Debug, Template)]
#[template(path = "fill.html")]
struct FillPage {
    frame: Frame,
    /// The form of a new event.
    new: String,
    /// The fault, and the ID of its input.
    fault: Option<(&'static str, &'static str)>,
    /// The address that was typed.
    address: String,
    choices: Vec<Choice>,
}

impl FillPage {
    /// Whether an input has the fault.
    fn is_bad(&self, input: &str) -> bool {
        self.fault.is_some_and(|(one, _)| one == input)
    }
}

/// An event that was found.
#[derive(Debug)]
struct Choice {
    title: String,
    when: String,
    venue: String,
    /// The inputs of the form of an event.
    inputs: Vec<(&'static str, String)>,
}

/// Why there are no choices.
enum Refused {
    Fault(Word),
    Error(AppError),
}

/// `GET` of the page on which a file is chosen.
pub(crate) async fn page(request: DeskRequest) -> Response {
    if request.caller().can(Capability::Upload) {
        show(&request, StatusCode::OK, None, Vec::new())
    } else {
        failed(&request, AppError::Forbidden)
    }
}

/// `POST` of a file or of the address of a page: the events in it are choices. Nothing is stored.
pub(crate) async fn read(mut request: DeskRequest) -> Response {
    if !request.caller().can(Capability::Upload) {
        return failed(&request, AppError::Forbidden);
    }
    let address = request.form.get("address").map(str::to_owned);
    let (found, input) = match &address {
        Some(address) => (of_page(&request, address).await, "address"),
        None => (of_file(&mut request).await, "calendar_file"),
    };
    let found = match found {
        Ok(found) if found.is_empty() => Err(Word::NO_EVENT_FOUND),
        Ok(found) => Ok(found),
        Err(Refused::Fault(word)) => Err(word),
        Err(Refused::Error(error)) => return failed(&request, error),
    };
    let found = match found {
        Ok(found) => found,
        Err(word) => {
            let fault = Some((input, request.word(word)));
            return show(&request, StatusCode::BAD_REQUEST, fault, Vec::new());
        }
    };
    show(&request, StatusCode::OK, None, found)
}

/// The events of the file that was sent.
async fn of_file(request: &mut DeskRequest) -> Result<Vec<Found>, Refused> {
    let file = request.form.file.take();
    let file = file.ok_or(Refused::Fault(Word::CHOOSE_A_FILE))?.content;
    if file.len() > MAX_FILE {
        return Err(Refused::Fault(Word::FILE_TOO_LARGE));
    }
    let format = request.state.importable.as_ref().map(Arc::clone);
    let format = format.ok_or(Refused::Fault(Word::NO_EVENT_FOUND))?;
    let calendar = &request.state.calendar;
    let zone = calendar.site().zone.clone();
    let read = || calendar_file::read(&*format, &file, zone);
    let found = calendar.cpu_limiter().run(file.len(), read).await;
    found.map_err(Refused::Error)
}

/// The events that a page describes.
async fn of_page(request: &DeskRequest, address: &str) -> Result<Vec<Found>, Refused> {
    let unreadable = || Refused::Fault(Word::PAGE_NOT_READ);
    let url: WebUrl = address.trim().parse().map_err(|_| unreadable())?;
    let calendar = &request.state.calendar;
    let page = calendar.fetch_page(request.caller(), &url).await;
    let page = page.map_err(|error| match error {
        // One text for all reasons: it says nothing of the network of the service.
        AppError::Invalid(_) => unreadable(),
        error => Refused::Error(error),
    })?;
    let (zone, now) = (&calendar.site().zone, calendar.now());
    let read = || json_ld::read(&page, zone, now);
    let found = calendar.cpu_limiter().run(page.len(), read).await;
    found.map_err(Refused::Error)
}

fn show(
    request: &DeskRequest,
    status: StatusCode,
    fault: Option<(&'static str, &'static str)>,
    found: Vec<Found>,
) -> Response {
    let choices = found.into_iter().map(|found| Choice {
        title: found.title.clone(),
        when: found.in_words(request.language),
        venue: found.venue.clone(),
        inputs: found.inputs(request.language),
    });
    let page = FillPage {
        frame: Frame::new(request, request.word(Word::FILL_FROM)),
        new: request.url("/desk/event/new"),
        fault,
        address: request.form.get("address").unwrap_or_default().to_owned(),
        choices: choices.collect(),
    };
    page::response(status, request.language, &page)
}
