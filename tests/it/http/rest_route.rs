//! Routes in the query, as hosts without readable paths have them.

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::event_fields, for_each_row};

use super::mounts::{TRIBE, mounted};

/// D-16: `/?rest_route=/tribe/events/v1/…` is that route, percent-encoded or not, with further
/// parameters.
#[both_stores]
async fn a_query_names_a_route(app: &TestApp) {
    for title in ["Fair", "Market", "Été"] {
        app.admin().event(json!({"title": title})).await;
    }
    let client = mounted(app, &[TRIBE]).await;
    let direct = client.clone().under(TRIBE);
    let rows = [
        ("rest_route=/tribe/events/v1", ""),
        ("rest_route=/tribe/events/v1/", ""),
        ("rest_route=/tribe/events/v1/events", "/events"),
        ("rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents%2F", "/events"),
        ("rest_route=/Tribe/Events/v1/Events", "/events"),
        ("per_page=2&rest_route=/tribe/events/v1/events&page=2", "/events?per_page=2&page=2"),
        ("search=a%26b%20c&rest_route=/tribe/events/v1/events", "/events?search=a%26b%20c"),
        ("rest_route=/tribe/events/v1/events/2&_fields=id,title", "/events/2?_fields=id,title"),
        (
            "rest_route=/tribe/events/v1/events/by-slug/%C3%A9t%C3%A9",
            "/events/by-slug/%C3%A9t%C3%A9",
        ),
        ("rest_route=/tribe/events/v1/events/99", "/events/99"),
        ("rest_route=/wrong&rest_route=/tribe/events/v1/tags", "/tags"),
    ];
    for_each_row(rows, async |(named, path)| {
        let answer = client.get(&format!("//?{named}")).await;
        let same = direct.get(path).await;
        assert_eq!((answer.status, answer.json()), (same.status, same.json()), "{named}");
        assert_eq!(answer.header("link"), same.header("link"), "{named}");
    })
    .await;
    // Each mount has its own namespace; all mounts accept the service's own too.
    let own = client.get("//?rest_route=/cal/events/v1/events/1").await.json();
    assert_eq!(own, app.anonymous().get("/events/1").await.json());
}

/// D-16: A route in the query has the language of the path.
#[both_stores]
async fn a_query_names_a_route_in_a_language(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    let client = mounted(app, &[TRIBE]).await;
    let answer = client.get("//fr/?rest_route=/tribe/events/v1/events/1").await;
    assert_eq!(answer.header("content-language"), "fr");
    let address = "https://cal.example/fr/wp-json/tribe/events/v1/events/1";
    assert_eq!(answer.json()["rest_url"], address);
    let root = client.get("//ar/?rest_route=/").await;
    assert_eq!((root.status, root.header("content-language")), (200, "ar"));
}

/// D-16: Every method works on a route in the query.
#[both_stores]
async fn a_query_names_a_route_to_write(app: &TestApp) {
    let client = mounted(app, &[TRIBE]).await.with_token(app.token(1));
    let path = "//?rest_route=/tribe/events/v1/events";
    let made = client.post(path, event_fields(json!({"title": "Fair"}))).await;
    let address = "https://cal.example/wp-json/tribe/events/v1/events/1";
    assert_eq!((made.status, made.header("location")), (201, address));
    let one = format!("{path}/1");
    let updated = client.post(&format!("{one}&_method=PATCH"), json!({"title": "Market"})).await;
    assert_eq!((updated.status, &updated.json()["title"]), (200, &json!("Market")));
    let options = client.send(Method::OPTIONS, &one, None).await;
    assert_eq!(options.header("allow"), "GET, DELETE, POST, PUT, PATCH");
    assert_eq!(client.delete(&one).await.status, 200);
}

/// D-16: `/?rest_route=/` is the discovery object; an unknown route is 404 in JSON, never a page.
#[both_stores]
async fn a_query_names_the_root_or_nothing(app: &TestApp) {
    let client = mounted(app, &[TRIBE]).await;
    assert_eq!(client.get("//?rest_route=/").await.json(), client.get("//wp-json").await.json());
    let html = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let rows = [
        "/x",
        "x",
        "tribe/events/v1",
        "/tribe/events/v2",
        "/tribe/events/v1/nothing",
        "/wp/v2",
        "/wp/v2/posts",
        "/wp/v3/tags",
        "/%00",
        "/%FF",
        "/../healthz",
        "/a?b#c",
    ];
    for_each_row(rows, async |named| {
        let named = format!("//?rest_route={named}");
        let answer = client.get_with(&named, &html).await;
        answer.assert_error(404, "rest_no_route");
        assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8", "{named}");
    })
    .await;
    let plain = app.anonymous();
    for named in ["/", "/wp/v2/tags", "/tribe/events/v1/events"] {
        let answer = plain.get_with(&format!("//?rest_route={named}"), &html).await;
        answer.assert_error(404, "rest_no_route");
    }
    // An empty value names no route.
    let page = client.get("//?rest_route=").await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=UTF-8"));
}
