//! Reading a single venue or organizer.

use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{
    places::KINDS,
    records::{read, record},
};

/// V-16: No venue has the ID 0, or one that was not assigned.
/// V-19: No venue has a slug that was not assigned.
/// O-09: No organizer has an ID or a slug that was not assigned; the trash is not public.
#[both_stores]
async fn there_is_no_such_place(app: &TestApp) {
    for kind in KINDS {
        let place = kind.make(&app.admin(), json!({})).await;
        for path in [
            format!("{}/0", kind.all()),
            format!("{}/999999", kind.all()),
            format!("{}/99999999999999999999", kind.all()),
            kind.by_slug("absent"),
            kind.by_slug("old"),
        ] {
            for client in [app.anonymous(), app.admin()] {
                client.get(&path).await.is_error(404, &kind.code("not-found"));
            }
        }
        record(&app.admin().delete(&kind.path(&place)).await);
        app.anonymous().get(&kind.path(&place)).await.is_error(403, &kind.code("not-accessible"));
    }
}

/// V-17: A draft is for its author and for editors.
#[both_stores]
async fn drafts_are_for_their_authors_and_editors(app: &TestApp) {
    for kind in KINDS {
        let draft = kind.make(&app.contributor(), json!({})).await;
        assert_eq!(draft["status"], "draft");
        for path in [kind.path(&draft), kind.by_slug("old-mill")] {
            for client in [app.anonymous(), app.subscriber(), app.user(7), app.author()] {
                client.get(&path).await.is_error(403, &kind.code("not-accessible"));
            }
            for client in [app.contributor(), app.editor(), app.admin()] {
                assert_eq!(read(&client, &path).await, draft);
            }
        }
    }
}

/// V-18: The trash is for users who may read unpublished records.
#[both_stores]
async fn the_trash_is_for_authors_and_editors(app: &TestApp) {
    for kind in KINDS {
        let place = kind.make(&app.author(), json!({})).await;
        let trashed = record(&app.author().delete(&kind.path(&place)).await);
        assert_eq!(trashed["status"], "trash");
        for path in [kind.path(&place), kind.by_slug("old-mill__trashed")] {
            for client in [app.anonymous(), app.subscriber(), app.contributor(), app.user(6)] {
                client.get(&path).await.is_error(403, &kind.code("not-accessible"));
            }
            for client in [app.author(), app.editor(), app.admin()] {
                assert_eq!(read(&client, &path).await, trashed);
            }
        }
        app.admin().get(&kind.by_slug("old-mill")).await.is_error(404, &kind.code("not-found"));
    }
}
