//! Headers that every answer carries.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

use crate::{
    cache::control::{PublicCaching, REVALIDATED},
    extract::preference::PREFER,
    response::{ByPreference, ForSearch, Shared, envelope::Enveloped},
};

const PRIVATE: &str = "no-cache, must-revalidate, max-age=0, no-store, private";

/// Adds what every answer carries: nobody guesses its type, no search engine lists it, and caches know
/// whether and how long they may keep it, and for which requests.
pub(crate) async fn add(
    State(caching): State<PublicCaching>,
    request: Request,
    next: Next,
) -> Response {
    const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
    let is_private = is_private(&request);
    let has_preference = request.headers().contains_key(PREFER);
    let mut response = next.run(request).await;
    let within = response.extensions().get::<Enveloped>();
    let status = within.map_or(response.status(), |Enveloped(status)| *status);
    let is_error = status.is_client_error() || status.is_server_error();
    let is_for_search = response.extensions_mut().remove::<ForSearch>().is_some();
    let by_preference = response.extensions_mut().remove::<ByPreference>().is_some();
    let headers = response.headers_mut();
    let says_more =
        headers.contains_key(header::CACHE_CONTROL) || headers.contains_key(header::VARY);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if !is_for_search {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        let caching = match (is_private, is_error) {
            (true, _) => HeaderValue::from_static(PRIVATE),
            (false, true) => HeaderValue::from_static(REVALIDATED),
            (false, false) => caching.0,
        };
        headers.insert(header::CACHE_CONTROL, caching);
    }
    vary(headers, is_error, by_preference);
    if !is_private && !is_error && !says_more && !has_preference {
        response.extensions_mut().insert(Shared);
    }
    response
}

/// Whether what is asked for is not for everybody: who asks says who he is, or a password.
fn is_private(request: &Request) -> bool {
    request.headers().contains_key(header::AUTHORIZATION)
        || request.uri().query().is_some_and(|query| {
            form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name.starts_with("password"))
        })
}

/// Names what answers depend on: the page that asks, who asks, what is understood; errors also their
/// dialect, and those of the interface what the client prefers.
fn vary(headers: &mut HeaderMap, is_error: bool, by_preference: bool) {
    let told: Vec<_> = headers
        .get_all(header::VARY)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .map(str::to_owned)
        .collect();
    let mut names = "Origin, Authorization, Accept-Encoding".to_owned();
    if by_preference {
        names.push_str(", Prefer");
    }
    if is_error {
        names.push_str(", Accept");
    }
    for name in told {
        names.push_str(", ");
        names.push_str(&name);
    }
    if let Ok(names) = HeaderValue::try_from(names) {
        headers.insert(header::VARY, names);
    }
}
