//! The answers at port 80 of a server with TLS.

use axum::{
    Router,
    extract::Request,
    http::{
        HeaderValue, StatusCode,
        header::{HOST, LOCATION},
        uri::PathAndQuery,
    },
    response::{IntoResponse as _, Response},
};

/// Answers each request with 308 and the address of the same page by https. `names` are the names of the server: a
/// request for another one leads to the first.
pub(crate) fn to_https(names: &[String]) -> Router {
    let names = names.to_vec();
    Router::new().fallback(move |request: Request| async move { redirect(&names, &request) })
}

fn redirect(names: &[String], request: &Request) -> Response {
    let host = request.headers().get(HOST).map(HeaderValue::as_bytes);
    let host = host.and_then(|host| host.split(|byte| *byte == b':').next());
    let host = host.unwrap_or_default();
    let asked = |name: &&String| name.as_bytes().eq_ignore_ascii_case(host);
    let Some(name) = names.iter().find(asked).or(names.first()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let target = request.uri().path_and_query().map(PathAndQuery::as_str);
    // `OPTIONS *` names no page.
    let target = target.filter(|target| target.starts_with('/'));
    let location = format!("https://{name}{}", target.unwrap_or("/"));
    match HeaderValue::from_str(&location) {
        Ok(location) => (StatusCode::PERMANENT_REDIRECT, [(LOCATION, location)]).into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use tower::ServiceExt as _;

    use super::*;

    async fn location(host: &str, target: &str) -> String {
        let names = ["cal.example.org", "www.example.org"].map(str::to_owned);
        let request = Request::builder().method("POST").uri(target);
        let request = request.header(HOST, host).body(Body::empty()).unwrap();
        let response = to_https(&names).oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT);
        response.headers()[LOCATION].to_str().unwrap().to_owned()
    }

    #[tokio::test]
    async fn each_page_has_its_address_by_https() {
        for (host, target, expected) in [
            ("cal.example.org", "/", "https://cal.example.org/"),
            (
                "Cal.Example.Org:80",
                "/events?page=2&search=a%20b",
                "https://cal.example.org/events?page=2&search=a%20b",
            ),
            ("www.example.org", "/desk", "https://www.example.org/desk"),
            ("evil.example", "/desk", "https://cal.example.org/desk"),
            (
                "",
                "//evil.example/",
                "https://cal.example.org//evil.example/",
            ),
            (
                "x",
                "http://evil.example/a?b",
                "https://cal.example.org/a?b",
            ),
            ("x", "*", "https://cal.example.org/"),
        ] {
            assert_eq!(location(host, target).await, expected, "{host} {target}");
        }
    }
}
