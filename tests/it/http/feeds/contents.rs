//! The contents of calendar files.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::id};

use super::file;

/// F-28: a venue that the caller may not see is not named.
#[both_stores]
async fn an_invisible_venue_is_not_named(app: &TestApp) {
    let mill = json!({"venue": "Old Mill", "status": "draft", "geo_lat": 45.75, "geo_lng": 4.85});
    let mill = app.admin().make("/venues", mill).await;
    app.admin().event(json!({"venue": id(&mill)})).await;
    let seen = file(&app.anonymous(), "/events.ics").await;
    assert_eq!((seen.events()[0].get("LOCATION"), seen.events()[0].get("GEO")), (None, None));
    let seen = file(&app.admin(), "/events.ics").await;
    assert_eq!(seen.events()[0].get("LOCATION"), Some("Old Mill"));
    assert_eq!(seen.events()[0].get("GEO"), Some("45.750000;4.850000"));
}

/// F-29: the organizer is the first with an e-mail address; all are contacts.
#[both_stores]
async fn organizers_and_contacts(app: &TestApp) {
    let organizers = json!([
        {"organizer": "Ann", "phone": "12"},
        {"organizer": "Bob; Co", "email": "bob@cal.example"},
    ]);
    app.admin().event(json!({"organizer": organizers})).await;
    let feed = file(&app.anonymous(), "/events.ics").await;
    let event = feed.events()[0];
    let organizer = event.line("ORGANIZER");
    assert_eq!(organizer.as_deref(), Some("CN=\"Bob; Co\":mailto:bob@cal.example"));
    let contacts = event.properties.iter().filter(|one| one.name == "CONTACT");
    let contacts: Vec<_> = contacts.map(|one| one.value.as_str()).collect();
    assert_eq!(contacts, ["Ann\\, 12", "Bob\\; Co\\, bob@cal.example"]);
}

/// F-31: each text has the language in which it is shown.
#[both_stores]
async fn texts_have_their_languages(app: &TestApp) {
    let event = json!({"title": "River cleanup", "description": "Bring gloves", "venue": {"venue": "Old Mill"}});
    app.admin().event(event).await;
    let french = json!({"title": "Nettoyage", "ml_language": "fr"});
    app.admin().put("/events/1", french).await;
    let feed = file(&app.anonymous(), "/events.ics?ml_language=fr").await;
    let event = feed.events()[0];
    for (name, expected) in [
        ("SUMMARY", "LANGUAGE=fr:Nettoyage"),
        ("DESCRIPTION", "LANGUAGE=en:Bring gloves"),
        ("LOCATION", "LANGUAGE=en:Old Mill"),
    ] {
        assert_eq!(event.line(name).as_deref(), Some(expected));
    }
}

/// F-32: without the password a locked event has eight properties; with it, all.
#[both_stores]
async fn a_locked_event_says_little(app: &TestApp) {
    let event = json!({"title": "Wedding", "description": "canary", "password": "open", "cost": "5",
        "venue": {"venue": "Canary Hall"}, "categories": ["Canary"]});
    app.admin().event(event).await;
    let locked = file(&app.anonymous(), "/events.ics").await;
    let names: Vec<_> = locked.events()[0].properties.iter().map(|one| one.name.as_str()).collect();
    let all = ["UID", "DTSTAMP", "DTSTART", "DTEND", "SEQUENCE", "STATUS", "SUMMARY", "URL"];
    assert_eq!(names, all);
    let opened = app.anonymous().get("/events.ics?password=open").await;
    assert!(opened.text().contains("canary") && opened.text().contains("Canary Hall"));
    assert!(opened.header("cache-control").contains("no-store"));
    let refused = app.anonymous().get("/events/1.ics").await;
    assert_eq!(refused.json()["code"], "event-password-protected");
}

/// F-33: a sub-event names its parent by UID, unless lists hide that.
#[both_stores]
async fn a_sub_event_names_its_parent(app: &TestApp) {
    app.admin().event(json!({"title": "Festival"})).await;
    app.admin().event(json!({"title": "Opening", "parent": 1})).await;
    let feed = file(&app.anonymous(), "/events.ics").await;
    let uid = feed.event("SUMMARY", "Festival").get("UID").unwrap();
    let related = feed.event("SUMMARY", "Opening").line("RELATED-TO").unwrap();
    assert_eq!(related, format!("RELTYPE=PARENT:{uid}"));
    app.admin().put("/events/1", json!({"hide_from_listings": true})).await;
    let feed = file(&app.anonymous(), "/events.ics").await;
    assert_eq!(feed.event("SUMMARY", "Opening").get("RELATED-TO"), None);
}

/// A sub-event of an occurrence names the series: the feed has the occurrence under the UID of the series.
#[both_stores]
async fn a_sub_event_of_an_occurrence_names_the_series(app: &TestApp) {
    let fair =
        app.admin().event(json!({"title": "Fair", "recurrence": "FREQ=WEEKLY;COUNT=3"})).await;
    let dates = app.admin().get(&format!("/events/{}/occurrences", fair["id"])).await;
    let second = dates.json()["events"][1]["id"].clone();
    app.admin().put(&format!("/events/{second}"), json!({"title": "Great fair"})).await;
    app.admin().event(json!({"title": "Opening", "parent": second})).await;
    let feed = file(&app.anonymous(), "/events.ics").await;
    let uid = feed.event("SUMMARY", "Fair").get("UID").unwrap();
    assert_eq!(feed.event("SUMMARY", "Great fair").get("UID"), Some(uid));
    let related = feed.event("SUMMARY", "Opening").line("RELATED-TO").unwrap();
    assert_eq!(related, format!("RELTYPE=PARENT:{uid}"));
}

/// F-34: events of feeds and whole days are transparent, a single event with times is opaque.
#[both_stores]
async fn transparency(app: &TestApp) {
    app.admin().event(json!({"title": "Timed"})).await;
    app.admin().event(json!({"title": "Days", "all_day": true})).await;
    for (path, expected) in [
        ("/events.ics?search=timed", "TRANSPARENT"),
        ("/events/1.ics", "OPAQUE"),
        ("/events/2.ics", "TRANSPARENT"),
    ] {
        let file = file(&app.anonymous(), path).await;
        assert_eq!(file.events()[0].get("TRANSP"), Some(expected), "{path}");
    }
}

/// F-35: a feed about one category, tag, venue or organizer has its name.
#[both_stores]
async fn the_name_of_a_feed(app: &TestApp) {
    app.admin().event(json!({"categories": ["Music", "Jazz"], "tags": ["Loud"]})).await;
    for (query, expected) in [
        ("", "cal.example"),
        ("?categories=music", "cal.example – Music"),
        ("?tags=loud", "cal.example – Loud"),
        ("?categories=music,jazz", "cal.example"),
        ("?categories=music&tags=loud", "cal.example"),
    ] {
        let feed = file(&app.anonymous(), &format!("/events.ics{query}")).await;
        assert_eq!(feed.get("NAME"), Some(expected), "{query}");
        assert_eq!(feed.get("X-WR-CALNAME"), Some(expected), "{query}");
        let source = feed.get("SOURCE").unwrap();
        assert!(source.contains("/events.ics") && !source.contains("password"), "{source}");
    }
}

/// F-17: the same data gives the same bytes.
#[both_stores]
async fn the_same_bytes(app: &TestApp) {
    for title in ["One", "Two"] {
        app.admin().event(json!({"title": title, "tags": ["b", "a"]})).await;
    }
    let before = app.anonymous().get("/events.ics").await.text();
    app.clock.advance_seconds(3_600);
    assert_eq!(app.anonymous().get("/events.ics").await.text(), before);
    assert_eq!(app.uncached().await.anonymous().get("/events.ics").await.text(), before);
}
