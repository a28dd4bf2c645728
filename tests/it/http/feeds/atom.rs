//! The Atom feed of the events that were published last.

use atom_syndication::Feed;
use http_service::AppState;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client};

/// A feed, read by a library.
async fn feed(client: &Client, path: &str) -> Feed {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    assert_eq!(answer.header("content-type"), "application/atom+xml; charset=utf-8");
    Feed::read_from(answer.text().as_bytes()).unwrap()
}

fn titles(feed: &Feed) -> Vec<&str> {
    feed.entries().iter().map(|entry| entry.title().as_str()).collect()
}

fn with_date(title: &str, date: &str) -> Value {
    json!({"title": title, "date": date})
}

/// F-74: the entries of the Atom feed are the newest first, their texts are escaped, and an entry of a
/// locked event has no content.
#[both_stores]
async fn the_newest_first(app: &TestApp) {
    app.admin().event(with_date("Second", "2026-01-02 09:00")).await;
    app.admin().event(with_date("First", "2026-01-01 09:00")).await;
    let third = json!({"title": "1 < 2 & 3", "date": "2026-01-03 09:00",
        "description": "<p>a &amp; b</p>", "venue": {"venue": "Old Mill", "city": "Lyon"},
        "organizer": {"organizer": "Rowing club"}, "categories": ["Nature"]});
    app.admin().event(third).await;
    let locked = json!({"title": "Locked", "date": "2026-01-04 09:00", "description": "secret",
        "venue": 1, "organizer": [1], "categories": ["Nature"], "password": "key"});
    app.admin().event(locked).await;
    app.admin().event(json!({"title": "Draft", "status": "draft"})).await;
    let past =
        json!({"title": "Past", "start_date": "2020-01-01 09:00", "end_date": "2020-01-01 10:00"});
    app.admin().event(past).await;
    let weekly =
        json!({"title": "Weekly", "date": "2025-01-01 09:00", "recurrence": "FREQ=WEEKLY;COUNT=9"});
    app.admin().event(weekly).await;

    let newest = feed(&app.anonymous(), "/events.atom").await;
    assert_eq!(titles(&newest), ["Locked", "1 < 2 & 3", "Second", "First", "Weekly"]);
    let record = app.anonymous().get("/events/3").await.json();
    assert_eq!(record["title"], "1 &lt; 2 & 3");
    let entry = &newest.entries()[1];
    assert_eq!(entry.published().unwrap().to_rfc3339(), "2026-01-03T09:00:00+00:00");
    let content = entry.content().unwrap();
    assert_eq!((content.content_type(), content.value()), (Some("html"), Some("<p>a &amp; b</p>")));
    assert_eq!(entry.authors()[0].name(), "Rowing club");
    assert_eq!(
        (entry.categories()[0].term(), entry.categories()[0].label()),
        ("nature", Some("Nature"))
    );
    assert_eq!(entry.links()[0].href(), record["url"]);
    let summary = entry.summary().unwrap().as_str();
    assert!(summary.ends_with("(UTC)\nOld Mill, Lyon"), "{summary}");

    let locked = &newest.entries()[0];
    assert_eq!((locked.content(), locked.categories().len()), (None, 0));
    assert!(!locked.summary().unwrap().as_str().contains("Old Mill"));
    assert_ne!(locked.authors()[0].name(), "Rowing club");
    let opened = feed(&app.anonymous(), "/events.atom?password=key").await;
    assert_eq!(opened.entries()[0].content().unwrap().value(), Some("<p>secret</p>"));

    let client = app.anonymous();
    assert_eq!(titles(&feed(&client, "/events.atom?per_page=2").await).len(), 2);
    assert_eq!(titles(&feed(&client, "/events.atom?ends_before=2021-01-01").await), ["Past"]);
    // A locked event matches no filter by what it shows to nobody.
    let nature = feed(&client, "/events.atom?categories=nature").await;
    assert_eq!(titles(&nature), ["1 < 2 & 3"]);
    assert_eq!(titles(&feed(&app.editor(), "/events.atom?status=draft").await), ["Draft"]);
    for refused in
        ["/events.atom?per_page=0", "/events.atom?categories=none", "/events.atom?status=draft"]
    {
        assert_eq!(client.get(refused).await.status, 400, "{refused}");
    }
    let accepted = client.get_with("/events", &[("accept", "application/atom+xml")]).await;
    assert_eq!(accepted.header("content-type"), "application/atom+xml; charset=utf-8");
}

/// F-75: the ID of an entry stays after changes and with another host; the time of the update moves.
#[both_stores]
async fn an_entry_keeps_its_id(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    let before = feed(&app.anonymous(), "/events.atom").await;
    let first = app.anonymous().get("/events.atom").await;
    let tag = first.header("etag").to_owned();
    let again = app.anonymous().get_with("/events.atom", &[("if-none-match", &tag)]).await;
    assert_eq!(again.status, 304);

    app.clock.advance_seconds(3600);
    app.admin().change("/events/1", json!({"title": "Great fair"})).await;
    let changed = app.anonymous().get_with("/events.atom", &[("if-none-match", &tag)]).await;
    assert_eq!(changed.status, 200);
    let elsewhere =
        |_| AppState::new(app.calendar.clone(), app.accounts.clone(), "https://other.example");
    let app = app.variant().build_with(elsewhere).await;
    let after = feed(&app.anonymous(), "/events.atom").await;
    assert!(after.links()[0].href().starts_with("https://other.example/"));
    assert_eq!(titles(&after), ["Great fair"]);
    assert_eq!(before.entries()[0].id(), after.entries()[0].id());
    assert!(before.entries()[0].id().starts_with("urn:sha256:"));
    assert!(before.entries()[0].updated() < after.entries()[0].updated());
    assert_eq!(before.updated(), before.entries()[0].updated());
}
