//! The page for a path without route, if the client is a browser.

use axum::{
    extract::Request,
    http::{HeaderMap, Method, header},
    response::Response,
};
use domain::Language;

use super::request::PageRequest;
use crate::{
    header_values::quality,
    site::{self, NAMESPACE},
    state::AppState,
};

/// A request that gets a page instead of a JSON error if its path has no route: a `GET` or `HEAD`
/// outside of the interface that prefers HTML.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrowserRequest {
    /// The language at the beginning of the path.
    pub(crate) language: Option<Language>,
}

impl BrowserRequest {
    /// Recognises a request of a browser.
    pub(crate) fn of(request: &Request) -> Option<Self> {
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        if !reads || !prefers_html(request.headers()) {
            return None;
        }
        // Paths below the root of a base path belong to the interface, too.
        if request.uri().path().starts_with(site::HOST_ROOT) {
            return None;
        }
        let path = request.uri().path().trim_start_matches('/');
        let below = path.strip_prefix(NAMESPACE);
        if below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            return None;
        }
        let first = path.split('/').next().unwrap_or_default();
        let language = first.to_ascii_lowercase().parse().ok();
        Some(Self { language })
    }
}

/// Whether a client accepts HTML explicitly and prefers it to JSON.
fn prefers_html(headers: &HeaderMap) -> bool {
    let quality = |name| quality(headers, &header::ACCEPT, &[name]).unwrap_or(0);
    let html = quality("text/html");
    html > quality("application/json").max(quality("application/problem+json"))
}

/// The page of a 404.
pub(crate) fn not_found_page(state: &AppState, language: Language) -> Response {
    PageRequest::unrouted(state, language).not_found_page()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn a_browser_is_known_by_what_it_prefers() {
        const CHROME: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        for (path, accept, language) in [
            ("/nowhere", CHROME, Some(None)),
            ("/fr/nowhere", CHROME, Some(Some(Language::French))),
            ("/fr", "text/html", Some(Some(Language::French))),
            ("/nowhere", "application/json;q=0.5, text/html", Some(None)),
            ("/cal/events/v10", "text/html", Some(None)),
            ("/cal/events/v1", CHROME, None),
            ("/cal/events/v1/nowhere", CHROME, None),
            (site::HOST_NOWHERE, CHROME, None),
            ("/nowhere", "*/*", None),
            ("/nowhere", "application/json, text/html", None),
            ("/nowhere", "text/html;q=0", None),
        ] {
            let request = Request::get(path).header(header::ACCEPT, accept);
            let found = BrowserRequest::of(&request.body(Body::empty()).unwrap());
            assert_eq!(
                found.map(|found| found.language),
                language,
                "{path} {accept}"
            );
        }
        let posts = Request::post("/nowhere").header(header::ACCEPT, CHROME);
        assert!(BrowserRequest::of(&posts.body(Body::empty()).unwrap()).is_none());
    }
}
