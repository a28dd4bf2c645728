//! Events that are parts of other events.

use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, id},
    for_each_row,
};

use super::races::{at_once, statuses};

/// Creates a public event that is a part of another one, or of none (0); returns its ID.
async fn part(app: &TestApp, of: i64) -> i64 {
    let made = app.admin().event(json!({"parent": of})).await;
    assert_eq!(made["parent"], of);
    id(&made)
}

/// Changes an event; returns its parent.
async fn put(app: &TestApp, id: i64, fields: Value) -> Value {
    app.admin().change(&format!("/events/{id}"), fields).await["parent"].clone()
}

/// The parent of an event as the client sees it.
async fn parent(client: &Client, id: i64) -> Value {
    let alone = client.get(&format!("/events/{id}")).await.json()["parent"].clone();
    let listed = client.get(&format!("/events?include={id}&status=any")).await.json();
    assert_eq!(listed["events"][0]["parent"], alone);
    alone
}

async fn parts(client: &Client, of: i64) -> Vec<i64> {
    client.get(&format!("/events?post_parent={of}")).await.ids()
}

/// EL-55: The parts of an event, and only its own.
#[both_stores(threads = 4)]
async fn parts_of_an_event(app: &TestApp) {
    let festival = part(app, 0).await;
    let day = part(app, festival).await;
    let concert = part(app, day).await;
    let other = part(app, festival).await;
    let anonymous = app.anonymous();
    assert_eq!(parts(&anonymous, festival).await, [day, other]);
    assert_eq!(parts(&anonymous, day).await, [concert]);
    assert_eq!(parts(&anonymous, concert).await, [0; 0]);
    assert_eq!(parent(&anonymous, concert).await, day);
    // Only the fields that are sent change.
    assert_eq!(put(app, concert, json!({"title": "Concert"})).await, day);
    assert_eq!(put(app, concert, json!({"parent": null})).await, day);
    assert_eq!(put(app, concert, json!({"parent": festival.to_string()})).await, festival);
    assert_eq!(parts(&anonymous, festival).await, [day, concert, other]);
    for none in [json!(0), json!("0")] {
        put(app, concert, json!({"parent": festival})).await;
        assert_eq!(put(app, concert, json!({"parent": none})).await, 0);
    }
    assert_eq!(parts(&anonymous, festival).await, [day, other]);
}

/// EL-55: `post_parent` refuses an unknown event, a text and an empty value.
#[both_stores(threads = 4)]
async fn parts_of_nothing(app: &TestApp) {
    part(app, 0).await;
    let bad = ["=99", "=foo", "=", "=0", "=-1", "=1.5", "=1,1", "[]=1"];
    app.refuses("post_parent", &bad).await;
}

/// EL-55: An event is no part of itself, nor of a part of it, nor of what does not exist.
#[both_stores(threads = 4)]
async fn bad_parents(app: &TestApp) {
    let festival = part(app, 0).await;
    let day = part(app, festival).await;
    let concert = part(app, day).await;
    let secret = app.admin().event(json!({"status": "private"})).await["id"].clone();
    let gone = part(app, 0).await;
    assert_eq!(app.admin().delete(&format!("/events/{gone}")).await.status, 200);
    let rows = [
        json!(99),
        json!(-1),
        json!("day"),
        json!([1]),
        json!({"id": 1}),
        json!(true),
        json!(gone),
    ];
    for_each_row(rows, async |bad| {
        app.admin().try_event(json!({"parent": bad})).await.assert_invalid(&["parent"]);
        let answer = app.admin().put("/events/1", json!({"parent": bad, "title": "New"})).await;
        answer.assert_invalid(&["parent"]);
    })
    .await;
    for (event, bad) in
        [(festival, festival), (festival, day), (festival, concert), (day, concert), (day, day)]
    {
        let answer = app.admin().put(&format!("/events/{event}"), json!({"parent": bad})).await;
        answer.assert_invalid(&["parent"]);
    }
    app.author().try_event(json!({"parent": secret})).await.assert_invalid(&["parent"]);
    app.editor().event(json!({"parent": secret})).await;
    assert_eq!(app.admin().get("/events/1").await.json()["title"], "Event");
}

/// EL-55: A parent is hidden from readers who may not see it; a parent in the trash, from all.
#[both_stores(threads = 4)]
async fn hidden_parents(app: &TestApp) {
    let festival = part(app, 0).await;
    let day = part(app, festival).await;
    let (anonymous, editor) = (app.anonymous(), app.editor());
    put(app, festival, json!({"status": "draft"})).await;
    assert_eq!(parent(&anonymous, day).await, 0);
    assert_eq!(parent(&editor, day).await, festival);
    app.refuses("post_parent", &["=1"]).await;
    assert_eq!(parts(&editor, festival).await, [day]);
    put(app, festival, json!({"status": "trash"})).await;
    assert_eq!(parent(&editor, day).await, 0);
    editor.get("/events?post_parent=1").await.assert_invalid(&["post_parent"]);
    // A restored event has its parts again.
    put(app, festival, json!({"status": "publish"})).await;
    assert_eq!(parent(&anonymous, day).await, festival);
    assert_eq!(app.admin().delete("/events/1?force=true").await.status, 200);
    assert_eq!(parent(&editor, day).await, 0);
    assert_eq!(put(app, day, json!({"title": "Day"})).await, 0);
}

/// EL-58: A locked event does not show its parent.
#[both_stores(threads = 4)]
async fn locked_parts(app: &TestApp) {
    let festival = part(app, 0).await;
    let locked = app.admin().event(json!({"parent": festival, "password": "pw"})).await;
    let anonymous = app.anonymous();
    let list = anonymous.get("/events?include=2").await.json();
    assert_eq!(list["events"][0]["parent"], 0);
    assert_eq!(parts(&anonymous, festival).await, [0; 0]);
    assert_eq!(anonymous.get("/events?post_parent=1&password=pw").await.ids(), [2]);
    assert_eq!(anonymous.get("/events/2?password=pw").await.json()["parent"], festival);
    assert_eq!(locked["parent"], festival);
}

/// EL-55: One of two events that become parts of each other at once succeeds.
#[both_stores(threads = 4)]
async fn no_circle_by_two_at_once(app: &TestApp) {
    for round in 0..10 {
        let (a, b) = (part(app, 0).await, part(app, 0).await);
        let (c, d) = (part(app, a).await, part(app, b).await);
        // Each event moves below the other's part, so that neither request changes the other's
        // record.
        let moves = [(a, d), (b, c)];
        let answers = at_once(&app.admin(), moves, |client, (child, parent)| async move {
            client.put(&format!("/events/{child}"), json!({"parent": parent})).await
        })
        .await;
        assert_eq!(statuses(&answers), [200, 400], "{round}");
    }
}
