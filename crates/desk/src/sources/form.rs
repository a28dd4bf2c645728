//! The form of a source, its state and its last report.

use app::{AppError, auth::AccountError, calendar::require, ports::StoredSource};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{
    Id, Role, Status,
    policy::Capability,
    source::{Source, SourceFormat, UpdatePolicy},
};
use forms::Fields;
use interchange::source::{Fate, remove_source, source_write};
use serde_json::Map;

use super::{SOURCES, State};
use crate::{
    fault::{self, FieldFault, is_bad},
    imports::{POLICIES, Report},
    page::{self, Answer, Frame},
    request::{DeskRequest, PathText},
    words::Word,
};

/// The most users that the form offers.
const MAX_USERS: usize = 1000;

/// The fields of the form, each with its words.
const INPUTS: [(&str, Word); 9] = [
    ("name", Word::NAME),
    ("url", Word::SOURCE_URL),
    ("format", Word::SOURCE_FORMAT),
    ("every", Word::SOURCE_EVERY),
    ("user", Word::SOURCE_USER),
    ("status", Word::SOURCE_NEW_EVENTS),
    ("category", Word::SOURCE_CATEGORY),
    ("policy", Word::POLICY),
    ("prune", Word::PRUNE),
];

/// The words of a field of the interface in the form.
pub(crate) fn title_of(name: &str) -> Option<Word> {
    let input = INPUTS.iter().find(|(one, _)| *one == name);
    input.map(|(_, word)| *word)
}

/// The forms in which a source is read.
const FORMATS: [(SourceFormat, Word); 3] = [
    (SourceFormat::Calendar, Word::SOURCE_ICS),
    (SourceFormat::Table, Word::SOURCE_CSV),
    (SourceFormat::Site, Word::SOURCE_TEC),
];

/// A choice: the value, its words, and whether it is chosen.
type Choice = (String, String, bool);

/// The fields as the form shows them.
#[derive(Debug)]
struct Values {
    name: String,
    url: String,
    every: String,
    category: String,
    prunes: bool,
    formats: Vec<Choice>,
    users: Vec<Choice>,
    statuses: Vec<Choice>,
    policies: Vec<Choice>,
}

/// The page of a new source, or of a stored one.
#[derive(Debug, Template)]
#[template(path = "source.html")]
struct SourcePage {
    frame: Frame,
    /// The form, for administrators.
    values: Option<Values>,
    faults: Vec<FieldFault>,
    stored: Option<Stored>,
}

impl SourcePage {
    fn is_bad(&self, input: &str) -> bool {
        is_bad(&self.faults, input)
    }
}

/// The parts of a stored source beside the form.
#[derive(Debug)]
struct Stored {
    /// Scheme and host of the address.
    origin: String,
    state: State,
    events: u64,
    is_paused: bool,
    report: Option<Report>,
}

/// The page of an error.
fn failed(request: &DeskRequest, error: AppError) -> Response {
    match error {
        AppError::Forbidden => request.failed(AppError::Forbidden, Word::EDITORS_READ_SOURCES),
        error => request.failed(error, Word::NO_SUCH_SOURCE),
    }
}

/// `GET` of the form of a new source.
pub(super) async fn new(request: DeskRequest) -> Answer {
    let allowed = require(request.caller(), Capability::ManageSources);
    allowed.map_err(|error| failed(&request, error))?;
    show(&request, None, Vec::new()).await
}

/// `POST` of a new source.
pub(super) async fn create(request: DeskRequest) -> Answer {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let created = async {
        require(caller, Capability::ManageSources)?;
        let write = source_write(&fields(&request, true))?;
        calendar.create_source(caller, &write).await
    };
    match created.await {
        Ok(stored) => Ok(request.see(&format!("{SOURCES}/{}?saved=1", stored.id))),
        Err(error) => refused(&request, None, error).await,
    }
}

/// The fields of the form, as those of the interface.
fn fields(request: &DeskRequest, is_new: bool) -> Fields {
    let mut body = Map::new();
    for (name, _) in INPUTS {
        let sent = request.form.get(name).map(str::trim);
        match (name, sent) {
            ("name", _) if !is_new => {}
            ("prune", sent) => {
                body.insert(name.to_owned(), sent.is_some().into());
            }
            // An empty category is none; other fields that are empty have their defaults.
            (_, Some(sent)) if !sent.is_empty() || name == "category" => {
                body.insert(name.to_owned(), sent.into());
            }
            _ => {}
        }
    }
    Fields::from_body(body)
}

/// The source of a path, or the page of an error.
async fn find(request: &DeskRequest, path: &PathText) -> Result<StoredSource, Response> {
    let found = async {
        let id = path.id().ok_or(AppError::SourceNotFound)?;
        let calendar = &request.state.calendar;
        calendar.source(request.caller(), Id::from_raw(id)).await
    };
    found.await.map_err(|error| failed(request, error))
}

/// `GET` of a source.
pub(super) async fn edit(path: PathText, request: DeskRequest) -> Answer {
    let stored = find(&request, &path).await?;
    show(&request, Some(&stored), Vec::new()).await
}

/// `POST` of a change of a source, of a run, a pause, or its removal.
pub(super) async fn act(path: PathText, request: DeskRequest) -> Answer {
    let stored = find(&request, &path).await?;
    match perform(&request, stored.id).await {
        Ok(to) => Ok(request.see(&to)),
        Err(error) => refused(&request, Some(&stored), error).await,
    }
}

/// Does what the button says, and returns the page that follows.
async fn perform(request: &DeskRequest, id: Id<Source>) -> Result<String, AppError> {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    match request.form.get("action").unwrap_or_default() {
        "run" => {
            calendar.request_run(caller, id).await?;
            return Ok(format!("{SOURCES}/{id}?asked=1"));
        }
        "remove" => {
            let fate = request.form.get("events");
            let fate = fate.and_then(|fate| fate.parse().ok());
            // Without a choice nothing is lost.
            remove_source(calendar, caller, id, fate.unwrap_or(Fate::Keep)).await?;
            return Ok(format!("{SOURCES}?done=removed"));
        }
        action @ ("pause" | "resume") => {
            let pauses = action == "pause";
            calendar.pause_source(caller, id, pauses).await?;
        }
        _ => {
            require(caller, Capability::ManageSources)?;
            let write = source_write(&fields(request, false))?;
            calendar.update_source(caller, id, &write).await?;
        }
    }
    Ok(format!("{SOURCES}/{id}?saved=1"))
}

/// The page again, with what is wrong.
async fn refused(request: &DeskRequest, stored: Option<&StoredSource>, error: AppError) -> Answer {
    let of_page = |word| Some(vec![FieldFault::new("", request.word(word))]);
    let faults = match &error {
        AppError::SourceRunning => of_page(Word::SOURCE_IS_READ),
        AppError::TooManySources(_) => of_page(Word::TOO_MANY_SOURCES),
        error => fault::of_error(error, request.language, |name| input_of(request, name)),
    };
    match faults {
        Some(faults) => show(request, stored, faults).await,
        None => Err(failed(request, error)),
    }
}

/// The input and the words of a field.
fn input_of<'a>(request: &DeskRequest, field: &'a str) -> (&'static str, &'a str) {
    let found = INPUTS.iter().find(|(name, _)| *name == field);
    found.map_or(("", field), |(name, word)| (*name, request.word(*word)))
}

async fn show(
    request: &DeskRequest,
    stored: Option<&StoredSource>,
    faults: Vec<FieldFault>,
) -> Answer {
    let status = match faults.first() {
        None => StatusCode::OK,
        Some(fault) if fault.input.is_empty() => StatusCode::CONFLICT,
        Some(_) => StatusCode::BAD_REQUEST,
    };
    let page = page_of(request, stored, faults).await;
    let page = page.map_err(|error| failed(request, error))?;
    Ok(page::response(status, request.language, &page))
}

async fn page_of(
    request: &DeskRequest,
    stored: Option<&StoredSource>,
    faults: Vec<FieldFault>,
) -> Result<SourcePage, AppError> {
    let title = match stored {
        Some(stored) => stored.source.name.to_string(),
        None => request.word(Word::NEW_SOURCE).to_owned(),
    };
    let saved = request.parameter("saved").map(|_| Word::SAVED);
    let notice = saved.or_else(|| request.parameter("asked").map(|_| Word::SOURCE_ASKED));
    let frame = Frame::new(request, title).told(notice.filter(|_| faults.is_empty()));
    let is_kept = request.caller().can(Capability::ManageSources);
    let values = if is_kept {
        Some(values(request, stored.map(|stored| &stored.source)).await?)
    } else {
        None
    };
    Ok(SourcePage {
        frame,
        values,
        faults,
        stored: stored.map(|stored| Stored {
            origin: stored.source.url.origin().to_owned(),
            state: State::new(request, stored),
            events: stored.runs.events,
            is_paused: stored.source.paused,
            report: stored
                .runs
                .report
                .as_ref()
                .map(|report| Report::new(report, request.language)),
        }),
    })
}

/// The values of the form: as typed, as stored, or the defaults.
async fn values(request: &DeskRequest, stored: Option<&Source>) -> Result<Values, AppError> {
    let form = &request.form;
    // The buttons beside the form send none of its fields.
    let is_typed = form.get("url").is_some();
    let value = |name: &str, stored: Option<String>| match form.get(name) {
        Some(typed) if is_typed => typed.to_owned(),
        _ => stored.unwrap_or_default(),
    };
    let own = stored.map(|source| source.user);
    let user = value("user", Some(own.unwrap_or(request.user.id).to_string()));
    let name = |name: &'static str| name.to_owned();
    let format = value("format", stored.map(|source| name(source.format.name())));
    let status = value("status", stored.map(|source| name(source.status.name())));
    let policy = stored.map_or(UpdatePolicy::KeepLocal, |source| source.policy);
    let policy = value("policy", Some(name(policy.name())));
    let choice = |value: &'static str, word: Word, chosen: &str| {
        (name(value), request.word(word).to_owned(), value == chosen)
    };
    Ok(Values {
        name: value("name", None),
        url: value("url", stored.map(|source| source.url.expose().to_owned())),
        every: value(
            "every",
            Some(stored.map_or_else(|| "1h".to_owned(), |source| source.every.to_string())),
        ),
        category: value(
            "category",
            stored.and_then(|source| Some(source.category.as_ref()?.to_string())),
        ),
        prunes: if is_typed {
            form.get("prune").is_some()
        } else {
            stored.is_some_and(|source| source.prune)
        },
        formats: FORMATS
            .iter()
            .map(|(one, word)| choice(one.name(), *word, &format))
            .collect(),
        users: users(request, &user).await?,
        statuses: Source::STATUSES
            .iter()
            .map(|one: &Status| choice(one.name(), Word::of_status(*one), &status))
            .collect(),
        policies: POLICIES
            .iter()
            .map(|(one, word)| choice(one, *word, &policy))
            .collect(),
    })
}

/// The users whose records a source may bring.
async fn users(request: &DeskRequest, chosen: &str) -> Result<Vec<Choice>, AppError> {
    let keeping = request.state.accounts.kept_by(request.caller());
    let found = async { keeping?.users(0, MAX_USERS).await };
    let found = match found.await {
        Ok(found) => found,
        Err(AccountError::Store(error)) => return Err(error.into()),
        Err(_) => return Err(AppError::Forbidden),
    };
    let users = found.into_iter().map(|kept| kept.user);
    let users = users.filter(|user| user.role >= Role::Author && !user.disabled);
    let users = users.map(|user| {
        let id = user.id.to_string();
        let is_chosen = id == chosen;
        (id, user.name.to_string(), is_chosen)
    });
    Ok(users.collect())
}
