//! `_fields` and `_envelope`.

use axum::http::Method;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields},
};

use super::records::record;

fn keys(value: &serde_json::Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// G-20: `_fields` selects fields of the answer, also within objects.
/// G-21: Within lists the path applies to each value.
#[both_stores]
async fn only_the_selected_fields(app: &TestApp) {
    let fields =
        json!({"venue": {"venue": "Mill"}, "organizer": [{"organizer": "A"}, {"organizer": "B"}]});
    app.admin().event(fields).await;
    app.admin().event(json!({})).await;
    let answer = app.anonymous().get("/events/1?_fields=id,title,venue.id").await.json();
    assert_eq!(answer, json!({"id": 1, "title": "Event", "venue": {"id": 1}}));
    let answer =
        app.anonymous().get("/events/1?_fields[]=organizer.id&_fields[]=json_ld.name").await;
    let expected = json!({"organizer": [{"id": 1}, {"id": 2}], "json_ld": {"name": "Event"}});
    assert_eq!(answer.json(), expected);
    let answer = app.anonymous().get("/events?_fields=events.id,total").await;
    assert_eq!(answer.json(), json!({"events": [{"id": 1}, {"id": 2}], "total": 2}));
    assert_eq!(answer.header("x-tec-total"), "2");
    // Errors stay complete; answers to writes are cut too.
    let error = app.anonymous().get("/events/9?_fields=id").await;
    error.assert_error(404, "rest-event-not-found");
    let answer = app.admin().put("/events/1?_fields=title", json!({"title": "New"})).await;
    assert_eq!(answer.json(), json!({"title": "New"}));
    let whole = app.anonymous().get("/events/1").await.json();
    for query in ["?_fields=", "?_fields=,", "?_fieldss=id", "?_jsonp=cb", "?_embed=1"] {
        let answer = app.anonymous().get(&format!("/events/1{query}")).await;
        assert_eq!(answer.json(), whole, "{query}");
        assert!(answer.header("content-type").starts_with("application/json"), "{query}");
    }
}

/// A partial answer and an envelope have entity tags of their own.
#[both_stores]
async fn parts_have_tags_of_their_own(app: &TestApp) {
    app.admin().event(json!({})).await;
    let mut tags = Vec::new();
    for query in ["", "?_fields=id", "?_fields=title", "?_envelope=1"] {
        let path = format!("/events/1{query}");
        let tag = app.anonymous().get(&path).await.header("etag").to_owned();
        let again = app.anonymous().get_with(&path, &[("if-none-match", &tag)]).await;
        assert_eq!(again.status, 304, "{query}");
        assert!(!tags.contains(&tag), "{query}");
        tags.push(tag);
    }
}

/// An error is not cacheable and has no entity tag, in an envelope too.
#[both_stores]
async fn errors_in_envelopes_are_not_kept(app: &TestApp) {
    let service =
        app.variant().build_with(|state| state.with_public_caching(60, 300)).await.anonymous();
    for path in ["/events/9", "/nothing", "/events?per_page=0"] {
        let bare = service.get(path).await;
        let path = format!("{path}{}_envelope=1", if path.contains('?') { '&' } else { '?' });
        let answer = service.get(&path).await;
        assert_eq!((answer.status, &answer.json()["status"]), (200, &json!(bare.status)));
        for header in ["cache-control", "vary", "etag", "last-modified"] {
            assert_eq!(answer.header(header), bare.header(header), "{path}: {header}");
        }
        assert!(!answer.header("cache-control").contains("max-age=60"), "{path}");
        let again = service.get_with(&path, &[("if-none-match", "*")]).await;
        assert_eq!(again.status, 200, "{path}");
    }
}

/// G-22: An error in an envelope has status 200; the envelope holds the status of the error.
/// G-23: An answer in an envelope has its status and its headers within.
#[both_stores]
async fn envelopes(app: &TestApp) {
    app.admin().event(json!({})).await;
    let body = record(&app.anonymous().get("/events/999999?_envelope=1").await);
    has_fields(&body, json!({"status": 404, "body.code": "rest-event-not-found"}));
    let body = record(&app.anonymous().get("/events/1?_envelope=1").await);
    has_fields(&body, json!({"status": 200, "body.id": 1, "headers.Allow": "GET"}));
    assert_eq!(keys(&body), ["body", "status", "headers"]);
    let body = app.anonymous().get("/events?_envelope=1&_fields=total").await.json();
    has_fields(&body, json!({"body": {"total": 1}, "headers.X-TEC-Total": "1"}));
    let event = event_fields(json!({}));
    let body = record(&app.admin().post("/events?_envelope=1", event).await);
    let location = "https://cal.example/cal/events/v1/events/2";
    has_fields(&body, json!({"status": 201, "headers.Location": location}));
    for (client, path, status) in [
        (app.anonymous(), "/nothing?_envelope=1", 404),
        (app.anonymous(), "/events?per_page=0&_envelope=1", 400),
        (app.authorized("Bearer x"), "/events?_envelope=1", 401),
        (app.anonymous(), "/events?_envelope=0", 200),
    ] {
        let answer = client.get(path).await;
        let within = answer.json()["status"].clone();
        assert_eq!(answer.status, 200, "{path}");
        assert!(within == status || path.ends_with('0'), "{path}: {within}");
    }
    let head = app.anonymous().send(Method::HEAD, "/events/9?_envelope=1", None).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
}
