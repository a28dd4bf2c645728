//! Defaults, flags, status, publication date and author of new events.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::has_fields, for_each_row};

const FLAGS: [&str; 5] = ["show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];

/// EC-01: A title, a start and an end are enough; the rest has its defaults.
/// EC-02: The answer to a creation has no `json_ld`.
#[both_stores]
async fn a_title_and_two_dates_are_enough(app: &TestApp) {
    let event = app.admin().event(json!({"title": "River cleanup"})).await;
    let shown = json!({
        "id": 1, "title": "River cleanup", "status": "publish", "slug": "river-cleanup",
        "author": 1, "image": false, "cost": "", "venue": [], "organizer": [], "categories": [],
        "tags": [], "custom_fields": [],
    });
    has_fields(&event, shown);
    assert_eq!(event.get("json_ld"), None);
    assert!(app.anonymous().get("/events/1").await.json().get("json_ld").is_some());
    assert_eq!(app.anonymous().get("/events").await.ids(), [1]);
}

/// EC-13: All bad fields of a request are reported at once.
#[both_stores]
async fn all_bad_fields_are_reported_together(app: &TestApp) {
    let fields = json!({
        "title": "", "start_date": "zz", "website": "foo", "timezone": "Mars/X", "author": "q",
        "status": "nope",
    });
    let answer = app.admin().try_event(fields).await;
    answer.assert_invalid(&["title", "start_date", "website", "timezone", "author", "status"]);
    for (field, text) in answer.json()["data"]["params"].as_object().into_iter().flatten() {
        assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{field}");
    }
}

/// EC-55: A flag is set by true and 1, as themselves or as text in any letter case.
/// EC-56: A flag is unset by false and 0, as themselves or as text.
/// EC-57: Any other value is refused for a flag.
/// EC-58: A flag of null is not sent, and so is false.
/// EC-59: The map is hidden by default.
#[both_stores]
async fn flags_are_true_or_false(app: &TestApp) {
    for flag in FLAGS {
        for value in [json!(true), json!("true"), json!("1"), json!(1), json!("TRUE")] {
            let event = app.admin().event(json!({flag: value})).await;
            assert_eq!(event[flag], true, "{flag} {value}");
        }
        for value in [json!(false), json!("false"), json!("0"), json!(0), json!(null)] {
            let event = app.admin().event(json!({flag: value})).await;
            assert_eq!(event[flag], false, "{flag} {value}");
        }
        app.admin().refuses_event(flag, [json!("yes"), json!(""), json!(2), json!([])]).await;
    }
    let event = app.admin().event(json!({})).await;
    for flag in FLAGS {
        assert_eq!(event[flag], false, "{flag}");
    }
}

/// EC-60: Showing the map does not show the link to it.
#[both_stores]
async fn the_map_and_its_link_are_two_things(app: &TestApp) {
    let event = app.admin().event(json!({"show_map": true})).await;
    has_fields(&event, json!({"show_map": true, "show_map_link": false}));
}

/// EC-61: An event hidden from lists is in no list, and can be read.
#[both_stores]
async fn hidden_events_are_not_listed(app: &TestApp) {
    let hidden = app.admin().event(json!({"hide_from_listings": true})).await;
    let shown = app.admin().event(json!({})).await;
    assert_eq!(hidden["hide_from_listings"], true);
    for client in [app.anonymous(), app.admin()] {
        let list = client.get("/events").await;
        assert_eq!(list.ids(), [2], "{}", list.text());
        assert_eq!(list.json()["total"], 1);
        assert_eq!(client.get("/events/1").await.status, 200);
    }
    assert_eq!(shown["hide_from_listings"], false);
}

/// EC-62: A sticky event stays where its date puts it.
#[both_stores]
async fn sticky_events_keep_their_place(app: &TestApp) {
    app.admin().event(json!({})).await;
    let later = json!({
        "sticky": true, "start_date": "2027-03-11 09:00:00", "end_date": "2027-03-11 10:00:00",
    });
    assert_eq!(app.admin().event(later).await["sticky"], true);
    assert_eq!(app.anonymous().get("/events").await.ids(), [1, 2]);
}

/// EC-102: A draft has no slug.
/// EC-103: A private event has one, though only few can read it.
/// EC-104: A scheduled event whose date is not ahead is published.
#[both_stores]
async fn an_event_gets_the_status_that_was_asked_for(app: &TestApp) {
    let rows = [
        ("draft", "draft", ""),
        ("pending", "pending", ""),
        ("private", "private", "event"),
        ("future", "publish", "event-2"),
        ("publish", "publish", "event-3"),
    ];
    for_each_row(rows, async |(wanted, status, slug)| {
        let event = app.admin().event(json!({"status": wanted})).await;
        has_fields(&event, json!({"status": status, "slug": slug}));
    })
    .await;
    assert_eq!(app.anonymous().get("/events").await.ids(), [4, 5]);
    app.anonymous().get("/events/3").await.assert_error(403, "event-not-accessible");
}

/// EC-105: A status that does not exist, an empty one and one in capitals are refused.
/// EC-106: Statuses for internal use in the reference are refused.
#[both_stores]
async fn unknown_statuses_are_refused(app: &TestApp) {
    app.admin().refuses_event("status", ["foo", "", "PUBLISH", "auto-draft", "inherit"]).await;
}

/// EC-107: A publication date ahead schedules an event.
/// EC-108: A scheduled event with a date in the past is published.
#[both_stores]
async fn a_publication_date_ahead_schedules(app: &TestApp) {
    let ahead = "2028-01-01 10:00:00";
    for status in [json!(null), json!("publish"), json!("future")] {
        let event = app.admin().event(json!({"date": ahead, "status": status})).await;
        has_fields(&event, json!({"status": "future", "date": ahead, "date_utc": ahead}));
    }
    assert!(app.anonymous().get("/events").await.ids().is_empty());

    let past = "2026-01-01 10:00:00";
    let event = app.admin().event(json!({"date": past, "status": "future"})).await;
    let shown = json!({"status": "publish", "date": past, "modified": "2027-01-01 12:00:00"});
    has_fields(&event, shown);
}

/// EC-111: An administrator may choose the author.
/// EC-112: An author who does not exist is refused, and so is one that is no number.
/// EC-113: A contributor may not choose another user as the author.
#[both_stores]
async fn only_editors_choose_the_author(app: &TestApp) {
    for author in [json!(3), json!("3")] {
        assert_eq!(app.admin().event(json!({"author": author})).await["author"], 3);
    }
    app.admin().refuses_event("author", [json!(99), json!(0), json!("foo")]).await;
    assert_eq!(app.editor().event(json!({"author": 3})).await["author"], 3);
    assert_eq!(app.contributor().event(json!({"author": 4})).await["author"], 4);
    for client in [app.contributor(), app.author()] {
        client.try_event(json!({"author": 1})).await.assert_error(403, "rest_forbidden");
    }
    assert_eq!(app.admin().get("/events?status=any").await.json()["total"], 4);
}

/// EC-114: An event of a contributor is a draft unless the request has a status.
/// EC-115: An event that a contributor publishes or schedules waits for review.
/// EC-116: A contributor may neither make an event private nor put it in the trash.
#[both_stores]
async fn contributors_write_drafts_and_hand_in(app: &TestApp) {
    let rows = [
        (json!(null), "draft"),
        (json!("draft"), "draft"),
        (json!("pending"), "pending"),
        (json!("publish"), "pending"),
        (json!("future"), "pending"),
    ];
    for_each_row(rows, async |(wanted, status)| {
        let event = app.contributor().event(json!({"status": wanted})).await;
        has_fields(&event, json!({"status": status, "slug": "", "author": 4}));
    })
    .await;
    let chosen = json!({"status": "pending", "slug": "chosen"});
    assert_eq!(app.contributor().event(chosen).await["slug"], "chosen");
    app.contributor().refuses_event("status", ["private", "trash"]).await;
    assert!(app.anonymous().get("/events").await.ids().is_empty());
}

/// EC-117: An event of an author is published at once.
#[both_stores]
async fn authors_publish(app: &TestApp) {
    let event = app.author().event(json!({})).await;
    has_fields(&event, json!({"status": "publish", "author": 3}));
    assert_eq!(app.anonymous().get("/events").await.ids(), [1]);
}

/// EC-153: Read-only fields are ignored when a client sends them.
#[both_stores]
async fn made_fields_cannot_be_sent(app: &TestApp) {
    let sent = json!({
        "id": 77,
        "url": "https://evil.example/",
        "rest_url": "https://evil.example/",
        "utc_start_date": "2030-01-01 00:00:00",
        "utc_end_date": false,
        "start_date_details": {"year": "2030"},
        "cost_details": "x",
        "global_id": "evil.example?id=1",
        "timezone_abbr": "XYZ",
        "modified": "2020-01-01 00:00:00",
    });
    let shown = json!({
        "id": 1,
        "url": "https://cal.example/event/event/",
        "rest_url": "https://cal.example/cal/events/v1/events/1",
        "utc_start_date": "2027-03-10 09:00:00",
        "utc_end_date": "2027-03-10 11:00:00",
        "start_date_details.year": "2027",
        "cost_details.values": [],
        "global_id": "cal.example?id=1",
        "timezone_abbr": "UTC",
        "modified": "2027-01-01 12:00:00",
    });
    has_fields(&app.admin().event(sent).await, shown);
}
