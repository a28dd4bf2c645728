//! `OPTIONS`: the description of a path.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, Request},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{
    endpoint::Describe,
    error::ApiError,
    extract::{Auth, key},
    middleware::allow::AllowedMethods,
    response::Json,
    site::BasePath,
    state::AppState,
};

/// Answers `OPTIONS` of a path.
pub(crate) async fn response(
    path: &str,
    allowed: &AllowedMethods,
    describe: &[Describe],
    state: &AppState,
    request: Request,
) -> Result<Response, ApiError> {
    let (mut parts, _) = request.into_parts();
    let segments = key::segments(&mut parts).await;
    if !allowed.knows(&segments) {
        return Ok(nothing());
    }
    Auth::from_request_parts(&mut parts, state).await?;
    let base_path = parts.extensions.get::<Arc<BasePath>>().cloned();
    let site = state.site.at(base_path.unwrap_or_default(), None);
    let now = state.calendar.now();
    let described = describe.iter().find_map(|one| one(path, &site, now));
    Ok(described.map_or_else(nothing, |described| Json(described).into_response()))
}

/// The description of a path without routes.
pub(crate) fn nothing() -> Response {
    Json(json!([])).into_response()
}
