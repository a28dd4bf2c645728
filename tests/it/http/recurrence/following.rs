//! Changes of an occurrence and all that follow: the series is split.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::has_fields};

use super::{
    Series, WEEKLY, all_of, deleted, jazz, jazz_with, own, patch, patched, recurrence, starts,
    tuesdays,
};
use crate::http::records::{read, record};

/// The ID of the series that was split from a series.
async fn next_of(app: &TestApp, series: &Series) -> i64 {
    recurrence(&app.admin(), series.id).await["next"].as_i64().expect("a later series")
}

fn following(path: &str) -> String {
    format!("{path}?scope=following")
}

async fn ids(app: &TestApp, series: i64) -> Vec<Value> {
    all_of(&app.admin(), series, "id").await
}

/// The occurrences from one on go to a new series, under their IDs.
#[both_stores]
async fn a_split_series(app: &TestApp) {
    let series = jazz(app).await;
    let changed =
        patched(&app.admin(), &following(&series.of(4)), json!({"title": "Late jazz"})).await;
    has_fields(&changed, json!({"id": series.id_of(4), "title": "Late jazz"}));
    let before = recurrence(&app.anonymous(), series.id).await;
    has_fields(
        &before,
        json!({"rrule": "FREQ=WEEKLY;COUNT=3", "total": 3, "last": "2027-03-16 19:00:00", "previous": null}),
    );
    let next = next_of(app, &series).await;
    assert_eq!(changed["series"]["id"], next);
    let after = read(&app.anonymous(), &format!("/events/{next}")).await;
    has_fields(
        &after,
        json!({
            "slug": "jazz-night-2", "title": "Late jazz", "start_date": "2027-03-23 19:00:00",
            "recurrence.rrule": "FREQ=WEEKLY;COUNT=3", "recurrence.total": 3,
            "recurrence.previous": series.id, "recurrence.next": null,
        }),
    );
    assert_eq!(ids(app, series.id).await, series.ids(1..=3));
    assert_eq!(ids(app, next).await, series.ids(4..=6));
    app.lists([("", series.ids(1..=6)), ("search=late", series.ids(4..=6))]).await;
    assert_eq!(read(&app.anonymous(), &series.of(1)).await["title"], "Jazz night");
}

/// A rule without COUNT ends a second before the split.
#[both_stores]
async fn a_split_of_an_endless_rule(app: &TestApp) {
    let fields = json!({"recurrence": "FREQ=WEEKLY"});
    let series = jazz_with(&app.admin(), fields).await;
    patched(&app.admin(), &following(&series.of(4)), json!({"title": "Late jazz"})).await;
    let shown = recurrence(&app.anonymous(), series.id).await;
    assert_eq!(shown["rrule"], "FREQ=WEEKLY;UNTIL=20270323T175959Z");
    assert_eq!((&shown["total"], shown.get("kept_until")), (&json!(3), None));
    let next = recurrence(&app.anonymous(), next_of(app, &series).await).await;
    assert_eq!((&next["rrule"], &next["total"]), (&json!("FREQ=WEEKLY"), &Value::Null));
}

/// Split beyond the horizon, the first half has all its occurrences; it must not be too long.
#[both_stores]
async fn a_split_beyond_the_horizon(app: &TestApp) {
    let weekly = jazz_with(&app.admin(), json!({"recurrence": "FREQ=WEEKLY"})).await;
    let later = format!("{}/2044-03-15", weekly.list());
    patched(&app.admin(), &following(&later), json!({"title": "Later"})).await;
    let shown = recurrence(&app.anonymous(), weekly.id).await;
    has_fields(&shown, json!({"rrule": "FREQ=WEEKLY;UNTIL=20440315T175959Z", "total": 889}));
    let list = record(&app.anonymous().get(&weekly.list()).await);
    assert_eq!(list["total"], 889);
    let january = app.anonymous().list("start_date=2043-01-01&end_date=2043-01-31").await;
    assert_eq!(january.len(), 4);
    let daily = json!({"title": "Daily", "recurrence": "FREQ=DAILY"});
    let daily = jazz_with(&app.admin(), daily).await;
    let too_late = format!("{}/2099-03-15", daily.list());
    let answer = patch(&app.admin(), &following(&too_late), json!({"title": "Later"})).await;
    answer.assert_invalid(&["scope"]);
    assert_eq!(recurrence(&app.anonymous(), daily.id).await["total"], Value::Null);
}

/// Own fields and deletions stay over a split, unless the own fields are reset.
#[both_stores]
async fn own_fields_over_a_split(app: &TestApp) {
    for overrides in ["", "&overrides=reset"] {
        let series = jazz(app).await;
        patched(&app.admin(), &series.of(5), json!({"title": "Trio"})).await;
        deleted(&app.admin(), &series.of(6)).await;
        let path = format!("{}{overrides}", following(&series.of(4)));
        patched(&app.admin(), &path, json!({"title": "Late jazz"})).await;
        let next = next_of(app, &series).await;
        let fifth = read(&app.anonymous(), &series.of(5)).await;
        let title = if overrides.is_empty() { "Trio" } else { "Late jazz" };
        has_fields(&fifth, json!({"title": title, "series.id": next}));
        assert_eq!(own(&fifth).is_empty(), !overrides.is_empty());
        assert_eq!(ids(app, next).await, series.ids(4..=5));
        let deleted_slots = json!(["2027-04-06T19:00:00"]);
        assert_eq!(recurrence(&app.anonymous(), next).await["exdate"], deleted_slots);
        assert_eq!(recurrence(&app.anonymous(), series.id).await["exdate"], json!([]));
        assert_eq!(app.anonymous().get(&series.of(6)).await.status, 403);
    }
}

/// The following ones are moved by as much as the named one.
#[both_stores]
async fn the_following_ones_are_moved(app: &TestApp) {
    let series = jazz(app).await;
    let times = json!({"start_date": "2027-03-24 20:00", "end_date": "2027-03-24 22:00"});
    let moved = patched(&app.admin(), &following(&series.of(4)), times).await;
    has_fields(&moved, json!({"id": series.id_of(4), "start_date": "2027-03-24 20:00:00"}));
    let next = next_of(app, &series).await;
    assert_eq!(starts(&app.anonymous(), next).await, ["03-24 20:00", "03-31 20:00", "04-07 20:00"]);
    assert_eq!(ids(app, next).await, series.ids(4..=6));
    assert_eq!(starts(&app.anonymous(), series.id).await, tuesdays(19, &[4, 5, 6]));
    let ends = all_of(&app.anonymous(), next, "end_date").await;
    assert_eq!(ends[0], "2027-03-24 22:00:00");
}

/// From the first one on, it is a change of all; an extra date does not split, and the same
/// request splits once.
#[both_stores]
async fn splits_that_are_none(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &following(&series.of(1)), json!({"title": "Late jazz"})).await;
    assert_eq!(recurrence(&app.anonymous(), series.id).await.get("next"), None);
    assert_eq!(app.list("search=late").await, series.ids(1..=6));
    for _ in 0..2 {
        patched(&app.admin(), &following(&series.of(4)), json!({"title": "Later"})).await;
    }
    let next = next_of(app, &series).await;
    assert_eq!(recurrence(&app.anonymous(), next).await.get("next"), None);
    assert_eq!(app.list("search=later&expand=false").await, [next]);
    let fields = json!({"recurrence": {"rrule": WEEKLY, "rdate": ["2027-03-20 15:00"]}});
    let other = jazz_with(&app.admin(), fields).await;
    let extra = following(&other.of(4));
    patch(&app.admin(), &extra, json!({"title": "No"})).await.assert_invalid(&["scope"]);
    assert_eq!(starts(&app.anonymous(), other.id).await.len(), 7);
}

/// At the start, earlier extra dates stay: they are a series of their own.
#[both_stores]
async fn a_split_at_the_start(app: &TestApp) {
    let rule = json!({"rrule": WEEKLY, "rdate": ["2027-02-20 12:00", "2027-03-10 12:00"]});
    let series = jazz_with(&app.admin(), json!({"recurrence": rule})).await;
    patched(&app.admin(), &following(&series.of(2)), json!({"title": "Late jazz"})).await;
    let next = next_of(app, &series).await;
    assert_eq!(ids(app, series.id).await, series.ids(1..=1));
    assert_eq!(ids(app, next).await, series.ids(2..=8));
    let first = read(&app.anonymous(), &series.path()).await;
    has_fields(
        &first,
        json!({
            "title": "Jazz night", "start_date": "2027-02-20 12:00:00", "recurrence.rrule": "",
            "recurrence.total": 1, "recurrence.rdate": ["2027-02-20T12:00:00"],
        }),
    );
    let second = recurrence(&app.anonymous(), next).await;
    has_fields(&second, json!({"rrule": WEEKLY, "rdate": ["2027-03-10T12:00:00"], "total": 7}));
    app.lists([("search=late", series.ids(2..=8)), ("", series.ids(1..=8))]).await;
    // Both can be written back.
    for id in [series.id, next] {
        let path = format!("/events/{id}");
        let before = read(&app.admin(), &path).await;
        let fields =
            json!({"recurrence": before["recurrence"], "start_date": before["start_date"]});
        assert_eq!(patched(&app.admin(), &path, fields).await["recurrence"], before["recurrence"]);
    }
}

/// The following ones are deleted as a series, and revived with it.
#[both_stores]
async fn the_following_ones_are_deleted(app: &TestApp) {
    let series = jazz(app).await;
    deleted(&app.admin(), &following(&series.of(4))).await;
    assert_eq!(app.list("").await, series.ids(1..=3));
    assert_eq!(app.anonymous().get(&series.of(5)).await.status, 403);
    let next = next_of(app, &series).await;
    patched(&app.admin(), &format!("/events/{next}"), json!({"status": "publish"})).await;
    assert_eq!(app.list("").await, series.ids(1..=6));
}

/// An occurrence of a series in the trash, made by a split, can be changed there.
#[both_stores]
async fn a_change_of_what_a_split_trashed(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &following(&series.of(4)), json!({"status": "trash"})).await;
    let times = json!({"start_date": "2027-03-20 18:00", "end_date": "2027-03-20 20:00"});
    let moved = patched(&app.admin(), &series.of(5), times).await;
    has_fields(&moved, json!({"start_date": "2027-03-20 18:00:00", "status": "trash"}));
}

/// A series has the scope `all` alone; where nothing repeats, a scope has no effect.
#[both_stores]
async fn scopes_of_series_and_events(app: &TestApp) {
    let series = jazz(app).await;
    for scope in ["this", "following", "foo", ""] {
        let path = format!("{}?scope={scope}", series.path());
        patch(&app.admin(), &path, json!({"title": "No"})).await.assert_invalid(&["scope"]);
        app.admin().delete(&path).await.assert_invalid(&["scope"]);
    }
    patch(&app.admin(), &series.of(3), json!({"scope": "foo"})).await.assert_invalid(&["scope"]);
    // One occurrence alone is detached or follows its series again.
    for scope in ["following", "all"] {
        let path = format!("{}?scope={scope}", series.of(3));
        patch(&app.admin(), &path, json!({"detach": true})).await.assert_invalid(&["detach"]);
        patch(&app.admin(), &path, json!({"reset": true})).await.assert_invalid(&["reset"]);
        patched(&app.admin(), &series.of(3), json!({"detach": false, "reset": false})).await;
    }
    assert_eq!(recurrence(&app.anonymous(), series.id).await.get("next"), None);
    let all = json!({"title": "Late jazz", "scope": "all"});
    patched(&app.admin(), &series.path(), all).await;
    let plain = app.admin().event(json!({})).await;
    let path = format!("/events/{}", plain["id"]);
    for scope in ["this", "following", "all"] {
        let changed =
            patched(&app.admin(), &format!("{path}?scope={scope}"), json!({"title": scope})).await;
        assert_eq!(changed["title"], scope);
    }
    patch(&app.admin(), &format!("{path}?scope=foo"), json!({})).await.assert_invalid(&["scope"]);
    assert_eq!(record(&app.anonymous().get(&series.of(1)).await)["title"], "Late jazz");
}
