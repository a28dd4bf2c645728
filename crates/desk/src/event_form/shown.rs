//! The page of the form of an event.

use app::{AppError, event::EventView, fault::Faults};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{EventId, Kind, Language, Status, policy::Capability, time::Zone};
use http_service::{message, rule_words};

use super::{
    dates::{self, NextDates},
    duplicates::Alike,
    editor::editor_words,
    fields,
    offers::{self, Choice, Offers},
    repetition::{self, Preview},
    tickets::{self, Row},
    values::Values,
};
use crate::{
    account::LANGUAGES,
    assets::EDITOR,
    events::told,
    fault::{FieldFault, is_bad},
    images::picture::Picture,
    page::{self, Answer, Frame},
    request::DeskRequest,
    words::Word,
};

/// The fault of a form that somebody else was faster with.
pub(super) fn conflict(request: &DeskRequest) -> FieldFault {
    FieldFault::new("", request.word(Word::CONFLICT))
}

/// The fault of an alternative text.
pub(super) fn bad_alt(request: &DeskRequest) -> FieldFault {
    FieldFault::new("image_alt", request.word(Word::ALTERNATIVE_TEXT_TOO_LONG))
}

/// The fault of a field that is needed.
pub(super) fn missing(request: &DeskRequest, name: &'static str) -> FieldFault {
    let missing = request.word(Word::MISSING);
    let text = format!("{}: {missing}", title_of(request, name));
    FieldFault::new(fields::input_of(name), text)
}

/// The parts of a stored event beside the values of the form.
#[derive(Debug)]
struct Stored {
    /// The page for people, if it is public.
    view: Option<String>,
    copy: String,
    translations: String,
    history: String,
    /// The remark with which an editor returned it, with the day.
    remark: Option<(String, String)>,
    /// The sender and the place of a proposal, for editors.
    proposal: Option<String>,
    /// ID of the event, and the address of its review, for an editor to whom it waits.
    review: Option<(i64, String)>,
    is_locked: bool,
    /// The version of somebody else, where two people changed the event: names and values.
    theirs: Vec<(&'static str, String)>,
}

/// The form.
#[derive(Debug, Template)]
#[template(path = "event.html")]
pub(super) struct EventPage {
    frame: Frame,
    /// The ID of the person, under which the browser keeps what is typed.
    user: i64,
    /// Whether the values were typed, and are not stored.
    is_typed: bool,
    values: Values,
    /// The languages of the texts of a new event. A stored event keeps its language.
    languages: Vec<Choice>,
    /// The statuses: value, text, and whether it is chosen.
    statuses: Vec<(String, String, bool)>,
    offers: Offers,
    tickets: Vec<Row>,
    /// The scopes of a change, for an occurrence of a series: name, text, and whether it is chosen.
    scopes: Vec<(&'static str, &'static str, bool)>,
    faults: Vec<FieldFault>,
    preview: Option<Preview>,
    /// Events that look like this one.
    alike: Vec<Alike>,
    picture: Option<Picture>,
    may_publish: bool,
    /// Whether the service has pages, one of which is the preview.
    has_page: bool,
    stored: Option<Stored>,
    /// The next dates of a series, or of the series of an occurrence.
    dates: Option<NextDates>,
}

impl EventPage {
    /// The page with the dates that the form gives.
    pub(super) fn with_preview(mut self, preview: Preview) -> Self {
        self.preview = Some(preview);
        self
    }

    /// The page with the events that look like this one.
    pub(super) fn with_warning(mut self, alike: Vec<Alike>) -> Self {
        self.alike = alike;
        self
    }

    /// The path of the rich-text editor.
    fn editor(&self) -> String {
        self.frame.asset(&EDITOR)
    }

    /// The texts of the rich-text editor, as JSON.
    fn editor_words(&self) -> String {
        editor_words(&self.frame)
    }

    /// Whether a field has a fault.
    fn is_bad(&self, input: &str) -> bool {
        is_bad(&self.faults, input)
    }
}

/// The faults of fields, each with a sentence.
pub(super) fn faults_of(request: &DeskRequest, faults: &Faults) -> Vec<FieldFault> {
    let faults = faults.iter().map(|(name, fault)| {
        if let Some((input, word)) = repetition::fault_of(fault) {
            return FieldFault::new(input, request.word(word));
        }
        let is_plain = |input: &str| {
            let repeats = request.form.get("repeats");
            input == "recurrence" && repeats.is_some_and(|one| one != "other")
        };
        let input = match fields::input_of(name) {
            input if is_plain(input) => "repeats",
            input => input,
        };
        let text = message::fault(title_of(request, name), fault, request.language);
        FieldFault::new(input, text)
    });
    faults.collect()
}

/// The form again, with what was typed and what is wrong.
pub(super) async fn refused(
    request: &DeskRequest,
    view: Option<&EventView>,
    error: AppError,
) -> Answer {
    let values = Values::sent(&request.form);
    let (status, values, faults) = match error {
        AppError::Invalid(faults) => {
            let faults = faults_of(request, &faults);
            (StatusCode::BAD_REQUEST, values, faults)
        }
        AppError::Missing(names) => {
            let faults = names
                .into_iter()
                .map(|name| missing(request, name))
                .collect();
            (StatusCode::BAD_REQUEST, values, faults)
        }
        AppError::PreconditionFailed => {
            let Some(view) = view else {
                return Err(request.failed(AppError::PreconditionFailed, Word::NO_SUCH_EVENT));
            };
            // Sent again, the form replaces the version that the person has seen now.
            let values = values.at_revision(view.event.revision);
            (StatusCode::CONFLICT, values, vec![conflict(request)])
        }
        error => return Err(request.failed(error, Word::NO_SUCH_EVENT)),
    };
    show(request, status, values, view, faults).await
}

/// The words of a field in the form.
fn title_of<'a>(request: &DeskRequest, name: &'a str) -> &'a str {
    fields::title_of(name).map_or(name, |word| word.text(request.language))
}

pub(super) async fn show(
    request: &DeskRequest,
    status: StatusCode,
    values: Values,
    view: Option<&EventView>,
    faults: Vec<FieldFault>,
) -> Answer {
    let is_conflict = status == StatusCode::CONFLICT;
    let page = load(request, values, view, faults, is_conflict).await?;
    Ok(page::response(status, request.language, &page))
}

/// The page of the form, or the page of an error.
pub(super) async fn load(
    request: &DeskRequest,
    values: Values,
    view: Option<&EventView>,
    faults: Vec<FieldFault>,
    is_conflict: bool,
) -> Result<EventPage, Response> {
    let page = try_to_load(request, values, view, faults, is_conflict).await;
    request.found(page, Word::NO_SUCH_EVENT)
}

async fn try_to_load(
    request: &DeskRequest,
    mut values: Values,
    view: Option<&EventView>,
    faults: Vec<FieldFault>,
    is_conflict: bool,
) -> Result<EventPage, AppError> {
    let caller = request.caller();
    let present = view.map(|view| view.status);
    let chosen = values.status().or(present).unwrap_or(Status::Draft);
    let offers = Offers::load(request, &values, view).await?;
    if let Some(id) = view.and_then(|view| view.parent)
        && let Some(named) = offers::parent(request, id).await?
        && values.get("parent") == format!("#{id}")
    {
        values.set("parent", named);
    }
    let is_bad = faults.iter().any(|fault| fault.input == "image");
    let image = view.and_then(|view| view.image.as_deref());
    let picture = Picture::new(request, image, is_bad).await?;
    let title = match view {
        None => Word::NEW_EVENT,
        Some(_) => Word::EDIT_EVENT,
    };
    let mut frame = Frame::new(request, request.word(title));
    if faults.is_empty() {
        frame.confirm(request).await;
    }
    Ok(EventPage {
        frame,
        user: request.user.id.get(),
        is_typed: !request.form.fields.is_empty(),
        languages: languages(view, &values, request.language),
        statuses: request.statuses(Kind::Event, present, chosen),
        offers,
        tickets: tickets::rows(|name| values.get(name), &currency(request, &values)),
        scopes: view.map_or_else(Vec::new, |view| scopes(request, view)),
        faults,
        preview: None,
        alike: Vec::new(),
        picture,
        may_publish: caller.can(Capability::Publish),
        has_page: request.state.event_preview.is_some()
            && !request.state.site.has_pages_elsewhere(),
        stored: match view {
            Some(view) => Some(stored(request, view, is_conflict).await?),
            None => None,
        },
        dates: match view {
            Some(view) => dates::next(request, view).await?,
            None => None,
        },
        values,
    })
}

/// The currency of a new ticket.
fn currency(request: &DeskRequest, values: &Values) -> String {
    let of_site = request.state.calendar.site().currency.said();
    match values.get("currency") {
        "" => of_site.map_or_else(String::new, |one| one.code().to_owned()),
        own => own.to_owned(),
    }
}

/// The languages of the texts of a new event.
fn languages(view: Option<&EventView>, values: &Values, shown: Language) -> Vec<Choice> {
    let offered = LANGUAGES.into_iter().filter(|_| view.is_none());
    let choices = offered.map(|(language, name)| Choice {
        value: language.code().to_owned(),
        text: name.to_owned(),
        is_chosen: match values.get("language") {
            "" => language == shown,
            code => language.code() == code,
        },
    });
    choices.collect()
}

/// The zone of the site, in which dates of publication are.
pub(super) fn zone(request: &DeskRequest) -> &Zone {
    &request.state.calendar.site().zone
}

/// The scopes of a change of an occurrence.
fn scopes(request: &DeskRequest, view: &EventView) -> Vec<(&'static str, &'static str, bool)> {
    if view.event.occurrence().is_none() {
        return Vec::new();
    }
    let chosen = request.form.get("scope").unwrap_or("this");
    let scopes = [
        ("this", Word::SCOPE_ONE),
        ("following", Word::SCOPE_FOLLOWING),
        ("all", Word::SCOPE_ALL),
    ];
    scopes
        .map(|(name, word)| (name, request.word(word), name == chosen))
        .into()
}

async fn stored(
    request: &DeskRequest,
    view: &EventView,
    is_conflict: bool,
) -> Result<Stored, AppError> {
    let id = view.event.id.map_or(0, EventId::get);
    let site = &request.state.site;
    let is_published = view.status == Status::Publish;
    let slug = view.event.slug.as_ref();
    let theirs = if is_conflict {
        Values::of(view, zone(request)).told(request.language)
    } else {
        Vec::new()
    };
    let caller = request.caller();
    let remarks = request.state.calendar.remarks(caller, &[view]).await?;
    let remark = remarks.into_values().next();
    let proposals = request.state.calendar.proposals(caller, &[view]).await?;
    let waits = view.status == Status::Pending && caller.can(Capability::EditOthers);
    Ok(Stored {
        view: is_published.then(|| site.page(Kind::Event, id, slug)),
        copy: request.url(&format!("/desk/event/new?copy={id}")),
        translations: request.url(&format!("/desk/event/{id}/translations")),
        history: request.url(&format!("/desk/event/{id}/history")),
        remark: remark.map(|one| {
            let day = one.at.to_string();
            let day = day.split(' ').next().unwrap_or_default();
            (one.text.as_str().to_owned(), day.to_owned())
        }),
        proposal: proposals.values().next().map(told),
        review: waits.then(|| (id, request.url("/desk/events/pending"))),
        is_locked: view.event.details.password.is_some(),
        theirs,
    })
}
