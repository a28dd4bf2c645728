//! A name for each request, by which it is found in the log.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use tracing::Instrument;

const NAME: HeaderName = HeaderName::from_static("x-request-id");

/// Longest name that is taken from a client.
const MAX_BYTES: usize = 128;

/// Names a request, as its client or a proxy did if they did, in its answer and in the log. Its query
/// is not logged: it may hold a password.
pub(crate) async fn name(request: Request, next: Next) -> Response {
    let sent = request.headers().get(NAME).filter(|sent| is_sane(sent));
    let id = sent.cloned().unwrap_or_else(make);
    let span = tracing::info_span!(
        "http.request",
        request.id = id.to_str().unwrap_or_default(),
        request.method = %request.method(),
        request.path = request.uri().path(),
    );
    let mut response = next.run(request).instrument(span).await;
    response.headers_mut().insert(NAME, id);
    response
}

/// Whether what was sent can stand in a log as it is.
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
