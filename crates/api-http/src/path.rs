//! Which spellings of a path mean the same route.

use axum::http::{Request, Uri, uri::PathAndQuery};

/// Brings a path to the one spelling that the routes know: without a slash at its end, letters of
/// ASCII in lower case. Slugs are compared without regard to case anyway.
pub(crate) fn normalize<B>(mut request: Request<B>) -> Request<B> {
    let path = request.uri().path();
    let plain = path.trim_end_matches('/');
    let plain = if plain.is_empty() { "/" } else { plain };
    if plain.len() == path.len() && !plain.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return request;
    }
    let mut target = plain.to_ascii_lowercase();
    if let Some(query) = request.uri().query() {
        target.push('?');
        target.push_str(query);
    }
    let mut parts = request.uri().clone().into_parts();
    // Taken from a valid path, it is one.
    if let Ok(target) = PathAndQuery::try_from(target) {
        parts.path_and_query = Some(target);
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(path: &str) -> String {
        normalize(Request::get(path).body(()).unwrap())
            .uri()
            .to_string()
    }

    #[test]
    fn case_and_slash_at_the_end_do_not_matter() {
        assert_eq!(
            normalized("/cal/EVENTS/v1/events/?Search=A/"),
            "/cal/events/v1/events?Search=A/"
        );
        assert_eq!(normalized("/"), "/");
    }
}
