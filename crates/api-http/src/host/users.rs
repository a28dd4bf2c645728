//! The caller in the form of the host.

use axum::response::{IntoResponse, Response};
use domain::{
    Kind,
    policy::{Caller, Capability, Collection},
    slug::Slug,
};
use http_service::{error::ApiError, response::Json};
use serde_json::{Map, Value, json};

use crate::extract::RequestContext;

/// The names of capabilities in the form of the host, each with its collection; rights beyond all collections have none.
const CAPABILITIES: [(&str, Option<Collection>, Capability); 14] = {
    use Capability::{EditOthers, Publish, ReadSettings, Upload, Write};
    const EVENTS: Option<Collection> = Some(Collection::Events);
    const VENUES: Option<Collection> = Some(Collection::Venues);
    const ORGANIZERS: Option<Collection> = Some(Collection::Organizers);
    [
        ("edit_posts", EVENTS, Write(Kind::Event)),
        ("publish_posts", EVENTS, Publish),
        ("edit_others_posts", EVENTS, EditOthers),
        ("edit_tribe_events", EVENTS, Write(Kind::Event)),
        ("publish_tribe_events", EVENTS, Publish),
        ("edit_others_tribe_events", EVENTS, EditOthers),
        ("edit_tribe_venues", VENUES, Write(Kind::Venue)),
        ("publish_tribe_venues", VENUES, Publish),
        ("edit_others_tribe_venues", VENUES, EditOthers),
        ("edit_tribe_organizers", ORGANIZERS, Write(Kind::Organizer)),
        ("publish_tribe_organizers", ORGANIZERS, Publish),
        ("edit_others_tribe_organizers", ORGANIZERS, EditOthers),
        ("upload_files", Some(Collection::Images), Upload),
        ("manage_options", None, ReadSettings),
    ]
};

/// `GET` of the caller.
pub(crate) async fn me(context: RequestContext) -> Result<Response, ApiError> {
    context.expect_no_fields(&[])?;
    let user = context.state.accounts.me(context.caller).await?;
    let user = user.ok_or(ApiError::NotLoggedIn)?;
    let slug = Slug::normalize(user.name.as_str());
    Ok(Json(json!({
        "id": user.id.get(),
        "name": user.name.as_str(),
        "url": "",
        "link": context.site.host("/users/me"),
        "slug": slug.as_ref().map_or("", Slug::as_str),
        "capabilities": capabilities(context.caller),
    }))
    .into_response())
}

/// The capabilities of a caller, by name.
fn capabilities(caller: Caller) -> Map<String, Value> {
    let held = CAPABILITIES.into_iter().filter(|(_, collection, one)| {
        collection.map_or_else(|| caller.can(*one), |within| caller.can_in(within, *one))
    });
    let names = held.map(|(name, ..)| name).chain(["read"]);
    names.map(|name| (name.to_owned(), json!(true))).collect()
}
