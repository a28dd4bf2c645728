//! The forms of a response.
//!
//! Handlers return whole records as JSON. The layers change that in one order: an error gets its
//! body, `_fields` selects fields, `_envelope` wraps the whole
//! (`middleware::respond`); then the response gets its validators, is cached, is
//! reduced to 304 or compressed (`middleware::deliver`). JSON is parsed again
//! only for `_fields` and `_envelope`.

pub mod asset;
pub(crate) mod buffered;
pub mod conditional;
pub(crate) mod encoding;
pub(crate) mod envelope;
mod error;
pub(crate) mod fields;
pub mod json;
pub(crate) mod problem;
mod route;
mod streamed;
pub mod tag;

pub(crate) use buffered::BufferedResponse;
pub use buffered::no_body;
pub(crate) use conditional::Validators;
pub use conditional::{LastChange, RecordVersion};
pub use json::{JSON, Json};
pub(crate) use route::{RouteMetrics, RouteTemplate};
pub use streamed::{streamed, streamed_from};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, response::Parts},
    response::{IntoResponse, Response},
};
use domain::Language;
pub(crate) use encoding::Encoding;
use http_body_util::BodyExt;

use crate::{error::ApiError, header_values::media_type};
use conditional::Conditions;

/// The form in which a client accepts a response.
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

/// The response 503 that replaces one for which the budget of bytes has no room.
pub(crate) fn refuse(headers: &HeaderMap, preferences: &Preferences) -> Response {
    const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
    let error = ApiError::Overloaded;
    let language = headers.get(header::CONTENT_LANGUAGE);
    let language = language.and_then(|code| code.to_str().ok()?.parse().ok());
    let language = language.unwrap_or(Language::English);
    let body = error.body_response(language, preferences.is_problem);
    let (mut parts, _) = error.into_response().into_parts();
    parts.headers.insert(header::CACHE_CONTROL, NO_STORE);
    for name in [
        header::CONTENT_LANGUAGE,
        header::VARY,
        header::X_CONTENT_TYPE_OPTIONS,
    ] {
        if let Some(value) = headers.get(&name) {
            parts.headers.insert(name, value.clone());
        }
    }
    (parts, body).into_response()
}

/// Collects a response of text; returns any other as it is.
pub(crate) async fn in_memory(response: Response) -> Result<(Parts, Bytes), Box<Response>> {
    if !is_text(response.headers()) || response.body().size_hint().exact().is_none() {
        return Err(Box::new(response));
    }
    let (parts, body) = response.into_parts();
    // A body of known length is in memory: reading it cannot fail.
    match body.collect().await {
        Ok(collected) => Ok((parts, collected.to_bytes())),
        Err(_) => Err(Box::new(Response::from_parts(parts, Body::empty()))),
    }
}

pub(crate) fn is_error(status: StatusCode) -> bool {
    status.is_client_error() || status.is_server_error()
}

/// Whether a response is text, which is worth compressing.
fn is_text(headers: &HeaderMap) -> bool {
    let media_type = media_type(headers);
    media_type.starts_with("text/")
        || media_type == "application/json"
        || media_type.ends_with("+json")
        || media_type.ends_with("+xml")
        || media_type.ends_with("javascript")
}

/// Marks a response that the response cache does not store, in the extensions: one of very many addresses,
/// which would push others out.
#[derive(Clone, Copy, Debug)]
pub struct NotStored;

/// The kind of response that a handler made, which it passes to the layers in the extensions.
#[derive(Clone, Debug)]
pub enum ResponseKind {
    /// An error, whose body is not written yet.
    Error(ApiError),
    /// A record in this state.
    Record(RecordVersion),
    /// A page that search engines may index.
    Page,
}
