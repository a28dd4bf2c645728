//! Lists of events, and what is done with several of them at once.

mod actions;
mod filters;

use std::collections::HashMap;

use app::{AppError, event::EventView, ports::Proposal};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{
    Event, Language, Record as _, Status, UserId,
    event::{EventFilter, EventSort, SeriesListing},
    policy::Capability,
    query::Statuses,
};

pub(crate) use actions::act;

use crate::{
    list::List,
    page::{self, Answer, Frame},
    request::{DeskRequest, PathText},
    visit::MAX_TO_VERIFY,
    words::Word,
};
use actions::Action;
pub(crate) use filters::{Filters, Input, told as told_filters};

/// The events of a page of a list.
const PER_PAGE: u32 = 50;

/// The events of the list that match a filter: a person who may not change the events of others sees the own ones alone.
fn within(list: List, request: &DeskRequest, filter: EventFilter) -> EventFilter {
    let is_editor = request.caller().can(Capability::EditOthers);
    EventFilter {
        statuses: Statuses(Some(list.statuses())),
        author: (list == List::Mine || !is_editor).then_some(request.user.id),
        with_hidden: true,
        series: SeriesListing::Series,
        sort: EventSort::Modified,
        descending: true,
        ..filter
    }
}

/// The actions on events of the list.
fn actions(list: List, request: &DeskRequest) -> Vec<Action> {
    let may_publish = request.caller().can(Capability::Publish);
    let all = match list {
        List::Trash => vec![Action::Restore, Action::Delete],
        List::StillRight => vec![Action::Verify, Action::Draft, Action::Trash],
        List::Drafts => vec![Action::Publish, Action::Trash],
        List::Pending if request.caller().can(Capability::EditOthers) => {
            vec![Action::Publish, Action::Return, Action::Trash]
        }
        _ => vec![Action::Publish, Action::Draft, Action::Trash],
    };
    let is_allowed = |action: &Action| may_publish || *action != Action::Publish;
    all.into_iter().filter(is_allowed).collect()
}

/// A row of a list.
#[derive(Debug)]
struct Row {
    id: i64,
    title: String,
    /// The form; nothing for an event in the trash, which is restored first.
    edit: Option<String>,
    /// The page for people, if it is public.
    view: Option<String>,
    when: String,
    zone: String,
    repeats: bool,
    status: &'static str,
    /// Whether an editor returned it with a remark.
    is_returned: bool,
    /// The sender and the place of a proposal.
    proposal: Option<String>,
    author: Option<String>,
    /// The languages of its texts, the original first, and the address of its translations.
    languages: String,
    translations: String,
}

/// A list of events.
#[derive(Debug, Template)]
#[template(path = "events.html")]
struct EventsPage {
    frame: Frame,
    new: String,
    /// The page that fills a form, for people who may use it.
    fill: Option<String>,
    /// The search; none of a list that has no filters.
    search: Option<String>,
    /// The other filters, and whether one is chosen.
    filters: Vec<Input>,
    is_filtered: bool,
    /// The messages about filters that cannot be used.
    bad_filters: Vec<String>,
    /// The list without filters.
    all: String,
    rows: Vec<Row>,
    shows_authors: bool,
    total: u64,
    /// Whether each row has a button that its event is still right.
    asks: bool,
    actions: Vec<(&'static str, &'static str)>,
    /// The last action.
    done: Option<actions::Done>,
    previous: Option<String>,
    next: Option<String>,
}

/// `GET` of the desk: the events of the person.
pub(crate) async fn mine(request: DeskRequest) -> Answer {
    show(&request, List::Mine).await
}

/// `GET` of a list.
pub(crate) async fn list(path: PathText, request: DeskRequest) -> Answer {
    let list = list_of(&path, &request)?;
    show(&request, list).await
}

/// The list of a path that the person may see, or the page of what is not there.
fn list_of(path: &PathText, request: &DeskRequest) -> Result<List, Response> {
    let list = List::ALL.into_iter().find(|list| list.name() == path.0);
    let is_editor = request.caller().can(Capability::EditOthers);
    let list = list.filter(|list| is_editor || !list.is_of_editors());
    list.ok_or_else(|| request.not_found(Word::NO_SUCH_EVENT))
}

async fn show(request: &DeskRequest, list: List) -> Answer {
    let page = request.found(load(request, list).await, Word::NO_SUCH_EVENT)?;
    Ok(page::response(StatusCode::OK, request.language, &page))
}

async fn load(request: &DeskRequest, list: List) -> Result<EventsPage, AppError> {
    let filters = Filters::of(|name| request.parameter(name));
    let page = request.page(PER_PAGE);
    let calendar = &request.state.calendar;
    let (caller, options) = (request.caller(), request.options());
    let mut bad_filters = Vec::new();
    let (views, total, has_next) = if list == List::StillRight {
        let views = calendar.events_to_verify(caller, &options, MAX_TO_VERIFY);
        let views = views.await?;
        let total = views.len() as u64;
        (views, total, false)
    } else {
        match filters.read(request).await {
            Ok(filter) => {
                let filter = within(list, request, filter);
                let network = request.network();
                let found = calendar.query::<Event>(caller, network, filter, page, &options);
                let found = found.await?;
                let (total, has_next) = (found.total, found.has_next());
                (found.rows, total, has_next)
            }
            Err(AppError::Invalid(faults)) => {
                bad_filters = told_filters(request, &faults);
                (Vec::new(), 0, false)
            }
            Err(error) => return Err(error),
        }
    };
    let shows_authors =
        caller.can(Capability::EditOthers) && !matches!(list, List::Mine | List::StillRight);
    let authors = if shows_authors {
        authors(request).await?
    } else {
        HashMap::new()
    };
    let views: Vec<_> = views.iter().collect();
    let remarks = calendar.remarks(caller, &views).await?;
    let proposals = calendar.proposals(caller, &views).await?;
    let rows = views.into_iter().map(|view| Row {
        is_returned: view.event.id.is_some_and(|id| remarks.contains_key(&id)),
        proposal: view.event.id.and_then(|id| proposals.get(&id)).map(told),
        ..row(request, view, &authors)
    });
    let address = |number: u64| {
        let mut query = filters.query();
        query.append_pair("page", &number.to_string());
        request.url(&format!("/desk/events/{}?{}", list.name(), query.finish()))
    };
    let number = page.number();
    let offered = actions(list, request).into_iter();
    Ok(EventsPage {
        frame: Frame::new(request, request.word(list.title())),
        new: request.url("/desk/event/new"),
        fill: caller
            .can(Capability::Upload)
            .then(|| request.url("/desk/event/fill")),
        search: (list != List::StillRight).then(|| filters.search().to_owned()),
        filters: match list {
            List::StillRight => Vec::new(),
            _ => filters.inputs(request).await?,
        },
        is_filtered: filters.are_chosen(),
        bad_filters,
        all: request.url(&format!("/desk/events/{}", list.name())),
        shows_authors,
        total,
        asks: list == List::StillRight,
        rows: rows.collect(),
        actions: offered
            .map(|one| (one.name(), request.word(one.title())))
            .collect(),
        done: actions::done(request).await,
        previous: (number > 1).then(|| address(number - 1)),
        next: has_next.then(|| address(number + 1)),
    })
}

/// The sender and the place of a proposal, for editors.
pub(crate) fn told(proposal: &Proposal) -> String {
    let email = proposal.email.as_ref().map_or("", |email| email.as_str());
    let texts = [proposal.sender.as_str(), email, proposal.place.as_str()];
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    texts.join(" · ")
}

/// The names of all users.
async fn authors(request: &DeskRequest) -> Result<HashMap<UserId, String>, AppError> {
    let users = request.state.accounts.names().await?;
    Ok(users
        .into_iter()
        .map(|(id, name)| (id, name.to_string()))
        .collect())
}

fn row(request: &DeskRequest, view: &EventView, authors: &HashMap<UserId, String>) -> Row {
    let event = &view.event;
    let when = &event.details.when;
    let id = event.id.map_or(0, domain::EventId::get);
    let start = when.start().local;
    let pattern = if when.all_day() {
        "%Y-%m-%d"
    } else {
        "%Y-%m-%d %H:%M"
    };
    let languages: Vec<_> = event.languages().into_iter().map(Language::code).collect();
    let is_published = view.status == Status::Publish;
    let slug = event.slug.as_ref();
    Row {
        id,
        title: event.title.as_str().to_owned(),
        edit: (view.status != Status::Trash).then(|| request.url(&format!("/desk/event/{id}"))),
        view: is_published.then(|| request.state.site.page(domain::Kind::Event, id, slug)),
        when: start.format(pattern).to_string(),
        zone: when.zone().to_string(),
        repeats: event.series().is_some() || event.occurrence().is_some(),
        status: request.word(Word::of_status(view.status)),
        languages: languages.join(" "),
        translations: request.url(&format!("/desk/event/{id}/translations")),
        is_returned: false,
        proposal: None,
        author: authors.get(&event.author).cloned(),
    }
}
