//! Feeds that another calendar imports.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, event_fields},
};

use super::{events, import_with, numbers};

/// The feed of all events.
async fn feed(client: &Client) -> String {
    let path = "/events.ics?start_date=1990-01-01&end_date=2100-01-01";
    client.get(path).await.text()
}

/// The values of a property in a feed, in their order.
fn values(feed: &str, name: &str) -> Vec<String> {
    let unfolded = feed.replace("\r\n ", "");
    let of_property = unfolded.lines().filter(|line| line.split([':', ';']).next() == Some(name));
    of_property.map(str::to_owned).collect()
}

/// F-73: a feed, imported into an empty calendar, gives the same UIDs, times, titles and parents.
/// so do its series; again, nothing changes.
#[both_stores]
async fn an_imported_feed_is_the_same(app: &TestApp) {
    for fields in [
        json!({"title": "c't <webdev> & \"x\"", "timezone": "Europe/Paris"}),
        json!({"title": "All day", "all_day": true, "timezone": "Asia/Tokyo"}),
        json!({"title": "Offset", "timezone": "UTC+5:30", "description": "<p>A <b>b</b></p><ul><li>c</li></ul>"}),
        json!({"title": "Late", "start_date": "2030-10-27T00:30:00Z", "end_date": "2030-10-27T01:30:00Z",
            "timezone": "Europe/Paris"}),
        json!({"title": "Jazz", "timezone": "Europe/Paris", "recurrence": "FREQ=WEEKLY;COUNT=6",
            "venue": {"venue": "Old Mill", "address": "3 Quai Vert"}, "categories": ["Music"]}),
    ] {
        app.editor().event(event_fields(fields)).await;
    }
    let jazz = app.anonymous().get("/events/by-slug/jazz").await.json();
    app.editor().event(json!({"title": "Talk", "parent": jazz["id"]})).await;
    let slots: Vec<String> =
        app.anonymous().get(&format!("/events/{}/occurrences", jazz["id"])).await.json()["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["id"].to_string())
            .collect();
    let change = |id: &str, fields: Value| {
        let path = format!("/events/{id}");
        async move { app.editor().change(&path, fields).await }
    };
    change(&slots[1], json!({"title": "Jazz, moved", "venue": ""})).await;
    change(&slots[2], json!({"cancelled": true})).await;
    app.editor().delete(&format!("/events/{}", slots[3])).await;
    let whole = feed(&app.anonymous()).await;
    let before = events(&app.anonymous()).await;

    for event in
        ["by-slug/talk", "by-slug/jazz", "by-slug/late", "by-slug/offset", "by-slug/all-day"]
    {
        app.admin().delete(&format!("/events/{event}?force=1")).await;
    }
    let rest = events(&app.admin()).await;
    app.admin().delete(&format!("/events/{}?force=1", rest[0]["id"])).await;
    assert!(events(&app.admin()).await.is_empty());
    // Tombstones of events that this calendar does not know say nothing.
    let report = import_with(&app.editor(), "?source=twin", &*whole).await;
    assert_eq!((numbers(&report), &report["warnings"]), ([6, 0, 0, 0, 0], &json!([])), "{whole}");
    let again = import_with(&app.editor(), "?source=twin", &*whole).await;
    assert_eq!(numbers(&again), [0, 0, 6, 0, 0]);
    let copy = feed(&app.anonymous()).await;
    for name in [
        "UID",
        "DTSTART",
        "DTEND",
        "SUMMARY",
        "RRULE",
        "EXDATE",
        "RECURRENCE-ID",
        "STATUS",
        "CATEGORIES",
        "RELATED-TO",
    ] {
        let (mut first, mut second) = (values(&whole, name), values(&copy, name));
        first.sort();
        second.sort();
        assert_eq!(first, second, "{name}");
    }
    let shown = |events: &[Value]| -> Vec<Value> {
        let shown = |event: &Value| {
            // Days and offsets have no zone in a calendar file.
            let time = if event["all_day"] == true { "" } else { "utc_" };
            let time = |name: &str| &event[format!("{time}{name}")];
            json!([
                event["title"],
                time("start_date"),
                time("end_date"),
                event["all_day"],
                event["cancelled"],
                event["venue"]["venue"]
            ])
        };
        let mut shown: Vec<Value> = events.iter().map(shown).collect();
        shown.sort_by_key(ToString::to_string);
        shown
    };
    assert_eq!(shown(&before), shown(&events(&app.anonymous()).await));
}
