//! Headers of every response. Called by [`respond`](super::respond).

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
};

use crate::{
    cache::{PublicCaching, REVALIDATED},
    extract::{is_signed_in, preference::PREFER},
    response::is_error,
};

const PRIVATE: &str = "no-cache, must-revalidate, max-age=0, no-store, private";

/// The privacy of a response: whether it is for its client alone.
pub(super) struct Privacy {
    /// Whether the request is signed in, or has a password.
    is_private: bool,
    has_preference: bool,
}

impl Privacy {
    pub(super) fn of(request: &Request) -> Self {
        let headers = request.headers();
        let has_password = |query: &str| {
            form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name.starts_with("password"))
        };
        Self {
            is_private: is_signed_in(request) || request.uri().query().is_some_and(has_password),
            has_preference: headers.contains_key(PREFER),
        }
    }
}

/// The facts on which a response depends, besides the facts on which every response does.
#[derive(Clone, Copy)]
pub(super) struct Varies {
    /// The response is one of the interface, and depends on `Prefer`.
    pub(super) is_interface: bool,
    /// It depends on `Accept-Language`.
    pub(super) is_by_language: bool,
    /// It exists in several formats, of which `Accept` may choose one.
    pub(super) is_negotiated: bool,
}

/// Adds the headers of every response: no type sniffing, no indexing, caching and `Vary`. `status`
/// is that of the handler, which an envelope may hide. Returns whether the response may be shared
/// by all clients.
pub(super) fn add(
    headers: &mut HeaderMap,
    status: StatusCode,
    privacy: &Privacy,
    is_page: bool,
    varies: Varies,
    caching: &PublicCaching,
) -> bool {
    const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
    let is_error = is_error(status);
    let says_more =
        headers.contains_key(header::CACHE_CONTROL) || headers.contains_key(header::VARY);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if !is_page {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        let caching = match (privacy.is_private, is_error) {
            (true, _) => HeaderValue::from_static(PRIVATE),
            (false, true) => HeaderValue::from_static(REVALIDATED),
            (false, false) => caching.0.clone(),
        };
        headers.insert(header::CACHE_CONTROL, caching);
    }
    vary(headers, is_error, varies);
    !privacy.is_private && !is_error && !says_more && !privacy.has_preference
}

/// Extends `Vary` by the headers on which every response depends; those of the interface depend on
/// `Prefer`, errors on `Accept`, the home page on `Accept-Language`.
fn vary(headers: &mut HeaderMap, is_error: bool, varies: Varies) {
    let mut names = vec!["Origin, Authorization, Accept-Encoding"];
    names.extend(varies.is_interface.then_some("Prefer"));
    names.extend((is_error || varies.is_negotiated).then_some("Accept"));
    names.extend(varies.is_by_language.then_some("Accept-Language"));
    let own = headers.get_all(header::VARY).iter();
    names.extend(own.filter_map(|value| value.to_str().ok()));
    if let Ok(names) = HeaderValue::try_from(names.join(", ")) {
        headers.insert(header::VARY, names);
    }
}
