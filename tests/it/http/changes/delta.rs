//! Changes since a token.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::id};

use super::{Copy, items, page};

/// Y-07: without news, the answer is `[]` with the same token, and 304 for a client that has it.
/// Y-08: a token eight days old without news is replaced; the old one is still good.
#[both_stores]
async fn without_news(app: &TestApp) {
    app.admin().event(json!({"tags": ["Loud"]})).await;
    let mut copy = Copy::new(app.anonymous()).await;
    let token = copy.token.clone();
    assert_eq!(copy.poll_token().await, (vec![], false));
    let path = format!("/changes?sync_token={token}");
    let answer = app.anonymous().get(&path).await;
    let etag = answer.header("etag");
    assert_eq!(app.anonymous().get_with(&path, &[("if-none-match", etag)]).await.status, 304);

    app.clock.advance_seconds(6 * 86_400);
    assert_eq!(copy.poll_token().await, (vec![], false));
    app.clock.advance_seconds(2 * 86_400);
    assert_eq!(copy.poll_token().await, (vec![], true));
    assert_eq!(copy.poll_token().await, (vec![], false));
    app.admin().make("/tags", json!({"name": "Quiet"})).await;
    assert_eq!(copy.poll().await, ["upsert tag 2"]);
    assert_eq!(
        items(&page(&app.anonymous(), &format!("sync_token={token}")).await),
        ["upsert tag 2"]
    );
}

/// Y-09: an event with a new venue is the venue, and then the event with its ID.
/// Y-10: three changes of a
/// title are one item with the last one.
/// Y-11: a write without a change is none.
#[both_stores]
async fn writes_of_an_event(app: &TestApp) {
    let mut copy = Copy::new(app.anonymous()).await;
    app.admin()
        .event(json!({"venue": {"venue": "Old Mill"}, "organizer": {"organizer": "Society"}}))
        .await;
    assert_eq!(copy.poll().await, ["upsert venue 1", "upsert organizer 1", "upsert event 1"]);
    let event = copy.record("event", 1);
    assert_eq!((&event["venue_id"], &event["organizer_ids"]), (&json!(1), &json!([1])));
    assert_eq!((&event["category_ids"], &event["tag_ids"]), (&json!([]), &json!([])));
    for name in ["venue", "organizer", "categories", "tags"] {
        assert!(event.get(name).is_none(), "{name}");
    }

    for title in ["One", "Two", "Three"] {
        app.admin().change("/events/1", json!({ "title": title })).await;
    }
    assert_eq!(copy.poll().await, ["upsert event 1"]);
    assert_eq!(copy.record("event", 1)["title"], "Three");
    app.admin().change("/events/1", json!({})).await;
    app.admin().change("/events/1", json!({"title": "Three"})).await;
    assert_eq!(copy.poll().await, [""; 0]);
}

/// Y-12: the trash and then a deletion for good are one removal.
/// Y-13: a record that came and went is no
/// item.
/// Y-14: one that went and came back is an upsert.
#[both_stores]
async fn what_comes_and_goes(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({})).await;
    let mut copy = Copy::new(app.anonymous()).await;
    admin.delete("/events/1").await;
    admin.delete("/events/1?force=true").await;
    assert_eq!(copy.poll().await, ["remove event 1"]);
    assert!(copy.records.is_empty());

    let second = id(&admin.event(json!({})).await);
    admin.delete(&format!("/events/{second}?force=true")).await;
    assert_eq!(copy.poll().await, [""; 0]);

    let third = id(&admin.event(json!({})).await);
    copy.poll().await;
    admin.delete(&format!("/events/{third}")).await;
    admin.change(&format!("/events/{third}"), json!({"status": "publish"})).await;
    assert_eq!(copy.poll().await, [format!("upsert event {third}")]);
}

/// Y-15: a change of a venue with many events is one item.
/// Y-18: a change of the count of a term alone is none.
#[both_stores]
async fn linked_records_are_items_of_their_own(app: &TestApp) {
    let admin = app.admin();
    admin
        .event(json!({"venue": {"venue": "Old Mill"}, "tags": ["Loud"], "categories": ["Music"]}))
        .await;
    for _ in 0..4 {
        admin.event(json!({"venue": 1})).await;
    }
    let mut copy = Copy::new(app.anonymous()).await;
    admin.change("/venues/1", json!({"venue": "New Mill"})).await;
    assert_eq!(copy.poll().await, ["upsert venue 1"]);
    assert_eq!(copy.record("venue", 1)["venue"], "New Mill");
    admin.event(json!({"tags": [1], "categories": [1]})).await;
    assert_eq!(copy.poll().await, ["upsert event 6"]);
}

/// Y-16: a deleted category is a removal, with its children and its events as upserts.
/// Y-17: so is what stands below a category whose slug changes, with another URL.
#[both_stores]
async fn categories_change_what_is_below(app: &TestApp) {
    let admin = app.admin();
    admin.make("/categories", json!({"name": "Music"})).await;
    admin.make("/categories", json!({"name": "Jazz", "parent": 1})).await;
    admin.make("/categories", json!({"name": "Bebop", "parent": 2})).await;
    admin.event(json!({"categories": [1]})).await;
    let mut copy = Copy::new(app.anonymous()).await;
    assert_eq!(copy.record("event", 1)["category_ids"], json!([1]));
    let url = copy.record("category", 3)["url"].clone();
    admin.change("/categories/1", json!({"slug": "sounds"})).await;
    let mut changed = copy.poll().await;
    changed.sort_unstable();
    assert_eq!(changed, ["upsert category 1", "upsert category 2", "upsert category 3"]);
    assert_ne!(copy.record("category", 3)["url"], url);

    admin.delete("/categories/1").await;
    let mut changed = copy.poll().await;
    changed.sort_unstable();
    let below = ["remove category 1", "upsert category 2", "upsert category 3", "upsert event 1"];
    assert_eq!(changed, below);
    assert_eq!(copy.record("event", 1)["category_ids"], json!([]));
    assert_eq!(copy.record("category", 2)["parent"], 0);
}

/// Y-19: a translation is an upsert, and `texts=all` has the texts of each language.
/// Y-20: records are in the language of the request; the token is of none.
/// Y-21: `records=0` leaves kind, ID and action.
#[both_stores]
async fn languages_and_records(app: &TestApp) {
    let admin = app.admin();
    let venue = json!({"venue": "Old Mill & Barn", "city": "Geneva", "description": "<p>Old</p>"});
    admin.make("/venues", venue).await;
    let mut french = Copy::with(app.anonymous(), "ml_language=fr").await;
    let mut all = Copy::with(app.anonymous(), "texts=all").await;
    let mut english = Copy::with(app.anonymous(), "records=0").await;
    assert_eq!([&french.token, &all.token], [&english.token; 2]);
    let own = json!({"venue": "Vieux moulin", "city": "Genève"});
    admin.change("/venues/1?ml_language=fr", own).await;
    assert_eq!(french.poll().await, ["upsert venue 1"]);
    assert_eq!(french.record("venue", 1)["venue"], "Vieux moulin");
    assert!(french.record("venue", 1).get("texts").is_none());
    assert_eq!(all.poll().await, ["upsert venue 1"]);
    let texts = &all.record("venue", 1)["texts"];
    assert_eq!(texts["en"]["venue"], "Old Mill & Barn");
    assert_eq!(texts["en"]["description"], "<p>Old</p>");
    assert_eq!(texts["fr"]["city"], "Genève");
    assert!(texts["fr"].get("description").is_none(), "{texts}");
    assert_eq!(english.poll().await, ["upsert venue 1"]);
    assert!(english.record("venue", 1).is_null());
    assert_eq!([&french.token, &all.token], [&english.token; 2]);
    let answer = page(&app.anonymous(), "records=0").await;
    assert_eq!(answer["changes"], json!([{"kind": "venue", "id": 1, "action": "upsert"}]));
    let some = page(&app.anonymous(), "_fields=changes.record.venue,sync_token").await;
    assert_eq!(some["changes"], json!([{"record": {"venue": "Old Mill & Barn"}}]));
}

/// A series is one item, and an occurrence with a record of its own another one.
#[both_stores]
async fn series_are_records(app: &TestApp) {
    let admin = app.admin();
    let series =
        id(&admin.event(json!({"title": "Jazz", "recurrence": "FREQ=WEEKLY;COUNT=4"})).await);
    let mut copy = Copy::new(app.anonymous()).await;
    assert_eq!(copy.records.len(), 1);
    assert!(copy.record("event", series)["recurrence"].is_object());
    let list = app.anonymous().get("/events").await.json();
    let second = id(&list["events"][1]);
    admin.change(&format!("/events/{second}"), json!({"title": "Jazz night"})).await;
    copy.poll().await;
    assert_eq!(copy.record("event", second)["title"], "Jazz night");
    assert_eq!(copy.record("event", second)["series"]["id"], series);
    let fresh = Copy::new(app.anonymous()).await;
    assert_eq!(fresh.records, copy.records);
    // The occurrence follows its series again, and has no record from the next change of the series on.
    let day = format!("/events/{second}");
    admin.change(&day, json!({"reset": true})).await;
    copy.poll().await;
    admin.change(&format!("/events/{series}"), json!({"title": "Late jazz"})).await;
    let changed = copy.poll().await;
    assert!(changed.contains(&format!("remove event {second}")), "{changed:?}");
    assert_eq!(admin.get(&day).await.json()["title"], "Late jazz");
    let fresh = Copy::new(app.anonymous()).await;
    assert_eq!(fresh.records, copy.records);
}
