//! The errors of the interface, with their statuses and codes.
//!
//! | error | status | code |
//! |---|---|---|
//! | missing fields | 400 | `rest_missing_callback_param` |
//! | bad fields | 400 | `rest_invalid_param` |
//! | malformed JSON | 400 | `rest_invalid_json` |
//! | several `Host` headers | 400 | `bad_request` |
//! | no credentials | 401 | `rest_forbidden` |
//! | no credentials, at `users/me` | 401 | `rest_not_logged_in` |
//! | bad credentials | 401 | `incorrect_password`, `invalid_token` |
//! | no permission | 403 | `rest_forbidden` |
//! | a write to a server that is read-only | 403 | `rest_forbidden` |
//! | not readable | 403 | `event-not-accessible` and its like |
//! | no such path or method | 404 | `rest_no_route` |
//! | no such record | 404 | `rest-event-not-found`, `venue-not-found`, `organizer-not-found`, `rest_term_invalid` |
//! | a former slug of a record, a record that was merged | 404 | the same, with `moved_to` |
//! | a feed with too many events | 400 | `feed-too-large` |
//! | no such secret feed | 404 | `feed-not-found` |
//! | too many secret feeds of a user | 400 | `too-many-feeds` |
//! | no such source | 404 | `source-not-found` |
//! | a source that is read now | 409 | `source-running` |
//! | too many sources | 400 | `too-many-sources` |
//! | no such pair of duplicates | 404 | `duplicate-not-found` |
//! | a pair whose records changed, or that is closed | 409 | `duplicate-changed` |
//! | no such page | 404 | `event-archive-page-not-found` and its like |
//! | in the trash already | 410 | `event-is-in-trash` and its like |
//! | the revision is not the expected one | 412 | `precondition_failed` |
//! | a body or a query over its limit | 413, 414 | `payload_too_large`, `uri_too_long` |
//! | a body of an unsupported type | 415 | `unsupported_media_type` |
//! | an idempotency key of another creation | 422 | `idempotency_key_reused` |
//! | too many wrong credentials or passwords | 429 | `rate_limited` |
//! | the store is unavailable, or the service overloaded | 503 | `service_unavailable` |
//! | a token of synchronization that is of no use any more | 410 | `sync-token-expired` |
//! | no such revision of a record | 404 | `revision-not-found` |
//! | no such image | 404 | `image-not-found` |
//! | a file that is no image, or not of the declared type | 415 | `unsupported_media_type` |
//! | anything else | 500 | `internal_server_error` |

use std::{convert::Infallible, sync::Arc};

use app::{
    error::{AppError, CredentialKind, TokenExpiry},
    fault::BadFields,
    ports::{BadImage, MAX_IMAGE_BYTES, StoreError},
};
use axum::http::StatusCode;
use domain::Kind;

use crate::throttled_log::ThrottledLog;

/// An error that a client receives.
///
/// The layer `middleware::respond` writes the body in the language of the
/// request.
#[derive(Clone, Debug)]
pub enum ApiError {
    /// Unknown path, or a path without this method.
    NoRoute,
    /// Unknown namespace.
    UnknownNamespace,
    /// The route needs a caller, and no credentials were sent.
    NotLoggedIn,
    /// The body is not valid JSON.
    InvalidJson(InvalidJson),
    /// The body is larger than the limit.
    TooLarge {
        /// In bytes.
        limit: usize,
    },
    /// The query is longer than the limit.
    UriTooLong {
        /// In bytes.
        limit: usize,
    },
    /// The `Idempotency-Key` is empty, too long or not visible ASCII.
    BadIdempotencyKey,
    /// The multipart body is malformed.
    UnreadableForm,
    /// The request has several `Host` headers.
    SeveralHosts,
    /// The body has a media type or an encoding that is not read.
    UnsupportedBody,
    /// The content type of an upload is no image format.
    NoImage,
    /// The content type of an import is none that can be read, or the body is no calendar.
    NoCalendarFile,
    /// The file of an import has too many events.
    TooManyEvents {
        /// The most events of a file.
        limit: usize,
    },
    /// A file to import would write more rows than a request may.
    TooMuchToImport,
    /// The service is overloaded.
    Overloaded,
    /// The server takes no writes.
    ReadOnly,
    /// The client has as many requests that wait as it may have.
    TooManyWaiting,
    /// The time limit of the request has passed.
    TooSlow,
    /// No record has this slug. The record that had it last has another address now.
    Moved {
        /// The kind of the record.
        kind: Kind,
        /// The URL of the record in the interface.
        to: String,
    },
    /// The token of a list of changes has expired.
    TokenExpired {
        /// Why.
        expiry: TokenExpiry,
        /// The URL of the list without a token.
        full_url: String,
    },
    /// The error of a use case.
    App(Arc<AppError>),
}

/// The reason why a body is not valid JSON.
#[derive(Clone, Copy, Debug)]
pub enum InvalidJson {
    /// The first invalid position, counted from 1.
    Syntax {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The values are nested too deeply.
    TooDeep,
    /// The body ended early.
    BrokenOff,
}

impl From<Infallible> for ApiError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Requests that the store did not answer.
static UNANSWERED: ThrottledLog = ThrottledLog::new();

impl From<BadFields> for ApiError {
    fn from(error: BadFields) -> Self {
        AppError::from(error).into()
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        if let AppError::Files(cause) = &error {
            tracing::error!(%cause, "the files of images are not available");
        }
        if let AppError::Store(cause) = &error {
            match cause {
                StoreError::Unavailable(_) | StoreError::Conflict => {
                    if let Some(requests) = UNANSWERED.count() {
                        tracing::warn!(%cause, requests, "the store did not answer");
                    }
                }
                StoreError::Internal(_) => tracing::error!(%cause, "the store failed"),
            }
        }
        match error {
            AppError::BadImage(BadImage::TooLarge) => Self::TooLarge {
                limit: MAX_IMAGE_BYTES,
            },
            AppError::Overloaded => Self::Overloaded,
            error => Self::App(Arc::new(error)),
        }
    }
}

impl ApiError {
    /// The status and the code.
    pub fn kind(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Self::NoRoute => (S::NOT_FOUND, "rest_no_route"),
            Self::UnknownNamespace => (S::NOT_FOUND, "rest_invalid_namespace"),
            Self::NotLoggedIn => (S::UNAUTHORIZED, "rest_not_logged_in"),
            Self::InvalidJson(_) => (S::BAD_REQUEST, "rest_invalid_json"),
            Self::TooLarge { .. } | Self::TooManyEvents { .. } | Self::TooMuchToImport => {
                (S::PAYLOAD_TOO_LARGE, "payload_too_large")
            }
            Self::UriTooLong { .. } => (S::URI_TOO_LONG, "uri_too_long"),
            Self::BadIdempotencyKey => (S::BAD_REQUEST, "rest_invalid_param"),
            Self::SeveralHosts => (S::BAD_REQUEST, "bad_request"),
            Self::UnreadableForm | Self::UnsupportedBody | Self::NoImage | Self::NoCalendarFile => {
                (S::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type")
            }
            Self::Overloaded | Self::TooSlow => (S::SERVICE_UNAVAILABLE, "service_unavailable"),
            Self::ReadOnly => (S::FORBIDDEN, "rest_forbidden"),
            Self::TooManyWaiting => (S::TOO_MANY_REQUESTS, "rate_limited"),
            Self::Moved { kind, .. } => (S::NOT_FOUND, not_found(*kind)),
            Self::TokenExpired { .. } => (S::GONE, "sync-token-expired"),
            Self::App(error) => kind(error),
        }
    }
}

fn kind(error: &AppError) -> (StatusCode, &'static str) {
    use StatusCode as S;
    match error {
        AppError::Missing(_) => (S::BAD_REQUEST, "rest_missing_callback_param"),
        AppError::Invalid(_) => (S::BAD_REQUEST, "rest_invalid_param"),
        AppError::Unauthenticated => (S::UNAUTHORIZED, "rest_forbidden"),
        AppError::BadCredentials(CredentialKind::Basic) => (S::UNAUTHORIZED, "incorrect_password"),
        AppError::BadCredentials(CredentialKind::Bearer) => (S::UNAUTHORIZED, "invalid_token"),
        AppError::TooManyAttempts { .. } | AppError::TooManyPasswords { .. } => {
            (S::TOO_MANY_REQUESTS, "rate_limited")
        }
        AppError::Forbidden => (S::FORBIDDEN, "rest_forbidden"),
        AppError::NotFound(kind) => (S::NOT_FOUND, not_found(*kind)),
        AppError::NotAccessible(kind) => (S::FORBIDDEN, not_accessible(*kind)),
        AppError::NoLongerAvailable => (S::FORBIDDEN, "event-no-longer-available"),
        AppError::PasswordProtected => (S::FORBIDDEN, "event-password-protected"),
        AppError::InTrash(kind) => (S::GONE, in_trash(*kind)),
        AppError::PreconditionFailed => (S::PRECONDITION_FAILED, "precondition_failed"),
        AppError::KeyReused => (S::UNPROCESSABLE_ENTITY, "idempotency_key_reused"),
        AppError::PageNotFound(kind) => (S::NOT_FOUND, page_not_found(*kind)),
        AppError::FeedTooLarge { .. } => (S::BAD_REQUEST, "feed-too-large"),
        AppError::UnknownEvent(_) => (S::BAD_REQUEST, "rest-invalid-event-id"),
        AppError::TermExists { .. } => (S::BAD_REQUEST, "term_exists"),
        AppError::DuplicateTermSlug => (S::BAD_REQUEST, "duplicate_term_slug"),
        AppError::EmptyTermName => (S::BAD_REQUEST, "empty_term_name"),
        AppError::NotHierarchical => (S::BAD_REQUEST, "rest_taxonomy_not_hierarchical"),
        AppError::TokenExpired(_) => (S::GONE, "sync-token-expired"),
        AppError::FeedNotFound => (S::NOT_FOUND, "feed-not-found"),
        AppError::TooManyFeeds(_) => (S::BAD_REQUEST, "too-many-feeds"),
        AppError::SourceNotFound => (S::NOT_FOUND, "source-not-found"),
        AppError::SourceRunning => (S::CONFLICT, "source-running"),
        AppError::TooManySources(_) => (S::BAD_REQUEST, "too-many-sources"),
        AppError::DuplicateNotFound => (S::NOT_FOUND, "duplicate-not-found"),
        AppError::DuplicateChanged => (S::CONFLICT, "duplicate-changed"),
        AppError::RevisionNotFound => (S::NOT_FOUND, "revision-not-found"),
        AppError::ImageNotFound => (S::NOT_FOUND, "image-not-found"),
        AppError::BadImage(_) => (S::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"),
        AppError::Overloaded
        | AppError::Files(_)
        | AppError::Store(StoreError::Unavailable(_) | StoreError::Conflict) => {
            (S::SERVICE_UNAVAILABLE, "service_unavailable")
        }
        AppError::Store(StoreError::Internal(_)) => {
            (S::INTERNAL_SERVER_ERROR, "internal_server_error")
        }
    }
}

/// The code for a record that does not exist.
pub const fn not_found(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "rest-event-not-found",
        Kind::Venue => "venue-not-found",
        Kind::Organizer => "organizer-not-found",
        Kind::Category | Kind::Tag => "rest_term_invalid",
    }
}

/// The code for a record that the caller may not read.
pub const fn not_accessible(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "event-not-accessible",
        Kind::Venue => "venue-not-accessible",
        Kind::Organizer => "organizer-not-accessible",
        Kind::Category | Kind::Tag => "term-not-accessible",
    }
}

/// The code for a record that is in the trash already.
pub const fn in_trash(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "event-is-in-trash",
        Kind::Venue => "venue-is-in-trash",
        Kind::Organizer => "organizer-is-in-trash",
        Kind::Category | Kind::Tag => "term-is-in-trash",
    }
}

/// The code for a page beyond the last.
pub const fn page_not_found(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "event-archive-page-not-found",
        Kind::Venue => "venue-archive-page-not-found",
        Kind::Organizer => "organizer-archive-page-not-found",
        Kind::Category | Kind::Tag => "term-archive-page-not-found",
    }
}
