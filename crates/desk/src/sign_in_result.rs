//! The end of a sign-in: the session that begins, or why none does.

use app::{AppError, sign_in::SignInError};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use domain::{Stored, User};

use crate::{
    page, session,
    visit::{DESK, Visit},
    words::Word,
};

/// A page of the desk, to which the sign-in may lead; else the first one.
pub(crate) fn desk_page(next: &str) -> &str {
    let path = next.split('?').next().unwrap_or_default();
    let is_desk = path == DESK || path.starts_with("/desk/");
    let is_plain = next
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_desk && is_plain && !path.starts_with("/desk/sign-") {
        next
    } else {
        DESK
    }
}

/// Begins the session of a user, and leads to a page.
pub(crate) async fn begin(visit: &Visit, user: &Stored<User>, next: &str) -> Response {
    let browser = visit.headers.get(header::USER_AGENT);
    let browser = browser.and_then(|value| value.to_str().ok());
    let now = visit.state.accounts.sign_in().now();
    let language = visit.language.code();
    let browser = browser.unwrap_or_default();
    match session::begin(&visit.session, user, language, browser, now).await {
        Ok(()) => visit.see(next),
        Err(error) => {
            tracing::error!(%error, "a session cannot begin");
            page::failed(visit.language)
        }
    }
}

/// The page of a client that guessed too often.
pub(crate) fn waits(visit: &Visit, seconds: u64) -> Response {
    let status = StatusCode::TOO_MANY_REQUESTS;
    let mut response = page::message(visit, status, Word::TOO_MANY_TRIES, Word::TRY_AGAIN);
    let seconds = HeaderValue::from(seconds);
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}

/// The page of a failure.
pub(crate) fn failed(visit: &Visit, error: SignInError) -> Response {
    match error {
        SignInError::App(AppError::Overloaded) => waits(visit, 1),
        error => {
            tracing::error!(%error, "a sign-in failed");
            page::failed(visit.language)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_leads_to_the_desk_alone() {
        for kept in ["/desk", "/desk/events/drafts?page=2", "/desk/event/7"] {
            assert_eq!(desk_page(kept), kept);
        }
        for other in [
            "",
            "https://elsewhere.example/desk",
            "//elsewhere.example/desk",
            "/desk\\elsewhere",
            "/deskx",
            "/event/x",
            "/desk/sign-out",
            "/desk/a b",
        ] {
            assert_eq!(desk_page(other), "/desk", "{other}");
        }
    }
}
