//! Protects the credentials that browsers store and send by themselves.
//!
//! The layer replaces the challenge for browsers, and marks requests that a page of another site
//! may have sent without a preflight. It refuses nothing itself:
//! [`Auth`](crate::extract::auth::Auth) refuses marked requests with credentials that browsers send by
//! themselves.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};

use crate::origins::{CrossSite, SiteOrigins};

/// The prefix of headers that browsers send and no page can set.
const FETCH: &str = "sec-fetch-";

/// The challenge for browsers, which do not store Bearer tokens.
const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"calendar\"");

/// Whether a page may send a body of this type without a preflight (Fetch, 2.2.2).
fn needs_no_preflight(headers: &HeaderMap) -> bool {
    const KINDS: [&str; 4] = [
        "",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/plain",
    ];
    let mut sent = headers.get_all(header::CONTENT_TYPE).iter().peekable();
    let is_simple = |value: &HeaderValue| {
        let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        let essence = text.split([';', ',']).next().unwrap_or_default().trim();
        KINDS.contains(&essence)
    };
    sent.peek().is_none() || sent.any(is_simple)
}

/// Marks requests as [`CrossSite`], and offers browsers no Basic authentication.
pub(crate) async fn mark_cross_site(
    State(origins): State<SiteOrigins>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let is_browser = headers.keys().any(|name| name.as_str().starts_with(FETCH));
    if request.method() == Method::POST
        && origins.is_from_elsewhere(headers)
        && needs_no_preflight(headers)
    {
        request.extensions_mut().insert(CrossSite);
    }
    let mut response = next.run(request).await;
    if is_browser && response.headers().contains_key(header::WWW_AUTHENTICATE) {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, CHALLENGE);
    }
    response
}
