//! The discovery object of a base path.

use axum::response::{IntoResponse, Response};
use domain::time::Timestamp;
use http_service::{
    error::ApiError,
    response::Json,
    site::{HOST_NAMESPACE, Site, announcement},
};
use serde_json::{Value, json};

use super::operations;
use crate::{describe::index::Namespace, extract::RequestContext};

/// `GET` of the root of a base path: the site and its routes.
pub(crate) async fn discovery(context: RequestContext) -> Result<Response, ApiError> {
    // The value of `context` makes no difference.
    context.expect_no_fields(&["context"])?;
    let site = &context.site;
    let now = context.now;
    let mut namespaces = Vec::new();
    let mut routes = serde_json::Map::new();
    routes.insert("/".to_owned(), operations::root(site, now));
    for base_path in context.state.base_paths.beside(site.base_path()) {
        namespaces.push(json!(*base_path.namespace));
        routes.extend(Namespace::of_calendar(&site.under(base_path), now).routes());
    }
    namespaces.push(json!(HOST_NAMESPACE));
    routes.extend(operations::namespace(site, now).routes());
    let body = json!({
        "name": site.title(),
        "description": "",
        "url": site.root(),
        "home": site.root(),
        "gmt_offset": offset_hours(site, now),
        "timezone_string": site.zone.name(),
        "namespaces": namespaces,
        "authentication": {},
        "routes": routes,
    });
    Ok((announcement(site), Json(body)).into_response())
}

/// The UTC offset of the site, in hours.
fn offset_hours(site: &Site, now: Timestamp) -> Value {
    let ahead = site.zone.at(now).local - now.civil();
    let minutes = i32::try_from(ahead.num_minutes()).unwrap_or_default();
    if minutes % 60 == 0 {
        json!(minutes / 60)
    } else {
        json!(f64::from(minutes) / 60.0)
    }
}
