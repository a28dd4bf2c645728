//! The JSON of an error.

use super as message;
use app::{error::AppError, fault::Faults};
use domain::Language;
use serde_json::{Map, Value, json};

use crate::error::ApiError;

impl ApiError {
    /// The fields of `data` without the status.
    pub(crate) fn data(&self, language: Language) -> Map<String, Value> {
        let data = match self {
            Self::InvalidJson(reason) => {
                let reason = message::json(*reason, language);
                // The number of a syntax error in PHP, which some clients read.
                json!({ "json_error_code": 4, "json_error_message": reason })
            }
            Self::BadIdempotencyKey => {
                let params = json!({ "Idempotency-Key": message::error(self, language) });
                json!({ "params": params, "details": [] })
            }
            Self::Moved { to, .. } => json!({ "moved_to": to }),
            Self::TokenExpired { expiry, full_url } => {
                json!({ "reason": expiry.reason(), "full_url": full_url })
            }
            Self::App(error) => match &**error {
                AppError::Missing(fields) => json!({ "params": fields }),
                AppError::Invalid(faults) => invalid(faults, language),
                AppError::FeedTooLarge { total, limit } => {
                    json!({ "total": total, "limit": limit })
                }
                AppError::UnknownEvent(field) => json!({ "params": [field.as_str()] }),
                AppError::TermExists { term_id } => json!({ "term_id": term_id }),
                _ => Value::Null,
            },
            _ => Value::Null,
        };
        match data {
            Value::Object(data) => data,
            _ => Map::new(),
        }
    }

    /// The body of the response.
    pub(crate) fn body(&self, language: Language) -> Value {
        let (status, code) = self.kind();
        let mut data = Map::from_iter([("status".to_owned(), json!(status.as_u16()))]);
        data.append(&mut self.data(language));
        json!({ "code": code, "message": message::error(self, language), "data": data })
    }

    /// The body as problem details (RFC 9457). The type is `about:blank`; the members `code` and
    /// those of `data` extend the standard ones.
    pub(crate) fn problem(&self, language: Language) -> Value {
        let (status, code) = self.kind();
        let mut problem = json!({
            "type": "about:blank",
            "title": status.canonical_reason(),
            "status": status.as_u16(),
            "detail": message::error(self, language),
            "code": code,
        });
        for (name, value) in self.data(language) {
            problem[name] = value;
        }
        problem
    }
}

/// The faults by field: `params` and `details`.
fn invalid(faults: &Faults, language: Language) -> Value {
    let text = |name, fault| json!(message::fault(name, fault, language));
    let params: Map<_, _> = faults
        .iter()
        .map(|(name, fault)| (name.to_string(), text(name, fault)))
        .collect();
    // Faults with a code of their own.
    let details: Map<_, _> = faults
        .iter()
        .filter_map(|(name, fault)| {
            let detail = json!({
                "code": fault.code()?,
                "message": text(name, fault),
                "data": { "param": name },
            });
            Some((name.to_string(), detail))
        })
        .collect();
    // Clients expect an object, or an empty list if no fault has a code.
    let details = if details.is_empty() {
        json!([])
    } else {
        json!(details)
    };
    json!({ "params": params, "details": details })
}
