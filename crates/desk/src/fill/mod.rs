//! A form that is filled from a calendar file, a message or a page.

mod calendar_file;
mod found;
mod json_ld;

use std::sync::Arc;

use app::AppError;
use askama::Template;
use axum::response::Response;
use domain::{policy::Capability, web_url::WebUrl};

use self::found::Found;
use crate::{
    page::{self, Answer, Frame, status_of_form},
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
pub(crate) async fn page(request: DeskRequest) -> Answer {
    require_upload(&request)?;
    Ok(show(&request, None, Vec::new()))
}

/// Nothing for a person who may upload files, or the page that says so.
fn require_upload(request: &DeskRequest) -> Result<(), Response> {
    let required = app::calendar::require(request.caller(), Capability::Upload);
    request.found(required, Word::NO_SUCH_EVENT)
}

/// `POST` of a file or of the address of a page: the events in it are choices. Nothing is stored.
pub(crate) async fn read(mut request: DeskRequest) -> Answer {
    require_upload(&request)?;
    let address = request.form.get("address").map(str::to_owned);
    let (found, input) = match &address {
        Some(address) => (of_page(&request, address).await, "address"),
        None => (of_file(&mut request).await, "calendar_file"),
    };
    let fault = match found {
        Ok(found) if found.is_empty() => Word::NO_EVENT_FOUND,
        Ok(found) => return Ok(show(&request, None, found)),
        Err(Refused::Fault(word)) => word,
        Err(Refused::Error(error)) => return Err(request.failed(error, Word::NO_SUCH_EVENT)),
    };
    let fault = Some((input, request.word(fault)));
    Ok(show(&request, fault, Vec::new()))
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
    page::response(
        status_of_form(page.fault.is_some()),
        request.language,
        &page,
    )
}
