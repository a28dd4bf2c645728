//! Events that were moved to another start.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client, for_each_row};

const RESCHEDULED: &str = "https://schema.org/EventRescheduled";
const SCHEDULED: &str = "https://schema.org/EventScheduled";
const DAY: i64 = 86_400;

/// The fields of an event of two hours in Paris.
fn from(start: &str) -> Value {
    let (day, hour) = start.split_once(' ').unwrap();
    let (hour, minutes) = hour.split_once(':').unwrap();
    let end = hour.parse::<u32>().unwrap() + 2;
    json!({
        "title": "Concert", "timezone": "Europe/Paris",
        "start_date": start, "end_date": format!("{day} {end:02}:{minutes}"),
    })
}

/// Moves event 1.
async fn move_to(app: &TestApp, start: &str) -> Value {
    app.admin().change("/events/1", from(start)).await
}

/// The previous start that a reader is told of event 1.
async fn previous(client: &Client) -> Option<Value> {
    let shown = client.get("/events/1").await.json();
    let list = client.get("/events?start_date=2027-01-01").await.json();
    let listed = list["events"].as_array().unwrap().iter().find(|event| event["id"] == 1);
    let previous = shown.get("previous_start_date").cloned();
    if let Some(listed) = listed {
        assert_eq!(listed.get("previous_start_date"), previous.as_ref());
    }
    previous
}

/// The member stands in records for 30 days, and goes without a write. Linked data says it too.
#[both_stores]
async fn a_move_is_told_for_30_days(app: &TestApp) {
    let made = app.admin().event(from("2027-03-12 19:00")).await;
    assert_eq!(made.get("previous_start_date"), None);
    let moved = move_to(app, "2027-03-19 20:30").await;
    assert_eq!(moved["previous_start_date"], "2027-03-12 19:00:00");

    app.clock.advance_seconds(30 * DAY - 1);
    assert_eq!(previous(&app.anonymous()).await, Some(json!("2027-03-12 19:00:00")));
    let told = app.anonymous().get("/events/1").await;
    let data = told.json()["json_ld"].clone();
    assert_eq!(
        [&data["eventStatus"], &data["previousStartDate"], &data["startDate"]],
        [RESCHEDULED, "2027-03-12T19:00:00+01:00", "2027-03-19T20:30:00+01:00"]
    );
    let tag = told.header("etag").to_owned();
    let same = app.anonymous().get_with("/events/1", &[("if-none-match", &tag)]).await;
    assert_eq!(same.status, 304);

    app.clock.advance_seconds(1);
    let later = app.anonymous().get_with("/events/1", &[("if-none-match", &tag)]).await;
    assert_eq!(later.status, 200);
    assert_ne!(later.header("etag"), tag);
    let shown = later.json();
    assert_eq!(
        (shown.get("previous_start_date"), &shown["json_ld"]["eventStatus"]),
        (None, &json!(SCHEDULED))
    );
    assert_eq!(shown["json_ld"].get("previousStartDate"), None);
    assert_eq!(previous(&app.anonymous()).await, None);
}

/// The first of several moves counts, until the event is moved back.
#[both_stores]
async fn the_first_move_counts(app: &TestApp) {
    app.admin().event(from("2027-03-12 19:00")).await;
    for start in ["2027-03-19 19:00", "2027-03-26 19:00"] {
        app.clock.advance_seconds(DAY);
        let moved = move_to(app, start).await;
        assert_eq!(moved["previous_start_date"], "2027-03-12 19:00:00", "{start}");
    }
    // The zone of the answer is the present one of the event.
    let abroad = app.admin().change("/events/1", json!({"timezone": "UTC"})).await;
    assert_eq!(abroad["previous_start_date"], "2027-03-12 18:00:00");
    let back = move_to(app, "2027-03-12 19:00").await;
    assert_eq!(back.get("previous_start_date"), None);
    // The next one is a new move, and so is one after 30 days.
    move_to(app, "2027-03-12 20:00").await;
    app.clock.advance_seconds(30 * DAY);
    let late = move_to(app, "2027-03-12 19:00").await;
    assert_eq!(late["previous_start_date"], "2027-03-12 20:00:00");
}

/// Other changes, and moves of events that not everybody could list or that had begun, are not told.
#[both_stores]
async fn other_changes_are_not_told(app: &TestApp) {
    let rows = [
        (json!({}), from("2027-03-12 19:14")),
        (json!({}), json!({"end_date": "2027-03-13 19:00"})),
        (json!({}), json!({"title": "Late concert", "cancelled": true})),
        (json!({"status": "draft"}), from("2027-03-19 19:00")),
        (json!({"status": "private"}), from("2027-03-19 19:00")),
        (json!({"date": "2027-02-01 09:00"}), from("2027-03-19 19:00")),
        (json!({"hide_from_listings": true}), from("2027-03-19 19:00")),
        (json!({"start_date": "2027-01-01 11:00"}), from("2027-03-19 19:00")),
        // The occurrences of a series are listed, not the series.
        (json!({"recurrence": "FREQ=DAILY;COUNT=2"}), from("2027-03-19 19:00")),
        (json!({}), json!({"recurrence": "FREQ=DAILY;COUNT=2", "start_date": "2027-03-11 19:00"})),
    ];
    for_each_row(rows, async |(fields, change)| {
        let mut all = from("2027-03-12 19:00");
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let made = app.admin().event(all).await;
        let changed = app.admin().change(&format!("/events/{}", made["id"]), change.clone()).await;
        assert_eq!(changed.get("previous_start_date"), None, "{fields} {change}");
    })
    .await;
}

/// An event that becomes a draft is new when it is published again; one that comes from the trash is not.
#[both_stores]
async fn a_draft_forgets_it(app: &TestApp) {
    app.admin().event(from("2027-03-12 19:00")).await;
    move_to(app, "2027-03-19 19:00").await;
    app.admin().delete("/events/1").await;
    app.admin().change("/events/1", json!({"status": "publish"})).await;
    assert!(previous(&app.anonymous()).await.is_some());
    for status in ["draft", "publish"] {
        app.admin().change("/events/1", json!({"status": status})).await;
        assert_eq!(previous(&app.admin()).await, None, "{status}");
    }
}

/// A password locks it with the rest of the content.
#[both_stores]
async fn readers_without_the_password_do_not_learn_it(app: &TestApp) {
    app.admin().event(from("2027-03-12 19:00")).await;
    app.admin().change("/events/1", json!({"password": "open sesame"})).await;
    move_to(app, "2027-03-19 19:00").await;
    assert_eq!(previous(&app.anonymous()).await, None);
    let locked = app.anonymous().get("/events/1").await;
    assert!(!locked.text().contains("2027-03-12"), "{}", locked.text());
    for path in ["//event/concert/", "//"] {
        let page = app.anonymous().get(path).await.text();
        assert!(page.contains("Concert") && !page.contains("Moved"), "{page}");
    }
    let opened = app.anonymous().get("/events/1?password=open+sesame").await.json();
    assert_eq!(opened["previous_start_date"], "2027-03-12 19:00:00");
}

/// A cancelled event is cancelled first of all.
#[both_stores]
async fn a_cancellation_wins(app: &TestApp) {
    app.admin().event(from("2027-03-12 19:00")).await;
    move_to(app, "2027-03-19 19:00").await;
    let changed = app.admin().change("/events/1", json!({"cancelled": true})).await;
    assert_eq!(changed["previous_start_date"], "2027-03-12 19:00:00");
    let data = app.anonymous().get("/events/1").await.json()["json_ld"].clone();
    assert_eq!(data["eventStatus"], "https://schema.org/EventCancelled");
    assert_eq!(data.get("previousStartDate"), None);
    assert!(!app.anonymous().get("//").await.text().contains("Moved"));
}

/// A record is sent back as it was read.
#[both_stores]
async fn the_member_is_read_only(app: &TestApp) {
    app.admin().event(from("2027-03-12 19:00")).await;
    let moved = move_to(app, "2027-03-19 19:00").await;
    let headers = [("prefer", "handling=strict")];
    let written = app.admin().send_json_with(Method::PUT, "/events/1", &headers, &moved).await;
    assert_eq!(written.status, 200, "{}", written.text());
    assert_eq!(written.json()["previous_start_date"], moved["previous_start_date"]);
    let other = json!({"previous_start_date": "2027-01-05 19:00"});
    let written = app.admin().change("/events/1", other).await;
    assert_eq!(written["previous_start_date"], moved["previous_start_date"]);
}

/// An occurrence with a time of its own is moved like any other event, until it follows its series again.
#[both_stores]
async fn an_occurrence_is_moved(app: &TestApp) {
    let mut fields = from("2027-03-12 19:00");
    fields["recurrence"] = "FREQ=WEEKLY;COUNT=3".into();
    app.admin().event(fields).await;
    let (second, previous_start) = ("/events/1/occurrences/2027-03-19", "2027-03-19 19:00:00");
    let change = async |path: &str, fields: Value| {
        let answer = app.admin().send_json(Method::PATCH, path, &fields).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let moved = change(second, from("2027-03-20 18:00")).await;
    assert_eq!(moved["previous_start_date"], previous_start);
    let path = format!("/events/{}", moved["id"]);
    let told = app.anonymous().get(&path).await.json();
    assert_eq!(told["json_ld"]["eventStatus"], RESCHEDULED);
    // A change of the series that leaves its time alone keeps it, and a move of the series too.
    for fields in [json!({"title": "Late concert"}), from("2027-03-12 20:00")] {
        app.admin().change("/events/1", fields).await;
        assert_eq!(app.anonymous().get(&path).await.json()["previous_start_date"], previous_start);
    }
    let list = app.anonymous().get("/events?start_date=2027-01-01").await.json();
    let told = list["events"].as_array().unwrap().iter();
    let told: Vec<_> = told.filter(|event| event.get("previous_start_date").is_some()).collect();
    assert_eq!(told.len(), 1, "{list}");
    let reset = change(&path, json!({"reset": ["start_date"]})).await;
    assert_eq!(reset.get("previous_start_date"), None);
}

/// A series that is no longer public forgets the moves of its occurrences at once: a later write of an occurrence
/// that changes nothing leaves it as it is.
#[both_stores]
async fn a_private_series_forgets_it(app: &TestApp) {
    let mut fields = from("2027-03-12 19:00");
    fields["recurrence"] = "FREQ=WEEKLY;COUNT=3".into();
    app.admin().event(fields).await;
    let second = "/events/1/occurrences/2027-03-19";
    let moved = app.admin().send_json(Method::PATCH, second, &from("2027-03-20 18:00")).await;
    assert_eq!(moved.json()["previous_start_date"], "2027-03-19 19:00:00");
    let path = format!("/events/{}", moved.json()["id"]);
    app.clock.advance_seconds(60);
    app.admin().change("/events/1", json!({"status": "private"})).await;
    let kept = app.admin().get(&path).await.json();
    app.clock.advance_seconds(60);
    let written = app.admin().change(&path, json!({"featured": false})).await;
    assert_eq!(written["modified"], kept["modified"]);
    app.admin().change("/events/1", json!({"status": "publish"})).await;
    assert_eq!(app.anonymous().get(&path).await.json().get("previous_start_date"), None);
}

/// Pages say it in the language of the reader.
#[both_stores]
async fn pages_say_it(app: &TestApp) {
    app.admin().event(from("2027-03-12 19:00")).await;
    move_to(app, "2027-03-19 19:00").await;
    for (language, words, date) in [
        ("", "Moved from ", "Friday 12 March 2027, 19:00"),
        ("/fr", "Déplacé : initialement prévu le ", "vendredi 12 mars 2027, 19:00"),
        ("/ar", "تغيّر الموعد، وكان ", "الجمعة 12 مارس 2027، 19:00"),
    ] {
        let text = format!("{words}<time datetime=\"2027-03-12T19:00:00+01:00\">{date}</time>.");
        for path in ["/event/concert/", "/"] {
            let page = app.anonymous().get(&format!("/{language}{path}")).await.text();
            assert!(page.contains(&text), "{page}");
        }
    }
    app.clock.advance_seconds(30 * DAY);
    assert!(!app.anonymous().get("//event/concert/").await.text().contains("Moved from"));
}
