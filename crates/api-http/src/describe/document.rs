//! The description of the interface, for programs.

use std::sync::OnceLock;

use app::{AppError, input::Input};
use axum::{
    body::Bytes,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};

use super::openapi;
use crate::{auth::Auth, error::ApiError, params::Params, state::AppState, urls::Site};

/// The document, which is made when it is first asked for and never changes.
#[derive(Debug, Default)]
pub(crate) struct Document {
    json: OnceLock<Bytes>,
}

impl Document {
    fn json(&self, site: &Site) -> Bytes {
        let made = self
            .json
            .get_or_init(|| openapi::document(site).to_string().into());
        made.clone()
    }
}

/// `GET` of the document.
pub(crate) async fn document(
    State(state): State<AppState>,
    Auth(_): Auth,
    params: Params,
) -> Result<Response, ApiError> {
    let mut input = Input::new(&params.fields);
    input.language();
    input.finish().map_err(AppError::from)?;
    let content_type = [(header::CONTENT_TYPE, "application/json; charset=UTF-8")];
    Ok((content_type, state.document.json(&state.site)).into_response())
}
