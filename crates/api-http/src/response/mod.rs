//! The form in which an answer is sent: which of its fields, in which dialect and encoding, and
//! whether the client has it already.
//!
//! Handlers answer whole records as JSON. What is done to that here has one order: the fields that
//! were asked for are picked, an error is told in the dialect that the client reads, the whole is put
//! in an envelope ([`shape`]); then it gets its validators, is kept if it may be, is left out if the
//! client has it, and is compressed ([`deliver`]). A tree of JSON is only built where one of the first
//! three is asked for.

pub(crate) mod buffered;
pub(crate) mod conditional;
pub(crate) mod encoding;
pub(crate) mod envelope;
pub(crate) mod fields;
pub(crate) mod json;
pub(crate) mod problem;
pub(crate) mod quality;
pub(crate) mod tag;

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, response::Parts},
    response::{IntoResponse, Response},
};
use conditional::Conditions;
use domain::Language;
use encoding::Encoding;
use http_body_util::BodyExt;

use crate::{error::ApiError, response::json::JSON};

/// How a client preferences an answer to be sent.
#[derive(Debug)]
pub(crate) struct Preferences {
    pub(crate) is_read: bool,
    pub(crate) conditions: Conditions,
    pub(crate) encoding: Encoding,
    pub(crate) is_problem: bool,
}

impl Preferences {
    pub(crate) fn of(request: &Request) -> Self {
        let headers = request.headers();
        Self {
            is_read: request.method() == Method::GET,
            conditions: Conditions::read(headers),
            encoding: Encoding::accepted(headers),
            is_problem: problem::is_accepted(headers),
        }
    }
}

/// The answer in the place of one for which there is no room.
pub(crate) fn refuse(headers: &HeaderMap, preferences: &Preferences) -> Response {
    const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
    let error = ApiError::Overloaded;
    let language = headers.get(header::CONTENT_LANGUAGE);
    let language = language.and_then(|code| Language::from_code(code.to_str().ok()?));
    let body = error.body(language.unwrap_or(Language::English));
    let mut bytes = Bytes::from(body.to_string());
    let (mut parts, _) = error.into_response().into_parts();
    parts.headers.insert(header::CONTENT_TYPE, JSON);
    parts.headers.insert(header::CACHE_CONTROL, NO_STORE);
    if preferences.is_problem {
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

/// An answer of text, all of it; any other as it is.
pub(crate) async fn in_memory(response: Response) -> Result<(Parts, Bytes), Box<Response>> {
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

pub(crate) fn is_error(status: StatusCode) -> bool {
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

/// Marks an answer that search engines may list, in its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForSearch;

/// Marks an answer that is the same for everybody who asks for its address, in its extensions: it
/// depends on the data and on the time, and on nothing else that a request says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared;

/// Marks an answer that depends on what the client prefers, in its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByPreference;
