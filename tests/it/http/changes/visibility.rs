//! Each caller learns of the records that it may list, or could list at its token.

use serde_json::json;
use tests::{app::TestApp, both_stores, client::id};

use super::Copy;

const NOTHING: [&str; 0] = [];

/// Y-22: what nobody saw and nobody sees leaves no trace: the answer is the same, to the byte.
#[both_stores]
async fn private_activity_leaves_no_trace(app: &TestApp) {
    let admin = app.admin();
    let barn = admin.make("/venues", json!({"venue": "Barn", "status": "draft"})).await;
    admin.event(json!({"title": "Fair", "venue": id(&barn)})).await;
    let mut copy = Copy::new(app.anonymous()).await;
    let path = format!("/changes?sync_token={}", copy.token);
    let etag = app.anonymous().get(&path).await.header("etag").to_owned();

    let draft = id(&admin.event(json!({"title": "Draft", "status": "draft"})).await);
    admin.change(&format!("/events/{draft}"), json!({"title": "Changed"})).await;
    admin.delete(&format!("/events/{draft}")).await;
    admin.delete(&format!("/events/{draft}?force=true")).await;
    admin.change("/venues/1", json!({"status": "private"})).await;
    let later = json!({"title": "Later", "status": "future", "date": "2027-06-01 00:00:00"});
    let later = id(&admin.event(later).await);
    admin.change(&format!("/events/{later}"), json!({"title": "Sooner"})).await;
    assert_eq!(copy.poll_token().await, (vec![], false));
    assert_eq!(app.anonymous().get_with(&path, &[("if-none-match", &etag)]).await.status, 304);
    let one = app.anonymous().get(&format!("{path}&per_page=1")).await.json();
    assert!(one["next_rest_url"].is_null());
}

/// Y-23: a draft that is published is an upsert, and one that is a draft again a removal; a later change
/// is nothing.
/// Y-24: so is a hidden event for the public; an editor has it.
#[both_stores]
async fn records_appear_and_disappear(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"status": "draft"})).await;
    let mut public = Copy::new(app.anonymous()).await;
    let mut editor = Copy::new(app.editor()).await;
    admin.change("/events/1", json!({"status": "publish"})).await;
    assert_eq!(public.poll().await, ["upsert event 1"]);
    assert_eq!(editor.poll().await, ["upsert event 1"]);
    admin.change("/events/1", json!({"status": "draft"})).await;
    assert_eq!(public.poll().await, ["remove event 1"]);
    admin.change("/events/1", json!({"title": "Changed"})).await;
    assert_eq!(public.poll_token().await, (vec![], false));
    assert_eq!(editor.poll().await, ["upsert event 1"]);

    admin.change("/events/1", json!({"status": "publish"})).await;
    public.poll().await;
    editor.poll().await;
    admin.change("/events/1", json!({"hide_from_listings": true})).await;
    assert_eq!(public.poll().await, ["remove event 1"]);
    assert_eq!(editor.poll().await, ["upsert event 1"]);
    assert_eq!(editor.record("event", 1)["hide_from_listings"], true);
}

/// Y-25: a password is an upsert without content; an editor sees all of it. A password in the request opens
/// nothing.
#[both_stores]
async fn locked_events_are_blank(app: &TestApp) {
    let admin = app.admin();
    let fields = json!({"title": "Wedding", "description": "<p>Zyxwort</p>", "venue": {"venue": "Old Mill"}, "tags": ["Loud"]});
    admin.event(fields).await;
    admin.change("/events/1?ml_language=fr", json!({"description": "<p>Zyxwort aussi</p>"})).await;
    let mut public = Copy::with(app.anonymous(), "texts=all&password=sesame").await;
    let mut editor = Copy::with(app.editor(), "texts=all").await;
    admin.change("/events/1", json!({"password": "sesame"})).await;
    assert_eq!(public.poll().await, ["upsert event 1"]);
    let record = public.record("event", 1);
    assert!(!record.to_string().contains("Zyxwort"), "{record}");
    assert_eq!((&record["venue_id"], &record["tag_ids"]), (&json!(0), &json!([])));
    assert_eq!(record["texts"]["en"]["title"], "Wedding");
    assert_eq!(editor.poll().await, ["upsert event 1"]);
    assert_eq!(editor.record("event", 1)["description"], "<p>Zyxwort</p>");
    assert_eq!(editor.record("event", 1)["venue_id"], 1);
}

/// Y-26: a scheduled event that falls due is an upsert without a write, at every server.
/// Y-27: one whose date moves into the future is a removal.
#[both_stores]
async fn scheduled_publications_take_effect(app: &TestApp) {
    let admin = app.admin();
    let date = |date: &str| json!({"status": "future", "date": date});
    admin.event(date("2027-01-01 12:10:00")).await;
    admin
        .make(
            "/venues",
            json!({"venue": "Old Mill", "status": "future", "date": "2027-01-01 12:10:00"}),
        )
        .await;
    let store = app.db.another(|_| ()).await;
    let other = app.variant().store(store).build().await;
    let mut copy = Copy::with(app.anonymous(), "per_page=1").await;
    let mut elsewhere = Copy::new(other.anonymous()).await;
    let mut editor = Copy::new(app.editor()).await;
    app.clock.set("2027-01-01 12:09:59");
    assert_eq!(copy.poll_token().await, (vec![], false));
    app.clock.set("2027-01-01 12:10:00");
    let due = ["upsert event 1", "upsert venue 1"];
    assert_eq!(copy.poll().await, due);
    assert_eq!(elsewhere.poll().await, due);
    assert_eq!(editor.poll().await, due);
    assert_eq!(copy.poll_token().await, (vec![], false));

    admin.change("/events/1", json!({"date": "2027-02-01 00:00:00"})).await;
    assert_eq!(copy.poll().await, ["remove event 1"]);
    assert_eq!(editor.poll().await, ["upsert event 1"]);
}

/// A series that was split off and falls due is named by the other one from then on: both are upserts, once each, and so
/// are two that fall due together.
#[both_stores]
async fn the_neighbour_of_a_scheduled_series(app: &TestApp) {
    let admin = app.admin();
    let fields = json!({"title": "Jazz", "recurrence": "FREQ=WEEKLY;COUNT=4"});
    let first = id(&admin.event(fields).await);
    let third = admin.get(&format!("/events/{first}/occurrences")).await.ids()[2];
    let late = json!({"title": "Late jazz"});
    let split = admin.change(&format!("/events/{third}?scope=following"), late).await;
    let second = id(&split["series"]);
    let schedule = async |series: i64, date: &str| {
        let date = json!({"status": "future", "date": date});
        admin.change(&format!("/events/{series}"), date).await;
    };
    schedule(second, "2027-01-01 12:10:00").await;
    let mut copies = Vec::new();
    for query in ["per_page=1", "per_page=50", "kinds=event"] {
        copies.push(Copy::with(app.anonymous(), query).await);
    }
    app.clock.set("2027-01-01 12:10:00");
    let named = |series: i64| format!("upsert event {series}");
    for copy in &mut copies {
        assert_eq!(copy.record("event", first)["recurrence"].get("next"), None);
        assert_eq!(copy.poll().await, [named(second), named(first)], "{}", copy.query);
        assert_eq!(copy.record("event", first)["recurrence"]["next"], second);
        assert_eq!(copy.record("event", second)["recurrence"]["previous"], first);
        assert_eq!(copy.poll_token().await, (vec![], false));
    }

    for series in [first, second] {
        schedule(series, "2027-01-01 12:20:00").await;
    }
    for copy in &mut copies {
        assert_eq!(copy.poll().await.len(), 2, "both are removed");
    }
    app.clock.set("2027-01-01 12:20:00");
    for copy in &mut copies {
        assert_eq!(copy.poll().await, [named(first), named(second)], "{}", copy.query);
        assert_eq!(copy.record("event", first)["recurrence"]["next"], second);
    }
}

/// Y-28: a venue that becomes a draft is a removal, and its events are upserts without it.
/// Y-55: an event may name a venue that is made meanwhile; it is in this delta or in the next one.
#[both_stores]
async fn a_venue_disappears_from_its_events(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"venue": {"venue": "Old Mill"}})).await;
    let mut copy = Copy::new(app.anonymous()).await;
    assert_eq!(copy.record("event", 1)["venue_id"], 1);
    admin.change("/venues/1", json!({"status": "draft"})).await;
    let mut changed = copy.poll().await;
    changed.sort_unstable();
    assert_eq!(changed, ["remove venue 1", "upsert event 1"]);
    assert_eq!(copy.record("event", 1)["venue_id"], 0);
    admin.change("/venues/1", json!({"status": "publish"})).await;
    copy.poll().await;
    assert_eq!(copy.record("event", 1)["venue_id"], 1);

    admin.change("/events/1", json!({"title": "Fair"})).await;
    let first = app.anonymous().get(&format!("/changes?sync_token={}", copy.token)).await.json();
    admin.change("/events/1", json!({"venue": {"venue": "Barn"}})).await;
    let token = first["sync_token"].as_str().unwrap().to_owned();
    copy.poll().await;
    copy.token = token;
    copy.poll().await;
    let venue = copy.record("event", 1)["venue_id"].as_i64().unwrap();
    assert_eq!(copy.record("venue", venue)["venue"], "Barn");
}

/// Y-29: a contributor learns of the own drafts, and of their removal when they get another author; of the
/// drafts of others nothing.
/// Y-30: an own draft that an editor makes private is a removal.
#[both_stores]
async fn own_drafts(app: &TestApp) {
    let mut contributor = Copy::new(app.contributor()).await;
    let mut author = Copy::new(app.author()).await;
    let own = id(&app.contributor().event(json!({"title": "Own"})).await);
    let other = id(&app.editor().event(json!({"title": "Other", "status": "draft"})).await);
    assert_eq!(contributor.poll().await, [format!("upsert event {own}")]);
    assert_eq!(author.poll_token().await, (vec![], false));
    app.editor().change(&format!("/events/{own}"), json!({"author": 3})).await;
    app.editor().change(&format!("/events/{other}"), json!({"title": "Changed"})).await;
    assert_eq!(contributor.poll().await, [format!("remove event {own}")]);
    assert_eq!(author.poll().await, [format!("upsert event {own}")]);

    let draft = id(&app.contributor().event(json!({"title": "Draft"})).await);
    contributor.poll().await;
    app.editor().change(&format!("/events/{draft}"), json!({"status": "private"})).await;
    assert_eq!(contributor.poll().await, [format!("remove event {draft}")]);
    app.editor().change(&format!("/events/{own}"), json!({"status": "private"})).await;
    assert_eq!(author.poll().await, [format!("upsert event {own}")]);
    assert_eq!(contributor.poll().await, NOTHING);
}

/// Y-31: a token is good for its caller in its role alone; anonymous callers and subscribers share theirs.
/// Y-43: so is the token of a page.
#[both_stores]
async fn a_token_belongs_to_its_caller(app: &TestApp) {
    app.admin().event(json!({"tags": ["Loud"]})).await;
    let first = |page: serde_json::Value| super::path_of(&page["next_rest_url"]);
    let page = first(super::page(&app.editor(), "per_page=1").await);
    let public_page = first(super::page(&app.anonymous(), "per_page=1").await);
    let editor = Copy::new(app.editor()).await;
    let author = Copy::new(app.author()).await;
    let public = Copy::new(app.anonymous()).await;
    let path = |copy: &Copy| format!("/changes?sync_token={}", copy.token);
    for (client, path) in [
        (app.anonymous(), path(&editor)),
        (app.admin(), path(&editor)),
        (app.user(6), path(&author)),
        (app.editor(), path(&public)),
        (app.anonymous(), page.clone()),
        (app.editor(), public_page.clone()),
    ] {
        let refused = client.get(&path).await;
        refused.assert_error(410, "sync-token-expired");
        let data = &refused.json()["data"];
        assert_eq!(data["reason"], "caller");
        assert_eq!(data["full_url"], "https://cal.example/cal/events/v1/changes");
    }
    assert_eq!(app.editor().get(&page).await.status, 200);
    assert_eq!(app.subscriber().get(&public_page).await.status, 200);
    assert_eq!(app.subscriber().get(&path(&public)).await.status, 200);
    app.accounts.set_role("author", domain::Role::Editor).await.unwrap();
    app.author().get(&path(&author)).await.assert_error(410, "sync-token-expired");
}

/// The records with a word, in an answer of any form.
fn secrets(copy: &Copy) -> Vec<&(String, i64)> {
    let with_word = copy.records.iter().filter(|(_, record)| record.to_string().contains(WORD));
    with_word.map(|(key, _)| key).collect()
}

/// A word that stands in secret records alone.
const WORD: &str = "zyxwort";

/// Y-56: for no role has an answer a word or an ID of a record that its lists would not hold.
#[both_stores]
async fn no_role_learns_more_than_its_lists_hold(app: &TestApp) {
    let clients = || [app.anonymous(), app.subscriber(), app.user(7), app.user(6)];
    let mut copies = Vec::new();
    for client in clients() {
        copies.push(Copy::with(client, "texts=all").await);
    }
    let mut own = Copy::new(app.contributor()).await;
    for (number, status) in (1..).zip(["draft", "pending", "private", "future", "publish"]) {
        let mut fields = json!({
            "title": WORD, "venue": WORD, "organizer": WORD, "description": WORD, "city": WORD,
            "status": status, "author": 4, "date": "2027-06-01 00:00:00",
        });
        if status == "publish" {
            fields["date"] = json!("2026-06-01 00:00:00");
        }
        let venue = app.admin().make("/venues", fields.clone()).await;
        let organizer = app.admin().make("/organizers", fields.clone()).await;
        fields["hide_from_listings"] = json!(status == "publish");
        fields["venue"] = venue["id"].clone();
        fields["organizer"] = organizer["id"].clone();
        app.admin().event(fields.clone()).await;
        let links = json!({"title": format!("Fair {number}"), "venue": venue["id"], "organizer": organizer["id"]});
        app.admin().event(links).await;
        if status == "publish" {
            for (kind, record) in [("venues", venue), ("organizers", organizer)] {
                app.admin().delete(&format!("/{kind}/{}?force=true", id(&record))).await;
            }
        }
    }
    for (client, copy) in clients().into_iter().zip(&mut copies) {
        let changed = copy.poll().await;
        assert_eq!(
            changed,
            [
                "upsert event 2",
                "upsert event 4",
                "upsert event 6",
                "upsert event 8",
                "upsert event 10"
            ]
        );
        assert_eq!(secrets(copy), Vec::<&(String, i64)>::new());
        let events = copy.records.values();
        assert!(
            events
                .clone()
                .all(|event| event["venue_id"] == 0 && event["organizer_ids"] == json!([]))
        );
        assert_eq!(secrets(&Copy::with(client, "texts=all").await), Vec::<&(String, i64)>::new());
    }
    own.poll().await;
    assert!(secrets(&own).contains(&&("event".to_owned(), 1)));
}
