//! A request for a page of the desk, by anybody.

use std::net::IpAddr;

use axum::{
    http::{HeaderMap, header},
    response::{IntoResponse as _, Redirect, Response},
};
use domain::{Language, Stored, User, policy::Caller};
use http_service::AppState;
use tower_sessions::Session;

use crate::words::Word;

/// The path below which the pages of the desk stand.
pub(crate) const DESK: &str = "/desk";

/// The most events that a person is asked to verify at once.
pub(crate) const MAX_TO_VERIFY: u32 = 100;

/// A request of anybody, signed in or not.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) state: AppState,
    pub(crate) session: Session,
    /// The language of the page: chosen by the user, or that of the browser.
    pub(crate) language: Language,
    pub(crate) headers: HeaderMap,
    /// The user who is signed in.
    pub(crate) user: Option<Stored<User>>,
    /// The number of the user's events that are to be verified, at most [`MAX_TO_VERIFY`].
    pub(crate) to_verify: usize,
    /// Path and query.
    pub(crate) address: String,
    /// The address of the client.
    pub(crate) client: Option<IpAddr>,
}

impl Visit {
    /// The address of a page of the desk.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.state.site.root())
    }

    /// The value of a parameter of the query.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let (_, query) = self.address.split_once('?')?;
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        let (_, value) = pairs.find(|(one, _)| one == name)?;
        Some(value.into_owned())
    }

    /// A text in the language of the page.
    pub(crate) fn word(&self, word: Word) -> &'static str {
        word.text(self.language)
    }

    /// A redirect to a page of the desk, which the browser reads by `GET`.
    pub(crate) fn see(&self, path: &str) -> Response {
        let private = [(header::CACHE_CONTROL, "private, no-store")];
        (private, Redirect::to(&self.url(path))).into_response()
    }
}

/// The caller that a user is.
pub(crate) fn caller_of(user: &Stored<User>) -> Caller {
    Caller::of(user.id, user.role)
}
