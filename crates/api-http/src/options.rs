//! `OPTIONS`: what a path offers, told in words.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, Request},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{
    describe,
    error::ApiError,
    extract::auth::Auth,
    host,
    middleware::allow::{self, AllowedMethods},
    response::json::Json,
    site::base_path::BasePath,
    state::AppState,
};

/// ResponseCache `OPTIONS` of a path.
pub(crate) async fn answer(
    path: &str,
    offer: &AllowedMethods,
    state: &AppState,
    request: Request,
) -> Result<Response, ApiError> {
    let (mut parts, _) = request.into_parts();
    let segment = allow::segment(&mut parts).await;
    if segment.is_some_and(|segment| !offer.knows(&segment)) {
        return Ok(nothing());
    }
    Auth::from_request_parts(&mut parts, state).await?;
    let base_path = parts.extensions.get::<Arc<BasePath>>().cloned();
    let site = state.site.at(base_path.unwrap_or_default(), None);
    let now = state.calendar.now();
    // Beside the namespace and what the host has there is nothing to describe.
    let described = describe::index::route(path, &site, now);
    let described = described.or_else(|| host::route(path, &site, now));
    Ok(described.map_or_else(nothing, |described| Json(described).into_response()))
}

/// What is said of a path that nothing is served under.
pub(crate) fn nothing() -> Response {
    Json(json!([])).into_response()
}
