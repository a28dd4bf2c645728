//! The person's own account: password, language, sessions.

use app::sign_in::SignInError;
use askama::Template;
use axum::response::Response;
use domain::Language;

use crate::{
    page::{self, Frame, status_of_form},
    request::DeskRequest,
    session::{self, ListedSession},
    sign_in::refusal,
    words::Word,
};

/// The page of the account.
#[derive(Debug, Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: Frame,
    name: String,
    /// The address of the secret feeds.
    feeds: String,
    role: &'static str,
    languages: [(Language, &'static str); 3],
    sessions: Vec<ListedSession>,
    has_second_factor: bool,
    /// Why the password was not changed.
    fault: Option<&'static str>,
}

/// The languages, each in its own words.
pub(crate) const LANGUAGES: [(Language, &str); 3] = [
    (Language::Arabic, "العربية"),
    (Language::English, "English"),
    (Language::French, "Français"),
];

async fn show(request: &DeskRequest, fault: Option<Word>, notice: Option<Word>) -> Response {
    let sessions = session::list(
        &request.session,
        request.state.accounts.sign_in(),
        &request.user,
    );
    let sign_in = request.state.accounts.sign_in();
    let has_second_factor = sign_in.has_second_factor(request.user.id);
    let (Ok(sessions), Ok(has_second_factor)) = (sessions.await, has_second_factor.await) else {
        return page::failed(request.language);
    };
    let page = AccountPage {
        frame: Frame::new(request, request.word(Word::ACCOUNT)).told(notice),
        name: request.user.name.to_string(),
        feeds: request.url("/desk/feeds"),
        role: request.word(Word::of_role(request.user.role)),
        languages: LANGUAGES,
        sessions,
        has_second_factor,
        fault: fault.map(|word| request.word(word)),
    };
    page::response(status_of_form(fault.is_some()), request.language, &page)
}

/// `GET` of the account.
pub(crate) async fn page(request: DeskRequest) -> Response {
    show(&request, None, None).await
}

/// `POST` of another password.
pub(crate) async fn change_password(request: DeskRequest) -> Response {
    let field = |name| request.form.get(name).unwrap_or_default();
    if field("password") != field("again") {
        return show(&request, Some(Word::PASSWORDS_DIFFER), None).await;
    }
    let password = match field("password").parse() {
        Ok(password) => password,
        Err(refused) => return show(&request, Some(refusal(refused)), None).await,
    };
    let (state, now) = (&request.state, request.state.calendar.monotonic());
    let attempt = request.password_attempt();
    if state.login_throttle.wait_seconds(&attempt, now).is_some() {
        return show(&request, Some(Word::TOO_MANY_TRIES), None).await;
    }
    let id = request.session.id().map(|id| id.to_string());
    let sign_in = state.accounts.sign_in();
    let changed =
        sign_in.change_password(request.user.id, field("present"), &password, id.as_deref());
    match changed.await {
        Ok(()) => show(&request, None, Some(Word::PASSWORD_CHANGED)).await,
        Err(SignInError::Refused | SignInError::NoInvitation) => {
            state.login_throttle.failed(attempt, now);
            show(&request, Some(Word::WRONG_PASSWORD), None).await
        }
        Err(error) => {
            tracing::error!(%error, "a password cannot be changed");
            page::failed(request.language)
        }
    }
}

/// `POST` of the language of the desk.
pub(crate) async fn change_language(request: DeskRequest) -> Response {
    let chosen = request.form.get("language").unwrap_or_default();
    if let Ok(language) = chosen.parse::<Language>()
        && session::set_language(&request.session, language.code())
            .await
            .is_err()
    {
        return page::failed(request.language);
    }
    request.see("/desk/account")
}

/// `POST` that ends a session, or all others.
pub(crate) async fn end_sessions(request: DeskRequest) -> Response {
    let sign_in = request.state.accounts.sign_in();
    let (user, id) = (
        request.user.id,
        request.session.id().map(|id| id.to_string()),
    );
    let ended = match request.form.get("session") {
        Some(hash) => sign_in.end_session_of(user, hash).await.map(|_| ()),
        None => sign_in.end_sessions(user, id.as_deref()).await.map(|_| ()),
    };
    match ended {
        Ok(()) => request.see("/desk/account"),
        Err(error) => {
            tracing::error!(%error, "sessions cannot be ended");
            page::failed(request.language)
        }
    }
}
