//! Cancelled events.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::html::page;

const CANCELLED: &str = "https://schema.org/EventCancelled";
const SCHEDULED: &str = "https://schema.org/EventScheduled";

async fn read(app: &TestApp) -> Value {
    app.anonymous().get("/events/1").await.json()
}

/// The member stands in records and lists of a cancelled event, and goes when it is revived.
#[both_stores]
async fn cancelled_events_stay_listed_and_say_so(app: &TestApp) {
    let made = app.admin().event(json!({"title": "Concert"})).await;
    assert_eq!(made.get("cancelled"), None);
    assert_eq!(read(app).await["json_ld"]["eventStatus"], SCHEDULED);

    let changed = app.admin().put("/events/1", json!({"cancelled": true})).await;
    assert_eq!(changed.json()["cancelled"], true, "{}", changed.text());
    assert_eq!(changed.json()["title"], "Concert");
    let shown = read(app).await;
    assert_eq!(
        (&shown["cancelled"], &shown["json_ld"]["eventStatus"]),
        (&json!(true), &json!(CANCELLED))
    );
    let list = app.anonymous().get("/events").await;
    assert_eq!((list.ids(), &list.json()["events"][0]["cancelled"]), (vec![1], &json!(true)));

    let revived = app.admin().put("/events/1", json!({"cancelled": false})).await;
    assert_eq!(revived.json().get("cancelled"), None);
    let shown = read(app).await;
    assert_eq!(
        (shown.get("cancelled"), &shown["json_ld"]["eventStatus"]),
        (None, &json!(SCHEDULED))
    );
    app.admin().refuses_event("cancelled", [json!("yes"), json!(""), json!(2), json!([])]).await;
}

/// Another change keeps the cancellation.
#[both_stores]
async fn a_cancellation_is_a_change(app: &TestApp) {
    app.admin().event(json!({})).await;
    let tag = app.anonymous().get("/events/1").await.header("etag").to_owned();
    app.admin().put("/events/1", json!({"cancelled": true})).await;
    assert_ne!(app.anonymous().get("/events/1").await.header("etag"), tag);
    let renamed = app.admin().put("/events/1", json!({"title": "Concert"})).await;
    assert_eq!(renamed.json()["cancelled"], true, "{}", renamed.text());
}

/// A password locks this with the rest of the content.
#[both_stores]
async fn readers_without_the_password_do_not_learn_it(app: &TestApp) {
    app.admin().event(json!({"cancelled": true, "password": "open sesame"})).await;
    let locked = app.anonymous().get("/events").await.json();
    assert_eq!(locked["events"][0].get("cancelled"), None);
    let opened = app.anonymous().get("/events/1?password=open+sesame").await.json();
    assert_eq!(opened["cancelled"], true);
    assert!(!page(&app.anonymous(), "//").await.contains("<s>"));
}

#[both_stores]
async fn pages_strike_their_titles_through(app: &TestApp) {
    let event = json!({"title": "Concert", "cancelled": true, "start_date": "2027-01-02 19:00", "end_date": "2027-01-02 21:00"});
    app.admin().event(event).await;
    for (language, word) in [
        ("", "This event is cancelled."),
        ("/fr", "Cet événement est annulé."),
        ("/ar", "أُلغيت هذه الفعالية."),
    ] {
        for path in ["/event/concert/", "/"] {
            let html = page(&app.anonymous(), &format!("/{language}{path}")).await;
            assert!(html.contains("<s>Concert</s>") && html.contains(word), "{html}");
        }
    }
}
