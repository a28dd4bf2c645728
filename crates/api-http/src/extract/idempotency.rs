//! `Idempotency-Key`: a creation that is done once, however often it is sent.

use app::{
    AppError,
    calendar::{IdempotencyKey, Idempotent},
    input::Fields,
    ports::StoreError,
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::Language;
use serde::Serialize;
use serde_json::json;

use crate::{error::ApiError, response::json::JSON};

const NAME: HeaderName = HeaderName::from_static("idempotency-key");

/// Longest key, in bytes.
const MAX_BYTES: usize = 255;

/// The key that a request brings, if it does, and what it is for.
pub(crate) struct IdempotencyHeader {
    key: Option<String>,
    place: String,
}

impl<S: Sync> FromRequestParts<S> for IdempotencyHeader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let sent = parts.headers.get(NAME).map(HeaderValue::as_bytes);
        let is_sane = |key: &[u8]| {
            (1..=MAX_BYTES).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic)
        };
        if sent.is_some_and(|key| !is_sane(key)) {
            return Err(ApiError::BadIdempotencyKey);
        }
        Ok(Self {
            key: sent.map(|key| String::from_utf8_lossy(key).into_owned()),
            place: format!("{} {}", parts.method, parts.uri.path()),
        })
    }
}

impl IdempotencyHeader {
    /// The key with the fields that it stands for; none if none was sent.
    pub(crate) fn of_fields(&self, fields: &Fields) -> Option<IdempotencyKey> {
        let Fields {
            body,
            query,
            language,
            repeated,
            size: _,
            strict: _,
        } = fields;
        let language = language.map(Language::code);
        let repeated = [&repeated.body, &repeated.query];
        self.of(|| {
            let mut asked = json!([body, query, language, repeated]);
            // Fields are the same in whatever order they come; values of a list are not.
            asked.sort_all_objects();
            asked.to_string().into_bytes()
        })
    }

    /// The same for any other form of what is asked.
    pub(crate) fn of(&self, asked: impl FnOnce() -> Vec<u8>) -> Option<IdempotencyKey> {
        let key = self.key.as_deref()?;
        Some(IdempotencyKey::new(&self.place, key, asked()))
    }
}

/// The answer to a creation, which can be kept and given again.
pub(crate) struct Created {
    location: String,
    /// JSON.
    body: String,
}

impl Created {
    /// Of a record that now is at an address.
    pub(crate) fn new(location: String, record: &impl Serialize) -> Self {
        let body = serde_json::to_string(record).unwrap_or_else(|error| {
            tracing::error!(cause = %error, "an answer could not be written");
            "null".to_owned()
        });
        Self { location, body }
    }

    /// As it is kept.
    pub(crate) fn to_kept(&self) -> String {
        json!([self.location, self.body]).to_string()
    }

    /// The answer to a creation that is done once: the first one again if it was done before.
    ///
    /// # Errors
    ///
    /// If what was kept is no answer.
    pub(crate) fn of_once<T>(
        once: Idempotent<T>,
        answer: impl FnOnce(&T) -> Self,
    ) -> Result<Self, ApiError> {
        match once {
            Idempotent::Executed(output) => Ok(answer(&output)),
            Idempotent::Replayed(kept) => match serde_json::from_str(&kept) {
                Ok((location, body)) => Ok(Self { location, body }),
                Err(error) => {
                    let broken = format!("a kept answer cannot be read: {error}");
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
