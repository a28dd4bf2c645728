//! Signing in and out, and invitations.

use app::sign_in::SignInError;
use askama::Template;
use axum::{extract::Request, http::StatusCode, response::Response};
use domain::{RefusedPassword, Stored, User};
use http_service::limits::LoginAttemptKey;

use crate::{
    page::{self, Answer, Frame, status_of_form},
    request::PathText,
    second_factor,
    sign_in_result::{begin, desk_page, failed, waits},
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
pub(crate) async fn sign_in(visit: Visit, request: Request) -> Answer {
    let form = visit.form(request, false).await?;
    let field = |name| form.get(name).unwrap_or_default().trim();
    let (login, next) = (field("login"), desk_page(field("next")));
    let password = form.get("password").unwrap_or_default();
    let (state, now) = (&visit.state, visit.state.calendar.monotonic());
    let attempt = LoginAttemptKey::new(visit.client, login);
    // Counted before the password is hashed: a flood costs no work.
    if let Some(seconds) = state.login_throttle.wait_seconds(&attempt, now) {
        return Err(waits(&visit, seconds));
    }
    match state.accounts.sign_in().sign_in(login, password).await {
        Ok(user) => Ok(enter(&visit, &user, next).await),
        Err(SignInError::Refused | SignInError::NoInvitation) => {
            state.login_throttle.failed(attempt, now);
            let page = SignInPage {
                frame: Frame::new(&visit, visit.word(Word::SIGN_IN)),
                login: login.to_owned(),
                next: next.to_owned(),
                fault: Some(visit.word(Word::WRONG_SIGN_IN)),
            };
            Err(page::response(StatusCode::FORBIDDEN, visit.language, &page))
        }
        Err(error) => Err(failed(&visit, error)),
    }
}

/// Begins the session of a user, or asks for the second factor.
async fn enter(visit: &Visit, user: &Stored<User>, next: &str) -> Response {
    let sign_in = visit.state.accounts.sign_in();
    match sign_in.has_second_factor(user.id).await {
        Ok(false) => begin(visit, user, next).await,
        Ok(true) => second_factor::ask(visit, user, next).await,
        Err(error) => failed(visit, error.into()),
    }
}

/// `POST` that ends the session.
pub(crate) async fn sign_out(visit: Visit, request: Request) -> Answer {
    visit.form(request, false).await?;
    if let Err(error) = visit.session.flush().await {
        tracing::error!(%error, "a session cannot end");
        return Err(page::failed(visit.language));
    }
    Ok(visit.see("/desk/sign-in"))
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
    page::response(status_of_form(fault.is_some()), visit.language, &page)
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

/// The user of an invitation, or the page of one that is void.
async fn invited(visit: &Visit, text: &str) -> Result<Stored<User>, Response> {
    let user = visit.state.accounts.sign_in().invited(text).await;
    let user = user.map_err(|error| failed(visit, error.into()))?;
    user.ok_or_else(|| void(visit))
}

/// `GET` of an invitation: the form for a password.
pub(crate) async fn invitation(visit: Visit, PathText(text): PathText) -> Answer {
    let user = invited(&visit, &text).await?;
    Ok(invitation_page(&visit, &user, None))
}

/// `POST` of a password for an invitation, which signs the user in.
pub(crate) async fn accept(visit: Visit, PathText(text): PathText, request: Request) -> Answer {
    let form = visit.form(request, false).await?;
    let user = invited(&visit, &text).await?;
    let refused = |fault| invitation_page(&visit, &user, Some(fault));
    let [password, again] = ["password", "again"].map(|name| form.get(name).unwrap_or_default());
    if password != again {
        return Err(refused(Word::PASSWORDS_DIFFER));
    }
    let password = password.parse().map_err(|bad| refused(refusal(bad)))?;
    match visit
        .state
        .accounts
        .sign_in()
        .accept(&text, &password)
        .await
    {
        Ok(user) => Ok(enter(&visit, &user, DESK).await),
        Err(SignInError::NoInvitation | SignInError::Refused) => Err(void(&visit)),
        Err(error) => Err(failed(&visit, error)),
    }
}
