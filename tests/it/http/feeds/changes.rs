//! Feeds after changes.

use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, id},
};

use super::file;

/// F-25: after a new title, UID and sequence are the same, and the stamp is later.
/// F-26: after a move, the UID is the same, and the sequence is the next.
/// F-27: another venue is the next sequence, a new name of the venue is none; no change leaves the bytes.
#[both_stores]
async fn one_uid_for_life(app: &TestApp) {
    let made = app.admin().event(json!({"title": "Walk", "venue": {"venue": "Old Mill"}})).await;
    let venue = id(&made["venue"]);
    let before = file(&app.anonymous(), "/events.ics").await;
    let uid = before.events()[0].get("UID").unwrap();
    let mut stamp = before.events()[0].get("DTSTAMP").unwrap().to_owned();
    let moved = json!({"start_date": "2027-04-01 10:00", "end_date": "2027-04-01 11:00"});
    for (path, change, sequence) in [
        ("/events/1", json!({"title": "Long walk"}), "0"),
        ("/events/1", moved, "1"),
        (&format!("/venues/{venue}"), json!({"venue": "New Mill"}), "1"),
        ("/events/1", json!({"venue": {"venue": "Barn"}}), "2"),
    ] {
        app.clock.advance_seconds(60);
        app.admin().change(path, change.clone()).await;
        let after = file(&app.anonymous(), "/events.ics?start_date=2020-01-01").await;
        let [event] = after.events()[..] else { panic!("{after:?}") };
        assert_eq!(
            (event.get("UID"), event.get("SEQUENCE")),
            (Some(uid), Some(sequence)),
            "{change}"
        );
        let next = event.get("DTSTAMP").unwrap();
        assert!(*stamp < *next, "{change}");
        assert_eq!(event.get("LAST-MODIFIED"), Some(next));
        next.clone_into(&mut stamp);
    }
    let bytes = app.anonymous().get("/events/1.ics").await.text();
    assert!(bytes.contains("LOCATION;LANGUAGE=en:Barn"));
    app.clock.advance_seconds(60);
    app.admin().put("/events/1", json!({})).await;
    assert_eq!(app.anonymous().get("/events/1.ics").await.text(), bytes);
}

/// F-42: an event that leaves a category leaves its feed.
#[both_stores]
async fn an_event_leaves_a_category(app: &TestApp) {
    app.admin().event(json!({"categories": ["Music"]})).await;
    assert_eq!(file(&app.anonymous(), "/events.ics?categories=music").await.events().len(), 1);
    app.admin().put("/events/1", json!({"categories": []})).await;
    assert_eq!(file(&app.anonymous(), "/events.ics?categories=music").await.events().len(), 0);
}

/// The response to a poll with the entity tag of a copy.
async fn poll_of(client: &Client, path: &str, tag: &str) -> Answer {
    client.get_with(path, &[("if-none-match", tag)]).await
}

/// Its status, for the feed of all events.
async fn poll(client: &Client, tag: &str) -> u16 {
    poll_of(client, "/events.ics", tag).await.status
}

async fn tag(client: &Client) -> String {
    let answer = client.get("/events.ics").await;
    assert!(answer.header("etag").starts_with("W/\""));
    answer.header("etag").to_owned()
}

/// F-43: a poll with the entity tag of the feed is answered by 304.
/// F-44: after a change of an event, of its venue or a term, and once a scheduled event is due, it is
/// answered by 200.
#[both_stores]
async fn a_poll_finds_public_changes(app: &TestApp) {
    let made = app.admin().event(json!({"venue": {"venue": "Old Mill"}, "tags": ["Loud"]})).await;
    let scheduled = json!({"title": "Soon", "status": "publish", "date": "2027-01-01 13:00:00"});
    app.clock.set("2027-01-01 12:00:00");
    app.admin().event(scheduled).await;
    let anonymous = app.anonymous();
    let (venue, loud) = (id(&made["venue"]), id(&made["tags"][0]));
    for (path, change) in [
        ("/events/1".to_owned(), json!({"title": "Walk"})),
        (format!("/venues/{venue}"), json!({"city": "Lyon"})),
        (format!("/tags/{loud}"), json!({"name": "Louder"})),
    ] {
        let before = tag(&anonymous).await;
        assert_eq!(poll(&anonymous, &before).await, 304);
        app.admin().change(&path, change).await;
        assert_eq!(poll(&anonymous, &before).await, 200, "{path}");
    }
    let before = tag(&anonymous).await;
    app.clock.set("2027-01-01 12:59:59");
    assert_eq!(poll(&anonymous, &before).await, 304);
    app.clock.set("2027-01-01 13:00:00");
    assert_eq!(poll(&anonymous, &before).await, 200);
    // The window moves with the day.
    let before = tag(&anonymous).await;
    app.clock.set("2027-01-02 00:00:00");
    assert_eq!(poll(&anonymous, &before).await, 200);
}

/// The entity tags of feeds and tables for the anonymous caller, the subscriber, the contributor and
/// the author.
async fn tags(app: &TestApp) -> [Vec<String>; 4] {
    let mut tags = [const { Vec::new() }; 4];
    for path in ["/events.ics", "/events.csv", "/venues.csv"] {
        let clients = [app.anonymous(), app.subscriber(), app.contributor(), app.author()];
        for (tags, client) in tags.iter_mut().zip(clients) {
            tags.push(client.get(path).await.header("etag").to_owned());
        }
    }
    tags
}

/// F-45: an entity tag moves with what its caller could see, and with nothing else.
#[both_stores]
async fn tags_move_with_what_a_caller_sees(app: &TestApp) {
    app.clock.set("2027-01-01 12:00:00");
    let (admin, author, contributor) = (app.admin(), app.author(), app.contributor());
    admin.event(json!({"title": "Walk"})).await;
    let mut before = tags(app).await;
    let mut moved = async |step: &str, callers: [bool; 4]| {
        let after = tags(app).await;
        for ((caller, before), after) in callers.iter().zip(&before).zip(&after) {
            for (before, after) in before.iter().zip(after) {
                assert_eq!(before != after, *caller, "{step}: {callers:?}");
            }
        }
        before = after;
        app.clock.advance_seconds(60);
    };
    moved("nothing", [false; 4]).await;
    let plan = admin.event(json!({"title": "Plan", "status": "draft"})).await;
    admin.change(&format!("/events/{}", plan["id"]), json!({"title": "New plan"})).await;
    moved("a draft of others", [false; 4]).await;
    admin.event(json!({"title": "Hidden", "hide_from_listings": true})).await;
    moved("a hidden event of others", [false; 4]).await;
    admin
        .event(json!({"title": "Soon", "hide_from_listings": true, "date": "2027-01-01 12:30:00"}))
        .await;
    app.clock.set("2027-01-01 12:31:00");
    moved("a hidden event of others is due", [false; 4]).await;
    let own = author.event(json!({"title": "Own", "status": "draft"})).await;
    moved("an own draft", [false, false, false, true]).await;
    admin.change(&format!("/events/{}", own["id"]), json!({"title": "Corrected"})).await;
    moved("an own draft that an editor changed", [false, false, false, true]).await;
    let own = contributor.event(json!({"title": "Own", "status": "pending"})).await;
    moved("an own submission", [false, false, true, false]).await;
    let own = format!("/events/{}", own["id"]);
    admin.change(&own, json!({"status": "private"})).await;
    moved("a submission is withdrawn", [false, false, true, false]).await;
    admin.change(&own, json!({"title": "Secret"})).await;
    moved("privacy is the decision of editors", [false; 4]).await;
    author.event(json!({"title": "Own", "hide_from_listings": true})).await;
    moved("an own hidden event", [false, false, false, true]).await;
    let shown = json!({"venue": {"venue": "Barn", "status": "draft"}});
    let shown = admin.event(shown).await;
    moved("a public event", [true; 4]).await;
    let venue = format!("/venues/{}", shown["venue"]["id"]);
    admin.change(&venue, json!({"status": "private"})).await;
    moved("a venue of others that nobody sees", [false; 4]).await;
}

/// A feed that is too large to be cached answers polls out of the cache, and nothing but polls.
#[both_stores]
async fn a_large_feed_is_whole_after_a_poll(app: &TestApp) {
    let text = "A walk along the river. ".repeat(600);
    for number in 0..90 {
        let title = format!("Walk {number}");
        app.admin().event(json!({"title": title, "description": text})).await;
    }
    let anonymous = app.anonymous();
    let whole = anonymous.get("/events.ics").await;
    assert!(whole.bytes.len() > 1 << 20, "{}", whole.bytes.len());
    let now = whole.header("etag").to_owned();
    for _ in 0..3 {
        assert_eq!(poll(&anonymous, &now).await, 304);
        assert_eq!(poll(&anonymous, "W/\"older\"").await, 200);
        let again = anonymous.get("/events.ics").await;
        assert_eq!((again.status, again.bytes.len()), (200, whole.bytes.len()));
        assert_eq!(again.header("etag"), now);
    }
    app.admin().change("/events/1", json!({"title": "Run"})).await;
    assert_eq!(poll(&anonymous, &now).await, 200);
    assert_eq!(file(&anonymous, "/events.ics").await.events().len(), 90);
}

/// Dates that depend on the time of day move the bounds of a feed.
#[both_stores]
async fn a_poll_finds_what_dates_leave_out(app: &TestApp) {
    app.admin()
        .event(json!({"start_date": "2027-03-10 13:00", "end_date": "2027-03-10 14:00"}))
        .await;
    for (path, later) in [
        ("/events.ics?strict_dates=1&starts_before=%2B68+days", "2027-01-01 13:00:01"),
        ("/events.csv?modified_after=-1+hour", "2027-01-01 13:30:00"),
    ] {
        app.clock.set("2027-01-01 12:30:00");
        let before = app.anonymous().get(path).await;
        app.clock.set(later);
        let after = poll_of(&app.anonymous(), path, before.header("etag")).await;
        assert_eq!(after.status, 200, "{path}");
        let has_it = |answer: &Answer| answer.text().contains("cal.example/event/");
        assert_ne!(has_it(&after), has_it(&before), "{path}");
    }
}

/// F-45: what only some callers see changes their feeds alone.
#[both_stores]
async fn private_changes_are_private(app: &TestApp) {
    app.admin().event(json!({})).await;
    app.admin().event(json!({"title": "Draft", "status": "draft"})).await;
    let (public, own) = (tag(&app.anonymous()).await, tag(&app.editor()).await);
    assert_ne!(public, own);
    assert_ne!(tag(&app.admin()).await, own);
    app.admin().put("/events/2", json!({"title": "Another draft"})).await;
    app.admin().delete("/events/2").await;
    assert_eq!(poll(&app.anonymous(), &public).await, 304);
    assert_eq!(poll(&app.subscriber(), &tag(&app.subscriber()).await).await, 304);
    assert_eq!(poll(&app.editor(), &own).await, 200);
}

/// F-45: what becomes of a place that was never public changes no public feed, also if its event is
/// public.
#[both_stores]
async fn private_places_are_private(app: &TestApp) {
    let draft = |name: &str| json!({"venue": name, "status": "draft"});
    let made = app.admin().event(json!({"venue": draft("Old Mill")})).await;
    let venue = format!("/venues/{}", id(&made["venue"]));
    let (public, own) = (tag(&app.anonymous()).await, tag(&app.editor()).await);
    app.admin().change(&venue, json!({"status": "private"})).await;
    assert_eq!(poll(&app.anonymous(), &public).await, 304);
    assert_eq!(poll(&app.editor(), &own).await, 200);
    let own = tag(&app.editor()).await;
    app.admin().delete(&format!("{venue}?force=true")).await;
    assert_eq!(poll(&app.anonymous(), &public).await, 304);
    assert_eq!(poll(&app.editor(), &own).await, 200);
}
