//! Requests for pages of the desk.

use std::{convert::Infallible, sync::Arc};

use app::{AppError, audit::Actor, calendar::Precondition, resource::Resource, write::ReadOptions};
use axum::{
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::{StatusCode, request::Parts},
    response::Response,
};
use domain::{
    Kind, Status, Stored, User,
    audit::AuditChannel,
    page::PageRequest,
    policy::{Caller, Capability},
};
use http_service::{
    AppState,
    header_values::preferred_language,
    limits::{LoginAttemptKey, network},
};
use tokio::sync::OwnedSemaphorePermit;
use tower_sessions::Session;

use crate::{
    body::Form,
    page,
    session::{self, SessionFailed},
    visit::{MAX_TO_VERIFY, Visit, caller_of},
    words::Word,
};

/// The most records that a form offers for a field.
const OFFERED: u32 = 200;

/// The variable part of a path; empty where the path is no text.
#[derive(Debug)]
pub(crate) struct PathText(pub(crate) String);

impl PathText {
    /// The ID that it is.
    pub(crate) fn id(&self) -> Option<i64> {
        self.0.parse().ok().filter(|id| *id > 0)
    }
}

impl FromRequestParts<AppState> for PathText {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        Ok(Self(path.map(|Path(text)| text).unwrap_or_default()))
    }
}

impl FromRequestParts<AppState> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Response> {
        let language = preferred_language(&parts.headers, state.site.language);
        let session = Session::from_request_parts(parts, state).await;
        let session = session.map_err(|_| page::failed(language))?;
        let mut visit = Self {
            client: state.proxies.client_of(&parts.extensions, &parts.headers),
            headers: parts.headers.clone(),
            address: parts.uri.to_string(),
            session,
            language,
            user: None,
            to_verify: 0,
            state: state.clone(),
        };
        let current = session::current(&visit.session, state.accounts.sign_in()).await;
        let current = current.map_err(|SessionFailed| page::failed(language))?;
        if let Some((user, chosen)) = current {
            let chosen = chosen.and_then(|code| code.parse().ok());
            visit.language = chosen.unwrap_or(language);
            let name = Some(user.name.clone());
            Actor::identify(user.id, name, AuditChannel::Session, None);
            visit.user = Some(user);
        }
        Ok(visit)
    }
}

impl Visit {
    /// The form of a `POST` from a page of this service.
    ///
    /// # Errors
    ///
    /// The page that says why the form is refused.
    pub(crate) async fn form(&self, request: Request, takes_image: bool) -> Result<Form, Response> {
        if !self.state.is_own_page(&self.headers) {
            let refused = page::message(
                self,
                StatusCode::FORBIDDEN,
                Word::NOT_SENT_FROM_HERE,
                Word::OPEN_AGAIN,
            );
            return Err(refused);
        }
        let form = Form::read(request, takes_image).await;
        form.map_err(|_| {
            let status = StatusCode::PAYLOAD_TOO_LARGE;
            page::message(self, status, Word::UNREADABLE_FORM, Word::OPEN_AGAIN)
        })
    }
}

/// A request of a person who is signed in and keeps events. Others are sent to the sign-in.
#[derive(Debug)]
pub(crate) struct DeskRequest {
    visit: Visit,
    pub(crate) user: Stored<User>,
    /// The form of a `POST`.
    pub(crate) form: Form,
    /// The permit of the concurrency limit, held while the request is processed.
    _permit: OwnedSemaphorePermit,
    /// The permit of an upload.
    _upload_permit: Option<OwnedSemaphorePermit>,
}

impl std::ops::Deref for DeskRequest {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.visit
    }
}

impl FromRequest<AppState> for DeskRequest {
    type Rejection = Response;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let mut visit = Visit::from_request_parts(&mut parts, state).await?;
        let Some(user) = visit.user.clone() else {
            let mut query = form_urlencoded::Serializer::new(String::new());
            if parts.method == axum::http::Method::GET {
                query.append_pair("next", &visit.address);
            }
            let query = query.finish();
            return Err(visit.see(&format!("/desk/sign-in?{query}")));
        };
        let caller = caller_of(&user);
        if !caller.can(Capability::Write(Kind::Event)) {
            let status = StatusCode::FORBIDDEN;
            let refused = page::message(&visit, status, Word::NO_DESK, Word::ASK_AN_ADMINISTRATOR);
            return Err(refused);
        }
        let is_sent = parts.method == axum::http::Method::POST;
        let form = if is_sent {
            let takes_image = caller.can(Capability::Upload);
            visit
                .form(Request::from_parts(parts, body), takes_image)
                .await?
        } else {
            Form::default()
        };
        // As for the interface: a slow body takes no permit.
        let permit = state.concurrency.try_acquire();
        let permit = permit.map_err(|error| page::unavailable(&visit, &error))?;
        let counted = state.calendar.count_events_to_verify(caller, MAX_TO_VERIFY);
        let counted = counted.await;
        visit.to_verify = counted.map_err(|error| page::unavailable(&visit, &error.into()))?;
        let upload_permit = match &form.image {
            Some(_) => Arc::clone(&state.uploads).acquire_owned().await.ok(),
            None => None,
        };
        Ok(Self {
            visit,
            user,
            form,
            _permit: permit,
            _upload_permit: upload_permit,
        })
    }
}

impl DeskRequest {
    /// The key under which wrong passwords of the person are counted: a stolen session guesses the password no faster than
    /// a stranger.
    pub(crate) fn password_attempt(&self) -> LoginAttemptKey {
        LoginAttemptKey::new(self.client, self.user.name.as_str())
    }

    /// The person, as use cases know it.
    pub(crate) fn caller(&self) -> Caller {
        caller_of(&self.user)
    }

    /// The network of the client, for the queue of searches.
    pub(crate) fn network(&self) -> app::search_queue::Client {
        self.client.map(network)
    }

    /// The first records of a kind that the person may list, which a form offers.
    pub(crate) async fn first<R: Resource>(
        &self,
        filter: R::Filter,
    ) -> Result<Vec<R::View>, AppError> {
        let page = PageRequest::new(1, OFFERED.into(), OFFERED);
        let (calendar, network, options) = (&self.state.calendar, self.network(), self.options());
        let found = calendar.query::<R>(self.caller(), network, filter, page, &options);
        Ok(found.await?.rows)
    }

    /// The page of a list that the address asks for.
    pub(crate) fn page(&self, per_page: u32) -> PageRequest {
        let number = self.parameter("page").and_then(|page| page.parse().ok());
        PageRequest::new(number.unwrap_or(1), per_page.into(), per_page)
    }

    /// The revision of which the form was made: an update expects it.
    pub(crate) fn expected(&self) -> Precondition {
        let revision = self.form.get("revision");
        let revision = revision.and_then(|text| text.parse().ok());
        revision.map_or(Precondition::Any, |one| Precondition::OneOf(vec![one]))
    }

    /// The statuses that the person may give to a record of a kind, and the present one: value, text, and whether it is
    /// chosen.
    pub(crate) fn statuses(
        &self,
        kind: Kind,
        present: Option<Status>,
        chosen: Status,
    ) -> Vec<(String, String, bool)> {
        let offered = [
            Status::Draft,
            Status::Pending,
            Status::Publish,
            Status::Private,
        ];
        let offered = offered
            .into_iter()
            .chain(present.filter(|one| !offered.contains(one)));
        let may = |status: &Status| {
            Some(*status) == present || self.caller().granted(kind, *status) == Some(*status)
        };
        let choices = offered.filter(may).map(|status| {
            let text = self.word(Word::of_status(status)).to_owned();
            (status.name().to_owned(), text, status == chosen)
        });
        choices.collect()
    }

    /// The result of a use case, or the page of its error.
    pub(crate) fn found<T>(&self, found: Result<T, AppError>, absent: Word) -> Result<T, Response> {
        found.map_err(|error| self.failed(error, absent))
    }

    /// The page of what is not there; `absent` says what that may be.
    pub(crate) fn not_found(&self, absent: Word) -> Response {
        page::message(self, StatusCode::NOT_FOUND, Word::NOT_FOUND, absent)
    }

    /// The page of an error of a use case.
    pub(crate) fn failed(&self, error: AppError, absent: Word) -> Response {
        match error {
            AppError::Forbidden => {
                page::message(self, StatusCode::FORBIDDEN, Word::FORBIDDEN, absent)
            }
            error @ (AppError::Store(_) | AppError::Overloaded) => {
                page::unavailable(self, &error.into())
            }
            _ => self.not_found(absent),
        }
    }

    /// The options of reads: texts in the language of the person.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions::default().language(self.language)
    }
}
