//! The request as handlers see it.

use std::{net::IpAddr, sync::Arc};

use app::{AppError, request::RecordKey, write::ReadOptions};
use axum::{
    extract::{FromRequest, FromRequestParts, Request},
    http::Method,
};
use domain::{Event, Language, policy::Caller, time::Timestamp};
use forms::{Fields, Reading, Repeated};
use http_service::{
    AppState,
    error::ApiError,
    extract::{Auth, SharedContext, is_strict},
    limits::Patience,
    site::{BasePath, Site},
};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;

use super::{
    body::{self, Sent},
    charset::{self, decode_form},
};

/// The longest query, in bytes.
const MAX_QUERY: usize = 8 * 1024;

/// The request as handlers see it: made once, by this extractor.
///
/// The order of the checks is part of the contract: credentials, then `H`, then query and body.
#[derive(Debug)]
pub(crate) struct RequestContext<H = ()> {
    pub(crate) state: AppState,
    pub(crate) caller: Caller,
    /// Headers that only some handlers use, such as `If-Match`.
    pub(crate) head: H,
    /// The fields of body and query.
    pub(crate) fields: Fields,
    /// The decoded names and values of the query, in the order sent.
    pub(crate) query: Vec<(String, String)>,
    /// The site in the language and under the base path of the request.
    pub(crate) site: Site,
    /// The address of the client.
    pub(crate) client: Option<IpAddr>,
    /// The time at which the body had arrived.
    pub(crate) now: Timestamp,
    /// Lets the handler wait without its time limit.
    pub(crate) patience: Option<Patience>,
    permit: Option<OwnedSemaphorePermit>,
    /// Held by a request with a file.
    _upload_permit: Option<OwnedSemaphorePermit>,
}

impl<H> FromRequest<AppState> for RequestContext<H>
where
    H: FromRequestParts<AppState, Rejection: Into<ApiError>> + Send,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let Auth(caller) = Auth::from_request_parts(&mut parts, state).await?;
        let head = H::from_request_parts(&mut parts, state).await;
        let head = head.map_err(Into::into)?;
        Self::read(state, caller, head, Request::from_parts(parts, body)).await
    }
}

/// The fields of a query alone.
pub(crate) fn query_fields(query: &str) -> Fields {
    let in_query = body::nested(decode_form(query.as_bytes(), None));
    Fields {
        query: in_query.fields,
        repeated: Repeated {
            query: in_query.repeated,
            ..Repeated::default()
        },
        size: query.len(),
        faults: in_query.faults,
        ..Fields::default()
    }
}

impl<H> RequestContext<H> {
    /// Reads query and body of a request whose caller is known.
    ///
    /// # Errors
    ///
    /// [`ApiError::Overloaded`] if too many requests are in progress, and the errors of a query or
    /// body that is too long or malformed.
    pub(crate) async fn read(
        state: &AppState,
        caller: Caller,
        head: H,
        request: Request,
    ) -> Result<Self, ApiError> {
        let query = request.uri().query().unwrap_or_default();
        if query.len() > MAX_QUERY {
            return Err(ApiError::UriTooLong { limit: MAX_QUERY });
        }
        let query_bytes = query.len();
        let decoded = decode_form(query.as_bytes(), charset::of_headers(request.headers()));
        let base_path = request.extensions().get::<Arc<BasePath>>().cloned();
        let base_path = base_path.unwrap_or_default();
        let shared = request.extensions().get::<SharedContext>().cloned();
        let patience = request.extensions().get::<Patience>().cloned();
        let client = state
            .proxies
            .client_of(request.extensions(), request.headers());
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let strict = state.calendar.site().strict || is_strict(request.headers());
        let (parts, sent) = body::receive(request, caller).await?;
        let permit = state.concurrency.try_acquire()?;
        let in_body = body::parse(parts, &sent, state.calendar.cpu_limiter()).await?;
        // The body of a read must be well-formed and is ignored: the cache key of a read is its
        // address.
        let in_body = if is_read { Sent::default() } else { in_body };
        let query = decoded.pairs.clone();
        let in_query = body::nested(decoded);
        let file_bytes = in_body.image_file.as_ref();
        let file_bytes = file_bytes.map_or(0, |file| file.content.len());
        let upload_permit = match &in_body.image_file {
            Some(_) => Arc::clone(&state.uploads).acquire_owned().await.ok(),
            None => None,
        };
        let mut faults = in_query.faults;
        faults.extend(in_body.faults);
        let fields = Fields {
            body: in_body.fields,
            query: in_query.fields,
            language: base_path.language,
            repeated: Repeated {
                body: in_body.repeated,
                query: in_query.repeated,
            },
            size: query_bytes + sent.len() - file_bytes,
            strict,
            by_slugs: false,
            digits: in_body.digits,
            image_file: in_body.image_file,
            faults,
        };
        let language = fields.get("ml_language").and_then(Value::as_str);
        let language = language.and_then(|code| code.parse().ok());
        if let (Some(shared), Some(language)) = (shared, language) {
            shared.set_language(language);
        }
        Ok(Self {
            state: state.clone(),
            caller,
            head,
            fields,
            query,
            site: state.site.at(base_path, language),
            client,
            now: state.calendar.now(),
            patience,
            permit: Some(permit),
            _upload_permit: upload_permit,
        })
    }

    /// Gives the permit of the request back: it waits, and keeps no permit from others.
    pub(crate) fn release_permit(&mut self) {
        self.permit = None;
    }

    /// The circumstances on which the meaning of the fields depends.
    pub(crate) fn reading(&self) -> Reading<'_> {
        Reading::of(&self.state.calendar, self.caller)
    }

    /// The language of texts: the requested one, or else that of the site.
    pub(crate) fn language(&self) -> Language {
        let requested = self.fields.language();
        requested.unwrap_or(self.state.calendar.site().language)
    }

    /// The options of a read of an image.
    ///
    /// # Errors
    ///
    /// For an unknown language; in a strict request, also for other fields.
    pub(crate) fn image_options(&self) -> Result<ReadOptions, AppError> {
        self.fields.check_language_only(&[])?;
        Ok(ReadOptions::from(&self.fields))
    }

    /// Counts the password of a request against the limit of its client: a password for `event`,
    /// else for all events that the response may show.
    ///
    /// # Errors
    ///
    /// [`AppError::TooManyPasswords`], and the errors of the lookup.
    pub(crate) async fn admit_password(
        &self,
        event: Option<&RecordKey<Event>>,
    ) -> Result<(), ApiError> {
        let calendar = &self.state.calendar;
        let options = ReadOptions::from(&self.fields);
        let attempt = calendar.password_attempt(self.caller, &options, event);
        let Some(attempt) = attempt.await? else {
            return Ok(());
        };
        let now = calendar.monotonic();
        let throttle = &self.state.password_throttle;
        match throttle.wait_seconds(self.client, &attempt, now) {
            None => Ok(()),
            Some(retry_after_seconds) => Err(AppError::TooManyPasswords {
                retry_after_seconds,
            }
            .into()),
        }
    }

    /// Checks the fields of a handler that uses only the language. `ignored` are accepted, too.
    ///
    /// # Errors
    ///
    /// Faults of the fields.
    pub(crate) fn expect_no_fields(&self, ignored: &[&'static str]) -> Result<(), ApiError> {
        let checked = self.fields.check_language_only(ignored);
        Ok(checked.map_err(AppError::from)?)
    }
}
