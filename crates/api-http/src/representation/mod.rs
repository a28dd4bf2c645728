//! The form in which an answer is sent: which of its fields, in which dialect and encoding, and
//! whether the client has it already.
//!
//! Handlers answer whole records as JSON. What is done to that here has one order: the fields that
//! were asked for are picked, an error is told in the dialect that the client reads, the whole is put
//! in an envelope, gets its validators, is left out if the client has it, and is compressed. A tree of
//! JSON is only built where one of the first three is asked for.

mod conditional;
mod encoding;
pub(crate) mod envelope;
mod fields;
mod problem;
pub(crate) mod quality;
pub(crate) mod tag;

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    http::{HeaderMap, Method, StatusCode, header, response::Parts},
    middleware::Next,
    response::Response,
};
use domain::time::Timestamp;
use http_body::Frame;
use http_body_util::BodyExt;

use conditional::Conditions;
use encoding::Encoding;
use fields::Picked;

/// What a client may ask of any answer.
struct Wishes {
    is_read: bool,
    picked: Option<Picked>,
    enveloped: bool,
    problem: bool,
    conditions: Conditions,
    encoding: Encoding,
}

impl Wishes {
    fn of(request: &Request) -> Self {
        let headers = request.headers();
        let query = request.uri().query().unwrap_or_default();
        Self {
            is_read: request.method() == Method::GET,
            picked: Picked::read(query),
            enveloped: envelope::is_asked(query),
            problem: problem::is_accepted(headers),
            conditions: Conditions::read(headers),
            encoding: Encoding::accepted(headers),
        }
    }
}

/// What an answer tells of the record in it, beside its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The number of its last change.
    pub(crate) revision: i64,
    /// When it changed last, if that is kept and tells its state from others.
    pub(crate) modified: Option<Timestamp>,
    /// Whether nothing but a change of the record itself changes the answer: only then its date says
    /// that a copy is still good.
    pub(crate) alone: bool,
}

/// Sends answers in the form that the client wishes.
pub(crate) async fn deliver(request: Request, next: Next) -> Response {
    let wishes = Wishes::of(&request);
    let response = next.run(request).await;
    if !is_text(response.headers()) || response.body().size_hint().exact().is_none() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // All of it is in memory, so that nothing can fail.
    let Ok(collected) = body.collect().await else {
        return Response::from_parts(parts, Body::empty());
    };
    let mut bytes = collected.to_bytes();
    parts.headers.remove(header::CONTENT_LENGTH);
    // An envelope hides whether it is a success.
    let is_success = parts.status.is_success();
    rewrite(&wishes, &mut parts, &mut bytes);
    let encoding = wishes.encoding.for_size(bytes.len());
    if wishes.is_read && is_success {
        let shown = parts.extensions.get::<Shown>().copied();
        let validators = conditional::Validators::new(shown, &bytes, encoding);
        validators.add_to(&mut parts.headers);
        if wishes.conditions.hold_for(&validators) {
            return not_modified(parts);
        }
    }
    if let Some(compressed) = encoding.encode(&bytes) {
        parts
            .headers
            .insert(header::CONTENT_ENCODING, encoding.name());
        bytes = compressed;
    }
    Response::from_parts(parts, Body::from(bytes))
}

/// Changes the JSON of an answer where the client asks for something else than the usual.
fn rewrite(wishes: &Wishes, parts: &mut Parts, bytes: &mut Bytes) {
    if let Some(picked) = &wishes.picked
        && parts.status.is_success()
    {
        picked.pick_from(bytes);
    }
    if is_error(parts.status) && wishes.problem {
        problem::rewrite(parts, bytes);
    }
    if wishes.enveloped {
        envelope::put_in(parts, bytes);
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

/// The client has it: what is told of it is sent, but not its bytes.
fn not_modified(mut parts: Parts) -> Response {
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(header::CONTENT_TYPE);
    Response::from_parts(parts, Body::new(Unsent))
}

/// A body that is not sent: its length is not zero, but not told.
struct Unsent;

impl HttpBody for Unsent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(None)
    }
}
