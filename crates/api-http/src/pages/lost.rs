//! A path that leads nowhere, asked for in a browser.

use axum::{
    extract::Request,
    http::{HeaderMap, Method, header},
    response::Response,
};
use domain::Language;

use super::visit::Visit;
use crate::{NAMESPACE, response::quality::quality, site, state::AppState};

/// A request that is answered with a page if its path leads nowhere: it reads, outside of the interface, and prefers
/// HTML.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Browsing {
    /// The language that the path begins with.
    pub(crate) language: Option<Language>,
}

impl Browsing {
    /// The request as one of a browser, if it is one.
    pub(crate) fn of(request: &Request) -> Option<Self> {
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        if !reads || !prefers_html(request.headers()) {
            return None;
        }
        // Paths below a root belong to the interface, too.
        if request.uri().path().starts_with(site::HOST_ROOT) {
            return None;
        }
        let path = request.uri().path().trim_start_matches('/');
        let below = path.strip_prefix(NAMESPACE);
        if below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            return None;
        }
        let first = path.split('/').next().unwrap_or_default();
        let language = Language::from_code(&first.to_ascii_lowercase());
        Some(Self { language })
    }
}

/// Whether a client names HTML, and likes JSON less.
fn prefers_html(headers: &HeaderMap) -> bool {
    let quality = |name| quality(headers, &header::ACCEPT, &[name]).unwrap_or(0);
    let html = quality("text/html");
    html > quality("application/json").max(quality("application/problem+json"))
}

/// The page that says that there is nothing.
pub(crate) fn nothing_here(state: &AppState, language: Language) -> Response {
    Visit::lost(state, language).nothing_here()
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
            let found = Browsing::of(&request.body(Body::empty()).unwrap());
            assert_eq!(
                found.map(|found| found.language),
                language,
                "{path} {accept}"
            );
        }
        let posts = Request::post("/nowhere").header(header::ACCEPT, CHROME);
        assert!(Browsing::of(&posts.body(Body::empty()).unwrap()).is_none());
    }
}
