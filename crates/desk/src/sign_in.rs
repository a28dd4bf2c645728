//! Signing in and out, and invitations.

use app::sign_in::SignInError;
use askama::Template;
use axum::{
    extract::{Path, Request, rejection::PathRejection},
    http::StatusCode,
    response::Response,
};
use domain::{RefusedPassword, Stored, User};
use http_service::limits::LoginAttemptKey;

use crate::{
    entrance::{begin, desk_page, failed, waits},
    page::{self, Frame},
    second_factor,
    visit::{DESK, Visit},
    words::Word,
};

/// The form for name and password.
#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    frame: Frame,
    /// The name as sent.
    login: String,
    /// The page to show afterwards.
    next: String,
    /// Why nobody was signed in.
    fault: Option<&'static str>,
}

/// The form for a new password.
#[derive(Debug, Template)]
#[template(path = "invitation.html")]
struct InvitationPage {
    frame: Frame,
    user: String,
    fault: Option<&'static str>,
}

/// `GET` of an address at which people look for the desk.
pub(crate) async fn lead_on(visit: Visit) -> Response {
    visit.see(DESK)
}

/// `GET` of the form.
pub(crate) async fn page(visit: Visit) -> Response {
    let next = visit.parameter("next").unwrap_or_default();
    if visit.user.is_some() {
        return visit.see(desk_page(&next));
    }
    let page = SignInPage {
        frame: Frame::new(&visit, visit.word(Word::SIGN_IN)),
        login: String::new(),
        next: desk_page(&next).to_owned(),
        fault: None,
    };
    page::response(StatusCode::OK, visit.language, &page)
}

/// `POST` of name and password.
pub(crate) async fn sign_in(visit: Visit, request: Request) -> Response {
    let form = match visit.form(request, false).await {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let field = |name| form.get(name).unwrap_or_default().trim();
    let (login, next) = (field("login"), desk_page(field("next")));
    let password = form.get("password").unwrap_or_default();
    let (state, now) = (&visit.state, visit.state.calendar.monotonic());
    let attempt = LoginAttemptKey::new(visit.client, login);
    // Counted before the password is hashed: a flood costs no work.
    if let Some(seconds) = state.login_throttle.wait_seconds(&attempt, now) {
        return waits(&visit, seconds);
    }
    match state.accounts.sign_in().sign_in(login, password).await {
        Ok(user) => enter(&visit, &user, next).await,
        Err(SignInError::Refused | SignInError::NoInvitation) => {
            state.login_throttle.failed(attempt, now);
            let page = SignInPage {
                frame: Frame::new(&visit, visit.word(Word::SIGN_IN)),
                login: login.to_owned(),
                next: next.to_owned(),
                fault: Some(visit.word(Word::WRONG_SIGN_IN)),
            };
            page::response(StatusCode::FORBIDDEN, visit.language, &page)
        }
        Err(error) => failed(&visit, error),
    }
}

/// Begins the session of a user, or asks for the second factor.
async fn enter(visit: &Visit, user: &Stored<User>, next: &str) -> Response {
    match visit
        .state
        .accounts
        .sign_in()
        .has_second_factor(user.id)
        .await
    {
        Ok(false) => begin(visit, user, next).await,
        Ok(true) => second_factor::ask(visit, user, next).await,
        Err(error) => failed(visit, error.into()),
    }
}

/// `POST` that ends the session.
pub(crate) async fn sign_out(visit: Visit, request: Request) -> Response {
    if let Err(refused) = visit.form(request, false).await {
        return refused;
    }
    if let Err(error) = visit.session.flush().await {
        tracing::error!(%error, "a session cannot end");
        return page::failed(visit.language);
    }
    visit.see("/desk/sign-in")
}

/// Why a password is refused.
pub(crate) const fn refusal(refused: RefusedPassword) -> Word {
    match refused {
        RefusedPassword::TooShort => Word::PASSWORD_TOO_SHORT,
        RefusedPassword::TooLong => Word::PASSWORD_TOO_LONG,
        RefusedPassword::Common => Word::PASSWORD_COMMON,
    }
}

/// The page of an invitation.
fn invitation_page(visit: &Visit, user: &Stored<User>, fault: Option<Word>) -> Response {
    let page = InvitationPage {
        frame: Frame::new(visit, visit.word(Word::CHOOSE_PASSWORD)),
        user: user.name.to_string(),
        fault: fault.map(|word| visit.word(word)),
    };
    let status = match fault {
        None => StatusCode::OK,
        Some(_) => StatusCode::BAD_REQUEST,
    };
    page::response(status, visit.language, &page)
}

/// The page of an invitation that is void.
fn void(visit: &Visit) -> Response {
    let status = StatusCode::NOT_FOUND;
    page::message(
        visit,
        status,
        Word::VOID_INVITATION,
        Word::ASK_AN_ADMINISTRATOR,
    )
}

/// `GET` of an invitation: the form for a password.
pub(crate) async fn invitation(
    visit: Visit,
    text: Result<Path<String>, PathRejection>,
) -> Response {
    let Ok(Path(text)) = text else {
        return void(&visit);
    };
    match visit.state.accounts.sign_in().invited(&text).await {
        Ok(Some(user)) => invitation_page(&visit, &user, None),
        Ok(None) => void(&visit),
        Err(error) => failed(&visit, error.into()),
    }
}

/// `POST` of a password for an invitation, which signs the user in.
pub(crate) async fn accept(
    visit: Visit,
    text: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let form = match visit.form(request, false).await {
        Ok(form) => form,
        Err(refused) => return refused,
    };
    let Ok(Path(text)) = text else {
        return void(&visit);
    };
    let sign_in = visit.state.accounts.sign_in();
    let user = match sign_in.invited(&text).await {
        Ok(Some(user)) => user,
        Ok(None) => return void(&visit),
        Err(error) => return failed(&visit, error.into()),
    };
    let [password, again] = ["password", "again"].map(|name| form.get(name).unwrap_or_default());
    if password != again {
        return invitation_page(&visit, &user, Some(Word::PASSWORDS_DIFFER));
    }
    let password = match password.parse() {
        Ok(password) => password,
        Err(refused) => return invitation_page(&visit, &user, Some(refusal(refused))),
    };
    match sign_in.accept(&text, &password).await {
        Ok(user) => enter(&visit, &user, DESK).await,
        Err(SignInError::NoInvitation | SignInError::Refused) => void(&visit),
        Err(error) => failed(&visit, error),
    }
}
