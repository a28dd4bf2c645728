//! Events, venues and organizers in the form of the host, as clients read their names, addresses and states.

use axum::response::{IntoResponse, Response};
use domain::{Event, Organizer, Venue, text::escape_markup};
use serde_json::{Value, json};

use super::list::list as list_at;
use crate::{
    error::ApiError,
    extract::{RecordPath, RequestContext},
    record::Extent,
    resources::{RestResource, records},
    response::Json,
    site::Site,
};

/// A kind of entry that the host serves.
pub(crate) trait HostEntry: RestResource {
    /// The path of its list, below the namespace.
    const PATH: &'static str;

    /// The field of its record with the title or name.
    const TITLE: &'static str;

    /// Defaults of its list that differ from the calendar's: the host lists events of all dates, and a series once.
    fn defaults() -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

impl HostEntry for Event {
    const PATH: &'static str = "/tribe_events";
    const TITLE: &'static str = "title";

    fn defaults() -> Vec<(&'static str, Value)> {
        vec![
            ("start_date", json!("0001-01-01")),
            ("end_date", json!("9999-12-31")),
            ("expand", json!(false)),
            ("orderby", json!("date")),
            ("order", json!("desc")),
        ]
    }
}

impl HostEntry for Venue {
    const PATH: &'static str = "/tribe_venue";
    const TITLE: &'static str = "venue";
}

impl HostEntry for Organizer {
    const PATH: &'static str = "/tribe_organizer";
    const TITLE: &'static str = "organizer";
}

/// An entry in the form of the host.
fn record<R: HostEntry>(view: &R::View, site: &Site) -> Value {
    // The record of the calendar is the one place that says what a caller may see of an entry.
    let entry = serde_json::to_value(R::record(view, site, Extent::Record)).unwrap_or_default();
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
        "title": { "rendered": escape_markup(entry[R::TITLE].as_str().unwrap_or_default()) },
    })
}

/// `GET` of a list.
pub(crate) async fn list<R: HostEntry>(context: RequestContext) -> Result<Response, ApiError> {
    list_at::<R>(context, R::PATH, &R::defaults(), record::<R>).await
}

/// `GET` of an entry.
pub(crate) async fn get<R: HostEntry>(
    RecordPath(key): RecordPath<R>,
    context: RequestContext,
) -> Result<Response, ApiError> {
    let respond = |view: &R::View| Json(record::<R>(view, &context.site)).into_response();
    records::read(&context, key, respond).await
}
