//! `HEAD` and method overrides.

use axum::{
    body::{Body, HttpBody},
    http::{HeaderName, HeaderValue, Method, Request, header},
    middleware::Next,
    response::Response,
};

/// The header in which clients that can only send `POST` name the method.
const OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");

/// Serves `HEAD` as `GET`, without the body. The response cache thus serves both.
pub(crate) async fn read_heads(mut request: Request<Body>, next: Next) -> Response {
    if request.method() != Method::HEAD {
        return next.run(request).await;
    }
    *request.method_mut() = Method::GET;
    let mut response = next.run(request).await;
    if let Some(length) = response.body().size_hint().exact() {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    *response.body_mut() = Body::empty();
    response
}

/// Replaces the method of a `POST` by the one in `_method` of the query, else in
/// `X-HTTP-Method-Override`, before routing and rights. An unknown method becomes one that no route
/// has.
pub(super) fn apply_override<B>(request: &mut Request<B>) {
    if request.method() != Method::POST {
        return;
    }
    let query = request.uri().query().unwrap_or_default();
    let sent = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| name == "_method")
        .last()
        .map(|(_, value)| value.into_owned());
    let named = sent.or_else(|| {
        let value = request.headers().get(OVERRIDE)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    if let Some(named) = named {
        let method = Method::from_bytes(named.trim().to_ascii_uppercase().as_bytes());
        *request.method_mut() = method.unwrap_or(Method::TRACE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunnelled(method: Method, query: &str, header: Option<&str>) -> String {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/events{query}"));
        if let Some(value) = header {
            request = request.header(OVERRIDE, value);
        }
        let mut request = request.body(()).unwrap();
        apply_override(&mut request);
        request.method().to_string()
    }

    #[test]
    fn a_post_may_be_another_method() {
        for (query, header, method) in [
            ("", None, "POST"),
            ("?_method=delete", None, "DELETE"),
            ("", Some(" Patch "), "PATCH"),
            ("?_method=PUT", Some("DELETE"), "PUT"),
            ("?_method=PUT&_method=PATCH", None, "PATCH"),
            ("?_method=a%20b", None, "TRACE"),
            ("?_method=", None, "TRACE"),
        ] {
            assert_eq!(tunnelled(Method::POST, query, header), method, "{query}");
        }
    }

    #[test]
    fn other_methods_stay() {
        for method in [Method::GET, Method::PUT, Method::DELETE] {
            let name = method.to_string();
            assert_eq!(tunnelled(method, "?_method=PATCH", Some("PATCH")), name);
        }
    }
}
