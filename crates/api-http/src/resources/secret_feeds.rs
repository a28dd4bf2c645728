//! Secret feeds: their management, and their calendar files.

use app::{
    AppError,
    calendar::{FreshFeed, OpenedFeed},
    ports::SecretFeed,
};
use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, Path, Request, State},
    http::{HeaderValue, Uri, header, uri::PathAndQuery},
    response::{IntoResponse, Response},
};
use forms::Fields;
use http_service::{
    AppState, error::ApiError, extract::Auth, limits::LoginAttemptKey, response::Json,
};
use serde_json::json;

use super::{files::feeds, records};
use crate::{
    extract::{Negotiation, RequestContext, id, query_fields},
    idempotency::{Created, IdempotencyHeader},
    record::SecretFeedRecord,
};

/// The suffix of the path of a calendar file.
const SUFFIX: &str = ".ics";

/// `GET` of the collection.
pub(crate) async fn list(context: RequestContext) -> Result<Response, ApiError> {
    let calendar = &context.state.calendar;
    let page = context.fields.page(calendar.site())?;
    let page = calendar.secret_feeds(context.caller, page);
    let page = page.await?.map(|feed| SecretFeedRecord::new(&feed));
    Ok(records::list_of("feeds", &page, None).into_response())
}

/// `POST` to the collection.
pub(crate) async fn create(
    context: RequestContext<IdempotencyHeader>,
) -> Result<Response, ApiError> {
    let (site, fields) = (&context.site, &context.fields);
    let query = fields.get("query").and_then(|query| query.as_str());
    let list = Fields {
        language: fields.language,
        strict: fields.strict,
        ..query_fields(query.unwrap_or_default())
    };
    let created = |record: &SecretFeedRecord, feed: &SecretFeed| {
        Created::new(site.secret_feed(feed.id), record)
    };
    let respond = |fresh: &FreshFeed| {
        let record = SecretFeedRecord::new(&fresh.feed).with_key(&fresh.key, site);
        created(&record, &fresh.feed)
    };
    let calendar = &context.state.calendar;
    let write = forms::secret_feed(fields, &list, context.reading())?;
    let created = match context.head.of_fields(fields) {
        None => {
            let fresh = calendar.create_secret_feed(context.caller, write);
            respond(&fresh.await?)
        }
        Some(key) => {
            let without_key = |fresh: &FreshFeed| {
                let record = SecretFeedRecord::new(&fresh.feed);
                created(&record, &fresh.feed).to_stored()
            };
            let outcome =
                calendar.create_secret_feed_idempotent(context.caller, write, &key, &without_key);
            Created::of_once(outcome.await?, respond)?
        }
    };
    Ok(created.into_response())
}

/// `GET` of a feed by its ID, or of its calendar file by its key.
pub(crate) async fn get(
    Path(segment): Path<String>,
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, ApiError> {
    if let Some(key) = segment.strip_suffix(SUFFIX) {
        return file(&state, key, request).await;
    }
    let id = id(&segment)?;
    let context = RequestContext::<()>::from_request(request, &state).await?;
    context.expect_no_fields(&[])?;
    let feed = state.calendar.secret_feed(context.caller, id);
    Ok(Json(SecretFeedRecord::new(&feed.await?)).into_response())
}

/// `DELETE` of a feed.
pub(crate) async fn delete(
    Path(segment): Path<String>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let id = id(&segment)?;
    let calendar = &context.state.calendar;
    context.expect_no_fields(&[])?;
    let deleting = calendar.delete_secret_feed(context.caller, id);
    let record = SecretFeedRecord::new(&deleting.await?);
    Ok(Json(json!({ "deleted": true, "previous": record })).into_response())
}

/// The calendar file of a key: the feed that its owner gets for the stored query.
async fn file(state: &AppState, key: &str, request: Request) -> Result<Response, ApiError> {
    const CACHING: HeaderValue = HeaderValue::from_static("private, max-age=0, must-revalidate");
    const REFERRERS: HeaderValue = HeaderValue::from_static("no-referrer");
    let Some(format) = &state.calendar_format else {
        return Err(ApiError::NoRoute);
    };
    let (mut parts, _) = request.into_parts();
    // The key alone tells whose feed it is, but wrong credentials are refused on every path.
    Auth::from_request_parts(&mut parts, state).await?;
    let client = state.proxies.client_of(&parts.extensions, &parts.headers);
    let attempt = LoginAttemptKey::new(client, "");
    let OpenedFeed { owner, query } = open(state, key, attempt).await?;
    parts.uri = with_query(&parts.uri, &query);
    let head = Negotiation::from_request_parts(&mut parts, state).await?;
    let request = Request::from_parts(parts, Body::empty());
    let context = RequestContext::read(state, owner, head, request).await?;
    // The URL holds the key: the file does not name it.
    let mut response = feeds::write(&context, format, None).await?;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, CACHING);
    headers.insert(header::REFERRER_POLICY, REFERRERS);
    Ok(response)
}

/// Opens a feed. A wrong key counts as a wrong token.
async fn open(
    state: &AppState,
    key: &str,
    attempt: LoginAttemptKey,
) -> Result<OpenedFeed, AppError> {
    let now = state.calendar.monotonic();
    let wait = state.login_throttle.wait_seconds(&attempt, now);
    let opened = state.calendar.open_secret_feed(key).await;
    if let Err(AppError::FeedNotFound) = opened {
        state.login_throttle.failed(attempt, now);
        if let Some(retry_after_seconds) = wait {
            return Err(AppError::TooManyAttempts {
                retry_after_seconds,
            });
        }
    }
    opened
}

/// The same address with another query.
fn with_query(uri: &Uri, query: &str) -> Uri {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let mut encoded = form_urlencoded::Serializer::new(format!("{}?", uri.path()));
    let path_and_query = encoded.extend_pairs(pairs).finish();
    let path_and_query = PathAndQuery::try_from(path_and_query);
    path_and_query.map_or_else(|_| uri.clone(), Uri::from)
}
