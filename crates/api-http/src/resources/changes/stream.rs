//! The changes as a stream of events (`text/event-stream`).

use std::{
    convert::Infallible,
    fmt::Write as _,
    hash::{BuildHasher as _, RandomState},
    time::Duration,
};

use app::{
    AppError,
    calendar::{Delta, Following, ListChanges},
};
use axum::{
    body::{Body, Bytes},
    extract::FromRequestParts,
    http::{HeaderName, HeaderValue, header, request::Parts},
    response::{IntoResponse as _, Response},
};
use domain::policy::Caller;
use forms::ChangesForm;
use futures_util::stream;
use http_service::{
    AppState,
    error::ApiError,
    extract::{Auth, EVENT_STREAM, accepts_events},
    notifier::Waiter,
    site::Site,
};
use tokio::time::{Instant, sleep_until};

use super::expired;
use crate::{extract::RequestContext, record::ChangeRecord};

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The header by which nginx sends each part at once.
const UNBUFFERED: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-accel-buffering"),
    HeaderValue::from_static("no"),
);

/// The time between two comments of a stream without news.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The least duration of a stream, in seconds, and the most that is added to it: so do streams that began
/// together not end together.
const SECONDS: [u64; 2] = [54 * 60, 12 * 60];

/// The stream that a request asks for.
#[derive(Debug)]
pub(crate) struct StreamHead {
    is_asked_for: bool,
    last_event_id: Option<String>,
    parts: Parts,
}

impl FromRequestParts<AppState> for StreamHead {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, ApiError> {
        const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
        let last = parts.headers.get(LAST_EVENT_ID);
        let last = last.and_then(|value| value.to_str().ok());
        Ok(Self {
            is_asked_for: accepts_events(&parts.headers),
            last_event_id: last.filter(|id| !id.is_empty()).map(str::to_owned),
            parts: parts.clone(),
        })
    }
}

impl StreamHead {
    pub(super) const fn is_asked_for(&self) -> bool {
        self.is_asked_for
    }
}

/// A stream that is sent.
struct ChangeStream {
    state: AppState,
    site: Site,
    caller: Caller,
    parts: Parts,
    input: ListChanges,
    waiter: Waiter,
    first: Option<Bytes>,
    end: Instant,
    ends: bool,
}

/// The response with a stream.
pub(super) async fn response(
    mut context: RequestContext<StreamHead>,
    form: ChangesForm,
) -> Result<Response, ApiError> {
    context.release_permit();
    let RequestContext {
        state,
        site,
        caller,
        head,
        client,
        ..
    } = context;
    let mut input = form.list;
    if let Some(last) = head.last_event_id {
        input.sync_token = Some(last);
    }
    let waiter = state.news.subscribe(client, caller.user()).await?;
    let found = state.calendar.find_changes(caller, &input).await;
    let found = found.map_err(|error| expired(error, &site))?;
    let token = input.sync_token.clone().unwrap_or_else(|| found.present());
    drop(found);
    // A token that has expired is refused before the first byte.
    input.sync_token = Some(token.clone());
    let [least, more] = SECONDS;
    let seconds = least + RandomState::new().hash_one(0) % more;
    let stream = ChangeStream {
        state,
        site,
        caller,
        parts: head.parts,
        input,
        waiter,
        first: Some(format!("retry: 3000\nevent: ready\nid: {token}\ndata: {{}}\n\n").into()),
        end: Instant::now() + Duration::from_secs(seconds),
        ends: false,
    };
    let body = stream::unfold(stream, |mut stream| async move {
        let next = stream.next().await?;
        Some((Ok::<_, Infallible>(next), stream))
    });
    let headers = [
        (header::CONTENT_TYPE, EVENT_STREAM),
        (header::CACHE_CONTROL, NO_STORE),
        UNBUFFERED,
    ];
    Ok((headers, Body::from_stream(body)).into_response())
}

impl ChangeStream {
    /// The next part of the stream; none at its end.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        let heartbeat = Instant::now() + HEARTBEAT;
        // In boxes: a stream that waits for news has no room for the work.
        while !self.ends && Box::pin(self.is_authenticated()).await {
            match Box::pin(self.batch()).await {
                Ok(batch) if batch.is_empty() => {}
                Ok(batch) => return Some(batch.into()),
                Err(ApiError::TokenExpired { .. }) => {
                    self.ends = true;
                    return Some(Bytes::from_static(b"event: expired\ndata: {}\n\n"));
                }
                Err(_) => return None,
            }
            tokio::select! {
                changed = self.waiter.changed() => if !changed {
                    return None;
                },
                () = sleep_until(heartbeat.min(self.end)) => {
                    self.ends = self.end <= heartbeat;
                    return Some(Bytes::from_static(b": \n\n"));
                }
            }
        }
        None
    }

    /// Whether the credentials of the request are good for the same caller as at its start.
    async fn is_authenticated(&mut self) -> bool {
        let auth = Auth::from_request_parts(&mut self.parts, &self.state).await;
        auth.is_ok_and(|Auth(caller)| caller == self.caller)
    }

    /// The events of a page of news; empty without news. The last event of all pages has the token.
    async fn batch(&mut self) -> Result<String, ApiError> {
        let calendar = self.state.calendar.clone();
        let found = calendar.find_changes(self.caller, &self.input).await;
        let found = found.map_err(|error| expired(error, &self.site))?;
        let delta = found.load().await;
        let Delta { items, next } = delta.map_err(|error| expired(error, &self.site))?;
        let mut events = String::new();
        for (number, item) in items.iter().enumerate() {
            let is_last = number + 1 == items.len();
            let data = ChangeRecord::new(item, &self.site);
            let data = data.and_then(|change| serde_json::to_string(&change));
            let data = data.map_err(|error| {
                tracing::error!(cause = %error, "cannot serialize a change");
                ApiError::from(AppError::Overloaded)
            })?;
            // Writing to a `String` cannot fail.
            let _ = match &next {
                Following::Complete(token) if is_last => {
                    write!(events, "event: change\nid: {token}\ndata: {data}\n\n")
                }
                _ => write!(events, "event: change\ndata: {data}\n\n"),
            };
        }
        match next {
            Following::Page(token) => self.input.page_token = Some(token),
            Following::Complete(token) => {
                if items.is_empty() && self.input.page_token.is_some() {
                    let _ = write!(events, "id: {token}\n\n");
                }
                self.input.page_token = None;
                self.input.sync_token = Some(token);
            }
        }
        Ok(events)
    }
}
