//! The right to change an event, and the status after a change.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client};

use super::records::{differences, event_path, read, record};

/// Fails unless an update of the event is refused with this error, by its ID and by its slug, and
/// changes nothing.
async fn refused(app: &TestApp, by: &Client, event: &Value, status: u16) {
    let by_slug = format!("/events/by-slug/{}", event["slug"].as_str().unwrap_or_default());
    for path in [event_path(event), by_slug] {
        for method in [Method::POST, Method::PUT, Method::PATCH] {
            for fields in [json!({"title": "Other"}), json!({"status": "draft"}), json!({})] {
                let answer = by.send_json(method.clone(), &path, &fields).await;
                answer.is_error(status, "rest_forbidden");
            }
        }
    }
    assert_eq!(read(&app.admin(), &event_path(event)).await, *event);
}

/// EU-06: A contributor's own pending event stays pending when its title changes.
#[both_stores]
async fn a_new_title_keeps_an_event_waiting(app: &TestApp) {
    let before = app.contributor().event(json!({"status": "publish"})).await;
    assert_eq!((&before["status"], &before["author"]), (&json!("pending"), &json!(4)));
    app.clock.advance_seconds(60);
    let after = record(&app.contributor().put(&event_path(&before), json!({"title": "New"})).await);
    assert_eq!(differences(&before, &after), ["modified", "modified_utc", "title"]);
}

/// EU-34: An editor takes a published event back, and then the public may not read it.
#[both_stores]
async fn a_published_event_can_become_a_draft(app: &TestApp) {
    let before = app.author().event(json!({})).await;
    app.clock.advance_seconds(60);
    let after = record(&app.editor().put(&event_path(&before), json!({"status": "draft"})).await);
    assert_eq!(differences(&before, &after), ["modified", "modified_utc", "status"]);
    assert_eq!(after["status"], "draft");
    app.anonymous().get(&event_path(&before)).await.is_error(403, "event-not-accessible");
}

/// EU-35: The status `trash` puts an event into the trash.
#[both_stores]
async fn a_status_can_trash(app: &TestApp) {
    let event = app.author().event(json!({"title": "Fair"})).await;
    let after = record(&app.author().put(&event_path(&event), json!({"status": "trash"})).await);
    assert_eq!((&after["status"], &after["slug"]), (&json!("trash"), &json!("fair__trashed")));
    for client in [app.anonymous(), app.author(), app.editor(), app.admin()] {
        client.get(&event_path(&event)).await.is_error(403, "event-no-longer-available");
    }
    app.author().delete(&event_path(&event)).await.is_error(410, "event-is-in-trash");
}

/// EU-36: An own draft that a contributor publishes waits for review.
#[both_stores]
async fn a_contributor_hands_in(app: &TestApp) {
    let draft = app.contributor().event(json!({})).await;
    assert_eq!(draft["status"], "draft");
    let after =
        record(&app.contributor().put(&event_path(&draft), json!({"status": "publish"})).await);
    assert_eq!(after["status"], "pending");
    app.anonymous().get(&event_path(&draft)).await.is_error(403, "event-not-accessible");
}

/// EU-37: A contributor may not change an own event once it is published.
#[both_stores]
async fn publication_ends_a_contributors_right(app: &TestApp) {
    let draft = app.contributor().event(json!({"slug": "own"})).await;
    let event = record(&app.editor().put(&event_path(&draft), json!({"status": "publish"})).await);
    assert_eq!((&event["status"], &event["author"]), (&json!("publish"), &json!(4)));
    refused(app, &app.contributor(), &event, 403).await;
}

/// EU-38: Contributors and authors may not change events of others.
#[both_stores]
async fn below_editor_only_own_events(app: &TestApp) {
    for owner in [1, 3, 4] {
        for status in ["draft", "pending", "publish", "private"] {
            // An administrator creates the events: not every role may request each of these
            // statuses.
            let fields =
                json!({"author": owner, "status": status, "slug": format!("{owner}-{status}")});
            let event = app.admin().event(fields).await;
            for other in [6, 7] {
                refused(app, &app.user(other), &event, 403).await;
            }
        }
    }
}

/// EU-39: An editor may change any user's event, whose author stays.
#[both_stores]
async fn an_editor_changes_any_event(app: &TestApp) {
    for status in ["draft", "publish", "private"] {
        let before = app.author().event(json!({"status": status})).await;
        app.clock.advance_seconds(60);
        let after = record(&app.editor().put(&event_path(&before), json!({"title": "New"})).await);
        assert_eq!(differences(&before, &after), ["modified", "modified_utc", "title"]);
        assert_eq!((&after["author"], &after["title"]), (&json!(3), &json!("New")));
    }
}

/// EU-40: A client without credentials gets 401, a subscriber 403.
/// EU-45: By slug a client without credentials has no more rights than by ID.
#[both_stores]
async fn readers_change_nothing(app: &TestApp) {
    let event = app.admin().event(json!({"slug": "fair"})).await;
    refused(app, &app.anonymous(), &event, 401).await;
    refused(app, &app.subscriber(), &event, 403).await;
    for path in [&event_path(&event), "/events/by-slug/fair"] {
        let answer = app.anonymous().post(path, json!({"title": "Other"})).await;
        assert!(answer.header("www-authenticate").starts_with("Basic "), "{path}");
    }
}

/// EU-41: A writer learns that no event has the ID.
/// EU-42: A client without credentials gets 401, whether the event exists or not.
#[both_stores]
async fn an_absent_event_cannot_be_changed(app: &TestApp) {
    for method in [Method::POST, Method::PUT, Method::PATCH] {
        for path in ["/events/0", "/events/999999", "/events/99999999999999999999"] {
            let send = async |client: Client| {
                client.send_json(method.clone(), path, &json!({"title": "New"})).await
            };
            for writer in [app.admin(), app.editor(), app.author(), app.contributor()] {
                send(writer).await.is_error(404, "rest-event-not-found");
            }
            send(app.anonymous()).await.is_error(401, "rest_forbidden");
            send(app.subscriber()).await.is_error(403, "rest_forbidden");
        }
    }
    assert!(app.admin().get("/events?status=any").await.ids().is_empty());
}

/// EU-46: By slug a contributor has no more rights on another user's event than by ID.
#[both_stores]
async fn a_slug_gives_no_right(app: &TestApp) {
    let event = app.author().event(json!({"slug": "fair"})).await;
    for fields in [json!({"title": "Mine"}), json!({"status": "draft"}), json!({"status": "trash"})]
    {
        let answer = app.contributor().put("/events/by-slug/fair", fields).await;
        answer.is_error(403, "rest_forbidden");
    }
    assert_eq!(read(&app.anonymous(), &event_path(&event)).await, event);
}

/// EU-49: Only editors give an event to another user; authors may name themselves.
#[both_stores]
async fn an_event_is_not_given_away(app: &TestApp) {
    let event = app.author().event(json!({})).await;
    let path = event_path(&event);
    app.author().put(&path, json!({"author": 6})).await.is_error(403, "rest_forbidden");
    assert_eq!(record(&app.author().put(&path, json!({"author": 3})).await), event);
    let draft = app.contributor().event(json!({})).await;
    let answer = app.contributor().put(&event_path(&draft), json!({"author": 1})).await;
    answer.is_error(403, "rest_forbidden");

    assert_eq!(record(&app.editor().put(&path, json!({"author": 6})).await)["author"], 6);
    app.editor().put(&path, json!({"author": 99})).await.is_invalid(&["author"]);
    app.author().put(&path, json!({"title": "Was mine"})).await.is_error(403, "rest_forbidden");
}

/// EU-50: A new title does not take an event out of the trash.
#[both_stores]
async fn a_new_title_leaves_an_event_in_the_trash(app: &TestApp) {
    let event = app.admin().event(json!({"title": "Fair"})).await;
    let trashed = record(&app.admin().delete(&event_path(&event)).await);
    app.clock.advance_seconds(60);
    let after = record(&app.admin().put(&event_path(&event), json!({"title": "New"})).await);
    assert_eq!(differences(&trashed, &after), ["modified", "modified_utc", "title"]);
    assert_eq!((&after["status"], &after["slug"]), (&json!("trash"), &json!("fair__trashed")));
    app.admin().get(&event_path(&event)).await.is_error(403, "event-no-longer-available");
}

/// EU-51: A status takes an event out of the trash, to its old slug or the next free number.
#[both_stores]
async fn a_status_revives(app: &TestApp) {
    let event = app.admin().event(json!({"title": "Fair"})).await;
    let path = event_path(&event);
    for status in ["publish", "draft", "private"] {
        record(&app.admin().delete(&path).await);
        let revived = record(&app.admin().put(&path, json!({"status": status})).await);
        assert_eq!((&revived["status"], &revived["slug"]), (&json!(status), &json!("fair")));
        assert_eq!(read(&app.admin(), "/events/by-slug/fair").await, revived);
    }
    record(&app.admin().put(&path, json!({"status": "trash"})).await);
    assert_eq!(app.admin().event(json!({"title": "Fair"})).await["slug"], "fair");
    let revived = record(&app.admin().put(&path, json!({"status": "publish"})).await);
    assert_eq!((&revived["status"], &revived["slug"]), (&json!("publish"), &json!("fair-2")));
    assert_eq!(read(&app.anonymous(), &path).await, revived);
}

/// The trash extends no rights: a contributor cannot restore or delete there an event that he could
/// not change when it was published.
#[both_stores]
async fn the_trash_gives_no_right_back(app: &TestApp) {
    for (status, allowed) in [("publish", false), ("draft", true)] {
        let event = app.admin().event(json!({"author": 4, "status": status, "slug": status})).await;
        let path = event_path(&event);
        record(&app.admin().delete(&path).await);
        let answers = [
            app.contributor().put(&path, json!({"status": "draft"})).await,
            app.contributor().delete(&format!("{path}?force=true")).await,
        ];
        for answer in answers {
            if allowed {
                assert_eq!(answer.status, 200, "{}", answer.text());
            } else {
                answer.is_error(403, "rest_forbidden");
            }
        }
    }
}
