//! Requests to a site: one at a time, repeated after failures.

use std::time::Duration;

use adapters_http::{
    HttpClient, RequestError, Response, StatusCode, Timeouts, Url,
    header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::Secret;
use serde_json::Value;

/// The timeouts of a request. A page of a busy site takes long.
const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(10),
    idle: Duration::from_mins(1),
};

/// The longest page, in bytes.
const MAX_PAGE: usize = 64 * 1024 * 1024;

/// The offsets in a response at which JSON may begin.
const MAX_STARTS: usize = 20;

/// The requests for one page, the first included.
const ATTEMPTS: u32 = 6;

/// The longest pause that a site may ask for.
const MAX_PAUSE: Duration = Duration::from_mins(10);

/// The credentials of a user of the site.
#[derive(Clone, Debug)]
pub struct Login {
    /// The name.
    pub name: String,
    /// The application password.
    pub password: Secret,
}

/// The way in which a site is read.
#[derive(Clone, Debug)]
pub struct Access {
    /// The user, if the requests have one.
    pub login: Option<Login>,
    /// Whether addresses that are not public are permitted.
    pub allow_private: bool,
    /// The pause before the first repetition; each further one is twice as long.
    pub pause: Duration,
}

impl Default for Access {
    fn default() -> Self {
        Self {
            login: None,
            allow_private: false,
            pause: Duration::from_secs(1),
        }
    }
}

/// The reasons for which a URL has no JSON.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum GetError {
    /// The site refuses the request.
    #[error("{url} answers {status}{}", message(.body))]
    Refused {
        url: Url,
        status: StatusCode,
        body: Value,
    },
    /// There is no usable response.
    #[error("{0}")]
    Failed(String),
}

/// The code and the text of an error of the site.
fn message(body: &Value) -> String {
    let part = |name| body.get(name).and_then(Value::as_str);
    match (part("code"), part("message")) {
        (Some(code), Some(text)) => format!(" {code}: {text}"),
        (Some(text), None) | (None, Some(text)) => format!(" {text}"),
        (None, None) => String::new(),
    }
}

impl GetError {
    /// The status, if the site refused the request.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(status.as_u16()),
            Self::Failed(_) => None,
        }
    }

    /// Whether the site refuses the request as such, rather than failing.
    pub(crate) fn is_of_client(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if status.is_client_error() && status.as_u16() != 429)
    }

    /// Whether the site has no such route.
    pub(crate) fn is_no_route(&self) -> bool {
        matches!(self, Self::Refused { body, .. } if body["code"] == "rest_no_route" || body.is_null())
    }
}

/// JSON, and the URL at which it was found after all redirects.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) url: Url,
    pub(crate) body: Value,
}

/// Requests JSON.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: HttpClient,
    pause: Duration,
    authorization: Option<HeaderValue>,
}

impl Client {
    pub(crate) fn new(access: &Access) -> Self {
        let authorization = access.login.as_ref().and_then(|login| {
            let pair = format!("{}:{}", login.name, login.password.expose());
            let value = format!("Basic {}", BASE64_STANDARD.encode(pair));
            let mut value = HeaderValue::from_str(&value).ok()?;
            value.set_sensitive(true);
            Some(value)
        });
        Self {
            http: HttpClient::new(access.allow_private, TIMEOUTS),
            pause: access.pause,
            authorization,
        }
    }

    /// The same client without credentials.
    pub(crate) fn anonymous(&self) -> Self {
        Self {
            authorization: None,
            ..self.clone()
        }
    }

    pub(crate) fn has_login(&self) -> bool {
        self.authorization.is_some()
    }

    /// Requests a URL until there is a usable response, with growing pauses.
    pub(crate) async fn get(&self, url: &Url) -> Result<Found, GetError> {
        let mut pause = self.pause;
        for attempt in 1.. {
            let failure = match self.get_once(url).await {
                Ok(found) => return Ok(found),
                Err(failure) => failure,
            };
            let Some(least) = failure.repeat_after.filter(|_| attempt < ATTEMPTS) else {
                return Err(failure.error);
            };
            let wait = pause.max(least);
            // The path of an address may be secret.
            let site = url.origin().ascii_serialization();
            let (status, seconds) = (failure.error.status(), wait.as_secs());
            tracing::info!(site, ?status, seconds, "the request is repeated");
            tokio::time::sleep(wait).await;
            pause *= 2;
        }
        Err(GetError::Failed(format!("{url} was not requested")))
    }

    async fn get_once(&self, url: &Url) -> Result<Found, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        let failed = |error: RequestError| Failure {
            repeat_after: matches!(error, RequestError::NoResponse(_)).then_some(Duration::ZERO),
            error: GetError::Failed(format!("{url}: {error}")),
        };
        let response = self.http.get(url, headers).await.map_err(failed)?;
        let (status, at) = (response.status(), response.url().clone());
        let repeat_after = repeat_after(&response);
        let content = response.read(MAX_PAGE).await.map_err(failed)?;
        let body = json(&content);
        if !status.is_success() {
            return Err(Failure {
                repeat_after,
                error: GetError::Refused {
                    url: at,
                    status,
                    body: body.unwrap_or_default(),
                },
            });
        }
        let body = body.ok_or_else(|| Failure {
            repeat_after: None,
            error: GetError::Failed(format!("{at} is not JSON")),
        })?;
        Ok(Found { url: at, body })
    }
}

/// A failed request.
struct Failure {
    error: GetError,
    /// The shortest pause after which it may be repeated; none if a repetition is of no use.
    repeat_after: Option<Duration>,
}

/// The pause that a busy or failing site asks for; none if it is neither, or asks for a very long one.
fn repeat_after(response: &Response) -> Option<Duration> {
    let status = response.status();
    if status != StatusCode::TOO_MANY_REQUESTS && !status.is_server_error() {
        return None;
    }
    let asked = response.retry_after().unwrap_or_default();
    (asked <= MAX_PAUSE).then_some(asked)
}

/// Reads JSON. Warnings of the site's program may precede it.
fn json(content: &[u8]) -> Option<Value> {
    if let Ok(value) = serde_json::from_slice(content) {
        return Some(value);
    }
    let starts = (0..content.len()).filter(|&at| content[at..].starts_with(b"{\""));
    starts
        .take(MAX_STARTS)
        .find_map(|at| serde_json::from_slice(&content[at..]).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_found_behind_warnings() {
        let page = b"\xef\xbb\xbf<br />\n<b>Notice</b>: {\"x\n{\"events\":[]}";
        assert_eq!(json(page), Some(serde_json::json!({"events": []})));
        assert_eq!(json(b"<html>{\"a\": 1} </html>"), None);
    }
}
