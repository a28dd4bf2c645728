//! Errors of requests.

use std::{collections::BTreeMap, fmt, time::Duration};

use app::fault::BadFields;
use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::Value;

use crate::ErrorCode;

/// The reason why a request has no result.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address of the service is none of `http` or `https`.
    #[error("{0} is no address of http or https")]
    Address(String),
    /// The token has characters that no token has.
    #[error("the token has characters that no token has")]
    Token,
    /// The fields of the write are wrong, so that it was not sent.
    #[error("{0}")]
    Fields(BadFields),
    /// The write has a file, which it cannot carry: see [`Client::upload`](crate::Client::upload).
    #[error("a write carries no file; upload the image, and set its ID")]
    ImageFile,
    /// There was no complete answer; the text is the reason.
    #[error("no answer: {0}")]
    NoAnswer(String),
    /// The answer is none of the interface; the text is the reason.
    #[error("the answer is none of the interface: {0}")]
    Unreadable(String),
    /// The service refused the request.
    #[error("{0}")]
    Refused(Box<Refusal>),
}

impl From<BadFields> for ClientError {
    fn from(faults: BadFields) -> Self {
        Self::Fields(faults)
    }
}

impl ClientError {
    /// The code, if the service refused the request.
    pub fn code(&self) -> Option<&ErrorCode> {
        match self {
            Self::Refused(refusal) => Some(&refusal.code),
            _ => None,
        }
    }

    /// Whether the same request may succeed later: there was no answer, or the service was overloaded or away.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::NoAnswer(_) => true,
            Self::Refused(refusal) => refusal.asks_for_patience() || refusal.status >= 500,
            _ => false,
        }
    }
}

/// The answer to a request that the service refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The code.
    pub code: ErrorCode,
    /// The message for people, in the language of the request.
    pub message: String,
    /// The faults of fields; of a missing field, there is no more to say.
    pub fields: BTreeMap<String, Option<FieldFault>>,
    /// The URL of the record that had the slug before.
    pub moved_to: Option<String>,
    /// Why a token of changes has expired.
    pub reason: Option<String>,
    /// The time after which the service wants the request again.
    pub retry_after: Option<Duration>,
}

/// The fault of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// The message for people, in the language of the request.
    pub message: String,
    /// The code of the fault, if it has one.
    pub code: Option<String>,
}

/// The body of an error.
#[derive(Deserialize)]
struct Body {
    code: String,
    message: String,
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    params: Value,
    details: Value,
    moved_to: Option<String>,
    reason: Option<String>,
}

impl Refusal {
    /// Reads an error; the status alone, if the body is none of the interface.
    pub(crate) fn read(status: StatusCode, retry_after: Option<Duration>, body: &[u8]) -> Self {
        let body = serde_json::from_slice(body).unwrap_or_else(|_| Body {
            code: String::new(),
            message: status.canonical_reason().unwrap_or_default().to_owned(),
            data: Data::default(),
        });
        let details = body.data.details;
        let code_of = |name: &str| details.get(name)?.get("code")?.as_str().map(str::to_owned);
        let fields = match body.data.params {
            Value::Array(missing) => {
                let names = missing.iter().filter_map(Value::as_str);
                names.map(|name| (name.to_owned(), None)).collect()
            }
            Value::Object(faults) => {
                let faults = faults.into_iter().map(|(name, message)| {
                    let message = message.as_str().unwrap_or_default().to_owned();
                    let code = code_of(&name);
                    (name, Some(FieldFault { message, code }))
                });
                faults.collect()
            }
            _ => BTreeMap::new(),
        };
        Self {
            status: status.as_u16(),
            code: body.code.as_str().into(),
            message: body.message,
            fields,
            moved_to: body.data.moved_to,
            reason: body.data.reason,
            retry_after,
        }
    }

    /// Whether the service did nothing, and wants the request later.
    pub(crate) fn asks_for_patience(&self) -> bool {
        [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::SERVICE_UNAVAILABLE,
        ]
        .iter()
        .any(|status| status.as_u16() == self.status)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.status, self.code, self.message)?;
        for (name, fault) in &self.fields {
            if let Some(fault) = fault {
                write!(f, " {name}: {}", fault.message)?;
            }
        }
        Ok(())
    }
}
