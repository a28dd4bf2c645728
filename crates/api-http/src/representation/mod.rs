//! The form in which an answer is sent: which of its fields, in which dialect and encoding, and
//! whether the client has it already.
//!
//! Handlers answer whole records as JSON. What is done to that here has one order: the fields that
//! were asked for are picked, an error is told in the dialect that the client reads, the whole is put
//! in an envelope ([`shape`]); then it gets its validators, is kept if it may be, is left out if the
//! client has it, and is compressed ([`deliver`]). A tree of JSON is only built where one of the first
//! three is asked for.

mod conditional;
mod encoding;
pub(crate) mod envelope;
mod fields;
mod kept;
mod problem;
pub(crate) mod quality;
pub(crate) mod tag;
mod text;

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, response::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Language;
use http_body_util::BodyExt;

use crate::{budget::Full, error::ApiError, headers::Shared, in_flight::InFlight, json::JSON};
use conditional::Conditions;
use encoding::Encoding;
use fields::Picked;
use kept::Found;
use text::Text;

pub(crate) use conditional::{LastChange, date};
pub(crate) use kept::Answers;

/// How a client wishes an answer to be sent.
#[derive(Debug)]
struct Wishes {
    is_read: bool,
    conditions: Conditions,
    encoding: Encoding,
    is_problem: bool,
}

impl Wishes {
    fn of(request: &Request) -> Self {
        let headers = request.headers();
        Self {
            is_read: request.method() == Method::GET,
            conditions: Conditions::read(headers),
            encoding: Encoding::accepted(headers),
            is_problem: problem::is_accepted(headers),
        }
    }
}

/// What an answer tells of the record in it, beside its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The number of its last change.
    pub(crate) revision: i64,
    /// When that, or another change of what the answer shows, was.
    pub(crate) last_change: LastChange,
}

/// Sends answers as the client wishes, and keeps those that it may.
pub(crate) async fn deliver(
    State(answers): State<Answers>,
    request: Request,
    next: Next,
) -> Response {
    let wishes = Wishes::of(&request);
    let in_flight = answers.in_flight(&request);
    let found = match kept::asks_plainly(&request) {
        Some(address) => answers.find(address).await,
        None => Found::Nothing,
    };
    if let Found::Answer(text) = found {
        return text.send(&wishes, &in_flight);
    }
    // The body is counted until its request is answered.
    let (request, _held) = in_flight.count(request);
    let (mut parts, bytes) = match in_memory(next.run(request).await).await {
        Ok(text) => text,
        Err(response) => return streamed(*response, &wishes, &in_flight),
    };
    // An envelope hides whether it is a success.
    let within = parts.extensions.remove::<envelope::Enveloped>();
    let status = within.map_or(parts.status, |within| within.0);
    let may_be_kept = parts.extensions.remove::<Shared>().is_some() && status == StatusCode::OK;
    let text = Text::new(parts, bytes, wishes.is_read && status.is_success());
    let kept = match found {
        Found::Place(place) if may_be_kept => answers.keep(place, &text),
        _ => None,
    };
    kept.as_deref().unwrap_or(&text).send(&wishes, &in_flight)
}

/// An answer that is not in memory, such as a file, if there is room for it.
fn streamed(response: Response, wishes: &Wishes, in_flight: &InFlight) -> Response {
    let (parts, body) = response.into_parts();
    match in_flight.stream(body) {
        Ok(body) => Response::from_parts(parts, body),
        Err(Full) => refuse(&parts.headers, wishes),
    }
}

/// The answer in the place of one for which there is no room.
fn refuse(headers: &HeaderMap, wishes: &Wishes) -> Response {
    const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
    let error = ApiError::Overloaded;
    let language = headers.get(header::CONTENT_LANGUAGE);
    let language = language.and_then(|code| Language::from_code(code.to_str().ok()?));
    let body = error.body(language.unwrap_or(Language::English));
    let mut bytes = Bytes::from(body.to_string());
    let (mut parts, _) = error.into_response().into_parts();
    parts.headers.insert(header::CONTENT_TYPE, JSON);
    parts.headers.insert(header::CACHE_CONTROL, NO_STORE);
    if wishes.is_problem {
        problem::rewrite(&mut parts, &mut bytes);
    }
    for name in [
        header::CONTENT_LANGUAGE,
        header::VARY,
        header::X_CONTENT_TYPE_OPTIONS,
    ] {
        if let Some(value) = headers.get(&name) {
            parts.headers.insert(name, value.clone());
        }
    }
    Response::from_parts(parts, Body::from(bytes))
}

/// Changes the JSON of an answer where the client asks for something else than the usual.
pub(crate) async fn shape(request: Request, next: Next) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let picked = Picked::read(query);
    let is_enveloped = envelope::is_asked(query);
    let is_problem = problem::is_accepted(request.headers());
    let response = next.run(request).await;
    if picked.is_none() && !is_enveloped && !is_problem {
        return response;
    }
    let (mut parts, mut bytes) = match in_memory(response).await {
        Ok(text) => text,
        Err(response) => return *response,
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    if let Some(picked) = picked
        && parts.status.is_success()
    {
        picked.pick_from(&mut bytes);
    }
    if is_problem && is_error(parts.status) {
        problem::rewrite(&mut parts, &mut bytes);
    }
    if is_enveloped {
        envelope::put_in(&mut parts, &mut bytes);
    }
    Response::from_parts(parts, Body::from(bytes))
}

/// An answer of text, all of it; any other as it is.
async fn in_memory(response: Response) -> Result<(Parts, Bytes), Box<Response>> {
    if !is_text(response.headers()) || response.body().size_hint().exact().is_none() {
        return Err(Box::new(response));
    }
    let (parts, body) = response.into_parts();
    // Its length is known, so that it is in memory, and nothing can fail.
    match body.collect().await {
        Ok(collected) => Ok((parts, collected.to_bytes())),
        Err(_) => Err(Box::new(Response::from_parts(parts, Body::empty()))),
    }
}

fn is_error(status: StatusCode) -> bool {
    status.is_client_error() || status.is_server_error()
}

/// Whether an answer is text, which is worth compressing; pictures are compressed already.
fn is_text(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return false;
    };
    let essence = value.to_str().unwrap_or_default();
    let essence = essence.split(';').next().unwrap_or_default().trim();
    essence.starts_with("text/")
        || essence == "application/json"
        || essence.ends_with("+json")
        || essence.ends_with("+xml")
        || essence.ends_with("javascript")
}
