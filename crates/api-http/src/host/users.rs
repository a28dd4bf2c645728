//! The caller in the form of the host.

use axum::response::{IntoResponse, Response};
use domain::{
    Kind,
    policy::{Caller, Capability},
    slug::Slug,
};
use http_service::{error::ApiError, response::Json};
use serde_json::{Map, Value, json};

use crate::extract::RequestContext;

/// The names of capabilities in the form of the host.
const CAPABILITIES: [(&str, Capability); 14] = [
    ("edit_posts", Capability::Write(Kind::Event)),
    ("publish_posts", Capability::Publish),
    ("edit_others_posts", Capability::EditOthers),
    ("edit_tribe_events", Capability::Write(Kind::Event)),
    ("publish_tribe_events", Capability::Publish),
    ("edit_others_tribe_events", Capability::EditOthers),
    ("edit_tribe_venues", Capability::Write(Kind::Venue)),
    ("publish_tribe_venues", Capability::Publish),
    ("edit_others_tribe_venues", Capability::EditOthers),
    ("edit_tribe_organizers", Capability::Write(Kind::Organizer)),
    ("publish_tribe_organizers", Capability::Publish),
    ("edit_others_tribe_organizers", Capability::EditOthers),
    ("upload_files", Capability::Upload),
    ("manage_options", Capability::ReadSettings),
];

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
    let held = CAPABILITIES.iter().filter(|(_, one)| caller.can(*one));
    let names = held.map(|(name, _)| *name).chain(["read"]);
    names.map(|name| (name.to_owned(), json!(true))).collect()
}
