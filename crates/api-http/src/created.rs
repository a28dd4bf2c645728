//! The response to a creation.

use app::{AppError, calendar::Idempotent, ports::StoreError};
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use http_service::{error::ApiError, response::JSON};
use serde::Serialize;
use serde_json::json;

/// The response to a creation, which can be stored and replayed.
pub(crate) struct Created {
    location: String,
    /// JSON.
    body: String,
}

impl Created {
    /// The response for a record at `location`.
    pub(crate) fn new(location: String, record: &impl Serialize) -> Self {
        let body = serde_json::to_string(record).unwrap_or_else(|error| {
            tracing::error!(cause = %error, "cannot serialize a response");
            "null".to_owned()
        });
        Self { location, body }
    }

    /// The stored form.
    pub(crate) fn to_stored(&self) -> String {
        json!([self.location, self.body]).to_string()
    }

    /// The response to an idempotent creation: the stored one if the key was used before.
    ///
    /// # Errors
    ///
    /// If the stored response cannot be parsed.
    pub(crate) fn of_once<T>(
        once: Idempotent<T>,
        respond: impl FnOnce(&T) -> Self,
    ) -> Result<Self, ApiError> {
        match once {
            Idempotent::Executed(output) => Ok(respond(&output)),
            Idempotent::Replayed(stored) => match serde_json::from_str(&stored) {
                Ok((location, body)) => Ok(Self { location, body }),
                Err(error) => {
                    let broken = format!("a stored answer cannot be read: {error}");
                    Err(AppError::from(StoreError::Internal(broken)).into())
                }
            },
        }
    }
}

impl IntoResponse for Created {
    fn into_response(self) -> Response {
        let Self { location, body } = self;
        let headers = [(header::CONTENT_TYPE, JSON)];
        let location = [(header::LOCATION, location)];
        (StatusCode::CREATED, headers, location, body).into_response()
    }
}
