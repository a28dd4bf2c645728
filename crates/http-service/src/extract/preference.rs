//! Preferences of a client (RFC 7240): `Prefer: handling=strict` refuses unknown parameters.

use axum::http::{HeaderMap, HeaderName};

use crate::header_values::elements;

pub(crate) const PREFER: HeaderName = HeaderName::from_static("prefer");

pub(crate) const APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Whether the client prefers strict handling. The first of several preferences for the handling
/// counts.
pub fn is_strict(headers: &HeaderMap) -> bool {
    let handling = elements(headers, &PREFER).find_map(handling);
    handling.is_some_and(|value| value.eq_ignore_ascii_case("strict"))
}

/// The value of `handling=value` or `handling="value"`, which parameters may follow.
fn handling(preference: &str) -> Option<&str> {
    let (name, value) = preference.split(';').next()?.split_once('=')?;
    let is_handling = name.trim().eq_ignore_ascii_case("handling");
    is_handling.then(|| value.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn preferences() {
        for (values, strict) in [
            (&["handling=strict"][..], true),
            (&["return=minimal, Handling = \"STRICT\"; x=1"], true),
            (&["respond-async", "handling=strict"], true),
            (&["handling=lenient, handling=strict"], false),
            (&["handling"], false),
            (&["strict"], false),
            (&["handling=stricter"], false),
            (&[], false),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(PREFER, HeaderValue::from_static(value));
            }
            assert_eq!(is_strict(&headers), strict, "{values:?}");
        }
    }
}
