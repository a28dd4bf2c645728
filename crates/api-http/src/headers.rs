//! Headers that every answer carries.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// Marks an answer that search engines may list, in its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForSearch;

/// Adds what every answer carries: nobody guesses its type, no search engine lists it, and caches ask
/// again, if they may keep it at all.
pub(crate) async fn add(request: Request, next: Next) -> Response {
    const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
    let is_private = request.headers().contains_key(header::AUTHORIZATION)
        || request.uri().query().is_some_and(|query| {
            form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "password")
        });
    let mut response = next.run(request).await;
    let is_for_search = response.extensions_mut().remove::<ForSearch>().is_some();
    let headers = response.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if !is_for_search {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    if headers.contains_key(header::CACHE_CONTROL) {
        return response;
    }
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(if is_private {
            "no-cache, must-revalidate, max-age=0, no-store, private"
        } else {
            "public, max-age=0, must-revalidate"
        }),
    );
    response
}
