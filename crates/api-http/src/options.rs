//! `OPTIONS`: what a path offers, told in words.

use axum::{
    extract::{FromRequestParts, Request},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{
    allow::{self, Offer},
    auth::Auth,
    describe,
    error::ApiError,
    json::Json,
    state::AppState,
};

/// Answers `OPTIONS` of a path.
pub(crate) async fn answer(
    path: &str,
    offer: &Offer,
    state: &AppState,
    request: Request,
) -> Result<Response, ApiError> {
    let (mut parts, _) = request.into_parts();
    let segment = allow::segment(&mut parts).await;
    if segment.is_some_and(|segment| !offer.knows(&segment)) {
        return Ok(nothing());
    }
    Auth::from_request_parts(&mut parts, state).await?;
    // Beside the namespace there is nothing to describe.
    let described = describe::index::route(path, &state.site, state.calendar.now());
    Ok(described.map_or_else(nothing, |described| Json(described).into_response()))
}

/// What is said of a path that nothing is served under.
pub(crate) fn nothing() -> Response {
    Json(json!([])).into_response()
}
