//! Errors as problem details (RFC 9457).
//!
//! The type is `about:blank`. The members `code` and those of `data` extend the standard ones.

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header, response::Parts},
};
use serde_json::{Map, Value, json};

use crate::header_values::quality;

const TYPE: &str = "application/problem+json";

/// Whether `Accept` names the type and prefers it to plain JSON.
pub(crate) fn is_accepted(headers: &HeaderMap) -> bool {
    let quality = |name| quality(headers, &header::ACCEPT, &[name]).unwrap_or(0);
    let problem = quality(TYPE);
    problem > 0 && problem >= quality("application/json")
}

/// Rewrites an error from its usual form to problem details.
pub(crate) fn rewrite(parts: &mut Parts, bytes: &mut Bytes) {
    let Ok(Value::Object(mut error)) = serde_json::from_slice(bytes) else {
        return;
    };
    let (Some(code), Some(message)) = (error.remove("code"), error.remove("message")) else {
        return;
    };
    let mut problem = Map::from_iter([
        ("type".to_owned(), json!("about:blank")),
        ("title".to_owned(), json!(parts.status.canonical_reason())),
        ("status".to_owned(), json!(parts.status.as_u16())),
        ("detail".to_owned(), message),
        ("code".to_owned(), code),
    ]);
    if let Some(Value::Object(data)) = error.remove("data") {
        for (name, value) in data {
            problem.entry(name).or_insert(value);
        }
    }
    *bytes = Bytes::from(Value::Object(problem).to_string());
    let content_type = HeaderValue::from_static(TYPE);
    parts.headers.insert(header::CONTENT_TYPE, content_type);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_names_it_gets_it() {
        for (accept, is_accepted_so) in [
            ("application/problem+json", true),
            ("Application/Problem+JSON; q=0.5, text/html", true),
            ("application/json, application/problem+json", true),
            ("application/json, application/problem+json;q=0.9", false),
            ("application/problem+json;q=0", false),
            ("application/*", false),
            ("*/*", false),
            ("application/json", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(is_accepted(&headers), is_accepted_so, "{accept}");
        }
    }
}
