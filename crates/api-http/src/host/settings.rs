//! The settings of the site in the form of the host.

use app::{AppError, input::Input};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{
    error::ApiError,
    extract::{auth::Auth, params::Params},
    response::json::Json,
    state::AppState,
};

/// `GET` of the settings.
pub(crate) async fn settings(
    State(state): State<AppState>,
    Auth(caller): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let mut input = Input::new(&params.fields);
    input.language();
    input.finish_strict(None).map_err(AppError::from)?;
    state.calendar.authorize_settings(caller)?;
    let site = &params.site;
    Ok(Json(json!({
        "title": site.title(),
        "url": site.root(),
        "timezone": site.zone.name(),
        "language": site.language.code(),
    }))
    .into_response())
}
