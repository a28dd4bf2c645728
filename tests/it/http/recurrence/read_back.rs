//! Occurrences that are written back as they were read.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, for_each_row};

use super::{Series, deleted, jazz, jazz_with, own, patch, patched};
use crate::http::records::{read, record};

/// A series with a value in each field that an occurrence can have of its own.
async fn full_series(app: &TestApp) -> Series {
    let ticket = json!({"name": "Seat", "price": "5", "currency": "EUR"});
    let fields = json!({
        "title": "Rock & roll", "description": "Loud.", "excerpt": "Short.", "cost": "10 - 20",
        "featured": true, "sticky": true, "show_map": true,
        "categories": ["Zeta", "Alpha"], "tags": ["Late", "Big"],
        "venue": {"venue": "Old Mill"}, "organizer": [{"organizer": "Ann"}], "tickets": [ticket],
    });
    let series = jazz_with(&app.admin(), fields).await;
    // The French texts are a title alone, the Arabic ones none.
    let path = format!("{}?ml_language=fr", series.path());
    patched(&app.admin(), &path, json!({"title": "Du rock"})).await;
    series
}

/// What was read can be written back, the whole record or one field, in each language: nothing
/// becomes its own, and own fields stay.
#[both_stores]
async fn what_was_read_can_be_written_back(app: &TestApp) {
    let series = full_series(app).await;
    patched(&app.admin(), &series.of(4), json!({"title": "Trio", "cost": "5"})).await;
    app.clock.advance_seconds(60);
    for (number, own_fields) in [(3, vec![]), (4, vec!["title", "cost"])] {
        for language in ["", "?ml_language=fr", "?ml_language=ar"] {
            let path = format!("{}{language}", series.of(number));
            let before = read(&app.admin(), &path).await;
            let whole = before.clone();
            let strict = [("prefer", "handling=strict")];
            let answer = app.admin().send_json_with(Method::PUT, &path, &strict, &whole).await;
            assert_eq!(own(&record(&answer)), own_fields, "{path}");
            for (name, value) in whole.as_object().unwrap() {
                let after = patched(&app.admin(), &path, json!({name: value})).await;
                assert_eq!(own(&after), own_fields, "{path} {name}");
            }
            assert_eq!(read(&app.admin(), &path).await, before);
        }
    }
}

/// With another title, a whole record changes the title alone.
#[both_stores]
async fn a_whole_record_with_another_title(app: &TestApp) {
    let series = full_series(app).await;
    for (number, language) in [(3, ""), (4, "?ml_language=fr"), (5, "?ml_language=ar")] {
        let path = format!("{}{language}", series.of(number));
        let mut whole = read(&app.admin(), &path).await;
        whole["title"] = json!("Trio");
        let after = app.admin().change(&path, whole).await;
        assert_eq!((own(&after), &after["title"]), (vec!["title"], &json!("Trio")));
    }
    // Texts that were not translated follow the series in all languages.
    let description = json!({"description": "Quiet."});
    patched(&app.admin(), &series.path(), description).await;
    for language in ["en", "fr", "ar"] {
        let path = format!("{}?ml_language={language}", series.of(5));
        assert_eq!(read(&app.admin(), &path).await["description"], "<p>Quiet.</p>");
    }
}

/// The website of another event is a website.
#[both_stores]
async fn the_page_of_another_event_as_website(app: &TestApp) {
    let series = jazz(app).await;
    let other = read(&app.admin(), &series.of(4)).await["url"].clone();
    let after = patched(&app.admin(), &series.of(3), json!({"website": other})).await;
    assert_eq!((own(&after), &after["website"]), (vec!["website"], &other));
}

/// Some fields belong to the whole series. As they were read, they count as not sent.
#[both_stores]
async fn fields_of_the_whole_series(app: &TestApp) {
    let series = jazz(app).await;
    let before = read(&app.admin(), &series.of(3)).await;
    let rows = [
        ("recurrence", json!("FREQ=DAILY;COUNT=2")),
        ("recurrence", json!("")),
        ("slug", json!("trio")),
        ("slug", json!("jazz-night")),
        ("author", json!(2)),
        ("password", json!("x")),
        ("status", json!("draft")),
        ("date", json!("2026-01-01 00:00:00")),
        ("date_utc", json!("2026-01-01 00:00:00")),
    ];
    for_each_row(rows, async |(field, value)| {
        let answer = patch(&app.admin(), &series.of(3), json!({field: value})).await;
        answer.assert_invalid(&[field]);
    })
    .await;
    for_each_row(["slug", "author", "status", "date", "date_utc"], async |field| {
        patched(&app.admin(), &series.of(3), json!({field: before[field]})).await;
    })
    .await;
    patched(&app.admin(), &series.of(3), json!({"password": ""})).await;
    assert_eq!(read(&app.admin(), &series.of(3)).await, before);
    // A draft shows its status.
    patched(&app.admin(), &series.path(), json!({"status": "draft"})).await;
    let draft = read(&app.admin(), &series.of(3)).await;
    assert_eq!(app.admin().change(&series.of(3), draft).await["status"], "draft");
    patch(&app.admin(), &series.of(3), json!({"status": "private"}))
        .await
        .assert_invalid(&["status"]);
}

/// A whole record written back with a wider scope changes nothing but the title.
#[both_stores]
async fn a_whole_record_for_all(app: &TestApp) {
    let series = full_series(app).await;
    let mut whole = read(&app.admin(), &series.of(3)).await;
    whole["title"] = json!("Late rock");
    let before = read(&app.admin(), &series.path()).await;
    app.admin().change(&format!("{}?scope=all", series.of(3)), whole).await;
    let after = read(&app.admin(), &series.path()).await;
    assert_eq!(after["title"], "Late rock");
    for field in ["slug", "website", "start_date", "recurrence", "categories", "date", "cost"] {
        assert_eq!(after[field], before[field], "{field}");
    }
}

/// The last change stays known when an occurrence follows its series again: `modified` does not
/// go back, and a stale precondition fails.
#[both_stores]
async fn modified_does_not_go_back(app: &TestApp) {
    let series = jazz(app).await;
    let modified = async || read(&app.admin(), &series.of(3)).await["modified_utc"].clone();
    for (own_field, follows) in [
        (json!({"title": "Trio"}), json!({"reset": ["title"]})),
        (json!({"title": "Trio"}), json!({"title": "Jazz night"})),
        (json!({"cancelled": true}), json!({"cancelled": false})),
    ] {
        app.clock.advance_seconds(60);
        patched(&app.admin(), &series.of(3), own_field).await;
        let at = modified().await;
        app.clock.advance_seconds(30);
        let read_at = app.admin().get(&series.of(3)).await.header("last-modified").to_owned();
        assert!(!read_at.is_empty());
        app.clock.advance_seconds(30);
        let after = patched(&app.admin(), &series.of(3), follows).await;
        assert_eq!(own(&after), [""; 0]);
        assert!(modified().await.as_str() > at.as_str(), "{after}");
        let list = format!("modified_after={}", at.as_str().unwrap().replace(' ', "T"));
        assert_eq!(app.list(&list).await, series.ids(3..=3));
        let headers = [("if-unmodified-since", read_at.as_str())];
        let fields = json!({"title": "Late"});
        let stale =
            app.admin().send_json_with(Method::PATCH, &series.of(3), &headers, &fields).await;
        assert_eq!(stale.status, 412, "{}", stale.text());
    }
    // The occurrence is plain: without its slot, it is gone.
    app.clock.advance_seconds(60);
    let at = modified().await;
    patched(&app.admin(), &series.path(), json!({"title": "Late jazz"})).await;
    assert!(modified().await.as_str() > at.as_str());
    patched(&app.admin(), &series.of(5), json!({"title": "Trio"})).await;
    patched(&app.admin(), &series.of(5), json!({"reset": true})).await;
    let fewer = json!({"recurrence": "FREQ=WEEKLY;COUNT=2"});
    let changed = patched(&app.admin(), &series.path(), fewer).await;
    assert_eq!(changed["recurrence_changes"]["trashed"], json!([]));
    app.admin().get(&series.of(5)).await.assert_error(404, "rest-event-not-found");
}

/// An occurrence that follows its series again is deleted and revived as any other.
#[both_stores]
async fn a_reset_occurrence_is_deleted_and_revived(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.of(3), json!({"title": "Trio"})).await;
    patched(&app.admin(), &series.of(3), json!({"reset": true})).await;
    deleted(&app.admin(), &series.of(3)).await;
    assert_eq!(app.list("").await, series.ids([1, 2, 4, 5, 6]));
    patched(&app.admin(), &series.of(3), json!({"status": "publish"})).await;
    assert_eq!(app.list("").await, series.ids(1..=6));
    patched(&app.admin(), &series.of(3), json!({"title": "Trio"})).await;
    patched(&app.admin(), &series.of(3), json!({"reset": true})).await;
    let detached = patched(&app.admin(), &series.of(3), json!({"detach": true})).await;
    assert_eq!(detached["slug"], "jazz-night-2027-03-16");
    assert_eq!(app.list("").await, series.ids(1..=6));
}

/// A strict request may send back every answer of a series, and names an unknown field.
#[both_stores]
async fn strict_requests(app: &TestApp) {
    let series = jazz(app).await;
    let strictly = async |path: &str, fields: &Value| {
        let headers = [("prefer", "handling=strict")];
        app.admin().send_json_with(Method::PUT, path, &headers, fields).await
    };
    let own = json!({"title": "Trio", "cancelled": true});
    let one = record(&strictly(&series.of(3), &own).await);
    let split = format!("{}?scope=following&overrides=keep", series.of(4));
    let split = record(&strictly(&split, &json!({"title": "Late jazz"})).await);
    let deleted = deleted(&app.admin(), &series.of(1)).await;
    let moved = json!({"start_date": "2027-03-02 20:00", "end_date": "2027-03-02 22:00"});
    let all = record(&strictly(&series.path(), &moved).await);
    assert!(all["recurrence_changes"].is_object(), "{all}");
    let rows =
        [(series.path(), all), (series.of(1), deleted), (series.of(3), one), (series.of(4), split)];
    for_each_row(rows, async |(path, answer)| {
        let mut sent = answer.clone();
        let again = strictly(&path, &sent).await;
        assert_eq!(again.status, 200, "{path} {}: {}", sent["slug"], again.text());
        sent["recurence"] = json!("FREQ=DAILY;COUNT=2");
        let refused = strictly(&path, &sent).await;
        refused.assert_invalid(&["recurence"]);
        let text = refused.json()["data"]["params"]["recurence"].to_string();
        assert!(text.contains("did you mean recurrence?"), "{text}");
    })
    .await;
    let list = "/events?expand=false&hide_subsequent_recurrences=true";
    let headers = [("prefer", "handling=strict")];
    assert_eq!(app.anonymous().get_with(list, &headers).await.status, 200);
    let list = format!("{}?own=true&cancelled=true&starts_after=2027-03-01", series.list());
    assert_eq!(app.anonymous().get_with(&list, &headers).await.status, 200);
    let unknown = format!("{}?featured=true", series.list());
    app.anonymous().get_with(&unknown, &headers).await.assert_invalid(&["featured"]);
}
