//! The audit trail, for administrators, and the history of each record, for the people who may change it.

mod entry;
mod history;
mod known;
mod words;

use app::{
    AppError,
    fault::{BadFields, Faults},
    ports::AuditEntry,
};
use askama::Template;
use domain::{
    Category, Event, Organizer, Tag, Venue,
    audit::{AuditAction, AuditFilter, AuditedKind},
    page::{Page, PageRequest},
    policy::Capability,
};
use forms::Fields;
use http_service::{Endpoint, message};

use crate::{
    fault::{FieldFault, is_bad},
    page::{self, Answer, Frame, status_of_form},
    request::DeskRequest,
    words::Word,
};
use entry::ShownEntry;
use known::Known;

pub(crate) use words::{field_word, forms};

/// The path of the trail.
const TRAIL: &str = "/desk/trail";

/// The entries of a page, here and in the history of a record.
const PER_PAGE: u32 = 50;

/// The name of the parameter with the number of the entry below which a page begins.
const BELOW: &str = "before_id";

/// The inputs of the filter, by the names that the interface has for them.
const INPUTS: [(&str, Word); 6] = [
    ("kind", Word::KIND),
    ("record", Word::RECORD_NUMBER),
    ("user", Word::USER),
    ("action", Word::CHANGE),
    ("after", Word::FROM),
    ("before", Word::UNTIL_BEFORE),
];

/// The pages of the trail and of histories.
pub(crate) fn endpoints() -> impl Iterator<Item = Endpoint> {
    [Endpoint::get(TRAIL, show)]
        .into_iter()
        .chain(history::endpoints::<Event>())
        .chain(history::endpoints::<Venue>())
        .chain(history::endpoints::<Organizer>())
        .chain(history::endpoints::<Category>())
        .chain(history::endpoints::<Tag>())
}

/// A choice of the filter: the value, its words, and whether it is chosen.
type Choice = (&'static str, &'static str, bool);

/// The trail.
#[derive(Debug, Template)]
#[template(path = "trail.html")]
struct TrailPage {
    frame: Frame,
    faults: Vec<FieldFault>,
    kinds: Vec<Choice>,
    actions: Vec<Choice>,
    /// The names of the users, which are offered.
    users: Vec<String>,
    /// The texts of the other inputs.
    record: String,
    user: String,
    after: String,
    before: String,
    zone: String,
    entries: Vec<ShownEntry>,
    /// The page of the newest entries, on another one.
    newest: Option<String>,
    next: Option<String>,
}

impl TrailPage {
    fn is_bad(&self, input: &str) -> bool {
        is_bad(&self.faults, input)
    }
}

/// `GET` of the trail.
async fn show(request: DeskRequest) -> Answer {
    let page = request.found(load(&request).await, Word::ASK_AN_ADMINISTRATOR)?;
    let status = status_of_form(!page.faults.is_empty());
    Ok(page::response(status, request.language, &page))
}

async fn load(request: &DeskRequest) -> Result<TrailPage, AppError> {
    let (calendar, caller) = (&request.state.calendar, request.caller());
    app::calendar::require(caller, Capability::ReadAudit)?;
    let mut known = Known::with_users(request).await?;
    let (found, faults) = match filter(request, &known) {
        Ok((filter, page)) => (calendar.audit(caller, filter, page).await?, Vec::new()),
        Err(faults) => (Page::of(Vec::new(), PageRequest::new(1, 1, 1)), faults),
    };
    known.read(request, &found.rows).await?;
    let is_first = request.parameter(BELOW).is_none();
    let typed = |name| request.parameter(name).unwrap_or_default();
    let (kind, action) = (typed("kind"), typed("action"));
    let kinds = AuditedKind::ALL.iter().map(|one| {
        let name = one.name();
        (name, request.word(words::of_kind(*one)), name == kind)
    });
    let actions = AuditAction::ALL.iter().map(|one| {
        let name = one.name();
        (name, request.word(words::of_action(*one)), name == action)
    });
    Ok(TrailPage {
        frame: Frame::new(request, request.word(Word::TRAIL)),
        faults,
        kinds: kinds.collect(),
        actions: actions.collect(),
        users: known.users(),
        record: typed("record"),
        user: typed("user"),
        after: typed("after"),
        before: typed("before"),
        zone: calendar.site().zone.to_string(),
        newest: (!is_first).then(|| request.url(&address(request, None))),
        next: below(&found).map(|last| request.url(&address(request, Some(last)))),
        entries: entry::all(request, &found.rows, &known),
    })
}

/// The number below which the next page begins.
fn below(found: &Page<AuditEntry>) -> Option<i64> {
    let last = found.rows.last()?.number;
    (found.total > found.rows.len() as u64).then_some(last)
}

/// The path of a page of the trail with the filter of this one.
fn address(request: &DeskRequest, below: Option<i64>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, text) in sent(request) {
        query.append_pair(name, &text);
    }
    if let Some(below) = below {
        query.append_pair(BELOW, &below.to_string());
    }
    format!("{TRAIL}?{}", query.finish())
}

/// The inputs that are filled.
fn sent(request: &DeskRequest) -> impl Iterator<Item = (&'static str, String)> {
    let inputs = INPUTS.into_iter();
    let inputs = inputs.filter_map(|(name, _)| Some((name, request.parameter(name)?)));
    inputs.filter(|(_, text)| !text.trim().is_empty())
}

/// The filter as the interface reads it, where users are named by their IDs.
///
/// # Errors
///
/// The faults of inputs.
fn filter(
    request: &DeskRequest,
    known: &Known,
) -> Result<(AuditFilter, PageRequest), Vec<FieldFault>> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, text) in sent(request) {
        let user = (name == "user").then(|| known.user_named(text.trim()));
        let id = user.flatten().map(|id| id.to_string());
        query.append_pair(name, id.as_deref().unwrap_or(text.trim()));
    }
    if let Some(below) = request.parameter(BELOW) {
        query.append_pair(BELOW, &below);
    }
    query.append_pair("per_page", &PER_PAGE.to_string());
    let fields = Fields::from_query(&query.finish());
    let calendar = &request.state.calendar;
    let read = forms::audit(&fields, calendar.site(), calendar.now());
    read.map_err(|bad| match bad {
        BadFields::Invalid(faults) => faults_of(request, &faults),
        BadFields::Missing(_) => Vec::new(),
    })
}

fn faults_of(request: &DeskRequest, faults: &Faults) -> Vec<FieldFault> {
    let faults = faults.iter().map(|(name, fault)| {
        let input = INPUTS.into_iter().find(|(one, _)| *one == &**name);
        let (input, title) = input.unwrap_or(("", Word::FILTER));
        let text = if input == "user" {
            format!(
                "{}: {}",
                request.word(title),
                request.word(Word::NO_SUCH_USER)
            )
        } else {
            message::fault(request.word(title), fault, request.language)
        };
        FieldFault::new(input, text)
    });
    faults.collect()
}
