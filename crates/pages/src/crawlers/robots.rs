//! `robots.txt`: the pages that crawlers read (RFC 9309).

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};

use http_service::{AppState, error::ApiError};

/// `GET` of the rules. Crawlers read every page, but no combination of filters, no further pages of
/// lists and no pages in frames: the sitemap has all records.
pub(crate) async fn robots(State(state): State<AppState>) -> Response {
    let site = &state.site;
    if site.has_pages_elsewhere() {
        return ApiError::NoRoute.into_response();
    }
    let (root, path) = (site.root(), site.path());
    let rules = format!(
        "User-agent: *\n\
         Disallow: {path}/*?*&\n\
         Disallow: {path}/*?*page=\n\
         Disallow: {path}/embed/\n\
         Disallow: {path}/*/embed/\n\
         \n\
         Sitemap: {root}/sitemap.xml\n"
    );
    let content_type = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    (content_type, rules).into_response()
}
