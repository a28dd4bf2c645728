//! Which pages of other sites may use the interface from a browser: all, though only those of sites
//! that the configuration trusts may do so with the credentials that the browser keeps. Others send a
//! token of their own.

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};

use crate::origins::TrustedOrigins;

const METHODS: &str = "OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE";

/// What such a page may send beside what every page may.
const REQUEST_HEADERS: &str = "Authorization, Content-Type, If-Match, If-None-Match, \
    If-Unmodified-Since, Idempotency-Key, X-HTTP-Method-Override, X-WP-Nonce, Content-Disposition, Prefer";

/// What such a page may read beside what every page may.
const RESPONSE_HEADERS: &str = "X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, \
    ETag, Last-Modified, Location, Retry-After, X-Request-Id, \
    Preference-Applied";

/// For how many seconds a browser need not ask again; none remembers it for longer.
const MAX_AGE: &str = "86400";

/// Tells browsers what a page of another site may do. A browser that asks beforehand is answered like
/// anybody who sends `OPTIONS`.
pub(crate) async fn share(
    State(trusted): State<TrustedOrigins>,
    request: Request,
    next: Next,
) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let asks_beforehand = request.method() == Method::OPTIONS;
    let mut response = next.run(request).await;
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        let mut tell = |name: HeaderName, value: &'static str| {
            headers.insert(name, HeaderValue::from_static(value));
        };
        tell(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        tell(header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
        tell(header::ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
        if asks_beforehand {
            tell(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
        }
        if trusted.holds(&origin) {
            tell(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
}
