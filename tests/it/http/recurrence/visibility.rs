//! Readers of series and occurrences.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields};

use super::{jazz, jazz_with, own, patched};
use crate::http::records::record;

/// The occurrences of a draft are drafts.
#[both_stores]
async fn occurrences_of_a_draft(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.path(), json!({"status": "draft"})).await;
    app.anonymous().get(&series.of(3)).await.assert_error(403, "event-not-accessible");
    assert_eq!(app.list("").await, [0; 0]);
    assert_eq!(app.editor().list("status=draft").await, series.ids(1..=6));
    patched(&app.admin(), &series.path(), json!({"status": "publish"})).await;
    assert_eq!(app.list("").await, series.ids(1..=6));
}

/// The password of a series locks its occurrences.
#[both_stores]
async fn occurrences_behind_a_password(app: &TestApp) {
    let fields = json!({"password": "open sesame", "description": "Secret", "featured": true});
    let series = jazz_with(&app.admin(), fields).await;
    let list = record(&app.anonymous().get("/events?include=2,3&order=asc").await);
    for locked in list["events"].as_array().unwrap() {
        has_fields(locked, json!({"title": "Jazz night", "description": ""}));
        assert!(locked["featured"].is_null() && locked.get("featured").is_some());
    }
    assert_eq!(app.list("").await, series.ids(1..=6));
    app.anonymous().get(&series.of(3)).await.assert_error(403, "event-password-protected");
    let opened = app.anonymous().get(&format!("{}?password=open+sesame", series.of(3))).await;
    has_fields(&record(&opened), json!({"description": "<p>Secret</p>", "featured": true}));
}

/// Lists leave out the occurrences of a hidden series, but not one that is shown of its own.
#[both_stores]
async fn occurrences_of_a_hidden_series(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.path(), json!({"hide_from_listings": true})).await;
    assert_eq!(app.list("").await, [0; 0]);
    assert_eq!(app.anonymous().get(&series.of(3)).await.status, 200);
    let shown = patched(&app.admin(), &series.of(3), json!({"hide_from_listings": false})).await;
    assert_eq!(own(&shown), ["hide_from_listings"]);
    assert_eq!(app.list("").await, series.ids(3..=3));
}

/// The entity tag of an occurrence changes with it, its series and what it shows.
#[both_stores]
async fn entity_tags_of_occurrences(app: &TestApp) {
    let series = jazz_with(&app.admin(), json!({"venue": {"venue": "Old Mill"}})).await;
    let path = &series.of(3);
    let client = app.anonymous();
    let changes = [
        (series.path(), json!({"title": "Late jazz"}), true),
        (series.of(4), json!({"title": "Trio"}), false),
        ("/venues/1".to_owned(), json!({"venue": "New Mill"}), true),
        (series.of(3), json!({"description": "Quiet."}), true),
        (series.of(2), json!({"cancelled": true}), false),
    ];
    for (changed, fields, changes_it) in changes {
        let tag = client.get(path).await.header("etag").to_owned();
        let headers = [("if-none-match", tag.as_str())];
        assert_eq!(client.get_with(path, &headers).await.status, 304);
        patched(&app.admin(), &changed, fields).await;
        let expected = if changes_it { 200 } else { 304 };
        assert_eq!(client.get_with(path, &headers).await.status, expected, "{changed}");
    }
}
