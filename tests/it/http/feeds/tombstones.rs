//! Feeds after events have ceased to be public.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client, for_each_row};

use super::{file, file::Component};

/// The statuses in a feed, by UID in the order of the feed.
async fn statuses(client: &Client, query: &str) -> Vec<String> {
    let feed = file(client, &format!("/events.ics{query}")).await;
    let status = |event: &&Component| event.get("STATUS").unwrap().to_owned();
    feed.events().iter().map(status).collect()
}

/// Checks that a component is the tombstone of an event, and has nothing else.
fn is_tombstone(gone: &Component, uid: &str, start: &str, sequence: i64, stamp: &str) {
    let properties = gone.properties.iter().map(|one| {
        assert_eq!(one.parameters, "", "{one:?}");
        (one.name.as_str(), one.value.as_str())
    });
    let mut properties: Vec<_> = properties.collect();
    properties.sort_unstable();
    let sequence = sequence.to_string();
    let expected = [
        ("DTSTAMP", stamp),
        ("DTSTART", start),
        ("SEQUENCE", &*sequence),
        ("STATUS", "CANCELLED"),
        ("UID", uid),
    ];
    assert_eq!(properties, expected);
}

/// F-36: an event in the trash is five properties, with the next sequence, in feeds and as a file.
/// F-37: so is an event that becomes a draft, private, scheduled or hidden, or that is deleted for
/// good. A hidden event can still be read, and is its own file.
#[both_stores]
async fn an_event_that_goes_is_a_tombstone(app: &TestApp) {
    let ways: [(&str, Option<Value>); 6] = [
        ("", None),
        ("?force=true", None),
        ("", Some(json!({"status": "draft"}))),
        ("", Some(json!({"status": "private"}))),
        ("", Some(json!({"date": "2027-06-01 00:00:00"}))),
        ("", Some(json!({"hide_from_listings": true}))),
    ];
    for_each_row((1..).zip(ways), async |(id, (query, change))| {
        app.clock.set("2027-01-01 12:00:00");
        let path = format!("/events/{id}");
        let moved = json!({"start_date": "2027-04-01 10:00", "end_date": "2027-04-01 11:00"});
        let walk = json!({"title": "Walk", "slug": format!("walk-{id}")});
        app.admin().event(walk).await;
        app.admin().change(&path, moved).await;
        let public = file(&app.anonymous(), &format!("{path}.ics")).await;
        let uid = public.events()[0].get("UID").unwrap();
        assert_eq!(public.events()[0].get("SEQUENCE"), Some("1"));

        app.clock.set("2027-01-02 12:00:00");
        match &change {
            Some(change) => app.admin().change(&path, change.clone()).await,
            None => app.admin().delete(&format!("{path}{query}")).await.json(),
        };
        let (start, stamp) = ("20270401T100000Z", "20270102T120000Z");
        let feed = file(&app.anonymous(), "/events.ics").await;
        is_tombstone(feed.event("UID", uid), uid, start, 2, stamp);
        let is_hidden = change.is_some_and(|change| change.get("hide_from_listings").is_some());
        for path in [format!("{path}.ics"), format!("/events/by-slug/walk-{id}.ics")] {
            let own = file(&app.anonymous(), &path).await;
            let [own] = own.events()[..] else { panic!("{own:?}") };
            if is_hidden {
                assert_eq!(own.get("STATUS"), Some("CONFIRMED"));
            } else {
                is_tombstone(own, uid, start, 2, stamp);
            }
        }
    })
    .await;
    assert_eq!(statuses(&app.subscriber(), "").await, ["CANCELLED"; 6]);
    // An editor may list all but those in the trash and those that are deleted.
    let gone = statuses(&app.editor(), "").await;
    assert_eq!(gone.iter().filter(|one| *one == "CANCELLED").count(), 2, "{gone:?}");
    let own = app.anonymous().get("/events/1.ics").await;
    assert_eq!(own.header("content-disposition"), "attachment; filename=\"event.ics\"");
    assert_eq!(app.anonymous().get("/events/2").await.status, 404);
    assert_eq!(app.anonymous().get("/events/3").await.status, 403);
}

/// F-38: the start is the last public one, whatever happens afterwards; that of an all-day event is a day.
#[both_stores]
async fn the_last_public_start(app: &TestApp) {
    app.admin()
        .event(json!({"start_date": "2027-04-01 10:00", "end_date": "2027-04-01 11:00",
        "timezone": "Europe/Paris"}))
        .await;
    app.admin()
        .event(json!({"start_date": "2027-04-10", "end_date": "2027-04-12",
        "all_day": true, "timezone": "Asia/Tokyo"}))
        .await;
    for id in [1, 2] {
        app.admin().change(&format!("/events/{id}"), json!({"status": "draft"})).await;
        app.clock.advance_seconds(60);
        let moved = json!({"start_date": "2027-05-01", "end_date": "2027-05-01", "all_day": false});
        app.admin().change(&format!("/events/{id}"), moved).await;
    }
    let starts = async || {
        let feed = file(&app.anonymous(), "/events.ics").await;
        let events = feed.events().into_iter();
        let mut starts: Vec<_> = events.filter_map(|event| event.line("DTSTART")).collect();
        starts.sort_unstable();
        starts
    };
    let last = [":20270401T080000Z", "VALUE=DATE:20270410"];
    assert_eq!(starts().await, last);
    app.admin().delete("/events/1?force=true").await;
    assert_eq!(starts().await, last);
}

/// F-39: an event that is public again is confirmed, with a higher sequence than its tombstone.
#[both_stores]
async fn an_event_comes_back(app: &TestApp) {
    app.admin().event(json!({"title": "Walk"})).await;
    let sequence = async || {
        let feed = file(&app.anonymous(), "/events.ics").await;
        let [event] = feed.events()[..] else { panic!("{feed:?}") };
        let get = |name| event.get(name).unwrap().to_owned();
        (get("STATUS"), get("SEQUENCE").parse::<i64>().unwrap())
    };
    assert_eq!(sequence().await, ("CONFIRMED".to_owned(), 0));
    let mut last = 0;
    for change in [
        json!({"status": "trash"}),
        json!({"status": "publish"}),
        json!({"status": "draft", "start_date": "2027-04-01 10:00", "end_date": "2027-04-01 11:00"}),
        json!({"status": "publish"}),
        json!({"hide_from_listings": true}),
        json!({"hide_from_listings": false}),
        // It comes back by itself.
        json!({"date": "2027-01-02 00:00:00"}),
        Value::Null,
    ] {
        app.clock.advance_seconds(60);
        if change.is_null() {
            app.clock.set("2027-01-02 00:00:00");
        } else {
            app.admin().change("/events/1", change.clone()).await;
        }
        let (status, next) = sequence().await;
        assert_eq!(next, last + 1, "{change}");
        let is_public = ["publish", "false"].iter().any(|word| change.to_string().contains(word));
        let expected = if is_public || change.is_null() { "CONFIRMED" } else { "CANCELLED" };
        assert_eq!(status, expected, "{change}");
        last = next;
    }
}

/// F-40: after its 30th day a tombstone is gone, and its file is the error of the record; the entity tag
/// of the feed changes with the day.
#[both_stores]
async fn a_tombstone_goes(app: &TestApp) {
    app.clock.set("2027-01-01 12:00:00");
    for _ in 0..2 {
        app.admin().event(json!({})).await;
    }
    app.admin().change("/events/1", json!({"status": "draft"})).await;
    app.admin().delete("/events/2?force=true").await;
    app.clock.set("2027-01-31 23:59:59");
    assert_eq!(statuses(&app.anonymous(), "").await, ["CANCELLED"; 2]);
    assert_eq!(app.anonymous().get("/events/1.ics").await.status, 200);
    assert_eq!(app.calendar.prune_tombstones().await.unwrap(), 0);
    let tag = app.anonymous().get("/events.ics").await.header("etag").to_owned();
    app.clock.set("2027-02-01 00:00:00");
    let again = app.anonymous().get_with("/events.ics", &[("if-none-match", &tag)]).await;
    assert_eq!(again.status, 200);
    assert_eq!(statuses(&app.anonymous(), "").await, [""; 0]);
    for (path, status) in [("/events/1.ics", 403), ("/events/2.ics", 404)] {
        assert_eq!(app.anonymous().get(path).await.status, status, "{path}");
    }
    assert_eq!(app.calendar.prune_tombstones().await.unwrap(), 2);
}

/// F-41: a tombstone is in the feeds whose dates, IDs, categories, tags, venues and organizers held the
/// event when it went, and in no feed with another filter or `cancelled=0`; an event that was never public
/// has none.
#[both_stores]
async fn the_filters_of_tombstones(app: &TestApp) {
    let parent = app.admin().make("/categories", json!({"name": "Arts"})).await;
    let music = json!({"name": "Music", "parent": parent["id"]});
    app.admin().make("/categories", music).await;
    app.admin().make("/categories", json!({"name": "Sport"})).await;
    app.admin().make("/tags", json!({"name": "Loud"})).await;
    app.admin().make("/tags", json!({"name": "Quiet"})).await;
    app.admin().make("/venues", json!({"venue": "Mill"})).await;
    app.admin().make("/venues", json!({"venue": "Barn"})).await;
    app.admin().make("/organizers", json!({"organizer": "Club"})).await;
    app.admin().make("/organizers", json!({"organizer": "Choir"})).await;
    let walk = json!({"title": "Walk", "start_date": "2027-04-01 10:00", "end_date": "2027-04-01 11:00",
        "categories": ["Music"], "tags": ["Loud"], "venue": 1, "organizer": [1]});
    app.admin().event(walk).await;
    app.admin().event(json!({"title": "Draft", "status": "draft"})).await;
    app.admin()
        .change(
            "/events/1",
            json!({"status": "draft", "categories": [], "tags": [],
        "venue": "", "organizer": []}),
        )
        .await;
    app.admin().delete("/events/2").await;
    for_each_row(
        [
            ("", 1),
            ("?categories=music", 1),
            ("?categories=arts", 1),
            ("?categories=sport,music", 1),
            ("?categories=sport", 0),
            ("?tags=loud", 1),
            ("?tags=quiet", 0),
            ("?venue=1", 1),
            ("?venue=2", 0),
            ("?organizer=1", 1),
            ("?organizer=2", 0),
            ("?categories=arts&tags=loud&venue=1&organizer=1", 1),
            ("?categories=arts&tags=quiet", 0),
            ("?include=1", 1),
            ("?include=2", 0),
            ("?start_date=2027-04-01&end_date=2027-04-01", 1),
            ("?start_date=2027-04-02", 0),
            ("?end_date=2027-03-31", 0),
            ("?ends_after=2027-03-31", 1),
            ("?ends_after=2027-04-02", 0),
            ("?search=walk", 0),
            ("?search=-dance", 0),
            ("?featured=false", 0),
            ("?ticketed=false", 0),
            ("?free=false", 0),
            ("?city=lyon", 0),
            ("?geoloc=false", 0),
            ("?modified_after=2020-01-01", 0),
            ("?status=publish", 0),
            ("?cancelled=0", 0),
            ("?cancelled=1", 1),
        ],
        async |(query, count)| {
            assert_eq!(statuses(&app.anonymous(), query).await, vec!["CANCELLED"; count]);
        },
    )
    .await;
    // Lists have no tombstones.
    assert_eq!(app.list("").await, [0; 0]);
}

/// A locked event matched no filter by what it names. Its tombstone does neither.
#[both_stores]
async fn a_tombstone_of_a_locked_event(app: &TestApp) {
    app.admin().event(json!({"tags": ["Loud"], "password": "sesame"})).await;
    app.admin().delete("/events/1").await;
    assert_eq!(statuses(&app.anonymous(), "").await, ["CANCELLED"]);
    assert_eq!(statuses(&app.anonymous(), "?tags=loud").await, [""; 0]);
}

/// A series goes as one event, in feeds whose window it reached into. A deleted occurrence is a date that the
/// series leaves out.
#[both_stores]
async fn a_tombstone_of_a_series(app: &TestApp) {
    let recurrence = json!({"rrule": "FREQ=WEEKLY;COUNT=6"});
    let series = json!({"start_date": "2027-03-02 19:00", "end_date": "2027-03-02 21:00",
        "recurrence": recurrence});
    app.admin().event(series).await;
    let public = file(&app.anonymous(), "/events/1.ics").await;
    let uid = public.events()[0].get("UID").unwrap().to_owned();
    let deleted = app.admin().delete("/events/1/occurrences/2027-03-09T19:00:00").await;
    assert_eq!(deleted.status, 200, "{}", deleted.text());
    let feed = file(&app.anonymous(), "/events.ics").await;
    assert_eq!(feed.events().len(), 1);
    assert_eq!(feed.events()[0].get("SEQUENCE"), Some("1"));

    app.admin().delete("/events/1?force=true").await;
    for path in ["/events.ics", "/events.ics?start_date=2027-04-01", "/events/1.ics"] {
        let feed = file(&app.anonymous(), path).await;
        let [gone] = feed.events()[..] else { panic!("{feed:?}") };
        is_tombstone(gone, &uid, "20270302T190000Z", 2, "20270101T120000Z");
    }
    assert_eq!(statuses(&app.anonymous(), "?start_date=2027-04-07").await, [""; 0]);
    assert_eq!(statuses(&app.anonymous(), "?end_date=2027-03-01").await, [""; 0]);
}
