//! Requests of browsers for paths without route.

use axum::{
    extract::Request,
    http::{HeaderMap, Method, header},
};
use domain::Language;

use crate::{
    endpoint::NotFoundPage,
    header_values::quality,
    site::{self, NAMESPACE},
};

/// A request that gets a page instead of a JSON error if its path has no route: a `GET` or `HEAD`
/// outside of the interface that prefers HTML.
#[derive(Clone, Copy, Debug)]
pub(super) struct BrowserRequest {
    /// The language at the beginning of the path.
    pub(super) language: Option<Language>,
    /// Makes the page.
    pub(super) page: NotFoundPage,
}

impl BrowserRequest {
    /// Recognises a request of a browser.
    pub(super) fn of(request: &Request, page: NotFoundPage) -> Option<Self> {
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
        Some(Self { language, page })
    }
}

/// Whether a client accepts HTML explicitly and prefers it to JSON.
fn prefers_html(headers: &HeaderMap) -> bool {
    let quality = |name| quality(headers, &header::ACCEPT, &[name]).unwrap_or(0);
    let html = quality("text/html");
    html > quality("application/json").max(quality("application/problem+json"))
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, response::Response};

    use super::*;

    fn of(request: &Request) -> Option<BrowserRequest> {
        BrowserRequest::of(request, |_, _| Response::default())
    }

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
            let found = of(&request.body(Body::empty()).unwrap());
            assert_eq!(
                found.map(|found| found.language),
                language,
                "{path} {accept}"
            );
        }
        let posts = Request::post("/nowhere").header(header::ACCEPT, CHROME);
        assert!(of(&posts.body(Body::empty()).unwrap()).is_none());
    }
}
