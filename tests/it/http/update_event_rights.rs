//! The right to change an event, and the status after a change.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields};

use super::records::{differences, event_path, read, record};

/// EU-34: An editor takes a published event back, and then the public may not read it.
#[both_stores]
async fn a_published_event_can_become_a_draft(app: &TestApp) {
    let before = app.author().event(json!({})).await;
    app.clock.advance_seconds(60);
    let after = app.editor().change(&event_path(&before), json!({"status": "draft"})).await;
    assert_eq!(differences(&before, &after), ["modified", "modified_utc", "status"]);
    assert_eq!(after["status"], "draft");
    app.anonymous().get(&event_path(&before)).await.assert_error(403, "event-not-accessible");
}

/// EU-35: The status `trash` puts an event into the trash.
#[both_stores]
async fn a_status_can_trash(app: &TestApp) {
    let event = app.author().event(json!({"title": "Fair"})).await;
    let after = app.author().change(&event_path(&event), json!({"status": "trash"})).await;
    has_fields(&after, json!({"status": "trash", "slug": "fair__trashed"}));
    for client in [app.anonymous(), app.author(), app.editor(), app.admin()] {
        client.get(&event_path(&event)).await.assert_error(403, "event-no-longer-available");
    }
    app.author().delete(&event_path(&event)).await.assert_error(410, "event-is-in-trash");
}

/// EU-36: An own draft that a contributor publishes waits for review.
/// EU-37: A contributor may not change an own event once it is published.
#[both_stores]
async fn publication_by_a_contributor_needs_review(app: &TestApp) {
    let draft = app.contributor().event(json!({})).await;
    assert_eq!(draft["status"], "draft");
    let path = event_path(&draft);
    let publish = json!({"status": "publish"});
    let waiting = app.contributor().change(&path, publish.clone()).await;
    assert_eq!(waiting["status"], "pending");
    app.anonymous().get(&path).await.assert_error(403, "event-not-accessible");
    let published = app.editor().change(&path, publish).await;
    has_fields(&published, json!({"status": "publish", "author": 4}));
    for fields in [json!({"title": "Other"}), json!({"status": "draft"}), json!({})] {
        app.contributor().put(&path, fields).await.assert_error(403, "rest_forbidden");
    }
    assert_eq!(read(&app.admin(), &path).await, published);
}

/// EU-49: Only editors give an event to another user; authors may name themselves.
#[both_stores]
async fn an_event_is_not_given_away(app: &TestApp) {
    let event = app.author().event(json!({})).await;
    let path = event_path(&event);
    app.author().put(&path, json!({"author": 6})).await.assert_error(403, "rest_forbidden");
    assert_eq!(app.author().change(&path, json!({"author": 3})).await, event);
    let draft = app.contributor().event(json!({})).await;
    let answer = app.contributor().put(&event_path(&draft), json!({"author": 1})).await;
    answer.assert_error(403, "rest_forbidden");

    assert_eq!(app.editor().change(&path, json!({"author": 6})).await["author"], 6);
    app.editor().put(&path, json!({"author": 99})).await.assert_invalid(&["author"]);
    app.author().put(&path, json!({"title": "Was mine"})).await.assert_error(403, "rest_forbidden");
}

/// EU-50: A new title does not take an event out of the trash.
#[both_stores]
async fn a_new_title_leaves_an_event_in_the_trash(app: &TestApp) {
    let event = app.admin().event(json!({"title": "Fair"})).await;
    let trashed = record(&app.admin().delete(&event_path(&event)).await);
    app.clock.advance_seconds(60);
    let after = app.admin().change(&event_path(&event), json!({"title": "New"})).await;
    assert_eq!(differences(&trashed, &after), ["modified", "modified_utc", "title"]);
    has_fields(&after, json!({"status": "trash", "slug": "fair__trashed"}));
    app.admin().get(&event_path(&event)).await.assert_error(403, "event-no-longer-available");
}

/// EU-51: A status takes an event out of the trash, to its old slug or the next free number.
#[both_stores]
async fn a_status_revives(app: &TestApp) {
    let event = app.admin().event(json!({"title": "Fair"})).await;
    let path = event_path(&event);
    for status in ["publish", "draft", "private"] {
        record(&app.admin().delete(&path).await);
        let revived = app.admin().change(&path, json!({"status": status})).await;
        has_fields(&revived, json!({"status": status, "slug": "fair"}));
        assert_eq!(read(&app.admin(), "/events/by-slug/fair").await, revived);
    }
    app.admin().change(&path, json!({"status": "trash"})).await;
    assert_eq!(app.admin().event(json!({"title": "Fair"})).await["slug"], "fair");
    let revived = app.admin().change(&path, json!({"status": "publish"})).await;
    has_fields(&revived, json!({"status": "publish", "slug": "fair-2"}));
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
                answer.assert_error(403, "rest_forbidden");
            }
        }
    }
}
