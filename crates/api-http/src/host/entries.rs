//! Events, venues and organizers in the form of the host, as clients read their names, addresses and states.

use axum::response::{IntoResponse, Response};
use domain::{Kind, text::escape_markup};
use http_service::{error::ApiError, response::Json, site::Site};
use serde_json::{Value, json};

use super::list::list as list_at;
use crate::{
    extract::{RecordPath, RequestContext},
    record::Extent,
    resources::{RestResource, records},
};

/// An entry in the form of the host.
fn record<R: RestResource>(view: &R::View, site: &Site) -> Value {
    // The record of the calendar is the one place that says what a caller may see of an entry.
    let entry = serde_json::to_value(R::record(view, site, Extent::Record)).unwrap_or_default();
    let title = match R::KIND {
        Kind::Event => "title",
        kind => kind.name(),
    };
    let time = |name: &str| {
        let text = entry[name].as_str().unwrap_or_default();
        text.replacen(' ', "T", 1)
    };
    json!({
        "id": entry["id"],
        "date": time("date"),
        "date_gmt": time("date_utc"),
        "modified": time("modified"),
        "modified_gmt": time("modified_utc"),
        "slug": entry["slug"].as_str().unwrap_or_default(),
        "status": entry["status"],
        "link": entry["url"],
        "title": { "rendered": escape_markup(entry[title].as_str().unwrap_or_default()) },
    })
}

/// `GET` of a list.
pub(crate) async fn list<R: RestResource>(context: RequestContext) -> Result<Response, ApiError> {
    list_at::<R>(context, record::<R>).await
}

/// `GET` of an entry.
pub(crate) async fn get<R: RestResource>(
    RecordPath(key): RecordPath<R>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let respond = |view: &R::View| Json(record::<R>(view, &context.site)).into_response();
    records::read(&context, key, respond).await
}
