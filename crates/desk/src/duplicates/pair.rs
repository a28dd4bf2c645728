//! The page of a pair: both records side by side.

use std::collections::BTreeMap;

use app::{
    AppError,
    calendar::{DuplicateView, MergeWrite},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{
    FieldName, Id,
    duplicate::{Duplicate, DuplicateState},
};

use super::{
    DUPLICATES,
    fields::{self, Field},
    reasons,
};
use crate::{
    fault::FieldFault,
    page::{self, Answer, Frame},
    request::{DeskRequest, PathText},
    trail::forms,
    words::Word,
};

/// Begins the name of the input that says from which record a field comes.
const FIELD: &str = "field-";

/// A record of the pair.
#[derive(Debug)]
struct Side {
    id: i64,
    title: String,
    status: &'static str,
    /// The form of the record on the desk.
    url: String,
    /// Whether it stays.
    is_kept: bool,
}

/// A field that differs.
#[derive(Debug)]
struct Row {
    input: String,
    title: &'static str,
    /// The value of each record: its ID, the text, and whether it is chosen.
    values: Vec<(i64, String, bool)>,
}

/// The page.
#[derive(Debug, Template)]
#[template(path = "duplicate.html")]
struct PairPage {
    frame: Frame,
    faults: Vec<FieldFault>,
    state: &'static str,
    score: u8,
    reasons: String,
    sides: Vec<Side>,
    rows: Vec<Row>,
    is_open: bool,
    is_merged: bool,
    back: String,
}

/// The pair of a path.
async fn find(request: &DeskRequest, path: &PathText) -> Result<DuplicateView, AppError> {
    let id = path.id().ok_or(AppError::DuplicateNotFound)?;
    let calendar = &request.state.calendar;
    calendar.duplicate(request.caller(), Id::from_raw(id)).await
}

fn failed(request: &DeskRequest, error: AppError) -> Response {
    match error {
        AppError::Forbidden => request.failed(AppError::Forbidden, Word::EDITORS_MERGE),
        error => request.failed(error, Word::NO_SUCH_DUPLICATE),
    }
}

/// `GET` of a pair.
pub(super) async fn show(path: PathText, request: DeskRequest) -> Answer {
    let view = find(&request, &path).await;
    let view = view.map_err(|error| failed(&request, error))?;
    respond(&request, &view, StatusCode::OK, Vec::new()).await
}

/// `POST` of a decision.
pub(super) async fn act(path: PathText, request: DeskRequest) -> Answer {
    let view = find(&request, &path).await;
    let view = view.map_err(|error| failed(&request, error))?;
    match decide(&request, view.stored.id).await {
        Ok(to) => Ok(request.see(&to)),
        Err(error) => {
            let (status, word) = match &error {
                AppError::DuplicateChanged => (StatusCode::CONFLICT, Word::DUPLICATE_CHANGED),
                AppError::Invalid(_) | AppError::Missing(_) => {
                    (StatusCode::BAD_REQUEST, Word::DUPLICATE_KEEP_PUBLIC)
                }
                _ => return Err(failed(&request, error)),
            };
            // The pair is read again: it may have changed meanwhile.
            let view = find(&request, &path).await.unwrap_or(view);
            let fault = FieldFault::new("", request.word(word));
            respond(&request, &view, status, vec![fault]).await
        }
    }
}

/// Does what the button says, and returns the page that follows.
async fn decide(request: &DeskRequest, id: Id<Duplicate>) -> Result<String, AppError> {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    match request.form.get("action") {
        Some("dismiss") => {
            calendar.dismiss_duplicate(caller, id).await?;
            Ok(format!("{DUPLICATES}?done=dismissed"))
        }
        Some("undo") => {
            let undone = calendar.undo_merge(caller, id).await?;
            let stayed: Vec<_> = undone.stayed.iter().map(|field| field.as_str()).collect();
            Ok(format!(
                "{DUPLICATES}/{}?undone={}",
                undone.view.stored.id,
                stayed.join(",")
            ))
        }
        _ => {
            let write = MergeWrite {
                keep: number(request, "keep"),
                fields: chosen(request),
            };
            let merged = calendar.merge_duplicate(caller, id, &write).await?;
            Ok(format!("{DUPLICATES}/{}?merged=1", merged.stored.id))
        }
    }
}

fn number(request: &DeskRequest, name: &str) -> i64 {
    let sent = request.form.get(name).and_then(|id| id.parse().ok());
    sent.unwrap_or_default()
}

/// The fields for which the person chose a record.
fn chosen(request: &DeskRequest) -> BTreeMap<FieldName, i64> {
    let fields = request.form.fields.iter();
    let fields = fields.filter_map(|(name, id)| {
        let name = name.strip_prefix(FIELD)?;
        let field = FieldName::ALL
            .into_iter()
            .find(|one| one.as_str() == name)?;
        Some((field, id.parse().ok()?))
    });
    fields.collect()
}

async fn respond(
    request: &DeskRequest,
    view: &DuplicateView,
    status: StatusCode,
    faults: Vec<FieldFault>,
) -> Answer {
    let page = page_of(request, view, faults).await;
    let page = page.map_err(|error| failed(request, error))?;
    Ok(page::response(status, request.language, &page))
}

async fn page_of(
    request: &DeskRequest,
    view: &DuplicateView,
    faults: Vec<FieldFault>,
) -> Result<PairPage, AppError> {
    let pair = &view.stored.pair;
    let is_open = pair.state == DuplicateState::Open;
    // The older record stays unless the person chooses otherwise.
    let kept = match view.stored.merge.as_ref() {
        Some(merge) => merge.kept,
        None => request
            .form
            .get("keep")
            .map_or(pair.records[0], |_| number(request, "keep")),
    };
    let sides = view.records.iter().map(|one| Side {
        id: one.id,
        title: one.title.as_str().to_owned(),
        status: request.word(Word::of_status(one.status)),
        url: request.url(&format!("{}/{}", forms(pair.kind), one.id)),
        is_kept: one.id == kept,
    });
    let sides: Vec<_> = sides.collect();
    let mut columns = Vec::new();
    if is_open {
        for side in &sides {
            let fields = fields::of_record(request, pair.kind, side.id).await?;
            columns.push((side.id, fields));
        }
    }
    let mut frame = Frame::new(request, request.word(Word::DUPLICATE));
    frame.notice = notice(request).filter(|_| faults.is_empty());
    Ok(PairPage {
        frame,
        faults,
        state: request.word(Word::of_duplicate_state(pair.state)),
        score: pair.likeness.score,
        reasons: reasons(request, view),
        rows: rows(request, &columns, kept),
        sides,
        is_open,
        is_merged: pair.state == DuplicateState::Merged,
        back: request.url(DUPLICATES),
    })
}

/// The action that was done, with the fields that an undoing left as they are.
fn notice(request: &DeskRequest) -> Option<String> {
    if request.parameter("merged").is_some() {
        return Some(request.word(Word::DUPLICATE_MERGED).to_owned());
    }
    let stayed = request.parameter("undone")?;
    let undone = request.word(Word::DUPLICATE_UNDONE);
    Some(if stayed.is_empty() {
        undone.to_owned()
    } else {
        format!("{undone} {} {stayed}", request.word(Word::DUPLICATE_STAYED))
    })
}

/// The fields in which the two records differ. A field that one record alone has comes from it.
fn rows(request: &DeskRequest, columns: &[(i64, Vec<Field>)], kept: i64) -> Vec<Row> {
    let [(first, own), (second, other)] = columns else {
        return Vec::new();
    };
    let pairs = own.iter().filter_map(|(name, word, text)| {
        let (_, _, theirs) = other.iter().find(|(one, ..)| one == name)?;
        (text != theirs).then_some((name, word, text, theirs))
    });
    let rows = pairs.map(|(name, word, own, theirs)| {
        let input = format!("{FIELD}{name}");
        let default = if own.is_empty() {
            *second
        } else if theirs.is_empty() {
            *first
        } else {
            kept
        };
        let chosen = match request.form.get(&input) {
            Some(_) => number(request, &input),
            None => default,
        };
        Row {
            title: request.word(*word),
            values: vec![
                (*first, fields::shortened(own), chosen == *first),
                (*second, fields::shortened(theirs), chosen == *second),
            ],
            input,
        }
    });
    rows.collect()
}
