//! The secret feeds of the person. An administrator sees the feeds of all users.

use std::collections::HashMap;

use app::{AppError, calendar::FreshFeed, ports::SecretFeed};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{Id, UserId, UserName, policy::Capability};
use forms::{Fields, Reading};
use http_service::{Endpoint, site::webcal};
use serde_json::json;

use crate::{
    events::{Filters, Input, told_filters},
    page::{self, Answer, Frame},
    request::DeskRequest,
    words::Word,
};

/// The path of the list.
const FEEDS: &str = "/desk/feeds";

/// The feeds of a page of the list.
const PER_PAGE: u32 = 50;

/// The pages of secret feeds.
pub(crate) fn endpoints() -> [Endpoint; 2] {
    [Endpoint::get(FEEDS, list), Endpoint::post(FEEDS, act)]
}

/// A feed.
#[derive(Debug)]
struct Row {
    id: i64,
    name: String,
    query: String,
    owner: String,
    created: String,
    last_used: String,
}

/// The list of feeds.
#[derive(Debug, Template)]
#[template(path = "feeds.html")]
struct FeedsPage {
    frame: Frame,
    /// The form of a new feed, and its faults.
    name: String,
    is_own: bool,
    is_unpublished: bool,
    filters: Vec<Input>,
    faults: Vec<String>,
    shows_owners: bool,
    rows: Vec<Row>,
    previous: Option<String>,
    next: Option<String>,
}

/// The addresses of a new feed, which are shown once.
#[derive(Debug, Template)]
#[template(path = "feed_link.html")]
struct LinkPage {
    frame: Frame,
    name: String,
    link: String,
    webcal: String,
    back: String,
}

/// `GET` of the list.
async fn list(request: DeskRequest) -> Answer {
    show(&request, StatusCode::OK, Vec::new()).await
}

async fn show(request: &DeskRequest, status: StatusCode, faults: Vec<String>) -> Answer {
    let page = request.found(load(request, faults).await, Word::NO_SUCH_FEED)?;
    Ok(page::response(status, request.language, &page))
}

async fn load(request: &DeskRequest, faults: Vec<String>) -> Result<FeedsPage, AppError> {
    let caller = request.caller();
    let shows_owners = caller.can(Capability::ReadSettings);
    let owners = if shows_owners {
        request.state.accounts.names().await?
    } else {
        HashMap::new()
    };
    let page = request.page(PER_PAGE);
    let found = request.state.calendar.secret_feeds(caller, page).await?;
    let address = |number: u64| request.url(&format!("{FEEDS}?page={number}"));
    let number = page.number();
    let done = request.parameter("done").map(|_| Word::FEED_REVOKED);
    let form = &request.form;
    Ok(FeedsPage {
        frame: Frame::new(request, request.word(Word::SECRET_FEEDS)).told(done),
        name: form.get("name").unwrap_or_default().to_owned(),
        is_own: form.get("own").is_some(),
        is_unpublished: form.get("unpublished").is_some(),
        filters: sent(request).inputs(request).await?,
        faults,
        shows_owners,
        previous: (number > 1).then(|| address(number - 1)),
        next: found.has_next().then(|| address(number + 1)),
        rows: found.rows.iter().map(|feed| row(feed, &owners)).collect(),
    })
}

fn row(feed: &SecretFeed, owners: &HashMap<UserId, UserName>) -> Row {
    let details = &feed.details;
    let owner = owners.get(&details.owner);
    let last_used = feed.last_used.map(|day| day.to_string());
    Row {
        id: feed.id.get(),
        name: details.name.clone(),
        query: details.query.clone(),
        owner: owner.map_or_else(String::new, ToString::to_string),
        created: format!("{} UTC", details.created),
        last_used: last_used.unwrap_or_default(),
    }
}

/// The filters of the form.
fn sent(request: &DeskRequest) -> Filters {
    Filters::of(|name| request.form.get(name).map(str::to_owned))
}

/// `POST` of a new feed, or of the end of one.
async fn act(request: DeskRequest) -> Answer {
    if request.form.get("create").is_none() {
        return revoke(&request).await;
    }
    match create(&request).await {
        Ok(fresh) => Ok(link(&request, &fresh)),
        Err(AppError::Invalid(faults)) => {
            let faults = told_filters(&request, &faults);
            show(&request, StatusCode::BAD_REQUEST, faults).await
        }
        Err(AppError::TooManyFeeds(_)) => {
            let full = vec![request.word(Word::TOO_MANY_FEEDS).to_owned()];
            show(&request, StatusCode::BAD_REQUEST, full).await
        }
        Err(error) => Err(request.failed(error, Word::NO_SUCH_FEED)),
    }
}

/// The query of the list of a new feed.
fn query(request: &DeskRequest) -> String {
    let mut query = sent(request).query();
    if request.form.get("own").is_some() {
        query.append_pair("author", &request.user.id.to_string());
    }
    if request.form.get("unpublished").is_some() {
        query.append_pair("status", "any");
    }
    query.finish()
}

async fn create(request: &DeskRequest) -> Result<FreshFeed, AppError> {
    let (calendar, caller, form) = (&request.state.calendar, request.caller(), &request.form);
    let query = query(request);
    let list = Fields::from_query(&query);
    let mut body = serde_json::Map::new();
    body.insert(
        "name".to_owned(),
        json!(form.get("name").unwrap_or_default()),
    );
    body.insert("query".to_owned(), json!(query));
    let reading = Reading::of(calendar, caller);
    let write = forms::secret_feed(&Fields::from_body(body), &list, reading)?;
    calendar.create_secret_feed(caller, write).await
}

/// The page with the addresses of a new feed. The service cannot show them again.
fn link(request: &DeskRequest, fresh: &FreshFeed) -> Response {
    let link = request.state.site.secret_feed_file(fresh.key.expose());
    let page = LinkPage {
        frame: Frame::new(request, request.word(Word::NEW_FEED)),
        name: fresh.feed.details.name.clone(),
        webcal: webcal(&link),
        link,
        back: request.url(FEEDS),
    };
    page::response(StatusCode::OK, request.language, &page)
}

/// Revokes a feed: its address opens nothing any more.
async fn revoke(request: &DeskRequest) -> Answer {
    let id = request.form.get("feed").and_then(|id| id.parse().ok());
    let Some(id) = id.filter(|id| *id > 0) else {
        return Err(request.not_found(Word::NO_SUCH_FEED));
    };
    let (calendar, caller) = (&request.state.calendar, request.caller());
    let deleted = calendar.delete_secret_feed(caller, Id::from_raw(id)).await;
    request.found(deleted, Word::NO_SUCH_FEED)?;
    Ok(request.see(&format!("{FEEDS}?done=revoked")))
}
