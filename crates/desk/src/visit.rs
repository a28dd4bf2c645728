//! A request for a page of the desk, by anybody.

use std::net::IpAddr;

use axum::{
    http::{HeaderMap, header},
    response::{IntoResponse as _, Redirect, Response},
};
use domain::{Language, Stored, User, policy::Caller};
use http_service::AppState;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;

use crate::words::Word;

/// The path below which the pages of the desk stand.
pub(crate) const DESK: &str = "/desk";

/// The most events that a person is asked to verify at once.
pub(crate) const MAX_TO_VERIFY: u32 = 100;

/// The key of the session under which the last restoration is kept.
const RESTORED: &str = "restored";

/// A record to which a former state was given.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Restored {
    /// The path of its form.
    pub(crate) form: String,
    pub(crate) revision: i64,
    /// The parts of the state that were left out.
    pub(crate) warnings: Vec<String>,
}

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

    /// The path of the page.
    pub(crate) fn path(&self) -> &str {
        self.address.split('?').next().unwrap_or_default()
    }

    /// Keeps what was restored, for the form that follows.
    pub(crate) async fn tell_restored(&self, restored: Restored) {
        if let Err(error) = self.session.insert(RESTORED, restored).await {
            // The state is stored: the form tells no more than that.
            tracing::warn!(%error, "cannot keep the warnings of a restoration");
        }
    }

    /// The last restoration, on the form of its record. A read changes nothing: browsers repeat it.
    pub(crate) async fn restored(&self) -> Option<Restored> {
        let revision: i64 = self.parameter("restored")?.parse().ok()?;
        let restored = self.session.get::<Restored>(RESTORED).await.ok()??;
        let is_it = restored.form == self.path() && restored.revision == revision;
        is_it.then_some(restored)
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
