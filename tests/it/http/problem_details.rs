//! Errors as problem details (RFC 9457).

use serde_json::json;
use tests::{app::TestApp, both_stores};

const PROBLEM: [(&str, &str); 1] = [("accept", "application/problem+json")];

/// Clients that accept problem details get errors in that form, with the same code and details.
#[both_stores]
async fn errors_as_problems(app: &TestApp) {
    let answer = app.anonymous().get_with("/events/9", &PROBLEM).await;
    assert_eq!((answer.status, answer.header("content-type")), (404, "application/problem+json"));
    let usual = app.anonymous().get("/events/9").await;
    assert_eq!(
        answer.json(),
        json!({
            "type": "about:blank",
            "title": "Not Found",
            "status": 404,
            "detail": usual.json()["message"],
            "code": "rest-event-not-found",
        })
    );
    for answer in [&answer, &usual] {
        assert!(answer.header("vary").contains("Accept"), "{}", answer.header("vary"));
    }
    let path = "/events?per_page=0&featured=maybe";
    let answer = app.anonymous().get_with(path, &PROBLEM).await.json();
    let usual = app.anonymous().get(path).await.json();
    assert_eq!((&answer["code"], &answer["status"]), (&json!("rest_invalid_param"), &json!(400)));
    assert_eq!(answer["params"], usual["data"]["params"]);
    assert_eq!(answer["details"], usual["data"]["details"]);
    for (client, path, status) in [
        (app.anonymous(), "/nothing", 404),
        (app.authorized("Bearer x"), "/events", 401),
        (app.anonymous(), "/tags?page=2", 404),
    ] {
        let answer = client.get_with(path, &PROBLEM).await;
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        assert_eq!((answer.status, &answer.json()["status"]), (status, &json!(status)), "{path}");
    }
    let wrong = app.authorized("Bearer x").get_with("/events", &PROBLEM).await;
    assert_ne!(wrong.header("www-authenticate"), "");
}

/// A client that prefers JSON gets the usual form; successful answers do not change.
#[both_stores]
async fn others_get_the_usual_form(app: &TestApp) {
    for accept in [
        "application/json",
        "*/*",
        "application/problem+json;q=0",
        "application/json, application/problem+json;q=0.5",
    ] {
        let answer = app.anonymous().get_with("/events/9", &[("accept", accept)]).await;
        answer.assert_error(404, "rest-event-not-found");
    }
    let answer = app.anonymous().get_with("/events", &PROBLEM).await;
    assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8");
    assert_eq!(answer.json()["total"], 0);
    let body = app.anonymous().get_with("/events/9?_envelope=1", &PROBLEM).await.json();
    assert_eq!(body["headers"]["Content-Type"], "application/problem+json");
    assert_eq!(body["body"]["title"], "Not Found");
}
