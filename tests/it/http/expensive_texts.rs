//! Texts that take long to parse: the right to have them parsed, and their total length.

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::event_fields};

/// A text within the limit, and beyond it once each of its characters is escaped.
fn growing() -> String {
    "<".repeat(60_000)
}

/// A text beyond the limit of texts as sent.
fn long() -> String {
    "x".repeat(200_001)
}

/// D-34: HTML is parsed only for a caller with the right to write it; others get 401 or 403.
#[both_stores]
async fn html_is_parsed_after_the_right_was_asked(app: &TestApp) {
    let event = event_fields(json!({"description": growing()}));
    let venue = json!({"venue": "Mill", "description": growing()});
    let tag = json!({"name": "Jazz", "description": growing()});
    for (path, fields) in [("/events", event), ("/venues", venue), ("/tags", tag)] {
        for (method, path) in [(Method::POST, path), (Method::PUT, &format!("{path}/1"))] {
            for (client, status) in [(app.anonymous(), 401), (app.subscriber(), 403)] {
                let answer = client.send_json(method.clone(), path, &fields).await;
                answer.assert_error(status, "rest_forbidden");
            }
            app.admin().send_json(method, path, &fields).await.assert_invalid(&["description"]);
        }
    }
}

/// D-34: Faults of HTML are reported together with all others; without the right, only the others are.
#[both_stores]
async fn faults_of_html_join_the_others(app: &TestApp) {
    let fields = json!({"description": growing(), "excerpt": "fine", "all_day": "maybe"});
    app.admin().try_event(fields.clone()).await.assert_invalid(&["description", "all_day"]);
    for client in [app.subscriber(), app.anonymous()] {
        client.try_event(fields.clone()).await.assert_invalid(&["all_day"]);
    }
    app.admin().event(json!({})).await;
    app.admin().put("/events/1", fields.clone()).await.assert_invalid(&["description", "all_day"]);
    app.anonymous().put("/events/1", fields.clone()).await.assert_invalid(&["all_day"]);
    // Missing fields are reported first, by themselves.
    app.admin().post("/events", fields).await.assert_error(400, "rest_missing_callback_param");
}

/// D-34: The type and length of texts are checked for every caller.
#[both_stores]
async fn length_and_type_are_checked_before_the_right(app: &TestApp) {
    for client in [app.anonymous(), app.subscriber(), app.admin()] {
        for field in ["description", "excerpt"] {
            client.refuses_event(field, [json!(long()), json!(5)]).await;
        }
        client
            .put("/venues/1", json!({"description": long()}))
            .await
            .assert_invalid(&["description"]);
    }
}

/// D-34: The texts of venues and organizers given in full are treated alike.
#[both_stores]
async fn inline_html_is_parsed_after_the_right_was_asked(app: &TestApp) {
    let fields = json!({
        "venue": {"venue": "Mill", "description": growing()},
        "organizer": [{"organizer": "Club"}, {"organizer": "Band", "description": growing()}],
    });
    app.anonymous().try_event(fields.clone()).await.assert_error(401, "rest_forbidden");
    app.subscriber().try_event(fields.clone()).await.assert_error(403, "rest_forbidden");
    app.contributor().try_event(fields).await.assert_invalid(&["venue", "organizer"]);
    let long = json!({"venue": {"venue": "Mill", "description": long()}});
    app.anonymous().try_event(long).await.assert_invalid(&["venue"]);
    assert_eq!(app.admin().get("/venues?status=any").await.ids(), [0_i64; 0]);
}

/// The texts of one request are bounded together, wherever they stand.
#[both_stores]
async fn texts_are_bounded_together(app: &TestApp) {
    let text = |length: usize| "x".repeat(length);
    let fields = json!({
        "description": text(150_000), "excerpt": text(50_000),
        "venue": {"venue": "Mill", "description": text(49_000)},
    });
    let event = app.admin().event(fields).await;
    assert_eq!(event["venue"]["description"].as_str().map(str::len), Some(49_007));
    for (fields, refused) in [
        (json!({"description": text(150_000), "excerpt": text(101_000)}), "excerpt"),
        (
            json!({"description": text(195_000), "venue": {"venue": "Hall", "description": text(60_000)}}),
            "venue",
        ),
        (
            json!({"description": text(195_000), "organizer": [
                {"organizer": "A", "description": text(30_000)}, {"organizer": "B", "description": text(30_000)},
            ]}),
            "organizer",
        ),
        (json!({"categories": vec![text(10_000); 30]}), "categories"),
    ] {
        for client in [app.anonymous(), app.admin()] {
            let answer = client.try_event(fields.clone()).await;
            answer.assert_invalid(&[refused]);
            assert!(answer.text().contains("250000"), "{}", answer.text());
        }
    }
}
