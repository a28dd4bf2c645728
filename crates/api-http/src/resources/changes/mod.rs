//! The list of changes, for readers that keep a copy of the records.

mod stream;

use std::time::Duration;

use app::{
    AppError,
    calendar::{Delta, Following, SyncRecord, Synced},
};
use axum::response::Response;
use forms::ChangesForm;
use http_service::{
    error::ApiError,
    limits::InFlight,
    record::ShownRecord,
    response::json,
    site::{ListUrls, Site},
};
use serde::Serialize;
use tokio::time::{Instant, timeout_at};

use self::stream::StreamHead;
use crate::{extract::RequestContext, record::ChangeRecord};

/// A page of changes as JSON.
#[derive(Serialize)]
struct ChangeList {
    changes: Vec<ChangeRecord>,
    rest_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_rest_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sync_token: Option<String>,
}

/// `GET` of the changes.
pub(crate) async fn list(mut context: RequestContext<StreamHead>) -> Result<Response, ApiError> {
    let form = ChangesForm::read(&context.fields)?;
    if context.head.is_asked_for() {
        return stream::response(context, form).await;
    }
    if form.wait_seconds == 0 {
        return Ok(read(&context, &form).await?.response);
    }
    context.release_permit();
    let wait = Duration::from_secs(form.wait_seconds.into());
    let deadline = Instant::now() + wait;
    let user = context.caller.user();
    let mut waiter = context.state.news.subscribe(context.client, user).await?;
    loop {
        let Page { response, is_empty } = read(&context, &form).await?;
        if !is_empty {
            return Ok(response);
        }
        let changed = timeout_at(deadline, waiter.changed());
        let changed = match &context.patience {
            Some(patience) => patience.wait(changed).await,
            None => changed.await,
        };
        if changed != Ok(true) {
            return Ok(response);
        }
    }
}

/// The error of a list of changes, which names the address of a first walk if the token has expired.
fn expired(error: AppError, site: &Site) -> ApiError {
    match error {
        AppError::TokenExpired(expiry) => ApiError::TokenExpired {
            expiry,
            full_url: site.changes(),
        },
        error => error.into(),
    }
}

/// A page of changes as a response.
struct Page {
    response: Response,
    is_empty: bool,
}

async fn read(context: &RequestContext<StreamHead>, form: &ChangesForm) -> Result<Page, ApiError> {
    let (state, site) = (&context.state, &context.site);
    let expired = |error| expired(error, site);
    let found = state.calendar.find_changes(context.caller, &form.list);
    let found = found.await.map_err(expired)?;
    let rows = match found.rows() {
        0 => None,
        rows => Some(state.list_limit.acquire(context.client, rows).await?),
    };
    let delta = found.load().await.map_err(expired)?;
    let texts = delta.items.iter().filter_map(|item| item.content.as_ref());
    let texts = texts.map(text_bytes).sum();
    let in_flight = InFlight::new(&state.in_flight, context.client);
    let _held = in_flight.reserve(texts).map_err(|_| ApiError::Overloaded)?;
    let urls = site.changes_list(&context.query, form.list.per_page);
    let response = body(&delta, &urls, site);
    drop(rows);
    Ok(Page {
        response: json::response(response),
        is_empty: delta.items.is_empty(),
    })
}

/// The size of the texts of a record, in bytes.
fn text_bytes(record: &SyncRecord) -> usize {
    fn of<R: ShownRecord>(synced: &Synced<R>) -> usize {
        let all = R::shown(&synced.view).content.text_bytes();
        all * if synced.texts.is_empty() { 1 } else { 2 }
    }
    match record {
        SyncRecord::Event(event) => of(event),
        SyncRecord::Venue(venue) => of(venue),
        SyncRecord::Organizer(organizer) => of(organizer),
        SyncRecord::Category(category) => of(category),
        SyncRecord::Tag(tag) => of(tag),
    }
}

fn body(delta: &Delta, urls: &ListUrls, site: &Site) -> serde_json::Result<Vec<u8>> {
    let changes = delta.items.iter().map(|item| ChangeRecord::new(item, site));
    let (next_rest_url, sync_token) = match &delta.next {
        Following::Page(token) => (Some(urls.page_of_token(token)), None),
        Following::Complete(token) => (None, Some(token.clone())),
    };
    serde_json::to_vec(&ChangeList {
        changes: changes.collect::<Result<_, _>>()?,
        rest_url: urls.this(),
        next_rest_url,
        sync_token,
    })
}
