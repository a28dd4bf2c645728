//! Idempotent creations: the header `Idempotency-Key`, and the response to a creation, which can be stored and replayed.

use app::{
    AppError,
    calendar::{IdempotencyKey, Idempotent},
    ports::StoreError,
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use domain::Language;
use forms::Fields;
use http_service::{error::ApiError, response::JSON};
use serde::Serialize;
use serde_json::json;

const NAME: HeaderName = HeaderName::from_static("idempotency-key");

/// The longest key, in bytes.
const MAX_BYTES: usize = 255;

/// The key of a request, if one was sent, and the route to which it belongs.
pub(crate) struct IdempotencyHeader {
    key: Option<String>,
    route: String,
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
            route: format!("{} {}", parts.method, parts.uri.path()),
        })
    }
}

impl IdempotencyHeader {
    /// The key with the fields that it identifies; `None` if no key was sent.
    pub(crate) fn of_fields(&self, fields: &Fields) -> Option<IdempotencyKey> {
        let Fields {
            body,
            query,
            language,
            repeated,
            size: _,
            strict: _,
            by_slugs: _,
            digits: _,
            image_file,
            faults: _,
        } = fields;
        let file = image_file.as_ref().map(|file| {
            let content = blake3::hash(&file.content).to_hex();
            json!([file.file_name, content.as_str()])
        });
        let language = language.map(Language::code);
        let repeated = [&repeated.body, &repeated.query];
        self.of(|| {
            let mut content = json!([body, query, language, repeated]);
            if let (Some(file), Some(content)) = (file, content.as_array_mut()) {
                content.push(file);
            }
            // The order of fields makes no difference; the order of list elements does.
            content.sort_all_objects();
            content.to_string().into_bytes()
        })
    }

    /// The key with any other content that it identifies; `None` if no key was sent.
    pub(crate) fn of(&self, content: impl FnOnce() -> Vec<u8>) -> Option<IdempotencyKey> {
        let key = self.key.as_deref()?;
        Some(IdempotencyKey::new(&self.route, key, content()))
    }
}

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
