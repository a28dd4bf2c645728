//! The rights to create, change and delete venues and organizers.

use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{
    places::KINDS,
    records::{differences, event_path, read, record},
};

/// V-12: Contributors create drafts, or submit for review; subscribers create nothing.
/// O-07: Contributors create drafts; an administrator chooses the author of an organizer.
#[both_stores]
async fn making(app: &TestApp) {
    for kind in KINDS {
        for (fields, status) in [
            (json!({}), "draft"),
            (json!({"status": "draft"}), "draft"),
            (json!({"status": "publish"}), "pending"),
            (json!({"status": "pending"}), "pending"),
        ] {
            let place = kind.make(&app.contributor(), fields).await;
            assert_eq!((&place["status"], &place["author"]), (&json!(status), &json!(4)));
            app.anonymous()
                .get(&kind.path(&place))
                .await
                .is_error(403, &kind.code("not-accessible"));
        }
        for status in ["private", "trash"] {
            let answer = kind.try_make(&app.contributor(), json!({"status": status})).await;
            answer.is_invalid(&["status"]);
        }
        kind.try_make(&app.anonymous(), json!({})).await.is_error(401, "rest_forbidden");
        kind.try_make(&app.subscriber(), json!({})).await.is_error(403, "rest_forbidden");

        assert_eq!(kind.make(&app.author(), json!({})).await["status"], "publish");
        assert_eq!(kind.make(&app.admin(), json!({"author": 3})).await["author"], 3);
        kind.try_make(&app.admin(), json!({"author": 99})).await.is_invalid(&["author"]);
        for client in [app.contributor(), app.author()] {
            kind.try_make(&client, json!({"author": 1})).await.is_error(403, "rest_forbidden");
        }
    }
}

/// V-25: Only editors change a venue of another user; the path selects the venue.
/// V-26: By slug a user has no more rights than by ID.
/// O-12: Only editors change an organizer of another user, by ID or by slug.
#[both_stores]
async fn changing(app: &TestApp) {
    for kind in KINDS {
        for status in ["publish", "draft"] {
            let place = kind.make(&app.user(6), json!({"status": status})).await;
            let by_slug = kind.by_slug(place["slug"].as_str().unwrap_or_default());
            for path in [kind.path(&place), by_slug] {
                for (client, code) in [
                    (app.contributor(), 403),
                    (app.author(), 403),
                    (app.subscriber(), 403),
                    (app.anonymous(), 401),
                ] {
                    for fields in [json!({"phone": "666"}), json!({"status": "trash"}), json!({})] {
                        client.put(&path, fields).await.is_error(code, "rest_forbidden");
                    }
                }
            }
            assert_eq!(read(&app.admin(), &kind.path(&place)).await, place);
        }
        let other = kind.make(&app.admin(), json!({})).await;
        let fields = json!({"id": other["id"], "phone": "1"});
        for path in [format!("{}/1", kind.all()), kind.by_slug("old-mill")] {
            let after = record(&app.editor().put(&path, fields.clone()).await);
            assert_eq!((&after["id"], &after["phone"]), (&json!(1), &json!("1")));
            assert_eq!(after["author"], 6);
        }
        assert_eq!(read(&app.admin(), &kind.path(&other)).await, other);
    }
}

/// V-27: A user who may change a venue may trash it, once.
/// O-13: A user who may change an organizer may trash it, once; by slug the same rule holds.
#[both_stores]
async fn deleting(app: &TestApp) {
    for kind in KINDS {
        let before = kind.make_full(&app.author()).await;
        let refused = async |path: &str| {
            for (client, code) in [
                (app.anonymous(), 401),
                (app.subscriber(), 403),
                (app.contributor(), 403),
                (app.user(6), 403),
            ] {
                client.delete(path).await.is_error(code, "rest_forbidden");
            }
        };
        refused(&kind.path(&before)).await;
        refused(&kind.by_slug("old-mill")).await;
        assert_eq!(read(&app.anonymous(), &kind.path(&before)).await, before);

        app.clock.advance_seconds(60);
        let after = record(&app.editor().delete(&kind.path(&before)).await);
        assert_eq!(
            differences(&before, &after),
            ["modified", "modified_utc", "slug", "status", "url"]
        );
        assert_eq!(
            (&after["status"], &after["slug"]),
            (&json!("trash"), &json!("old-mill__trashed"))
        );
        for path in [kind.path(&before), kind.by_slug("old-mill__trashed")] {
            for client in [app.admin(), app.author()] {
                client.delete(&path).await.is_error(410, &kind.code("is-in-trash"));
            }
            refused(&path).await;
        }
        app.admin().delete(&kind.by_slug("old-mill")).await.is_error(404, &kind.code("not-found"));
    }
}

/// `force` deletes venues and organizers for good, from the trash too.
#[both_stores]
async fn deleting_for_good(app: &TestApp) {
    for kind in KINDS {
        for trash_first in [false, true] {
            let place = kind.make_full(&app.admin()).await;
            let path = kind.path(&place);
            let last = if trash_first { record(&app.admin().delete(&path).await) } else { place };
            let gone = record(&app.editor().delete(&format!("{path}?force=1")).await);
            assert_eq!(gone, json!({"deleted": true, "previous": last}));
            app.admin().get(&path).await.is_error(404, &kind.code("not-found"));
        }
    }
}

/// V-28: A venue that does not exist cannot be deleted.
/// O-14: An absent organizer is 404 only for users who may delete organizers.
#[both_stores]
async fn deleting_what_does_not_exist(app: &TestApp) {
    for kind in KINDS {
        for path in
            [format!("{}/0", kind.all()), format!("{}/999", kind.all()), kind.by_slug("absent")]
        {
            app.admin().delete(&path).await.is_error(404, &kind.code("not-found"));
            app.contributor().delete(&path).await.is_error(404, &kind.code("not-found"));
            app.subscriber().delete(&path).await.is_error(403, "rest_forbidden");
            app.anonymous().delete(&path).await.is_error(401, "rest_forbidden");
        }
    }
}

/// V-29: Events no longer show a venue that is in the trash.
#[both_stores]
async fn events_do_not_show_the_trash(app: &TestApp) {
    for kind in KINDS {
        let place = kind.make(&app.admin(), json!({})).await;
        let event = app.admin().event(json!({kind.name: place["id"]})).await;
        assert_eq!(kind.of_event(&event), std::slice::from_ref(&place));
        record(&app.admin().delete(&kind.path(&place)).await);
        for client in [app.anonymous(), app.admin()] {
            assert_eq!(read(&client, &event_path(&event)).await[kind.name], json!([]));
        }
    }
}
