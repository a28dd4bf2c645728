//! Changes of one occurrence.

use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{has_fields, id},
    for_each_row,
};

use super::{deleted, jazz, jazz_with, own, patch, patched, recurrence, starts, tuesdays};
use crate::http::records::{read, record};

const O3: &str = "2027-03-16T19:00:00";

/// A title of one occurrence is its own.
#[both_stores]
async fn a_title_of_its_own(app: &TestApp) {
    let series = jazz(app).await;
    let before =
        [read(&app.admin(), &series.of(4)).await, read(&app.admin(), &series.path()).await];
    let changed = patched(&app.admin(), &series.of(3), json!({"title": "Trio"})).await;
    has_fields(
        &changed,
        json!({"id": series.id_of(3), "title": "Trio", "slug": "jazz-night~2027-03-16"}),
    );
    assert_eq!(own(&changed), ["title"]);
    assert_eq!(changed.get("recurrence_changes"), None);
    let after = [read(&app.admin(), &series.of(4)).await, read(&app.admin(), &series.path()).await];
    assert_eq!(after, before);
    app.lists([
        ("search=trio", series.ids(3..=3)),
        ("search=jazz", series.ids([1, 2, 4, 5, 6])),
        ("", series.ids(1..=6)),
    ])
    .await;
}

/// A change of the series shows in an occurrence, except where that has its own.
#[both_stores]
async fn own_fields_stay_when_the_series_changes(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.of(3), json!({"title": "Trio"})).await;
    let fields = json!({"title": "Late jazz", "description": "Loud."});
    patched(&app.admin(), &series.path(), fields).await;
    let shown = read(&app.anonymous(), &series.of(3)).await;
    has_fields(&shown, json!({"title": "Trio", "description": "<p>Loud.</p>"}));
    assert_eq!(read(&app.anonymous(), &series.of(4)).await["title"], "Late jazz");
    app.lists([("search=late", series.ids([1, 2, 4, 5, 6])), ("search=loud", series.ids(1..=6))])
        .await;
}

/// A field that is sent as the series has it, or reset, follows the series again.
#[both_stores]
async fn fields_follow_the_series_again(app: &TestApp) {
    let series = jazz(app).await;
    let own_fields = json!({"title": "Trio", "cost": "5"});
    let rows = [
        (json!({"title": "Jazz night"}), vec!["cost"]),
        (json!({"reset": ["title"]}), vec!["cost"]),
        (json!({"reset": "title,cost"}), vec![]),
        (json!({"reset": true}), vec![]),
    ];
    for_each_row(rows, async |(change, left)| {
        patched(&app.admin(), &series.of(3), own_fields.clone()).await;
        let changed = patched(&app.admin(), &series.of(3), change).await;
        assert_eq!(own(&changed), left);
        assert_eq!(changed["title"], "Jazz night");
    })
    .await;
    for bad in [json!("foo"), json!(["title", "slug"]), json!(5)] {
        patch(&app.admin(), &series.of(3), json!({"reset": bad})).await.assert_invalid(&["reset"]);
    }
}

/// An occurrence that is moved keeps its slot and its slug.
#[both_stores]
async fn a_moved_occurrence(app: &TestApp) {
    let series = jazz(app).await;
    let times = json!({"start_date": "2027-03-17 18:00", "end_date": "2027-03-17 20:00"});
    let moved = patched(&app.admin(), &series.of(3), times).await;
    has_fields(
        &moved,
        json!({
            "start_date": "2027-03-17 18:00:00", "utc_start_date": "2027-03-17 17:00:00",
            "slug": "jazz-night~2027-03-16", "series.recurrence_id": O3,
        }),
    );
    assert_eq!(own(&moved), ["start_date", "end_date"]);
    app.lists([
        ("start_date=2027-03-17&end_date=2027-03-17", series.ids(3..=3)),
        ("start_date=2027-03-16&end_date=2027-03-16", vec![]),
    ])
    .await;
    assert_eq!(
        record(&app.anonymous().get(&format!("{}/{O3}", series.list())).await)["id"],
        series.id_of(3)
    );
    let bad = json!({"start_date": "2027-03-17 21:00", "end_date": "2027-03-17 20:00"});
    patch(&app.admin(), &series.of(3), bad).await.assert_invalid(&["end_date"]);
    // Onto the time of another one: both stand.
    let onto = json!({"start_date": "2027-03-23 19:00", "end_date": "2027-03-23 21:00"});
    patched(&app.admin(), &series.of(3), onto).await;
    assert_eq!(app.list("start_date=2027-03-23&end_date=2027-03-23").await, series.ids(3..=4));
}

/// A cancelled occurrence stays listed and says so.
#[both_stores]
async fn a_cancelled_occurrence(app: &TestApp) {
    let series = jazz(app).await;
    let cancelled = patched(&app.admin(), &series.of(3), json!({"cancelled": true})).await;
    assert_eq!((&cancelled["cancelled"], own(&cancelled)), (&json!(true), vec!["cancelled"]));
    assert_eq!(app.list("").await, series.ids(1..=6));
    let shown = record(&app.anonymous().get(&series.of(3)).await);
    assert_eq!(shown["json_ld"]["eventStatus"], "https://schema.org/EventCancelled");
    assert_eq!(read(&app.anonymous(), &series.of(4)).await.get("cancelled"), None);
    let revived = patched(&app.admin(), &series.of(3), json!({"cancelled": false})).await;
    assert_eq!((revived.get("cancelled"), own(&revived)), (None, vec![]));
}

/// A deleted occurrence is in the trash, and its slot among the deleted ones.
#[both_stores]
async fn a_deleted_occurrence(app: &TestApp) {
    let series = jazz(app).await;
    let gone = deleted(&app.admin(), &series.of(3)).await;
    has_fields(&gone, json!({"status": "trash", "slug": "jazz-night~2027-03-16__trashed"}));
    assert_eq!(app.list("").await, series.ids([1, 2, 4, 5, 6]));
    let shown = recurrence(&app.anonymous(), series.id).await;
    assert_eq!((&shown["exdate"], &shown["total"]), (&json!([O3]), &json!(5)));
    app.anonymous().get(&series.of(3)).await.assert_error(403, "event-no-longer-available");
    assert_eq!(app.admin().delete(&series.of(3)).await.status, 410);
    assert_eq!(starts(&app.anonymous(), series.id).await, tuesdays(19, &[3]));
    // Its neighbours are as before, and the last one can be deleted, too.
    deleted(&app.admin(), &series.of(6)).await;
    assert_eq!(recurrence(&app.anonymous(), series.id).await["last"], "2027-03-30 19:00:00");
}

/// A deleted occurrence is revived with all that it had.
#[both_stores]
async fn a_revived_occurrence(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.of(3), json!({"title": "Trio", "cost": "5"})).await;
    let before = read(&app.anonymous(), &series.of(3)).await;
    deleted(&app.admin(), &series.of(3)).await;
    let revived = patched(&app.admin(), &series.of(3), json!({"status": "publish"})).await;
    assert_eq!(own(&revived), ["title", "cost"]);
    has_fields(&revived, json!({"title": "Trio", "slug": before["slug"], "status": "publish"}));
    assert_eq!(recurrence(&app.anonymous(), series.id).await["exdate"], json!([]));
    assert_eq!(app.list("").await, series.ids(1..=6));
    // One without own fields, too.
    deleted(&app.admin(), &series.of(4)).await;
    patched(&app.admin(), &series.of(4), json!({"status": "publish"})).await;
    assert_eq!(app.list("").await, series.ids(1..=6));
}

/// The ID of an occurrence that is deleted permanently is gone; its slot can have another.
#[both_stores]
async fn an_occurrence_deleted_permanently(app: &TestApp) {
    let series = jazz(app).await;
    let gone = deleted(&app.admin(), &format!("{}?force=true", series.of(3))).await;
    assert_eq!(
        (&gone["deleted"], &gone["previous"]["id"]),
        (&json!(true), &json!(series.id_of(3)))
    );
    app.anonymous().get(&series.of(3)).await.assert_error(404, "rest-event-not-found");
    assert_eq!(recurrence(&app.anonymous(), series.id).await["exdate"], json!([O3]));
    let slot = format!("{}/2027-03-16", series.list());
    // Until it is revived, nothing is at the slot.
    let title = patch(&app.admin(), &slot, json!({"title": "Trio"})).await;
    let answers = [
        title,
        app.admin().get(&slot).await,
        app.admin().delete(&slot).await,
        app.admin().delete(&format!("{slot}?force=true")).await,
    ];
    for answer in answers {
        answer.assert_error(404, "rest-event-not-found");
    }
    let again = patched(&app.admin(), &slot, json!({"status": "publish"})).await;
    assert!(id(&again) > series.id_of(6), "{again}");
    assert_eq!(starts(&app.anonymous(), series.id).await, tuesdays(19, &[]));
    assert_eq!(recurrence(&app.anonymous(), series.id).await["exdate"], json!([]));
}

/// A series without deleted dates has all occurrences again, under their IDs, except one that
/// was deleted permanently.
#[both_stores]
async fn deleted_dates_taken_back(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.of(3), json!({"title": "Trio"})).await;
    deleted(&app.admin(), &series.of(3)).await;
    deleted(&app.admin(), &series.of(5)).await;
    deleted(&app.admin(), &format!("{}?force=true", series.of(2))).await;
    patched(&app.admin(), &series.path(), json!({"recurrence": {"exdate": []}})).await;
    let listed = app.list("").await;
    assert_eq!(starts(&app.anonymous(), series.id).await, tuesdays(19, &[]));
    assert_eq!((listed[0], &listed[2..]), (series.id_of(1), &*series.ids(3..=6)));
    assert!(listed[1] > series.id_of(6), "{listed:?}");
    app.anonymous().get(&series.of(2)).await.assert_error(404, "rest-event-not-found");
    assert_eq!(read(&app.anonymous(), &series.of(3)).await["title"], "Trio");
}

/// Filters find an occurrence by its own terms, flags and places.
#[both_stores]
async fn filters_find_own_fields(app: &TestApp) {
    let series = jazz_with(&app.admin(), json!({"categories": ["Music"]})).await;
    let venue = id(&app.admin().make("/venues", json!({"venue": "Old Mill"})).await);
    let fields = json!({"categories": ["x"], "featured": true, "venue": venue});
    let changed = patched(&app.admin(), &series.of(3), fields).await;
    assert_eq!(own(&changed), ["featured", "categories", "venue"]);
    for query in ["categories=x", "featured=true", &format!("venue={venue}")] {
        assert_eq!(app.list(query).await, series.ids(3..=3), "{query}");
    }
    app.lists([
        ("categories=music", series.ids([1, 2, 4, 5, 6])),
        ("featured=false", series.ids([1, 2, 4, 5, 6])),
    ])
    .await;
}

/// An own text has its own translations.
#[both_stores]
async fn own_texts_in_languages(app: &TestApp) {
    let series = jazz(app).await;
    let french = |path: &str| format!("{path}?ml_language=fr");
    patched(&app.admin(), &french(&series.path()), json!({"title": "Soirée jazz"})).await;
    let changed = patched(&app.admin(), &french(&series.of(3)), json!({"title": "Trio fr"})).await;
    assert_eq!(own(&changed), ["title"]);
    for (path, language, title) in [
        (series.of(3), "fr", "Trio fr"),
        (series.of(3), "en", "Jazz night"),
        (series.of(4), "fr", "Soirée jazz"),
        (series.path(), "fr", "Soirée jazz"),
    ] {
        let shown = read(&app.anonymous(), &format!("{path}?ml_language={language}")).await;
        assert_eq!(shown["title"], title, "{path} {language}");
    }
    patched(&app.admin(), &series.of(4), json!({"title": "Quartet"})).await;
    assert_eq!(read(&app.anonymous(), &french(&series.of(4))).await["title"], "Quartet");
}

/// A detached occurrence is an event of its own.
#[both_stores]
async fn a_detached_occurrence(app: &TestApp) {
    let series = jazz(app).await;
    let detached = patched(&app.admin(), &series.of(3), json!({"detach": true})).await;
    has_fields(
        &detached,
        json!({
            "id": series.id_of(3), "slug": "jazz-night-2027-03-16", "title": "Jazz night",
            "start_date": "2027-03-16 19:00:00", "series": null, "recurrence": null,
        }),
    );
    let shown = recurrence(&app.anonymous(), series.id).await;
    assert_eq!((&shown["total"], &shown["exdate"]), (&json!(5), &json!([O3])));
    patched(&app.admin(), &series.path(), json!({"title": "Late jazz"})).await;
    assert_eq!(read(&app.anonymous(), &series.of(3)).await["title"], "Jazz night");
    assert_eq!(app.list("").await, series.ids(1..=6));
    assert_eq!(app.list(&format!("post_parent={}", series.id)).await, series.ids([1, 2, 4, 5, 6]));
}

/// The rights to change an occurrence are those on its series.
#[both_stores]
async fn the_right_to_change_an_occurrence(app: &TestApp) {
    let series = jazz_with(&app.author(), json!({})).await;
    let slot = format!("{}/2027-03-16", series.list());
    let paths = [series.of(3), slot, "/events/by-slug/jazz-night~2027-03-16".to_owned()];
    for (number, path) in paths.iter().enumerate() {
        let title = json!({"title": format!("Trio {number}")});
        assert_eq!(patch(&app.author(), path, title.clone()).await.status, 200);
        for (client, status) in
            [(app.user(6), 403), (app.contributor(), 403), (app.anonymous(), 401)]
        {
            assert_eq!(patch(&client, path, title.clone()).await.status, status, "{path}");
            assert_eq!(client.delete(path).await.status, status, "{path}");
        }
    }
}
