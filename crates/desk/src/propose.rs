//! The page on which visitors propose events, and the page by which a sender comes back.

use app::{
    AppError,
    calendar::{ProposalTexts, Proposed},
    event::EventView,
};
use askama::Template;
use axum::{
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use domain::{Event, EventId, Kind, Language, Status, html::RichText, policy::Caller};
use forms::{Digits, Fields, Reading};

use crate::{
    body::Form,
    fault::{self, FieldFault, is_bad},
    page::{self, Answer, Frame, status_of_form},
    request::PathText,
    visit::{Visit, caller_of},
    words::Word,
};

/// The path of the form.
const PATH: &str = "/propose";

/// The field that people do not see. Programs that fill all fields fill it, too.
const TRAP: &str = "homepage";

/// The most characters of the description.
const MAX_DESCRIPTION: usize = 5000;

/// The inputs of the form, each with the name of the field that it fills, and its words.
const INPUTS: [(&str, &str, Word); 8] = [
    ("title", "title", Word::TITLE),
    ("start_date", "start_date", Word::STARTS),
    ("end_date", "end_date", Word::ENDS),
    ("timezone", "timezone", Word::TIME_ZONE),
    ("description", "description", Word::DESCRIPTION),
    ("place", "venue", Word::VENUE),
    ("sender", "name", Word::PROPOSER_NAME),
    ("email", "email", Word::PROPOSER_EMAIL),
];

/// The form.
#[derive(Debug, Template)]
#[template(path = "propose.html")]
struct ProposePage {
    frame: Frame,
    form: Form,
    zone: String,
    faults: Vec<FieldFault>,
}

impl ProposePage {
    fn value(&self, name: &str) -> &str {
        self.form.get(name).unwrap_or_default()
    }

    fn is_bad(&self, input: &str) -> bool {
        is_bad(&self.faults, input)
    }
}

/// The page by which a sender comes back.
#[derive(Debug, Template)]
#[template(path = "proposal.html")]
struct ProposalPage {
    frame: Frame,
    /// The address of this page, right after the proposal was sent.
    address: Option<String>,
    state: &'static str,
    /// The page of the event, if it is public.
    view: Option<String>,
    title: String,
    when: String,
    description: String,
    waits: bool,
}

/// The frame without navigation.
fn frame(visit: &Visit, title: Word) -> Frame {
    Frame {
        user: None,
        links: Vec::new(),
        records: Vec::new(),
        ..Frame::new(visit, visit.word(title))
    }
}

/// The visit in the language that the address names, if it names one.
fn in_language(mut visit: Visit) -> Visit {
    let named = visit.parameter("language");
    let named = named.and_then(|code| code.parse::<Language>().ok());
    visit.language = named.unwrap_or(visit.language);
    visit
}

/// The person, as use cases know it.
fn caller(visit: &Visit) -> Caller {
    visit.user.as_ref().map_or(Caller::Anonymous, caller_of)
}

/// The page of an error of a use case.
fn failed(visit: &Visit, error: AppError) -> Response {
    let (status, title, text) = match error {
        AppError::Unauthenticated => return visit.see("/desk/sign-in"),
        AppError::Forbidden => (
            StatusCode::FORBIDDEN,
            Word::FORBIDDEN,
            Word::ASK_AN_ADMINISTRATOR,
        ),
        AppError::NotFound(_) => (StatusCode::NOT_FOUND, Word::NOT_FOUND, Word::NO_PROPOSALS),
        error => return page::unavailable(visit, &error.into()),
    };
    page::message(visit, status, title, text)
}

/// `GET` of the form.
pub(crate) async fn form(visit: Visit) -> Answer {
    let visit = in_language(visit);
    authorize(&visit)?;
    Ok(show(&visit, Form::default(), Vec::new()))
}

/// Whether the person may propose events; if not, the page that says so.
fn authorize(visit: &Visit) -> Result<(), Response> {
    let allowed = visit.state.calendar.authorize_proposal(caller(visit));
    allowed.map_err(|error| failed(visit, error))
}

fn show(visit: &Visit, form: Form, faults: Vec<FieldFault>) -> Response {
    let status = status_of_form(!faults.is_empty());
    let zone = form.get("timezone").map(str::to_owned);
    let page = ProposePage {
        frame: frame(visit, Word::PROPOSE),
        zone: zone.unwrap_or_else(|| visit.state.calendar.site().zone.to_string()),
        form,
        faults,
    };
    page::response(status, visit.language, &page)
}

/// `POST` of a proposal.
pub(crate) async fn send(visit: Visit, request: Request) -> Answer {
    let visit = in_language(visit);
    let calendar = &visit.state.calendar;
    authorize(&visit)?;
    let form = visit.form(request, false).await?;
    let permit = visit.state.concurrency.try_acquire();
    let _permit = permit.map_err(|error| page::unavailable(&visit, &error))?;
    let text = |name: &str| form.get(name).unwrap_or_default().trim().to_owned();
    if !text(TRAP).is_empty() {
        let faults = vec![FieldFault::new(TRAP, visit.word(Word::PROPOSAL_TRAP))];
        return Err(show(&visit, form, faults));
    }
    let description = text("description");
    if description.chars().count() > MAX_DESCRIPTION {
        let text = visit.word(Word::PROPOSAL_TOO_LONG);
        let faults = vec![FieldFault::new("description", text)];
        return Err(show(&visit, form, faults));
    }
    let texts = ProposalTexts {
        sender: text("sender"),
        email: text("email"),
        place: text("place"),
    };
    let fields = fields(&form, &description, visit.language);
    let write = forms::create::<Event>(&fields, Reading::of(calendar, Caller::Anonymous));
    let proposed = calendar.propose(caller(&visit), visit.client, &write, &texts);
    match proposed.await {
        Ok(Proposed::Stored(link)) => Ok(visit.see(&format!("{PATH}/{}?sent=1", link.expose()))),
        Ok(Proposed::Wait { seconds }) => Err(waits(&visit, seconds)),
        Err(error) => {
            let faults = fault::of_error(&error, visit.language, |name| input_of(&visit, name));
            Err(match faults {
                Some(faults) => show(&visit, form, faults),
                None => failed(&visit, error),
            })
        }
    }
}

/// The fields of the interface that a proposal fills. The description is plain text.
fn fields(form: &Form, description: &str, language: Language) -> Fields {
    let mut fields = Fields {
        digits: Digits::Name,
        language: Some(language),
        ..Fields::default()
    };
    for name in ["title", "start_date", "end_date", "timezone"] {
        let text = form.get(name).unwrap_or_default().trim();
        if !text.is_empty() {
            fields.body.insert(name.to_owned(), text.into());
        }
    }
    let all_day = form.get("all_day").is_some();
    fields.body.insert("all_day".to_owned(), all_day.into());
    let lines = description.replace('\r', "");
    let lines = lines.lines().map(RichText::from_plain);
    let lines: Vec<_> = lines.filter_map(Result::ok).collect();
    let lines: Vec<_> = lines.iter().map(RichText::as_str).collect();
    let description = lines.join("<br>\n");
    fields
        .body
        .insert("description".to_owned(), description.into());
    fields
}

/// The input and the words of a field.
fn input_of<'a>(visit: &Visit, field: &'a str) -> (&'static str, &'a str) {
    let found = INPUTS.iter().find(|(_, name, _)| *name == field);
    found.map_or(("title", field), |(input, _, word)| {
        (*input, word.text(visit.language))
    })
}

/// The page of a client that sent too many proposals.
fn waits(visit: &Visit, seconds: i64) -> Response {
    let words = match seconds {
        ..=3600 => Word::PROPOSE_IN_AN_HOUR,
        _ => Word::PROPOSE_TOMORROW,
    };
    let status = StatusCode::TOO_MANY_REQUESTS;
    let mut response = page::message(visit, status, Word::TOO_MANY_PROPOSALS, words);
    let seconds = HeaderValue::from(seconds.max(1));
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}

/// The page of a link that leads nowhere.
fn void(visit: &Visit) -> Response {
    let status = StatusCode::NOT_FOUND;
    page::message(visit, status, Word::NOT_FOUND, Word::NO_PROPOSAL)
}

/// The proposal of a link, or the page of a link that leads nowhere.
async fn find(visit: &Visit, link: &str) -> Result<EventView, Response> {
    let found = visit.state.calendar.proposal(link).await;
    let found = found.map_err(|error| failed(visit, error))?;
    found.ok_or_else(|| void(visit))
}

/// `GET` of the page by which a sender comes back.
pub(crate) async fn proposal(visit: Visit, PathText(link): PathText) -> Answer {
    let visit = in_language(visit);
    let view = find(&visit, &link).await?;
    let page = state(&visit, &link, &view);
    Ok(page::response(StatusCode::OK, visit.language, &page))
}

fn state(visit: &Visit, link: &str, view: &EventView) -> ProposalPage {
    let event = &view.event;
    let waits = event.stage.awaits_decision();
    let is_published = view.status == Status::Publish;
    let state = match view.status {
        Status::Pending | Status::Draft | Status::Future => Word::PROPOSAL_WAITS,
        Status::Publish => Word::PROPOSAL_PUBLISHED,
        Status::Private | Status::Trash => Word::PROPOSAL_DECLINED,
    };
    let id = event.id.map_or(0, EventId::get);
    let when = &event.details.when;
    let [start, end] = [when.start(), when.end()].map(|one| one.local.format("%Y-%m-%d %H:%M"));
    let sent = visit.parameter("sent").is_some();
    ProposalPage {
        frame: frame(visit, Word::YOUR_PROPOSAL),
        address: sent.then(|| visit.url(&format!("{PATH}/{link}"))),
        state: visit.word(state),
        view: is_published.then(|| visit.state.site.page(Kind::Event, id, event.slug.as_ref())),
        title: event.title.as_str().to_owned(),
        when: format!("{start} – {end} {}", when.zone()),
        description: event.description.plain(),
        waits,
    }
}

/// `POST` that withdraws a proposal.
pub(crate) async fn withdraw(visit: Visit, PathText(link): PathText, request: Request) -> Answer {
    let visit = in_language(visit);
    visit.form(request, false).await?;
    let withdrawn = visit.state.calendar.withdraw_proposal(&link).await;
    withdrawn.map_err(|error| failed(&visit, error))?;
    // One that does not wait any more stays as it is: its page says so.
    find(&visit, &link).await?;
    Ok(visit.see(&format!("{PATH}/{link}")))
}
