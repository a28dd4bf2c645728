//! Authentication of the caller.

use app::{
    audit::Actor,
    auth::{Credentials, Identity},
    error::AppError,
};
use axum::{
    extract::{FromRequestParts, Request},
    http::{Method, header, request::Parts},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{audit::AuditChannel, policy::Caller};

use super::shared_context::SharedContext;
use crate::{error::ApiError, limits::LoginAttemptKey, origins::CrossSite, state::AppState};

/// Whether a request is signed in: its response is for its client alone.
pub(crate) fn is_signed_in(request: &Request) -> bool {
    request.headers().contains_key(header::AUTHORIZATION)
        || request.extensions().get().is_some_and(names_user)
}

fn names_user(identity: &Identity) -> bool {
    identity.caller.user().is_some()
}

/// The caller: of the [`Identity`] that the program around the router gave, else of the credentials that
/// were sent, which are valid.
#[derive(Clone, Copy, Debug)]
pub struct Auth(pub Caller);

impl FromRequestParts<AppState> for Auth {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let given = parts.extensions.get::<Identity>().cloned();
        let credentials = match given {
            Some(_) => None,
            None => parts.headers.get(header::AUTHORIZATION),
        };
        let credentials = credentials.map(|value| read(value.as_bytes()));
        // Browsers send Basic credentials by themselves, and cookies, by which a program may know its users.
        let is_sent_by_itself = matches!(credentials, Some(Credentials::Basic { .. }))
            || given.as_ref().is_some_and(names_user);
        if is_sent_by_itself && parts.extensions.get::<CrossSite>().is_some() {
            // A page of another site may have sent the request.
            return Err(AppError::Forbidden.into());
        }
        let identity = match given {
            Some(identity) => {
                if let Some(user) = identity.caller.user() {
                    let name = identity.name.clone();
                    Actor::identify(user, name, AuditChannel::Program, None);
                }
                identity
            }
            None => authenticate(parts, state, credentials.as_ref()).await?,
        };
        if let Some(shared) = parts.extensions.get::<SharedContext>() {
            shared.set_identity(identity.clone());
        }
        let Identity {
            caller, may_write, ..
        } = identity;
        let writes = !matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
        if writes && !may_write {
            return Err(AppError::Forbidden.into());
        }
        Ok(Self(caller))
    }
}

/// Verifies the credentials. Basic credentials of a locked-out client are refused unverified.
async fn authenticate(
    parts: &Parts,
    state: &AppState,
    credentials: Option<&Credentials>,
) -> Result<Identity, AppError> {
    let Some(sent) = credentials else {
        return Ok(Identity::ANONYMOUS);
    };
    let account = match sent {
        Credentials::Basic { login, .. } => login.as_str(),
        Credentials::Bearer { .. } | Credentials::Unreadable => "",
    };
    let client = state.proxies.client_of(&parts.extensions, &parts.headers);
    let attempt = LoginAttemptKey::new(client, account);
    let now = state.calendar.monotonic();
    let too_many = |retry_after_seconds| AppError::TooManyAttempts {
        retry_after_seconds,
    };
    let wait = state.login_throttle.wait_seconds(&attempt, now);
    // A token names no account: a valid one is accepted even if another client behind the same
    // address is locked out.
    let names_account = matches!(sent, Credentials::Basic { .. });
    if let (true, Some(seconds)) = (names_account, wait) {
        return Err(too_many(seconds));
    }
    let identity = state.accounts.authenticate(credentials).await;
    if let Err(AppError::BadCredentials(_)) = identity {
        state.login_throttle.failed(attempt, now);
        if let Some(seconds) = wait {
            return Err(too_many(seconds));
        }
    }
    identity
}

fn read(header: &[u8]) -> Credentials {
    let text = String::from_utf8_lossy(header);
    let text = text.trim();
    let (scheme, rest) = text.split_once(' ').unwrap_or((text, ""));
    match scheme.to_ascii_lowercase().as_str() {
        "basic" => basic(rest.trim()).unwrap_or(Credentials::Unreadable),
        "bearer" => Credentials::Bearer {
            token: rest.trim().to_owned().into(),
        },
        _ => Credentials::Unreadable,
    }
}

fn basic(encoded: &str) -> Option<Credentials> {
    let decoded = String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok()?;
    let (login, password) = decoded.split_once(':')?;
    Some(Credentials::Basic {
        login: login.to_owned(),
        password: password.to_owned().into(),
    })
}
