//! Tokens that are malformed or of no use any more, and pages while others write.

use app::{ports::Store as _, test_support::tag};
use sea_orm::{ConnectionTrait as _, Database};
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Answer, client::id};

use super::{Copy, items, page, path_of};

/// Y-32: a token that the site did not make is refused, and one that is too long.
#[both_stores]
async fn other_texts_are_no_tokens(app: &TestApp) {
    app.admin().event(json!({"tags": ["Loud"]})).await;
    let anonymous = app.anonymous();
    let copy = Copy::new(anonymous.clone()).await;
    let mut changed = copy.token.clone();
    changed.replace_range(..1, if changed.starts_with('A') { "B" } else { "A" });
    let values =
        [format!("={changed}"), "=".to_owned(), "=x".to_owned(), format!("={}", "x".repeat(500))];
    let values: Vec<_> = values.iter().map(String::as_str).collect();
    anonymous.refuses("/changes", "sync_token", &values).await;
    anonymous.refuses("/changes", "page_token", &values).await;
    let next = page(&anonymous, "per_page=1").await["next_rest_url"].as_str().unwrap().to_owned();
    let page_token = next.rsplit_once("page_token=").unwrap().1;
    anonymous.refuses("/changes", "sync_token", &[&format!("={page_token}")]).await;
    anonymous.refuses("/changes", "page_token", &[&format!("={}", copy.token)]).await;
    let long = anonymous.get(&format!("/changes?sync_token={}", "x".repeat(10_000))).await;
    long.assert_error(414, "uri_too_long");
}

fn assert_expired(answer: &Answer, reason: &str) {
    answer.assert_error(410, "sync-token-expired");
    let data = &answer.json()["data"];
    assert_eq!(data["reason"], reason);
    assert_eq!(data["full_url"], "https://cal.example/cal/events/v1/changes");
}

/// Y-33: a token whose changes were forgotten is 410 `too-old`, and names the way back.
/// Y-34: a token that is polled once a week stays good in a quiet calendar.
#[both_stores]
async fn old_tokens(app: &TestApp) {
    let mut quiet = Copy::new(app.anonymous()).await;
    app.admin().event(json!({"tags": ["Loud"]})).await;
    quiet.poll().await;
    let first = app.anonymous().get("/changes?per_page=1").await.json();
    app.admin().event(json!({})).await;
    let old = Copy::new(app.anonymous()).await;
    app.admin().event(json!({})).await;
    quiet.poll().await;
    for _ in 0..6 {
        app.clock.advance_seconds(7 * 86_400);
        app.calendar.prune_journal(30).await.unwrap();
        assert_eq!(quiet.poll().await, [""; 0]);
    }
    let path = format!("/changes?sync_token={}", old.token);
    assert_expired(&app.anonymous().get(&path).await, "too-old");
    assert_expired(&app.anonymous().get(&path_of(&first["next_rest_url"])).await, "too-old");
    app.admin().event(json!({})).await;
    assert_eq!(quiet.poll().await, ["upsert event 4"]);
}

/// Y-35: after a backup was restored, a token that is newer than it is 410 `unknown`, also after new
/// writes; an older one yields the difference.
#[both_stores]
async fn tokens_of_another_history(app: &TestApp) {
    app.admin().make("/tags", json!({"name": "One"})).await;
    let mut older = Copy::new(app.anonymous()).await;
    app.admin().make("/tags", json!({"name": "Two"})).await;
    let newer = Copy::new(app.anonymous()).await;
    // The state of the backup.
    let database = Database::connect(&app.db.url).await.unwrap();
    for sql in ["DELETE FROM tag WHERE id = 2", "DELETE FROM journal WHERE record_id = 2"] {
        database.execute_unprepared(sql).await.unwrap();
    }
    if app.db.url.starts_with("postgres") {
        let end = "UPDATE journal_end SET n = (SELECT MAX(n) FROM journal)";
        database.execute_unprepared(end).await.unwrap();
    }
    let path = format!("/changes?sync_token={}", newer.token);
    assert_expired(&app.uncached().await.anonymous().get(&path).await, "unknown");
    for name in ["Three", "Four"] {
        app.admin().make("/tags", json!({ "name": name })).await;
        assert_expired(&app.anonymous().get(&path).await, "unknown");
    }
    let changed = older.poll().await;
    assert_eq!(changed.len(), 2, "{changed:?}");
    assert_eq!(older.records, Copy::new(app.anonymous()).await.records);
}

/// Y-39: a write that takes long delays no other: their changes are in the delta at once, and its own changes
/// after its end. SQLite has one write at a time; there the delta is answered meanwhile.
#[both_stores]
async fn a_long_write_delays_no_other(app: &TestApp) {
    let mut copy = Copy::new(app.anonymous()).await;
    let long = app.db.store.begin().await.unwrap();
    tag("Slow").insert(&*long).await;
    assert_eq!(copy.poll().await, [""; 0]);
    if app.db.url.starts_with("postgres") {
        for (number, name) in [(2, "One"), (3, "Two")] {
            app.admin().make("/tags", json!({ "name": name })).await;
            assert_eq!(copy.poll().await, [format!("upsert tag {number}")]);
        }
    }
    long.commit().await.unwrap();
    assert_eq!(copy.poll().await, ["upsert tag 1"]);
    assert_eq!(copy.records, Copy::new(app.anonymous()).await.records);
}

/// Y-40: a write that is refused is no item; a write of another process is one.
#[both_stores]
async fn refused_writes_and_other_processes(app: &TestApp) {
    let mut copy = Copy::new(app.anonymous()).await;
    let refused =
        app.admin().try_event(json!({"venue": {"venue": "Old Mill"}, "start_date": "never"})).await;
    assert_eq!(refused.status, 400);
    assert_eq!(copy.poll_token().await, (vec![], false));
    let store = app.db.another(|_| ()).await;
    let other = app.variant().store(store).build().await;
    other.admin().event(json!({})).await;
    assert_eq!(copy.poll().await, ["upsert event 1"]);
}

/// Y-41: pages stay exact while others write: nothing is lost, and no record comes twice.
/// Y-42: pages may come from servers whose clocks differ.
#[both_stores]
async fn pages_while_others_write(app: &TestApp) {
    let admin = app.admin();
    let mut copy = Copy::new(app.anonymous()).await;
    for name in ["One", "Two", "Three", "Four", "Five"] {
        admin.make("/tags", json!({ "name": name })).await;
    }
    let scheduled = json!({"status": "future", "date": "2027-01-01 12:01:30"});
    admin.event(scheduled).await;
    let mut token = copy.token.clone();
    let store = app.db.another(|_| ()).await;
    let ahead = app.variant().store(store).build().await;
    let mut answer = page(&app.anonymous(), &format!("per_page=2&sync_token={token}")).await;
    let mut all = items(&answer);
    for number in 1.. {
        // A record that was read changes, a record that is next changes, and a new one comes.
        admin.change("/tags/1", json!({"name": format!("One {number}")})).await;
        admin.change("/tags/4", json!({"name": format!("Four {number}")})).await;
        admin.make("/tags", json!({"name": format!("New {number}")})).await;
        if number == 1 {
            admin.delete("/tags/3").await;
        }
        app.clock.advance_seconds(if number % 2 == 0 { -5 } else { 5 });
        if answer["next_rest_url"].is_null() {
            answer["sync_token"].as_str().unwrap().clone_into(&mut token);
            break;
        }
        let client = if number % 2 == 0 { app.anonymous() } else { ahead.anonymous() };
        answer = client.get(&path_of(&answer["next_rest_url"])).await.json();
        all.extend(items(&answer));
    }
    let mut once = all.clone();
    once.dedup();
    assert_eq!(once, all);
    assert_eq!(all, ["upsert tag 1", "upsert tag 2", "upsert tag 4", "upsert tag 5"]);
    copy.poll().await;
    copy.token = token;
    copy.poll().await;
    app.clock.set("2027-01-01 12:02:00");
    copy.poll().await;
    assert_eq!(copy.records, Copy::new(app.anonymous()).await.records);
}

/// A record that was visible only while a page was read is removed by the next delta, or never came.
#[both_stores]
async fn a_record_that_is_visible_for_a_moment(app: &TestApp) {
    let admin = app.admin();
    admin.make("/tags", json!({"name": "One"})).await;
    let draft = id(&admin.event(json!({"status": "draft"})).await);
    let path = format!("/events/{draft}");
    let first: Value = page(&app.anonymous(), "per_page=1").await;
    assert_eq!(items(&first), ["upsert tag 1"]);
    admin.make("/tags", json!({"name": "Two"})).await;
    // A walk whose second page is read while the event is published.
    let before = Copy::new(app.anonymous()).await;
    let pages = page(&app.anonymous(), &format!("per_page=1&sync_token={}", before.token)).await;
    assert_eq!(items(&pages), [""; 0]);
    let walk = page(&app.anonymous(), "per_page=1").await;
    admin.change(&path, json!({"status": "publish"})).await;
    let second = app.anonymous().get(&path_of(&walk["next_rest_url"])).await.json();
    assert_eq!(items(&second), ["upsert tag 2"]);
    assert!(second["next_rest_url"].is_null(), "{second}");
    admin.change(&path, json!({"status": "draft"})).await;
    let token = second["sync_token"].as_str().unwrap();
    let delta = page(&app.anonymous(), &format!("sync_token={token}")).await;
    assert_eq!(items(&delta), [""; 0]);
}
