//! Media types and encodings of bodies, and heads of requests.

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores};

/// D-41: In a merge patch `null` clears a field; elsewhere it means that the field was not sent.
#[both_stores]
async fn merge_patches_clear_fields(app: &TestApp) {
    let editor = app.editor();
    let event = json!({"cost": "$5", "featured": true, "website": "https://a.example/", "tags": ["River"],
        "tickets": [{"name": "Day", "price": "5", "currency": "EUR"}]});
    let id = app.admin().event(event).await["id"].as_i64().unwrap();
    let path = format!("/events/{id}");
    let nulls = br#"{"cost":null,"featured":null,"website":null,"tags":null,"tickets":null,"excerpt":null}"#;
    let send = async |kind: &str, body: &[u8]| {
        editor.send(Method::PATCH, &path, Some((kind, body.to_vec()))).await
    };
    let kept = send("application/json", nulls).await.json();
    assert_eq!((&kept["cost"], &kept["featured"]), (&json!("$5"), &json!(true)));
    let cleared = send("application/merge-patch+json", nulls).await;
    assert_eq!(cleared.status, 200, "{}", cleared.text());
    let cleared = cleared.json();
    for (name, value) in [
        ("cost", json!("")),
        ("featured", json!(false)),
        ("tags", json!([])),
        ("ticketed", json!(false)),
    ] {
        assert_eq!(cleared[name], value, "{name}");
    }
    let title = br#"{"title":null}"#;
    send("application/merge-patch+json; charset=utf-8", title).await.assert_invalid(&["title"]);
}

/// D-41: JSON Patch and encoded bodies are refused, and change nothing.
#[both_stores]
async fn other_types_and_encodings_are_refused(app: &TestApp) {
    let editor = app.editor();
    let made = app.admin().event(json!({})).await;
    let path = format!("/events/{}", made["id"]);
    let operations = br#"[{"op":"replace","path":"/title","value":"New"}]"#;
    let answer = editor
        .send(Method::PATCH, &path, Some(("application/json-patch+json", operations.to_vec())))
        .await;
    answer.assert_error(415, "unsupported_media_type");
    for encoding in ["gzip", "deflate", "identity, br"] {
        let headers = [("content-encoding", encoding)];
        let body = ("application/json", br#"{"title":"New"}"#.to_vec());
        let answer = editor.send_with(Method::PUT, &path, &headers, Some(body)).await;
        answer.assert_error(415, "unsupported_media_type");
    }
    assert_eq!(app.anonymous().get(&path).await.json()["title"], made["title"]);
    let headers = [("content-encoding", "Identity")];
    let body = ("application/json", br#"{"title":"New"}"#.to_vec());
    let answer = editor.send_with(Method::PUT, &path, &headers, Some(body)).await;
    assert_eq!(answer.json()["title"], "New");
}
