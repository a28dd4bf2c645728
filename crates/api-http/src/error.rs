//! Errors as clients know them.
//!
//! | error of a use case | status | code |
//! |---|---|---|
//! | missing fields | 400 | `rest_missing_callback_param` |
//! | bad fields | 400 | `rest_invalid_param` |
//! | no credentials | 401 | `rest_forbidden` |
//! | bad credentials | 401 | `incorrect_password`, `invalid_token` |
//! | no right | 403 | `rest_forbidden` |
//! | not readable | 403 | `event-not-accessible` and its like |
//! | no such record | 404 | `rest-event-not-found`, `venue-not-found`, `organizer-not-found`, `rest_term_invalid` |
//! | in the trash already | 410 | `event-is-in-trash` and its like |
//! | no such page | 404 | `event-archive-page-not-found` and its like |
//! | the store is away | 503 | `service_unavailable` |
//! | anything else | 500 | `internal_server_error` |

use app::{
    error::{AppError, CredentialKind},
    ports::StoreError,
};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::Kind;
use serde_json::{Map, Value, json};

use crate::json::Json;

/// How long a client shall wait when the store is away, in seconds.
const RETRY_AFTER_SECONDS: u64 = 5;

/// An error as it is answered.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// What `data` holds beside the status; boxed, as errors are rare and answers are not.
    extra: Box<Map<String, Value>>,
    retry_after_seconds: Option<u64>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            extra: Box::default(),
            retry_after_seconds: None,
        }
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.extra.insert(name.to_owned(), value);
        self
    }

    /// There is no such path, or it does not offer the method.
    pub(crate) fn no_route() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "rest_no_route",
            "No route was found for this path and method.",
        )
    }

    /// The body says that it is JSON, and is not.
    pub(crate) fn invalid_json(reason: &str) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "rest_invalid_json",
            "The body is not valid JSON.",
        )
        // 4 is a syntax error to the clients that look at it.
        .with("json_error_code", json!(4))
        .with("json_error_message", json!(reason))
    }

    /// The body is larger than a body may be.
    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("The body is larger than {limit} bytes.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
    }

    /// The service has more to do than it can.
    pub(crate) fn overloaded(message: &str) -> Self {
        Self {
            retry_after_seconds: Some(RETRY_AFTER_SECONDS),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "service_unavailable",
                message,
            )
        }
    }

    /// The query is longer than a query may be.
    pub(crate) fn uri_too_long(limit: usize) -> Self {
        let message = format!("The query is longer than {limit} bytes.");
        Self::new(StatusCode::URI_TOO_LONG, "uri_too_long", message)
    }

    /// The body is of a kind that is not read here.
    pub(crate) fn unsupported_media_type(message: &str) -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            message,
        )
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Self {
            status,
            code,
            message,
            mut extra,
            retry_after_seconds,
        } = self;
        let mut data = Map::from_iter([("status".to_owned(), json!(status.as_u16()))]);
        data.append(&mut extra);
        let body = json!({ "code": code, "message": message, "data": data });
        let mut response = (status, Json(body)).into_response();
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            let challenge =
                "Basic realm=\"calendar\", charset=\"UTF-8\", Bearer realm=\"calendar\"";
            headers.insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static(challenge),
            );
        }
        if let Some(seconds) = retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        use StatusCode as S;
        match error {
            AppError::Missing(fields) => {
                let message = format!("Missing parameter(s): {}", fields.join(", "));
                Self::new(S::BAD_REQUEST, "rest_missing_callback_param", message)
                    .with("params", json!(fields))
            }
            AppError::Invalid(faults) => invalid(&faults),
            AppError::Unauthenticated => Self::new(
                S::UNAUTHORIZED,
                "rest_forbidden",
                "You must log in to do that.",
            ),
            AppError::BadCredentials(CredentialKind::Basic) => Self::new(
                S::UNAUTHORIZED,
                "incorrect_password",
                "The user name or the password is wrong.",
            ),
            AppError::BadCredentials(CredentialKind::Bearer) => Self::new(
                S::UNAUTHORIZED,
                "invalid_token",
                "The token is unknown, revoked or expired.",
            ),
            AppError::TooManyAttempts {
                retry_after_seconds,
            } => Self {
                retry_after_seconds: Some(retry_after_seconds),
                ..Self::new(
                    S::TOO_MANY_REQUESTS,
                    "rate_limited",
                    "Too many failed attempts to log in.",
                )
            },
            AppError::Forbidden => Self::new(
                S::FORBIDDEN,
                "rest_forbidden",
                "You are not allowed to do that.",
            ),
            AppError::NotFound(kind) => Self::new(
                S::NOT_FOUND,
                not_found(kind),
                format!("There is no such {kind}."),
            ),
            AppError::NotAccessible(kind) => Self::new(
                S::FORBIDDEN,
                not_accessible(kind),
                format!("This {kind} is not accessible."),
            ),
            AppError::NoLongerAvailable => Self::new(
                S::FORBIDDEN,
                "event-no-longer-available",
                "This event is no longer available.",
            ),
            AppError::PasswordProtected => Self::new(
                S::FORBIDDEN,
                "event-password-protected",
                "This event is protected by a password.",
            ),
            AppError::InTrash(kind) => Self::new(
                S::GONE,
                in_trash(kind),
                format!("This {kind} is in the trash already."),
            ),
            AppError::PageNotFound(kind) => Self::new(
                S::NOT_FOUND,
                page_not_found(kind),
                "The list has no such page.",
            ),
            AppError::UnknownEvent(field) => {
                let message = format!("`{field}` names no event.");
                Self::new(S::BAD_REQUEST, "rest-invalid-event-id", message)
                    .with("params", json!([field]))
            }
            AppError::TermExists { term_id } => {
                let message = "A term with this name exists already.";
                Self::new(S::BAD_REQUEST, "term_exists", message).with("term_id", json!(term_id))
            }
            AppError::DuplicateTermSlug => Self::new(
                S::BAD_REQUEST,
                "duplicate_term_slug",
                "Another term has this slug.",
            ),
            AppError::EmptyTermName => Self::new(
                S::BAD_REQUEST,
                "empty_term_name",
                "A name must not be empty.",
            ),
            AppError::NotHierarchical => Self::new(
                S::BAD_REQUEST,
                "rest_taxonomy_not_hierarchical",
                "Tags have no parents.",
            ),
            AppError::Store(error) => store(&error),
        }
    }
}

fn invalid(faults: &app::error::Faults) -> ApiError {
    let names: Vec<_> = faults.keys().copied().collect();
    let message = format!("Invalid parameter(s): {}", names.join(", "));
    let params: Map<_, _> = faults
        .iter()
        .map(|(name, fault)| ((*name).to_owned(), json!(format!("{name} {fault}"))))
        .collect();
    let details: Map<_, _> = faults
        .iter()
        .filter_map(|(name, fault)| detail(name, fault))
        .collect();
    // Clients know an object, or an empty list when nothing is to be told.
    let details = if details.is_empty() {
        json!([])
    } else {
        json!(details)
    };
    ApiError::new(StatusCode::BAD_REQUEST, "rest_invalid_param", message)
        .with("params", json!(params))
        .with("details", details)
}

/// What is to be told of a fault beside its text.
fn detail(name: &str, fault: &app::input::Fault) -> Option<(String, Value)> {
    let code = fault.code()?;
    let told =
        json!({ "code": code, "message": format!("{name} {fault}"), "data": { "param": name } });
    Some((name.to_owned(), told))
}

fn store(error: &StoreError) -> ApiError {
    match error {
        StoreError::Unavailable(_) | StoreError::Conflict => {
            tracing::warn!(cause = %error, "the store did not answer");
            ApiError::overloaded("The service cannot answer for now. Try again later.")
        }
        StoreError::Internal(_) => {
            tracing::error!(cause = %error, "the store failed");
            let message = "Something went wrong on our side.";
            ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal_server_error",
                message,
            )
        }
    }
}

/// The code for a record that does not exist.
pub(crate) const fn not_found(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "rest-event-not-found",
        Kind::Venue => "venue-not-found",
        Kind::Organizer => "organizer-not-found",
        Kind::Category | Kind::Tag => "rest_term_invalid",
    }
}

/// The code for a record that the caller may not read.
pub(crate) const fn not_accessible(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "event-not-accessible",
        Kind::Venue => "venue-not-accessible",
        Kind::Organizer => "organizer-not-accessible",
        Kind::Category | Kind::Tag => "term-not-accessible",
    }
}

/// The code for a record that is in the trash already.
pub(crate) const fn in_trash(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "event-is-in-trash",
        Kind::Venue => "venue-is-in-trash",
        Kind::Organizer => "organizer-is-in-trash",
        Kind::Category | Kind::Tag => "term-is-in-trash",
    }
}

/// The code for a page beyond the last.
pub(crate) const fn page_not_found(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "event-archive-page-not-found",
        Kind::Venue => "venue-archive-page-not-found",
        Kind::Organizer => "organizer-archive-page-not-found",
        Kind::Category | Kind::Tag => "term-archive-page-not-found",
    }
}
