//! The settings of the site in the form of the host.

use axum::response::{IntoResponse, Response};
use http_service::{error::ApiError, response::Json};
use serde_json::json;

use crate::extract::RequestContext;

/// `GET` of the settings.
pub(crate) async fn settings(context: RequestContext) -> Result<Response, ApiError> {
    context.expect_no_fields(&[])?;
    context.state.calendar.authorize_settings(context.caller)?;
    let site = &context.site;
    Ok(Json(json!({
        "title": site.title(),
        "url": site.root(),
        "timezone": site.zone.name(),
        "language": site.language.code(),
    }))
    .into_response())
}
