//! `_envelope`: status and headers within the body, for clients that cannot read them.

use axum::{
    body::Bytes,
    http::{HeaderMap, StatusCode, header, response::Parts},
};
use serde_json::{Map, Value, json};

use super::json::JSON;

/// Whether a query has `_envelope`.
pub(crate) fn is_requested(query: &str) -> bool {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let sent = pairs.filter(|(name, _)| name == "_envelope").last();
    sent.is_some_and(|(_, value)| !matches!(&*value, "0" | "false"))
}

/// Wraps a JSON response. The envelope itself has status 200.
pub(crate) fn put_in(parts: &mut Parts, bytes: &mut Bytes) {
    let Ok(body) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    let envelope = json!({
        "body": body,
        "status": parts.status.as_u16(),
        "headers": headers(&parts.headers),
    });
    parts.status = StatusCode::OK;
    parts.headers.insert(header::CONTENT_TYPE, JSON);
    *bytes = Bytes::from(envelope.to_string());
}

/// Headers by name; the values of equal names are joined.
fn headers(headers: &HeaderMap) -> Map<String, Value> {
    let names = headers.keys();
    names
        .map(|name| {
            let values = headers.get_all(name).iter();
            let values: Vec<_> = values.filter_map(|value| value.to_str().ok()).collect();
            (spelt(name.as_str()), json!(values.join(", ")))
        })
        .collect()
}

/// A header name in the case that clients expect, such as `X-TEC-Total`.
fn spelt(name: &str) -> String {
    let words: Vec<_> = name.split('-').map(word).collect();
    words.join("-")
}

fn word(lower: &str) -> String {
    match lower {
        "tec" | "wp" | "www" => lower.to_ascii_uppercase(),
        "totalpages" => "TotalPages".to_owned(),
        "etag" => "ETag".to_owned(),
        _ => {
            let mut letters = lower.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_true_value_asks() {
        for (query, expected) in [
            ("_envelope=1", true),
            ("a=b&_envelope", true),
            ("_envelope=true", true),
            ("_envelope=0", false),
            ("_envelope=1&_envelope=false", false),
            ("envelope=1", false),
            ("", false),
        ] {
            assert_eq!(is_requested(query), expected, "{query}");
        }
    }

    #[test]
    fn names_are_spelt_as_known() {
        for name in [
            "X-TEC-TotalPages",
            "X-WP-Total",
            "Content-Type",
            "WWW-Authenticate",
            "Link",
        ] {
            assert_eq!(spelt(&name.to_ascii_lowercase()), name);
        }
    }
}
