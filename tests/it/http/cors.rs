//! Pages of other sites, and request IDs.

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::Answer, for_each_row};

const ORIGIN: (&str, &str) = ("origin", "https://pages.example");

/// Fails unless a page of that origin may read the answer.
#[track_caller]
fn is_shared(answer: &Answer) {
    assert_eq!(answer.header("access-control-allow-origin"), ORIGIN.1);
    let list = |name: &str| -> Vec<String> {
        answer.header(name).split(", ").map(str::to_owned).collect()
    };
    assert_eq!(
        list("access-control-allow-methods"),
        ["OPTIONS", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    );
    assert_eq!(
        list("access-control-allow-headers"),
        [
            "Authorization",
            "Content-Type",
            "If-Match",
            "If-None-Match",
            "If-Unmodified-Since",
            "Idempotency-Key",
            "X-HTTP-Method-Override",
            "X-WP-Nonce",
            "Content-Disposition",
            "Prefer",
            "Last-Event-ID"
        ]
    );
    assert_eq!(
        list("access-control-expose-headers"),
        [
            "X-TEC-Total",
            "X-TEC-TotalPages",
            "X-WP-Total",
            "X-WP-TotalPages",
            "Link",
            "X-Calendar-Horizon",
            "ETag",
            "Last-Modified",
            "Location",
            "Retry-After",
            "X-Request-Id",
            "Preference-Applied"
        ]
    );
    assert!(answer.header("vary").contains("Origin"));
}

/// G-48: A page of any site may read any answer, errors too, but without stored credentials.
#[both_stores]
async fn any_page_may_read(app: &TestApp) {
    app.admin().event(json!({})).await;
    let rows = [
        (app.anonymous(), "/events", 200),
        (app.anonymous(), "/events/9", 404),
        (app.anonymous(), "/nothing", 404),
        (app.anonymous(), "/events?per_page=0", 400),
        (app.authorized("Bearer x"), "/events", 401),
        (app.admin(), "/events/1", 200),
    ];
    for_each_row(rows, async |(client, path, status)| {
        let answer = client.get_with(path, &[ORIGIN]).await;
        assert_eq!(answer.status, status, "{path}");
        is_shared(&answer);
        assert!(answer.headers.get("access-control-allow-credentials").is_none());
        let answer = client.get(path).await;
        assert!(answer.header("vary").contains("Origin"), "{path}");
        assert!(answer.headers.get("access-control-allow-origin").is_none(), "{path}");
    })
    .await;
    let tag = app.anonymous().get("/events").await.header("etag").to_owned();
    let headers = [ORIGIN, ("if-none-match", tag.as_str())];
    let answer = app.anonymous().get_with("/events", &headers).await;
    assert_eq!(answer.status, 304);
    is_shared(&answer);
}

/// Only trusted origins may use the credentials that a browser stores.
#[both_stores]
async fn named_origins_are_trusted(app: &TestApp) {
    let trusted = vec!["https://Pages.example".to_owned(), "http://localhost:3000".to_owned()];
    let service =
        app.variant().build_with(|state| state.with_trusted_origins(trusted)).await.anonymous();
    let rows = [
        ("https://pages.example", true),
        ("http://localhost:3000", true),
        ("http://pages.example", false),
        ("https://pages.example:8443", false),
        ("https://pages.example.evil.example", false),
        ("https://a.pages.example", false),
        ("null", false),
    ];
    for_each_row(rows, async |(origin, is_trusted)| {
        let answer = service.get_with("/events", &[("origin", origin)]).await;
        assert_eq!(answer.header("access-control-allow-origin"), origin);
        let credentials = answer.header("access-control-allow-credentials");
        assert_eq!(credentials == "true", is_trusted, "{origin}");
        assert!(is_trusted || credentials.is_empty(), "{origin}");
    })
    .await;
}

/// A preflight request needs no credentials.
#[both_stores]
async fn browsers_ask_beforehand(app: &TestApp) {
    for (path, method) in [("/events", "POST"), ("/events/1", "DELETE"), ("/nothing", "PUT")] {
        let headers = [
            ORIGIN,
            ("access-control-request-method", method),
            ("access-control-request-headers", "authorization,if-match"),
        ];
        let answer = app.anonymous().send_with(Method::OPTIONS, path, &headers, None).await;
        assert_eq!(answer.status, 200, "{path}");
        is_shared(&answer);
        assert_eq!(answer.header("access-control-max-age"), "86400", "{path}");
    }
    let answer = app.anonymous().get_with("/events", &[ORIGIN]).await;
    assert!(answer.headers.get("access-control-max-age").is_none());
}

/// Every answer has a request ID; a client may choose the ID, if it is safe in a log.
#[both_stores]
async fn requests_have_names(app: &TestApp) {
    let mut seen = Vec::new();
    for path in ["/events", "/events", "/events/9", "/nothing", "//healthz"] {
        let name = app.anonymous().get(path).await.header("x-request-id").to_owned();
        assert!(name.len() >= 16 && !seen.contains(&name), "{path}: {name}");
        seen.push(name);
    }
    let long = "x".repeat(129);
    let rows = [
        ("trace-7.a:B/c=d", true),
        ("", false),
        ("with blank", false),
        ("<script>", false),
        (long.as_str(), false),
        (&long[1..], true),
    ];
    for_each_row(rows, async |(sent, is_kept)| {
        let answer = app.anonymous().get_with("/events", &[("x-request-id", sent)]).await;
        assert_eq!(answer.header("x-request-id") == sent, is_kept, "{sent}");
    })
    .await;
}
