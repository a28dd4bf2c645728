//! The second factor of sign-ins: an authenticator.

use app::sign_in::SignInError;
use askama::Template;
use axum::{extract::Request, http::StatusCode, response::Response};
use domain::{Stored, User};
use http_service::limits::LoginAttemptKey;

use crate::{
    page::{self, Answer, Frame},
    request::DeskRequest,
    session::{self, SessionFailed},
    sign_in_result::{self, desk_page},
    visit::Visit,
    words::Word,
};

/// The form for a code.
#[derive(Debug, Template)]
#[template(path = "code.html")]
struct CodePage {
    frame: Frame,
    /// The page to show afterwards.
    next: String,
    fault: Option<&'static str>,
}

/// The page on which a person adds an authenticator.
#[derive(Debug, Template)]
#[template(path = "second_factor.html")]
struct SecondFactorPage {
    frame: Frame,
    name: String,
    /// The secret, in base 32.
    secret: String,
    /// The `otpauth:` address of the secret.
    url: String,
    fault: Option<&'static str>,
}

/// The recovery codes, which are shown once.
#[derive(Debug, Template)]
#[template(path = "recovery_codes.html")]
struct RecoveryPage {
    frame: Frame,
    codes: Vec<String>,
}

/// The key under which wrong codes of a user are counted, from whatever address: a guesser has the password already.
fn attempt(user: &Stored<User>) -> LoginAttemptKey {
    LoginAttemptKey::new(None, &format!("second factor of {}", user.id))
}

fn code_page(visit: &Visit, status: StatusCode, next: &str, fault: Option<Word>) -> Response {
    let page = CodePage {
        frame: Frame::new(visit, visit.word(Word::SECOND_FACTOR)),
        next: desk_page(next).to_owned(),
        fault: fault.map(|word| visit.word(word)),
    };
    page::response(status, visit.language, &page)
}

/// Leads a user who has shown the password to the form for a code.
pub(crate) async fn ask(visit: &Visit, user: &Stored<User>, next: &str) -> Response {
    let now = visit.state.accounts.sign_in().now();
    match session::begin_waiting(&visit.session, user, now).await {
        Ok(()) => {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("next", next);
            visit.see(&format!("/desk/sign-in/code?{}", query.finish()))
        }
        Err(error) => {
            tracing::error!(%error, "a session cannot begin");
            page::failed(visit.language)
        }
    }
}

/// `GET` of the form for a code.
pub(crate) async fn page(visit: Visit) -> Response {
    match session::waiting(&visit.session, visit.state.accounts.sign_in()).await {
        Ok(Some(_)) => {
            let next = visit.parameter("next").unwrap_or_default();
            code_page(&visit, StatusCode::OK, &next, None)
        }
        Ok(None) => visit.see("/desk/sign-in"),
        Err(_) => page::failed(visit.language),
    }
}

/// `POST` of a code, which signs the user in.
pub(crate) async fn sign_in(visit: Visit, request: Request) -> Answer {
    let form = visit.form(request, false).await?;
    let (state, now) = (&visit.state, visit.state.calendar.monotonic());
    let sign_ins = state.accounts.sign_in();
    let user = session::waiting(&visit.session, sign_ins).await;
    let user = user.map_err(|SessionFailed| page::failed(visit.language))?;
    let user = user.ok_or_else(|| visit.see("/desk/sign-in"))?;
    let attempt = attempt(&user);
    if let Some(seconds) = state.login_throttle.wait_seconds(&attempt, now) {
        return Err(sign_in_result::waits(&visit, seconds));
    }
    let field = |name| form.get(name).unwrap_or_default();
    let is_code = sign_ins.is_code(user.id, field("code")).await;
    if is_code.map_err(|error| sign_in_result::failed(&visit, error.into()))? {
        return Ok(sign_in_result::begin(&visit, &user, desk_page(field("next"))).await);
    }
    state.login_throttle.failed(attempt, now);
    let (status, fault) = (StatusCode::FORBIDDEN, Some(Word::WRONG_CODE));
    Err(code_page(&visit, status, field("next"), fault))
}

/// `POST` that begins to add an authenticator: it shows a new secret, which is not stored yet.
pub(crate) async fn offer(request: DeskRequest) -> Response {
    let site = request.state.site.name_in(request.language);
    let site = site.unwrap_or_else(|| request.word(Word::CALENDAR).to_owned());
    let sign_in = request.state.accounts.sign_in();
    match sign_in.offer_second_factor(&request.user, &site) {
        Ok(offered) => {
            let (secret, url) = (offered.secret.expose(), offered.url.expose());
            offered_page(&request, StatusCode::OK, secret, url, None)
        }
        Err(error) => sign_in_result::failed(&request, error.into()),
    }
}

fn offered_page(
    request: &DeskRequest,
    status: StatusCode,
    secret: &str,
    url: &str,
    fault: Option<Word>,
) -> Response {
    let page = SecondFactorPage {
        frame: Frame::new(request, request.word(Word::SECOND_FACTOR)),
        name: request.user.name.to_string(),
        secret: secret.to_owned(),
        // The form sends the address back: no other one becomes a link.
        url: if url.starts_with("otpauth://totp/") {
            url.to_owned()
        } else {
            String::new()
        },
        fault: fault.map(|word| request.word(word)),
    };
    page::response(status, request.language, &page)
}

/// `POST` that adds the authenticator: the password, and a code that it shows.
pub(crate) async fn add(request: DeskRequest) -> Response {
    let field = |name| request.form.get(name).unwrap_or_default();
    let refused =
        |status, fault| offered_page(&request, status, field("secret"), field("url"), Some(fault));
    let (state, now) = (&request.state, request.state.calendar.monotonic());
    let attempt = request.password_attempt();
    if state.login_throttle.wait_seconds(&attempt, now).is_some() {
        return refused(StatusCode::TOO_MANY_REQUESTS, Word::TOO_MANY_TRIES);
    }
    let sign_in = state.accounts.sign_in();
    let [password, secret, code] = ["present", "secret", "code"].map(field);
    match sign_in
        .set_second_factor(request.user.id, password, secret, code)
        .await
    {
        Ok(codes) => {
            let page = RecoveryPage {
                frame: Frame::new(&request, request.word(Word::RECOVERY_CODES)),
                codes: codes.iter().map(|code| code.expose().clone()).collect(),
            };
            page::response(StatusCode::OK, request.language, &page)
        }
        Err(SignInError::Refused | SignInError::NoInvitation) => {
            state.login_throttle.failed(attempt, now);
            refused(StatusCode::BAD_REQUEST, Word::WRONG_PASSWORD_OR_CODE)
        }
        Err(error) => sign_in_result::failed(&request, error),
    }
}

/// `POST` that removes the authenticator.
pub(crate) async fn end(request: DeskRequest) -> Response {
    let (state, now) = (&request.state, request.state.calendar.monotonic());
    let attempt = request.password_attempt();
    if let Some(seconds) = state.login_throttle.wait_seconds(&attempt, now) {
        return sign_in_result::waits(&request, seconds);
    }
    let password = request.form.get("present").unwrap_or_default();
    let sign_in = state.accounts.sign_in();
    match sign_in.end_second_factor(request.user.id, password).await {
        Ok(()) => request.see("/desk/account"),
        Err(SignInError::Refused | SignInError::NoInvitation) => {
            state.login_throttle.failed(attempt, now);
            let status = StatusCode::BAD_REQUEST;
            page::message(&request, status, Word::WRONG_PASSWORD, Word::OPEN_AGAIN)
        }
        Err(error) => sign_in_result::failed(&request, error),
    }
}
