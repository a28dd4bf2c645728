//! The list of a kind.

use std::collections::HashMap;

use app::AppError;
use askama::Template;
use axum::http::StatusCode;
use domain::{
    Category, Kind, Status, UserId, UserName,
    policy::{Caller, Capability},
};

use super::{
    action::Action,
    kind::{Kept, Summary},
    path, tree,
};
use crate::{
    page::{self, Answer, Frame},
    request::DeskRequest,
    words::Word,
};

/// The records of a page of a list.
const PER_PAGE: u32 = 50;

/// A row of a list.
#[derive(Debug)]
pub(super) struct Row {
    id: i64,
    title: String,
    /// The levels of the tree above the record.
    depth: usize,
    detail: String,
    status: Option<&'static str>,
    count: Option<u64>,
    author: Option<String>,
    /// The form, if the person may change the record.
    edit: Option<String>,
    /// The page for people.
    view: Option<String>,
    /// Where actions are sent, and the actions: name and words.
    act: String,
    actions: Vec<(&'static str, &'static str)>,
}

/// A list of records.
#[derive(Debug, Template)]
#[template(path = "records.html")]
struct RecordsPage {
    frame: Frame,
    /// The form of a new record, if the person may write one.
    new: Option<(String, &'static str)>,
    /// The other list, of the trash or of everything else: address and words.
    other: Option<(String, &'static str)>,
    of_trash: bool,
    search: String,
    detail: &'static str,
    has_status: bool,
    has_count: bool,
    shows_authors: bool,
    rows: Vec<Row>,
    total: u64,
    previous: Option<String>,
    next: Option<String>,
}

/// `GET` of a list.
pub(super) async fn list<R: Kept>(request: DeskRequest) -> Answer {
    let page = request.found(load::<R>(&request).await, Word::NO_SUCH_RECORD)?;
    Ok(page::response(StatusCode::OK, request.language, &page))
}

async fn load<R: Kept>(request: &DeskRequest) -> Result<RecordsPage, AppError> {
    let search = request.parameter("search").unwrap_or_default();
    let of_trash = R::is_entry() && request.parameter("list").as_deref() == Some("trash");
    let page = request.page(PER_PAGE);
    let caller = request.caller();
    let shows_authors = R::is_entry() && caller.can(Capability::EditOthers);
    let authors = if shows_authors {
        request.state.accounts.names().await?
    } else {
        HashMap::new()
    };
    let is_tree = R::KIND == Kind::Category && search.trim().is_empty();
    let (rows, total) = if is_tree {
        let all = tree::read(request).await?;
        let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
        let first = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown = all.iter().skip(first).take(PER_PAGE as usize);
        let rows = shown.map(|(depth, view)| row::<Category>(request, view, *depth, &authors));
        (rows.collect(), total)
    } else {
        let (filter, options) = (R::filter(&search, of_trash), request.options());
        let calendar = &request.state.calendar;
        let found = calendar.query::<R>(caller, request.network(), filter, page, &options);
        let found = found.await?;
        let rows = found.rows.iter();
        let rows = rows.map(|view| row::<R>(request, view, 0, &authors));
        (rows.collect(), found.total)
    };
    let address = |of_trash: bool, number: u64| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if of_trash {
            query.append_pair("list", "trash");
        }
        if !search.is_empty() {
            query.append_pair("search", &search);
        }
        if number > 1 {
            query.append_pair("page", &number.to_string());
        }
        request.url(&format!("{}?{}", path::<R>(), query.finish()))
    };
    let (records, trash) = (request.word(R::TITLES.list), request.word(Word::TRASH));
    let (title, other) = if of_trash {
        (format!("{records} · {trash}"), records)
    } else {
        (records.to_owned(), trash)
    };
    let mut frame = Frame::new(request, title);
    frame.notice = done(request);
    let number = page.number();
    let has_next = number.saturating_mul(PER_PAGE.into()) < total;
    Ok(RecordsPage {
        frame,
        new: may_write::<R>(caller).then(|| {
            let url = request.url(&format!("{}/new", path::<R>()));
            (url, request.word(R::TITLES.new))
        }),
        other: R::is_entry().then(|| (address(!of_trash, 1), other)),
        of_trash,
        detail: request.word(match R::KIND {
            Kind::Venue => Word::CITY,
            Kind::Organizer => Word::EMAIL,
            _ => Word::SLUG,
        }),
        has_status: R::is_entry(),
        has_count: !R::is_entry(),
        shows_authors,
        previous: (number > 1).then(|| address(of_trash, number - 1)),
        next: has_next.then(|| address(of_trash, number + 1)),
        search: search.clone(),
        rows,
        total,
    })
}

/// The confirmation of what was done before.
fn done(request: &DeskRequest) -> Option<String> {
    let name = request.parameter("done")?;
    let action = Action::ALL.into_iter().find(|one| one.name() == name)?;
    let (done, action) = (request.word(Word::DONE), request.word(action.title()));
    Some(format!("{done} {action}"))
}

/// Whether the person may write new records of a kind.
pub(super) fn may_write<R: Kept>(caller: Caller) -> bool {
    caller.can(Capability::Write(R::KIND))
}

fn row<R: Kept>(
    request: &DeskRequest,
    view: &R::View,
    depth: usize,
    authors: &HashMap<UserId, UserName>,
) -> Row {
    let shown = R::shown(view);
    let Summary {
        status,
        author,
        detail,
        count,
        page,
        image: _,
    } = R::summary(view, &request.state.site);
    let id = shown.id;
    let may_edit = shown.content.may_edit(request.caller());
    let form = format!("{}/{id}", path::<R>());
    let actions = if may_edit {
        Action::of(status)
    } else {
        Vec::new()
    };
    let is_open = may_edit && status != Some(Status::Trash);
    let name = author.and_then(|author| authors.get(&author));
    Row {
        id,
        title: shown.content.title().as_str().to_owned(),
        depth,
        detail,
        status: status.map(|status| request.word(Word::of_status(status))),
        count,
        author: name.map(ToString::to_string),
        edit: is_open.then(|| request.url(&form)),
        view: page,
        act: request.url(&format!("{form}/action")),
        actions: actions
            .into_iter()
            .map(|one| (one.name(), request.word(one.title())))
            .collect(),
    }
}
