//! The request ID, which identifies a request in the log. The layer adds the header to request and
//! response.

pub(super) mod log_path;

use std::net::IpAddr;

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use tracing::Span;

pub(crate) const NAME: HeaderName = HeaderName::from_static("x-request-id");

/// The longest ID that is accepted from a client, in bytes.
const MAX_BYTES: usize = 128;

/// Accepts the ID of the client or proxy, or makes one.
pub(crate) async fn name(mut request: Request, next: Next) -> Response {
    let sent = request.headers().get(NAME).filter(|sent| is_sane(sent));
    let id = sent.cloned().unwrap_or_else(make);
    request.headers_mut().insert(NAME, id.clone());
    let mut response = next.run(request).await;
    response.headers_mut().insert(NAME, id);
    response
}

/// The span of a request, which names it in the log.
pub(super) fn span(request: &Request, client: Option<IpAddr>) -> Span {
    let id = request.headers().get(NAME);
    let id = id.and_then(|id| id.to_str().ok());
    // The span has the highest level: a filter that passes an event in it also passes the span.
    tracing::error_span!(
        "http.request",
        request.id = id.unwrap_or_default(),
        request.method = %request.method(),
        request.path = &*log_path::of(request.uri()),
        client = client.map(tracing::field::display),
    )
}

/// Whether an ID is safe in a log line.
fn is_sane(sent: &HeaderValue) -> bool {
    let bytes = sent.as_bytes();
    let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:=+/@".contains(byte);
    (1..=MAX_BYTES).contains(&bytes.len()) && bytes.iter().all(is_usual)
}

/// 128 random bits.
fn make() -> HeaderValue {
    let id = format!("{:032x}", rand::random::<u128>());
    HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("-"))
}
