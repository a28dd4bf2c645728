//! Selection and deletion of venues and organizers.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields};

use super::{
    places::KINDS,
    records::{differences, event_path, read, record},
};

/// V-25: The path selects the venue.
/// O-12: The path selects the organizer.
#[both_stores]
async fn the_path_selects_the_record(app: &TestApp) {
    for kind in KINDS {
        kind.make(&app.user(6), json!({})).await;
        let other = kind.make(&app.admin(), json!({})).await;
        let fields = json!({"id": other["id"], "phone": "1"});
        for path in [format!("{}/1", kind.all()), kind.by_slug("old-mill")] {
            let after = app.editor().change(&path, fields.clone()).await;
            has_fields(&after, json!({"id": 1, "phone": "1", "author": 6}));
        }
        assert_eq!(read(&app.admin(), &kind.path(&other)).await, other);
    }
}

/// V-27: A venue in the trash has another slug.
/// O-13: An organizer in the trash has another slug.
#[both_stores]
async fn deleting(app: &TestApp) {
    for kind in KINDS {
        let before = kind.make_full(&app.author()).await;
        app.clock.advance_seconds(60);
        let after = record(&app.editor().delete(&kind.path(&before)).await);
        let wanted = ["modified", "modified_utc", "slug", "status", "url"];
        assert_eq!(differences(&before, &after), wanted);
        has_fields(&after, json!({"status": "trash", "slug": "old-mill__trashed"}));
        let former = kind.by_slug("old-mill");
        app.admin().get(&former).await.assert_error(404, &kind.code("not-found"));
        app.admin().delete(&former).await.assert_error(404, &kind.code("not-found"));
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
            app.admin().get(&path).await.assert_error(404, &kind.code("not-found"));
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
