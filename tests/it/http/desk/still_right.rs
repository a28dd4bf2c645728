//! Events that their authors verify.

use domain::Role;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::{Browser, PASSWORD, titles};

const DAY: i64 = 86_400;

/// A record without the time at which it was verified.
fn plain(mut record: Value) -> Value {
    record.as_object_mut().unwrap().remove("verified_at");
    record
}

/// A verification changes nothing that readers, feeds and caches see. Callers who may change the event see it.
#[both_stores]
async fn a_verification_is_no_change(app: &TestApp) {
    let fair = json!({"title": "Fair", "start_date": "2027-05-01", "end_date": "2027-05-01"});
    let id = app.author().post("/events", fair).await.json()["id"].to_string();
    let path = format!("/events/{id}");
    let (before, anonymous) =
        (app.author().get(&path).await, app.anonymous().get(&path).await.bytes);
    assert_eq!(before.json()["verified_at"], Value::Null);
    let feeds = ["/events.ics", "/events?_fields=events", "//feed"];
    let mut seen = Vec::new();
    for feed in feeds {
        let answer = app.anonymous().get(feed).await;
        seen.push((answer.header("etag").to_owned(), answer.bytes));
    }
    app.clock.advance_seconds(3600);
    for _ in 0..2 {
        let answer = app.author().post(&format!("{path}/verify"), json!({})).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json()["verified_at"], "2027-01-01 13:00:00");
    }
    let after = app.author().get(&path).await;
    assert_eq!(after.json()["verified_at"], "2027-01-01 13:00:00");
    assert_eq!(plain(after.json()), before.json());
    let list = app.editor().get("/events").await.json();
    assert_eq!(list["events"][0]["verified_at"], "2027-01-01 13:00:00");
    // The revision is the same: a client that read the event before may still change it.
    let tag = before.header("etag").to_owned();
    let revision = |tag: &str| tag.split('-').next().map(str::to_owned);
    assert_eq!(revision(after.header("etag")), revision(&tag));
    assert_ne!(after.header("etag"), tag);
    assert_eq!(app.anonymous().get(&path).await.bytes, anonymous);
    assert_eq!(app.user(6).get(&path).await.json()["verified_at"], Value::Null);
    for (feed, (tag, bytes)) in feeds.into_iter().zip(seen) {
        let answer = app.anonymous().get(feed).await;
        assert_eq!((answer.header("etag"), &answer.bytes), (tag.as_str(), &bytes), "{feed}");
    }
    let absent = app.author().post("/events/99/verify", json!({})).await;
    assert_eq!(absent.status, 404);
    assert_eq!(app.user(6).post(&format!("{path}/verify"), json!({})).await.status, 403);
}

/// The desk asks an author about own events that nobody touched for 90 days, until they are verified.
#[both_stores]
async fn the_desk_asks_about_old_events(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Author).await;
    for (title, start) in [("First", "2027-05-01"), ("Second", "2027-05-02"), ("Far", "2027-12-01")]
    {
        let start = format!("{start}T10:00");
        let fields = [
            ("title", title),
            ("start_date", start.as_str()),
            ("end_date", start.as_str()),
            ("timezone", "UTC"),
            ("status", "publish"),
        ];
        assert_eq!(browser.post("//desk/event/new", &fields).await.status, 303);
    }
    let series = json!({"title": "Club", "start_date": "2027-01-02", "end_date": "2027-01-02",
        "recurrence": "FREQ=WEEKLY"});
    app.author().post("/events", series).await;
    assert!(titles(&browser.get("//desk/events/still-right").await).is_empty());
    assert!(!browser.get("//desk").await.text().contains("Still right? ("));

    app.clock.advance_seconds(90 * DAY);
    browser.post("//desk/sign-in", &[("login", "grace"), ("password", PASSWORD)]).await;
    let list = browser.get("//desk/events/still-right").await;
    assert_eq!(titles(&list), ["First", "Second"]);
    assert!(list.text().contains("Still right? (2)"), "{}", list.text());
    let answer = browser.post("//desk/events/still-right", &[("verify", "1")]).await;
    assert_eq!(answer.status, 303);
    let list = browser.get("//desk/events/still-right").await;
    assert_eq!(titles(&list), ["Second"]);
    assert!(list.text().contains("Done: Still right (1)"), "{}", list.text());
    assert!(!list.text().contains("value=\"undo\""), "{}", list.text());
    // Several at once; those of others are refused.
    let both = [("event", "2"), ("event", "4"), ("action", "verify")];
    browser.post("//desk/events/still-right", &both).await;
    let list = browser.get("//desk/events/still-right").await;
    assert!(titles(&list).is_empty(), "{}", list.text());
    assert!(list.text().contains("Not done:"), "{}", list.text());
    assert_eq!(app.author().get("/events/4").await.json()["verified_at"], Value::Null);
}
