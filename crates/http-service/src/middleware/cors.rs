//! Cross-origin requests from browsers: allowed for all origins, with stored credentials only for
//! trusted origins. The layer adds headers alone; a preflight is answered like every `OPTIONS`.

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};

use crate::origins::TrustedOrigins;

const METHODS: &str = "OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE";

/// The request headers that a page may send.
const REQUEST_HEADERS: &str = "Authorization, Content-Type, If-Match, If-None-Match, \
    If-Unmodified-Since, Idempotency-Key, X-HTTP-Method-Override, X-WP-Nonce, Content-Disposition, Prefer, \
    Last-Event-ID";

/// The response headers that a page may read.
const RESPONSE_HEADERS: &str = "X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, \
    X-Calendar-Horizon, ETag, Last-Modified, Location, Retry-After, X-Request-Id, \
    Preference-Applied";

/// The seconds for which a browser may cache a preflight; browsers cap it at this value.
const MAX_AGE: &str = "86400";

/// Adds the CORS headers to a response.
pub(crate) async fn add_headers(
    State(trusted): State<TrustedOrigins>,
    request: Request,
    next: Next,
) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let is_preflight = request.method() == Method::OPTIONS;
    let mut response = next.run(request).await;
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        let mut insert = |name: HeaderName, value: &'static str| {
            headers.insert(name, HeaderValue::from_static(value));
        };
        insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        insert(header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
        insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
        if is_preflight {
            insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
        }
        if trusted.holds(&origin) {
            insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
}
