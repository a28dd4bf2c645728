//! The history of a record, and the return to one of its states.

use app::{AppError, calendar::Precondition, fault::Warning};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{Id, Kind, page::PageRequest};
use http_service::{Endpoint, message, record::ShownRecord};

use super::{
    BELOW, PER_PAGE, below,
    entry::{self, ShownChange, ShownEntry},
    known::Known,
    words::{field_word, forms},
};
use crate::{
    page::{self, Answer, Frame},
    records,
    request::{DeskRequest, PathText},
    visit::Restored,
    words::Word,
};

/// The most warnings of a restoration that a form tells.
const MAX_WARNINGS: usize = 50;

/// The most characters of a value in a warning.
const MAX_VALUE: usize = 100;

/// The words for a record that is not there.
fn absent<R: ShownRecord>() -> Word {
    match R::KIND {
        Kind::Event => Word::NO_SUCH_EVENT,
        _ => Word::NO_SUCH_RECORD,
    }
}

/// The pages of the history of a kind.
pub(super) fn endpoints<R: ShownRecord>() -> [Endpoint; 2] {
    let path = format!("{}/{{id}}/history", forms(R::KIND));
    [
        Endpoint::get(path.clone(), show::<R>),
        Endpoint::post(path, act::<R>),
    ]
}

/// The history of a record.
#[derive(Debug, Template)]
#[template(path = "history.html")]
struct HistoryPage {
    frame: Frame,
    /// The title and the form of the record.
    title: String,
    form: String,
    zone: String,
    /// The revision of the record, which no button restores.
    present: i64,
    entries: Vec<ShownEntry>,
    /// The page of the newest entries, on another one.
    newest: Option<String>,
    next: Option<String>,
}

/// The question before a state is restored.
#[derive(Debug, Template)]
#[template(path = "restore.html")]
struct Question {
    frame: Frame,
    title: String,
    revision: i64,
    /// The revision that the person has seen, which is replaced.
    present: i64,
    changes: Vec<ShownChange>,
    warnings: Vec<String>,
    /// The reason for which it is asked again, or cannot be done.
    fault: Option<String>,
    back: String,
}

/// A record of a request, which the person may change.
struct Subject<'a, R: ShownRecord> {
    request: &'a DeskRequest,
    id: i64,
    view: R::View,
}

impl<R: ShownRecord> Subject<'_, R> {
    fn form(&self) -> String {
        format!("{}/{}", forms(R::KIND), self.id)
    }

    fn history(&self) -> String {
        format!("{}/history", self.form())
    }

    fn title(&self) -> String {
        R::shown(&self.view).content.title().as_str().to_owned()
    }

    fn present(&self) -> i64 {
        R::shown(&self.view).revision
    }
}

/// The record of a path.
///
/// # Errors
///
/// The errors of its form.
async fn subject<'a, R: ShownRecord>(
    request: &'a DeskRequest,
    path: &PathText,
) -> Result<Subject<'a, R>, AppError> {
    let id = path.id().ok_or_else(R::not_found)?;
    let view = records::read::<R>(request, id).await?.0;
    Ok(Subject { request, id, view })
}

/// `GET` of the history of a record.
async fn show<R: ShownRecord>(path: PathText, request: DeskRequest) -> Answer {
    let page = request.found(load::<R>(&path, &request).await, absent::<R>())?;
    Ok(page::response(StatusCode::OK, request.language, &page))
}

async fn load<R: ShownRecord>(
    path: &PathText,
    request: &DeskRequest,
) -> Result<HistoryPage, AppError> {
    let subject = subject::<R>(request, path).await?;
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let from = request.parameter(BELOW).and_then(|text| text.parse().ok());
    let page = PageRequest::new(1, PER_PAGE.into(), PER_PAGE);
    let key = Id::<R>::from_raw(subject.id).into();
    let found = calendar.revisions::<R>(caller, key, from, page).await?;
    let changes = found.rows.iter().flat_map(|entry| &entry.changes);
    let known = Known::linked(request, R::KIND.into(), changes).await?;
    let history = subject.history();
    let address = |below: i64| request.url(&format!("{history}?{BELOW}={below}"));
    Ok(HistoryPage {
        frame: Frame::new(request, request.word(Word::HISTORY)),
        title: subject.title(),
        form: request.url(&subject.form()),
        zone: calendar.site().zone.to_string(),
        present: subject.present(),
        newest: from.map(|_| request.url(&history)),
        next: below(&found).map(address),
        entries: entry::all(request, &found.rows, &known),
    })
}

/// `POST` of a state: the question first.
async fn act<R: ShownRecord>(path: PathText, request: DeskRequest) -> Answer {
    let done = try_to_act::<R>(&path, &request).await;
    done.map_err(|error| match error {
        AppError::RevisionNotFound => request.not_found(Word::NO_SUCH_STATE),
        error => request.failed(error, absent::<R>()),
    })
}

async fn try_to_act<R: ShownRecord>(
    path: &PathText,
    request: &DeskRequest,
) -> Result<Response, AppError> {
    let subject = subject::<R>(request, path).await?;
    let number = |name| request.form.get(name).and_then(|text| text.parse().ok());
    let revision = number("revision").ok_or(AppError::RevisionNotFound)?;
    let seen = number("present").filter(|_| request.form.get("confirmed").is_some());
    let Some(seen) = seen else {
        return ask(&subject, revision, None).await;
    };
    let expected = Precondition::OneOf(vec![seen]);
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let (key, options) = (Id::<R>::from_raw(subject.id).into(), request.options());
    let restored = calendar.restore_revision::<R>(caller, key, revision, &expected, &options);
    match restored.await {
        Ok(restored) => {
            let form = format!("{}/{}", forms(R::KIND), R::shown(&restored.view).id);
            let mut warnings = told::<R>(request, &restored.warnings);
            warnings.truncate(MAX_WARNINGS);
            let restored = Restored {
                form: form.clone(),
                revision,
                warnings,
            };
            request.tell_restored(restored).await;
            Ok(request.see(&format!("{form}?restored={revision}")))
        }
        Err(AppError::PreconditionFailed) => {
            ask(&subject, revision, Some(Word::CHANGED_MEANWHILE)).await
        }
        Err(AppError::Invalid(_)) => ask(&subject, revision, None).await,
        Err(error) => Err(error),
    }
}

/// The page with what would change.
async fn ask<R: ShownRecord>(
    subject: &Subject<'_, R>,
    revision: i64,
    conflict: Option<Word>,
) -> Result<Response, AppError> {
    let request = subject.request;
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let (key, options) = (Id::<R>::from_raw(subject.id).into(), request.options());
    let rehearsed = calendar.rehearse_restoration::<R>(caller, key, revision, &options);
    let mut page = Question {
        frame: Frame::new(request, request.word(Word::REALLY)),
        title: subject.title(),
        revision,
        present: subject.present(),
        changes: Vec::new(),
        warnings: Vec::new(),
        fault: conflict.map(|word| request.word(word).to_owned()),
        back: request.url(&subject.history()),
    };
    let status = match rehearsed.await {
        Ok(rehearsed) => {
            let kind = R::KIND.into();
            let known = Known::linked(request, kind, &rehearsed.changes).await?;
            page.changes = entry::changes(request, kind, &rehearsed.changes, &known);
            page.warnings = told::<R>(request, &rehearsed.warnings);
            match conflict {
                None => StatusCode::OK,
                Some(_) => StatusCode::CONFLICT,
            }
        }
        Err(AppError::Invalid(faults)) => {
            let faults = faults.iter().map(|(name, fault)| {
                let title = name
                    .parse()
                    .ok()
                    .and_then(|field| field_word(R::KIND.into(), field));
                let title = title.map_or(&**name, |word| request.word(word));
                message::fault(title, fault, request.language)
            });
            page.fault = Some(faults.collect::<Vec<_>>().join(" "));
            StatusCode::BAD_REQUEST
        }
        Err(error) => return Err(error),
    };
    Ok(page::response(status, request.language, &page))
}

/// Warnings in words.
fn told<R: ShownRecord>(request: &DeskRequest, warnings: &[Warning]) -> Vec<String> {
    let told = warnings.iter().map(|warning| {
        let field = warning.field;
        let title = field_word(R::KIND.into(), field);
        let title = title.map_or(field.as_str(), |word| request.word(word));
        let value: String = warning.value.chars().take(MAX_VALUE).collect();
        let text = message::fault(title, &warning.fault, request.language);
        format!("{text} ({value})")
    });
    told.collect()
}
