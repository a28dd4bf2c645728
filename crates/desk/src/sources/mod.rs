//! Sources: calendars elsewhere that are read on a schedule. Administrators keep them, editors read them and ask for runs.

mod failure;
mod form;

use app::{AppError, ports::StoredSource};
use askama::Template;
use axum::http::StatusCode;
use domain::{page::PageRequest, policy::Capability, source::Source, time::Timestamp};
use http_service::Endpoint;

pub(crate) use form::title_of;

use crate::{
    page::{self, Answer, Frame},
    request::DeskRequest,
    words::Word,
};

/// The path of the list.
const SOURCES: &str = "/desk/sources";

/// The pages of sources.
pub(crate) fn endpoints() -> [Endpoint; 5] {
    [
        Endpoint::get(SOURCES, list),
        Endpoint::get("/desk/sources/new", form::new),
        Endpoint::post("/desk/sources/new", form::create),
        Endpoint::get("/desk/sources/{id}", form::edit),
        Endpoint::post("/desk/sources/{id}", form::act),
    ]
}

/// A row of the list.
#[derive(Debug)]
struct Row {
    url: String,
    name: String,
    /// Scheme and host of the address.
    origin: String,
    state: State,
    events: u64,
}

/// The list.
#[derive(Debug, Template)]
#[template(path = "sources.html")]
struct SourcesPage {
    frame: Frame,
    /// The page of a new source, for administrators.
    new: Option<String>,
    rows: Vec<Row>,
}

/// The state of a source, as its runs left it.
#[derive(Debug)]
struct State {
    text: &'static str,
    /// The reason for which the last run failed.
    failure: Option<String>,
    last_run: String,
    last_success: String,
    /// Empty for a source that is paused.
    next_run: String,
}

impl State {
    fn new(request: &DeskRequest, stored: &StoredSource) -> Self {
        let StoredSource { source, runs, .. } = stored;
        let time = |time: Option<Timestamp>| {
            time.map_or_else(|| "–".to_owned(), |time| format!("{time} UTC"))
        };
        let state = if stored.is_running(request.state.calendar.now()) {
            Word::SOURCE_RUNNING
        } else {
            Word::of_source_state(runs.state(source))
        };
        let failure = runs.failure.as_ref();
        Self {
            text: request.word(state),
            failure: failure.map(|failure| failure::told(*failure, request.language)),
            last_run: time(runs.last_run),
            last_success: time(runs.last_success),
            next_run: time(Some(runs.next_run).filter(|_| !source.paused)),
        }
    }
}

/// `GET` of the list.
async fn list(request: DeskRequest) -> Answer {
    let page = request.found(load(&request).await, Word::EDITORS_READ_SOURCES)?;
    Ok(page::response(StatusCode::OK, request.language, &page))
}

async fn load(request: &DeskRequest) -> Result<SourcesPage, AppError> {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let limit = u32::try_from(Source::MAX).unwrap_or(u32::MAX);
    let page = PageRequest::new(1, Source::MAX, limit);
    let found = calendar.sources(caller, page).await?.rows;
    let done = request.parameter("done").map(|_| Word::SOURCE_REMOVED);
    let rows = found.iter().map(|stored| Row {
        url: request.url(&format!("{SOURCES}/{}", stored.id)),
        name: stored.source.name.to_string(),
        origin: stored.source.url.origin().to_owned(),
        state: State::new(request, stored),
        events: stored.runs.events,
    });
    Ok(SourcesPage {
        frame: Frame::new(request, request.word(Word::SOURCES)).told(done),
        new: caller
            .can(Capability::ManageSources)
            .then(|| request.url(&format!("{SOURCES}/new"))),
        rows: rows.collect(),
    })
}
