//! Credentials that a browser keeps, and sends by itself wherever a page has it send a request.
//!
//! A browser that never learns to keep a password sends none. A password that it learnt elsewhere is not
//! accepted where a page of another site may have sent the request without asking first.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};

use crate::cors::Trusted;

/// Headers that browsers send, and no page can set.
const FETCH: &str = "sec-fetch-";

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The challenge for browsers, which do not store Bearer tokens.
const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"calendar\"");

/// Marks a request that a page of another site may have had sent, without having to ask first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FromElsewhere;

/// Tells requests of this site from requests of other sites.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    own: Arc<str>,
    trusted: Trusted,
}

impl Origins {
    /// The origins of a service that is reached at `public_url`.
    pub(crate) fn new(public_url: &str, trusted: Trusted) -> Self {
        let host = public_url.find("://").map_or(0, |scheme| scheme + 3);
        let end = public_url[host..].find('/').map(|path| host + path);
        let own = &public_url[..end.unwrap_or(public_url.len())];
        Self {
            own: own.to_ascii_lowercase().into(),
            trusted,
        }
    }

    fn is_from_elsewhere(&self, headers: &HeaderMap) -> bool {
        let origin = headers.get(header::ORIGIN);
        if origin.is_some_and(|origin| self.trusted.holds(origin)) {
            return false;
        }
        let is_own =
            |origin: &HeaderValue| origin.as_bytes().eq_ignore_ascii_case(self.own.as_bytes());
        let site = headers.get(FETCH_SITE);
        origin.is_some_and(|origin| !is_own(origin))
            || site.is_some_and(|site| site.as_bytes() == b"cross-site")
    }
}

/// Whether a body is of a kind that a page may have sent without asking first (Fetch, 2.2.2).
fn is_sent_unasked(headers: &HeaderMap) -> bool {
    const KINDS: [&str; 4] = [
        "",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/plain",
    ];
    let mut sent = headers.get_all(header::CONTENT_TYPE).iter().peekable();
    let is_unasked = |value: &HeaderValue| {
        let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        let essence = text.split([';', ',']).next().unwrap_or_default().trim();
        KINDS.contains(&essence)
    };
    sent.peek().is_none() || sent.any(is_unasked)
}

/// Marks requests that may come [`FromElsewhere`]; offers browsers nothing that they would keep.
pub(crate) async fn guard(
    State(origins): State<Origins>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let is_browser = headers.keys().any(|name| name.as_str().starts_with(FETCH));
    if request.method() == Method::POST
        && origins.is_from_elsewhere(headers)
        && is_sent_unasked(headers)
    {
        request.extensions_mut().insert(FromElsewhere);
    }
    let mut response = next.run(request).await;
    if is_browser && response.headers().contains_key(header::WWW_AUTHENTICATE) {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, CHALLENGE);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_origin_is_without_path() {
        for (url, own) in [
            ("https://cal.example", "https://cal.example"),
            ("https://cal.example/", "https://cal.example"),
            (
                "http://Cal.example:8080/sub/path",
                "http://cal.example:8080",
            ),
        ] {
            assert_eq!(&*Origins::new(url, Trusted::default()).own, own);
        }
    }
}
