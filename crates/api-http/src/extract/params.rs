//! What a request sends, from all the places where it may send it.

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use app::{
    AppError,
    cpu_limiter::CpuLimiter,
    input::{Fields, Repeated},
    request::RecordKey,
};
use axum::{
    BoxError,
    body::{Body, Bytes},
    extract::{FromRequest, Multipart, Request},
    http::{HeaderMap, Method, header, request::Parts},
};
use domain::{Event, Language, policy::Caller};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};
use tokio::{sync::OwnedSemaphorePermit, task::yield_now};

use super::{
    brackets::{Sent, nest},
    preference::is_strict,
};
use crate::{
    error::{ApiError, InvalidJson},
    limits::in_flight,
    site::{Site, base_path::BasePath},
    state::AppState,
};

/// Longest query, in bytes.
const MAX_QUERY: usize = 8 * 1024;

/// Longest body, in bytes.
const MAX_BODY: usize = 1024 * 1024;

/// After so many parts of a form, other tasks have their turn.
const PARTS_AT_ONCE: usize = 64;

/// How deep a body of JSON may be nested.
const MAX_DEPTH: usize = 64;

/// What a request sends: fields of body and query, and the query as it was.
#[derive(Debug)]
pub(crate) struct Params {
    pub(crate) fields: Fields,
    /// Names and values of the query, decoded, in their order.
    pub(crate) query: Vec<(String, String)>,
    /// The site as the answer names it.
    pub(crate) site: Site,
    /// The address that asks.
    pub(crate) client: Option<IpAddr>,
    /// The request's place among those that are worked on.
    _place: OwnedSemaphorePermit,
}

impl FromRequest<AppState> for Params {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let query = request.uri().query().unwrap_or_default();
        if query.len() > MAX_QUERY {
            return Err(ApiError::UriTooLong { limit: MAX_QUERY });
        }
        let query: Vec<_> = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let base_path = request.extensions().get::<Arc<BasePath>>().cloned();
        let base_path = base_path.unwrap_or_default();
        let chosen = request.extensions().get::<LanguageSlot>().cloned();
        let client = state
            .proxies
            .client_of(request.extensions(), request.headers());
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let strict = state.calendar.site().strict || is_strict(request.headers());
        let query_bytes = request.uri().query().map_or(0, str::len);
        let (request, sent) = receive(request).await?;
        let place = state.concurrency.try_acquire()?;
        let body = body(request, &sent, state.calendar.cpu_limiter()).await?;
        let language = base_path.language;
        // A read says all in its address, by which its answer is known and kept; what comes beside
        // it must be well formed, and means nothing.
        let body = if is_read { Sent::default() } else { body };
        let in_query = nest(query.clone());
        let fields = Fields {
            body: body.fields,
            query: in_query.fields,
            language,
            repeated: Repeated {
                body: body.repeated,
                query: in_query.repeated,
            },
            size: query_bytes + sent.len(),
            strict,
        };
        let sent = fields.get("ml_language").and_then(Value::as_str);
        let sent = sent.and_then(Language::from_code);
        if let (Some(chosen), Some(language)) = (chosen, sent) {
            chosen.note(language);
        }
        Ok(Self {
            fields,
            query,
            site: state.site.at(base_path, sent),
            client,
            _place: place,
        })
    }
}

impl AppState {
    /// Lets a request try the password that it brings, if its client has not tried too many: for the
    /// event that it names, else for all that its answer might tell of.
    pub(crate) async fn admit_password(
        &self,
        params: &Params,
        caller: Caller,
        event: Option<&RecordKey<Event>>,
    ) -> Result<(), ApiError> {
        let Some(tried) = self
            .calendar
            .password_attempt(caller, &params.fields, event)
            .await?
        else {
            return Ok(());
        };
        let now = self.calendar.monotonic();
        match self
            .password_throttle
            .wait_seconds(params.client, &tried, now)
        {
            None => Ok(()),
            Some(retry_after_seconds) => Err(AppError::TooManyPasswords {
                retry_after_seconds,
            }
            .into()),
        }
    }
}

/// The language that the fields of a request choose, once they are read: they may stand in its body.
#[derive(Clone, Debug, Default)]
pub(crate) struct LanguageSlot(Arc<OnceLock<Language>>);

impl LanguageSlot {
    /// The language, once the fields are read.
    pub(crate) fn get(&self) -> Option<Language> {
        self.0.get().copied()
    }

    /// Notes what the fields say.
    pub(crate) fn note(&self, language: Language) {
        // The fields of a request are read once.
        let _ = self.0.set(language);
    }
}

/// The kinds of bodies that are read.
enum ContentType {
    Json,
    Form,
    Multipart,
    Other,
}

fn content_type(headers: &HeaderMap) -> ContentType {
    let text = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = text
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match essence.as_str() {
        "application/json" => ContentType::Json,
        "application/x-www-form-urlencoded" => ContentType::Form,
        "multipart/form-data" => ContentType::Multipart,
        other if other.starts_with("application/") && other.ends_with("+json") => ContentType::Json,
        _ => ContentType::Other,
    }
}

/// A request, and its body of at most [`MAX_BODY`] bytes. One of a kind that is not read must not be
/// endless either.
async fn receive(request: Request) -> Result<(Parts, Bytes), ApiError> {
    let (parts, body) = request.into_parts();
    Ok((parts, read(body, MAX_BODY).await?))
}

/// The fields of a body. Reading a long one takes a turn.
async fn body(parts: Parts, sent: &Bytes, heavy: &CpuLimiter) -> Result<Sent, ApiError> {
    match content_type(&parts.headers) {
        ContentType::Json => Ok(Sent {
            fields: heavy.run(sent.len(), || json(sent)).await??,
            ..Sent::default()
        }),
        ContentType::Form => {
            let form = || nest(form_urlencoded::parse(sent).into_owned().collect());
            Ok(heavy.run(sent.len(), form).await?)
        }
        ContentType::Multipart => {
            let pairs = multipart(Request::from_parts(parts, Body::from(sent.clone()))).await?;
            Ok(heavy.run(sent.len(), || nest(pairs)).await?)
        }
        ContentType::Other => Ok(Sent::default()),
    }
}

/// A body of at most so many bytes. They are copied: a part of a body keeps the whole buffer into
/// which it was received.
pub(crate) async fn read(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let mut body = Limited::new(body, limit);
    let mut content = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| unread(&error, limit))?;
        if let Some(data) = frame.data_ref() {
            content.extend_from_slice(data);
        }
    }
    Ok(content.into())
}

/// Why a body was not read to its end.
fn unread(error: &BoxError, limit: usize) -> ApiError {
    if error.is::<LengthLimitError>() {
        ApiError::TooLarge { limit }
    } else if in_flight::is_full(&**error) {
        ApiError::Overloaded
    } else {
        ApiError::InvalidJson(InvalidJson::BrokenOff)
    }
}

/// The fields of an object; other JSON has none.
fn json(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        ApiError::InvalidJson(InvalidJson::Syntax { line, column })
    })?;
    if depth(&value) > MAX_DEPTH {
        return Err(ApiError::InvalidJson(InvalidJson::TooDeep));
    }
    match value {
        Value::Object(object) => Ok(object),
        _ => Ok(Map::new()),
    }
}

/// How deep a value is nested. The parser has bounded it before, so that this may recurse.
fn depth(value: &Value) -> usize {
    let inner = match value {
        Value::Array(values) => values.iter().map(depth).max(),
        Value::Object(object) => object.values().map(depth).max(),
        _ => return 0,
    };
    1 + inner.unwrap_or(0)
}

/// The fields of a form with parts; files are not read here.
async fn multipart(request: Request) -> Result<Vec<(String, String)>, ApiError> {
    let unreadable = || ApiError::UnreadableForm;
    let mut multipart = Multipart::from_request(request, &())
        .await
        .map_err(|_| unreadable())?;
    let mut pairs = Vec::new();
    while let Some(field) = multipart.next_field().await.map_err(|_| unreadable())? {
        let (Some(name), None) = (field.name().map(str::to_owned), field.file_name()) else {
            continue;
        };
        let text = field.text().await.map_err(|_| unreadable())?;
        pairs.push((name, text));
        if pairs.len().is_multiple_of(PARTS_AT_ONCE) {
            yield_now().await;
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_have_fields() {
        assert_eq!(json(b"{\"a\":1}").unwrap().len(), 1);
        assert!(json(b"[1,2]").unwrap().is_empty());
        assert!(json(b"\"x\"").unwrap().is_empty());
        assert!(json(b"  ").unwrap().is_empty());
        assert!(json(b"{\"a\":").is_err());
    }

    #[test]
    fn nesting_is_bounded() {
        let nested =
            |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert!(json(nested(MAX_DEPTH - 1).as_bytes()).is_ok());
        assert!(json(nested(MAX_DEPTH).as_bytes()).is_err());
        assert!(json(nested(100_000).as_bytes()).is_err());
    }
}
