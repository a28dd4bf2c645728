//! Who a request is from.

use app::{
    auth::{Credentials, Identity},
    error::AppError,
};
use axum::{
    extract::FromRequestParts,
    http::{Method, header, request::Parts},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::policy::Caller;

use crate::{error::ApiError, state::AppState};

/// Who a request is from; credentials that were sent are valid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Auth(pub(crate) Caller);

impl FromRequestParts<AppState> for Auth {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let credentials = parts
            .headers
            .get(header::AUTHORIZATION)
            .map(|value| read(value.as_bytes()));
        let Identity { caller, may_write } =
            state.accounts.authenticate(credentials.as_ref()).await?;
        let writes = !matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
        if writes && !may_write {
            return Err(AppError::Forbidden.into());
        }
        Ok(Self(caller))
    }
}

fn read(header: &[u8]) -> Credentials {
    let text = String::from_utf8_lossy(header);
    let Some((scheme, rest)) = text.trim().split_once(' ') else {
        return Credentials::Unreadable;
    };
    match scheme.to_ascii_lowercase().as_str() {
        "basic" => basic(rest.trim()).unwrap_or(Credentials::Unreadable),
        "bearer" => Credentials::Bearer {
            token: rest.trim().to_owned(),
        },
        _ => Credentials::Unreadable,
    }
}

fn basic(encoded: &str) -> Option<Credentials> {
    let decoded = String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok()?;
    let (login, password) = decoded.split_once(':')?;
    Some(Credentials::Basic {
        login: login.to_owned(),
        password: password.to_owned(),
    })
}
