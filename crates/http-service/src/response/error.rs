//! The response to an error, its body, and its line in the log.

use app::AppError;
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::Language;

use super::{Json, ResponseKind, problem};
use crate::{error::ApiError, throttled_log::ThrottledLog};

/// `Retry-After` of a response with status 503, in seconds.
const RETRY_AFTER_SECONDS: u64 = 5;

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        log(&self);
        let (status, _) = self.kind();
        let mut response = status.into_response();
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            let challenge =
                "Basic realm=\"calendar\", charset=\"UTF-8\", Bearer realm=\"calendar\"";
            headers.insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static(challenge),
            );
        }
        let unavailable =
            status == StatusCode::SERVICE_UNAVAILABLE || matches!(self, Self::TooManyWaiting);
        let retry_after = lockout_seconds(&self).or(unavailable.then_some(RETRY_AFTER_SECONDS));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(ResponseKind::Error(self));
        response
    }
}

impl ApiError {
    /// The body in a language, as problem details if `is_problem`.
    pub(crate) fn body_response(&self, language: Language, is_problem: bool) -> Response {
        if is_problem {
            let content_type = [(header::CONTENT_TYPE, problem::TYPE)];
            (content_type, self.problem(language).to_string()).into_response()
        } else {
            Json(self.body(language)).into_response()
        }
    }
}

/// The seconds for which a client is locked out.
fn lockout_seconds(error: &ApiError) -> Option<u64> {
    let ApiError::App(error) = error else {
        return None;
    };
    match **error {
        AppError::TooManyAttempts {
            retry_after_seconds,
        }
        | AppError::TooManyPasswords {
            retry_after_seconds,
        } => Some(retry_after_seconds),
        _ => None,
    }
}

/// Logs a refusal, at most one line a second of each reason: clients can cause any number.
///
/// The span of the request adds request ID and client; credentials are never logged.
fn log(error: &ApiError) {
    static NO_CREDENTIALS: ThrottledLog = ThrottledLog::new();
    static BAD_CREDENTIALS: ThrottledLog = ThrottledLog::new();
    static LOCKED_OUT: ThrottledLog = ThrottledLog::new();
    static OVERLOADED: ThrottledLog = ThrottledLog::new();
    static TIMED_OUT: ThrottledLog = ThrottledLog::new();
    let app_error = match error {
        ApiError::App(error) => Some(&**error),
        _ => None,
    };
    let (counter, message) = match (error, app_error) {
        (ApiError::NotLoggedIn, _) | (_, Some(AppError::Unauthenticated)) => (
            &NO_CREDENTIALS,
            "refused with 401: the request has no credentials",
        ),
        (_, Some(AppError::BadCredentials(_))) => (
            &BAD_CREDENTIALS,
            "refused with 401: the credentials are wrong",
        ),
        (_, Some(AppError::TooManyAttempts { .. } | AppError::TooManyPasswords { .. })) => (
            &LOCKED_OUT,
            "refused with 429: locked out after too many wrong credentials or passwords",
        ),
        (ApiError::Overloaded, _) => (&OVERLOADED, "refused with 503: too many requests at once"),
        (ApiError::TooSlow, _) => (&TIMED_OUT, "refused with 503: the time limit has passed"),
        _ => return,
    };
    if let Some(times) = counter.count() {
        let retry_after_seconds = lockout_seconds(error);
        tracing::warn!(times, retry_after_seconds, "{message}");
    }
}
