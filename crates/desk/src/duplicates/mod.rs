//! Records that look alike: editors see them side by side, merge them, part them again, or say that they are two things.

mod fields;
mod pair;

use app::{AppError, calendar::DuplicateView, ports::DuplicateFilter};
use askama::Template;
use axum::http::StatusCode;
use domain::duplicate::DuplicateState;
use http_service::Endpoint;

use crate::{
    page::{self, Answer, Frame},
    request::DeskRequest,
    words::Word,
};

/// The path of the list.
const DUPLICATES: &str = "/desk/duplicates";

/// The pairs of a page of the list.
const PER_PAGE: u32 = 50;

/// The pages of duplicates.
pub(crate) fn endpoints() -> [Endpoint; 3] {
    [
        Endpoint::get(DUPLICATES, list),
        Endpoint::get("/desk/duplicates/{id}", pair::show),
        Endpoint::post("/desk/duplicates/{id}", pair::act),
    ]
}

/// A pair in the list.
#[derive(Debug)]
struct Row {
    url: String,
    titles: Vec<String>,
    kind: &'static str,
    score: u8,
    reasons: String,
}

/// A link to the pairs of a state.
#[derive(Debug)]
struct StateLink {
    url: String,
    text: &'static str,
    is_current: bool,
}

/// The list.
#[derive(Debug, Template)]
#[template(path = "duplicates.html")]
struct DuplicatesPage {
    frame: Frame,
    states: Vec<StateLink>,
    rows: Vec<Row>,
    total: u64,
    previous: Option<String>,
    next: Option<String>,
}

/// The reasons for which the records of a pair look alike, in words.
fn reasons(request: &DeskRequest, view: &DuplicateView) -> String {
    let reasons = view.stored.pair.likeness.reasons.iter();
    let reasons = reasons.map(|reason| request.word(Word::of_duplicate_reason(*reason)));
    let separator = match request.language {
        domain::Language::Arabic => "، ",
        domain::Language::English | domain::Language::French => ", ",
    };
    reasons.collect::<Vec<_>>().join(separator)
}

/// `GET` of the list.
async fn list(request: DeskRequest) -> Answer {
    let page = request.found(load(&request).await, Word::EDITORS_MERGE)?;
    Ok(page::response(StatusCode::OK, request.language, &page))
}

async fn load(request: &DeskRequest) -> Result<DuplicatesPage, AppError> {
    let state = request.parameter("state");
    let state = state.and_then(|name| name.parse().ok());
    let state = state.unwrap_or(DuplicateState::Open);
    let page = request.page(PER_PAGE);
    let filter = DuplicateFilter {
        state: Some(state),
        kind: None,
    };
    let calendar = &request.state.calendar;
    let found = calendar.duplicates(request.caller(), filter, page).await?;
    let done = match request.parameter("done").as_deref() {
        Some("merged") => Some(Word::DUPLICATE_MERGED),
        Some("dismissed") => Some(Word::DUPLICATE_DISMISSED),
        _ => None,
    };
    let address = |state: DuplicateState, page: u64| {
        request.url(&format!("{DUPLICATES}?state={state}&page={page}"))
    };
    let states = DuplicateState::ALL.into_iter().map(|one| StateLink {
        url: address(one, 1),
        text: request.word(Word::of_duplicate_state(one)),
        is_current: one == state,
    });
    let rows = found.rows.iter().map(|view| Row {
        url: request.url(&format!("{DUPLICATES}/{}", view.stored.id)),
        titles: view
            .records
            .iter()
            .map(|one| one.title.as_str().to_owned())
            .collect(),
        kind: request.word(Word::of_kind(view.stored.pair.kind)),
        score: view.stored.pair.likeness.score,
        reasons: reasons(request, view),
    });
    let number = page.number();
    Ok(DuplicatesPage {
        frame: Frame::new(request, request.word(Word::DUPLICATES)).told(done),
        states: states.collect(),
        rows: rows.collect(),
        total: found.total,
        previous: (number > 1).then(|| address(state, number - 1)),
        next: found.has_next().then(|| address(state, number + 1)),
    })
}
