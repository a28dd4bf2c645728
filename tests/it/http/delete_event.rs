//! Deleting events.

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields};

use super::records::{differences, event_path, read, record};

/// ED-01: Only a user who may change an event may delete it.
#[both_stores]
async fn others_may_not_delete(app: &TestApp) {
    for status in ["publish", "draft"] {
        let event = app.admin().event(json!({"status": status})).await;
        for (client, code) in [
            (app.anonymous(), 401),
            (app.subscriber(), 403),
            (app.contributor(), 403),
            (app.author(), 403),
        ] {
            client.delete(&event_path(&event)).await.assert_error(code, "rest_forbidden");
            let forced = client.delete(&format!("{}?force=true", event_path(&event))).await;
            forced.assert_error(code, "rest_forbidden");
        }
        assert_eq!(read(&app.admin(), &event_path(&event)).await, event);
    }
}

/// ED-02: A deletion returns the event as it is in the trash.
#[both_stores]
async fn deleting_puts_into_the_trash(app: &TestApp) {
    let fields = json!({"title": "Fair", "cost": "€4", "organizer": {"organizer": "A"}});
    let before = app.author().event(fields).await;
    app.clock.advance_seconds(60);
    let after = record(&app.editor().delete(&event_path(&before)).await);
    // The slug changes the URL, which is also the default web site.
    let wanted = ["modified", "modified_utc", "slug", "status", "url", "website"];
    assert_eq!(differences(&before, &after), wanted);
    has_fields(&after, json!({"status": "trash", "slug": "fair__trashed"}));
    assert!(app.admin().get("/events?status=any").await.ids().is_empty());
    assert_eq!(app.admin().get("/events?status=trash").await.ids(), [1]);
}

/// ED-03: An event in the trash cannot be deleted again.
/// ED-04: A client without credentials gets 401, whether the event is in the trash or not.
#[both_stores]
async fn deleting_twice(app: &TestApp) {
    let path = event_path(&app.author().event(json!({"slug": "fair"})).await);
    record(&app.author().delete(&path).await);
    for path in [path.as_str(), "/events/by-slug/fair__trashed"] {
        for client in [app.author(), app.editor(), app.admin()] {
            client.delete(path).await.assert_error(410, "event-is-in-trash");
        }
        app.anonymous().delete(path).await.assert_error(401, "rest_forbidden");
        for client in [app.subscriber(), app.contributor(), app.user(6)] {
            client.delete(path).await.assert_error(403, "rest_forbidden");
        }
    }
}

/// ED-05: `force` deletes for good, from the trash too.
#[both_stores]
async fn deleting_for_good(app: &TestApp) {
    let clear = app.admin().event(json!({"slug": "fair"})).await;
    let path = format!("{}?force=true", event_path(&clear));
    let gone = record(&app.editor().delete(&path).await);
    assert_eq!(gone, json!({"deleted": true, "previous": clear}));

    let binned = app.admin().event(json!({"slug": "fair"})).await;
    let path = format!("{}?force=false", event_path(&binned));
    let trashed = record(&app.editor().delete(&path).await);
    assert_eq!(trashed["status"], "trash");
    let body = json!({"force": true});
    let answer = app.editor().send_json(Method::DELETE, &event_path(&binned), &body).await;
    assert_eq!(record(&answer), json!({"deleted": true, "previous": trashed}));

    for client in [app.anonymous(), app.editor(), app.admin()] {
        let by_id = [&clear, &binned].map(event_path);
        let by_slug = ["fair", "fair__trashed"].map(|slug| format!("/events/by-slug/{slug}"));
        for path in by_id.iter().chain(&by_slug) {
            client.get(path).await.assert_error(404, "rest-event-not-found");
        }
    }
    assert!(app.admin().get("/events?status=trash").await.ids().is_empty());
    // An ID is never reused.
    assert_eq!(app.admin().event(json!({})).await["id"], 3);
}

/// ED-06: An absent event is 404 only for users who may delete events.
#[both_stores]
async fn deleting_absent_events(app: &TestApp) {
    for path in ["/events/0", "/events/999999", "/events/by-slug/absent", "/events/999999?force=1"]
    {
        app.anonymous().delete(path).await.assert_error(401, "rest_forbidden");
        app.subscriber().delete(path).await.assert_error(403, "rest_forbidden");
        for client in [app.contributor(), app.author(), app.admin()] {
            client.delete(path).await.assert_error(404, "rest-event-not-found");
        }
    }
}

/// ED-08: Contributors delete own drafts, authors own events; a contributor's published one stays.
#[both_stores]
async fn deleting_own_events(app: &TestApp) {
    for (owner, status) in [
        (app.contributor(), "draft"),
        (app.contributor(), "pending"),
        (app.author(), "draft"),
        (app.author(), "publish"),
        (app.author(), "private"),
    ] {
        let event = owner.event(json!({"status": status})).await;
        assert_eq!(event["status"], status);
        let trashed = record(&owner.delete(&event_path(&event)).await);
        has_fields(&trashed, json!({"id": event["id"], "status": "trash"}));
    }
    let event = app.admin().event(json!({"author": 4})).await;
    app.contributor().delete(&event_path(&event)).await.assert_error(403, "rest_forbidden");
    assert_eq!(read(&app.admin(), &event_path(&event)).await, event);
}

/// ED-09: By slug a contributor has no more rights on another user's event than by ID.
#[both_stores]
async fn a_slug_gives_no_right_to_delete(app: &TestApp) {
    let event = app.author().event(json!({"slug": "fair"})).await;
    for client in [app.contributor(), app.user(6)] {
        client.delete("/events/by-slug/fair").await.assert_error(403, "rest_forbidden");
    }
    app.anonymous().delete("/events/by-slug/fair").await.assert_error(401, "rest_forbidden");
    assert_eq!(read(&app.anonymous(), &event_path(&event)).await, event);
}

/// ED-10: In the trash an event no longer has the slug by which it was deleted.
#[both_stores]
async fn deleting_twice_by_slug(app: &TestApp) {
    let event = app.admin().event(json!({"slug": "fair"})).await;
    let trashed = record(&app.admin().delete("/events/by-slug/fair").await);
    has_fields(&trashed, json!({"id": event["id"], "status": "trash"}));
    app.admin().delete("/events/by-slug/fair").await.assert_error(404, "rest-event-not-found");
}

/// ED-11: The slug of an event in the trash is free for another.
#[both_stores]
async fn the_trash_frees_the_slug(app: &TestApp) {
    for wanted in ["fair__trashed", "fair__trashed-2"] {
        let event = app.admin().event(json!({"title": "Fair"})).await;
        assert_eq!(event["slug"], "fair");
        assert_eq!(record(&app.admin().delete(&event_path(&event)).await)["slug"], wanted);
    }
    let event = app.admin().event(json!({"title": "Fair"})).await;
    assert_eq!(read(&app.anonymous(), "/events/by-slug/fair").await, event);
}

/// ED-12: An event in the trash is found only by its marked slug, with an error that says so.
#[both_stores]
async fn reading_deleted_events(app: &TestApp) {
    let event = app.admin().event(json!({"title": "Fair"})).await;
    record(&app.admin().delete(&event_path(&event)).await);
    for client in [app.anonymous(), app.admin()] {
        client.get("/events/by-slug/fair").await.assert_error(404, "rest-event-not-found");
        let trashed = client.get("/events/by-slug/fair__trashed").await;
        trashed.assert_error(403, "event-no-longer-available");
    }
}
