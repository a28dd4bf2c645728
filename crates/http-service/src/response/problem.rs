//! Errors as problem details (RFC 9457).

use axum::http::{HeaderMap, header};

use crate::header_values::quality;

pub(super) const TYPE: &str = "application/problem+json";

/// Whether `Accept` names the type and prefers it to plain JSON.
pub(crate) fn is_accepted(headers: &HeaderMap) -> bool {
    let quality = |name| quality(headers, &header::ACCEPT, &[name]).unwrap_or(0);
    let problem = quality(TYPE);
    problem > 0 && problem >= quality("application/json")
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
