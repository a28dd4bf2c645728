//! The secret feeds of the person. An administrator sees the feeds of all users.

use std::collections::HashMap;

use app::{AppError, ports::SecretFeed};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use domain::{Id, UserId, UserName, page::PageRequest, policy::Capability};
use http_service::Endpoint;

use crate::{
    page::{self, Frame},
    request::DeskRequest,
    words::Word,
};

/// The path of the list.
const FEEDS: &str = "/desk/feeds";

/// The feeds of a page of the list.
const PER_PAGE: u32 = 50;

/// The pages of secret feeds.
pub(crate) fn endpoints() -> [Endpoint; 2] {
    [Endpoint::get(FEEDS, list), Endpoint::post(FEEDS, revoke)]
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
    shows_owners: bool,
    rows: Vec<Row>,
    previous: Option<String>,
    next: Option<String>,
}

/// `GET` of the list.
async fn list(request: DeskRequest) -> Response {
    match load(&request).await {
        Ok(page) => page::response(StatusCode::OK, request.language, &page),
        Err(error) => request.failed(error, Word::NO_SUCH_FEED),
    }
}

async fn load(request: &DeskRequest) -> Result<FeedsPage, AppError> {
    let caller = request.caller();
    let shows_owners = caller.can(Capability::ReadSettings);
    let owners = if shows_owners {
        request.state.accounts.names().await?
    } else {
        HashMap::new()
    };
    let number = request.parameter("page").and_then(|page| page.parse().ok());
    let page = PageRequest::new(number.unwrap_or(1), PER_PAGE.into(), PER_PAGE);
    let found = request.state.calendar.secret_feeds(caller, page).await?;
    let address = |number: u64| request.url(&format!("{FEEDS}?page={number}"));
    let number = page.number();
    let mut frame = Frame::new(request, request.word(Word::SECRET_FEEDS));
    if request.parameter("done").is_some() {
        frame.notice = Some(request.word(Word::FEED_REVOKED).to_owned());
    }
    Ok(FeedsPage {
        frame,
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

/// `POST` that revokes a feed: its address opens nothing any more.
async fn revoke(request: DeskRequest) -> Response {
    let id = request.form.get("feed").and_then(|id| id.parse().ok());
    let Some(id) = id.filter(|id| *id > 0) else {
        return request.not_found(Word::NO_SUCH_FEED);
    };
    let (calendar, caller) = (&request.state.calendar, request.caller());
    match calendar.delete_secret_feed(caller, Id::from_raw(id)).await {
        Ok(_) => request.see(&format!("{FEEDS}?done=revoked")),
        Err(error) => request.failed(error, Word::NO_SUCH_FEED),
    }
}
