//! Readers of series and occurrences.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, has_fields},
};

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

/// The other half of a split series is named to callers who may know of it, and to nobody else.
#[both_stores]
async fn neighbours_that_the_caller_may_not_read(app: &TestApp) {
    let series = jazz(app).await;
    let following = format!("{}?scope=following", series.of(4));
    let changed = patched(&app.admin(), &following, json!({"title": "Late jazz"})).await;
    let next = changed["series"]["id"].as_i64().unwrap();
    let next_path = format!("/events/{next}");
    let named = async |client: &Client, path: &str, name: &str| {
        record(&client.get(path).await)["recurrence"].get(name).cloned()
    };
    for status in ["draft", "private", "trash", "publish"] {
        patched(&app.admin(), &next_path, json!({"status": status})).await;
        let seen = (status == "publish").then(|| json!(next));
        for client in [app.anonymous(), app.contributor()] {
            assert_eq!(named(&client, &series.path(), "next").await, seen, "{status}");
            let list =
                record(&client.get(&format!("/events?include={}&expand=false", series.id)).await);
            assert_eq!(list["events"][0]["recurrence"].get("next"), seen.as_ref(), "{status}");
        }
        assert_eq!(
            named(&app.admin(), &series.path(), "next").await,
            Some(json!(next)),
            "{status}"
        );
    }
    patched(&app.admin(), &series.path(), json!({"status": "private"})).await;
    assert_eq!(named(&app.anonymous(), &next_path, "previous").await, None);
    assert_eq!(named(&app.editor(), &next_path, "previous").await, Some(json!(series.id)));
    // Links that a caller does not see stay stored.
    let editor = app.editor();
    patched(&editor, &next_path, json!({"title": "Later"})).await;
    patched(&app.admin(), &series.path(), json!({"status": "publish"})).await;
    assert_eq!(named(&app.anonymous(), &next_path, "previous").await, Some(json!(series.id)));
}

/// The password of a series locks its occurrences.
#[both_stores]
async fn occurrences_behind_a_password(app: &TestApp) {
    let fields = json!({
        "password": "open sesame", "description": "Secret", "excerpt": "Secret", "featured": true,
        "cost": "5", "website": "https://secret.example/", "categories": ["Secret"],
        "tags": ["Secret"], "venue": {"venue": "Secret"}, "organizer": [{"organizer": "Secret"}],
        "tickets": [{"name": "Secret", "price": "5", "currency": "EUR"}],
    });
    let series = jazz_with(&app.admin(), fields).await;
    patched(&app.admin(), &series.of(3), json!({"title": "Trio", "cancelled": true})).await;
    let path = format!("/events?include={},{}&orderby=id", series.id_of(2), series.id_of(3));
    let list = record(&app.anonymous().get(&path).await);
    let flags = [
        "all_day",
        "show_map",
        "show_map_link",
        "hide_from_listings",
        "sticky",
        "featured",
        "ticketed",
    ];
    for (locked, title) in list["events"].as_array().unwrap().iter().zip(["Jazz night", "Trio"]) {
        has_fields(
            locked,
            json!({
                "title": title, "description": "", "excerpt": "", "cost": "", "website": "",
                "image": false, "categories": [], "tags": [], "venue": [], "organizer": [],
                "tickets": [], "parent": 0, "series.id": series.id, "series.own": [],
            }),
        );
        for flag in flags {
            assert_eq!(locked.get(flag), Some(&Value::Null), "{flag}");
        }
        assert_eq!(locked.get("cancelled"), None);
        assert!(!locked.to_string().to_lowercase().contains("secret"), "{locked}");
    }
    assert_eq!(list["events"].as_array().unwrap().len(), 2);
    assert_eq!(app.list("").await, series.ids(1..=6));
    app.anonymous().get(&series.of(3)).await.assert_error(403, "event-password-protected");
    let opened = app.anonymous().get(&format!("{}?password=open+sesame", series.of(3))).await;
    has_fields(
        &record(&opened),
        json!({
            "description": "<p>Secret</p>", "featured": true, "cost": "$5", "cancelled": true,
            "website": "https://secret.example/", "venue.venue": "Secret",
            "series.own": ["title", "cancelled"],
        }),
    );
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

/// The entity tag of an occurrence changes with it, its series and what it shows. The series
/// changes with its deleted dates, too.
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
        (
            series.of(4),
            json!({"start_date": "2027-03-24 18:00", "end_date": "2027-03-24 20:00"}),
            false,
        ),
        (series.of(4), json!({"reset": true}), false),
        (series.of(3), json!({"reset": true}), true),
        (
            series.path(),
            json!({"start_date": "2027-03-02 20:00", "end_date": "2027-03-02 22:00"}),
            true,
        ),
        (series.of(4), json!({"status": "trash"}), true),
    ];
    for (changed, fields, changes_it) in changes {
        let tag = client.get(path).await.header("etag").to_owned();
        let headers = [("if-none-match", tag.as_str())];
        for _ in 0..2 {
            assert_eq!(client.get_with(path, &headers).await.status, 304);
        }
        patched(&app.admin(), &changed, fields).await;
        let expected = if changes_it { 200 } else { 304 };
        assert_eq!(client.get_with(path, &headers).await.status, expected, "{changed}");
    }
}
