//! JSON responses.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

/// The content type.
pub const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");

/// A value as a JSON response.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        response(serde_json::to_vec(&self.0))
    }
}

/// A response of serialized JSON.
pub fn response(written: serde_json::Result<Vec<u8>>) -> Response {
    match written {
        Ok(body) => ([(header::CONTENT_TYPE, JSON)], body).into_response(),
        Err(error) => {
            tracing::error!(cause = %error, "cannot serialize a response");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
