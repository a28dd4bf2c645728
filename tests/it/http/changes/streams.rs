//! Streams of changes.

use axum::body::BodyDataStream;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client};

use super::Copy;

const ACCEPT: (&str, &str) = ("accept", "text/event-stream");

/// A stream that is read.
struct Stream {
    body: BodyDataStream,
    /// The text that was read and not yet given out.
    text: String,
}

/// An event: its name, its ID and its data.
type Event = (String, Option<String>, Value);

impl Stream {
    async fn open(client: &Client, query: &str, last: Option<&str>) -> Self {
        let last = last.map(|id| ("last-event-id", id));
        let headers: Vec<_> = [ACCEPT].into_iter().chain(last).collect();
        let response = client.open(&format!("/changes?{query}"), &headers).await;
        assert_eq!(response.status(), 200);
        for (name, value) in [
            ("content-type", "text/event-stream"),
            ("cache-control", "no-store"),
            ("x-accel-buffering", "no"),
        ] {
            assert_eq!(response.headers()[name], value);
        }
        Self { body: response.into_body().into_data_stream(), text: String::new() }
    }

    /// The next event; none at the end of the stream.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (event, length) = (event(block), self.text.len() - rest.len());
                self.text.drain(..length);
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let frame = self.body.next().await?.unwrap();
            self.text += std::str::from_utf8(&frame).unwrap();
        }
    }

    /// The ID of the first event.
    async fn ready(&mut self) -> String {
        let (name, id, data) = self.next().await.unwrap();
        assert_eq!((name.as_str(), data), ("ready", json!({})));
        id.unwrap()
    }
}

/// The event of a block of lines; none of a comment.
fn event(block: &str) -> Option<Event> {
    let field = |name: &str| {
        let mut lines = block.lines();
        lines.find_map(|line| line.strip_prefix(name)).map(str::to_owned)
    };
    let data = serde_json::from_str(&field("data: ")?).unwrap();
    Some((field("event: ")?, field("id: "), data))
}

/// The data of an event, and whether it has an ID.
fn said((name, id, data): &Event) -> (String, bool) {
    let action = format!("{name} {} {} {}", data["action"], data["kind"], data["id"]);
    (action.replace('"', ""), id.is_some())
}

/// Y-47: a stream begins with the present state; each change is an event with an ID, from which another
/// stream goes on.
/// Y-51: what the caller does not see is no event.
#[both_stores]
async fn a_stream_goes_on_from_its_last_id(app: &TestApp) {
    app.admin().make("/tags", json!({"name": "Old"})).await;
    let mut stream = Stream::open(&app.anonymous(), "", None).await;
    let start = stream.ready().await;
    app.admin().event(json!({"status": "draft"})).await;
    app.admin().make("/tags", json!({"name": "Loud"})).await;
    let first = stream.next().await.unwrap();
    assert_eq!(said(&first), ("change upsert tag 2".to_owned(), true));
    assert_eq!(first.2["record"]["name"], "Loud");
    drop(stream);

    app.admin().delete("/tags/1").await;
    let id = first.1.unwrap();
    let mut again = Stream::open(&app.anonymous(), "", Some(&id)).await;
    assert_eq!(again.ready().await, id);
    assert_eq!(said(&again.next().await.unwrap()), ("change remove tag 1".to_owned(), true));
    let mut other =
        Stream::open(&app.anonymous(), &format!("records=0&sync_token={start}"), None).await;
    other.ready().await;
    let all = other.next().await.unwrap();
    assert!(all.2.get("record").is_none());
}

/// Y-48: the last event of a batch alone has an ID, so that a batch that was torn comes again as a whole.
#[both_stores]
async fn the_last_event_of_a_batch_has_the_id(app: &TestApp) {
    let copy = Copy::new(app.anonymous()).await;
    for name in ["One", "Two", "Three"] {
        app.admin().make("/tags", json!({ "name": name })).await;
    }
    for query in ["", "per_page=2"] {
        let mut stream = Stream::open(&app.anonymous(), query, Some(&copy.token)).await;
        stream.ready().await;
        for (number, has_id) in [(1, false), (2, false), (3, true)] {
            let event = stream.next().await.unwrap();
            assert_eq!(said(&event), (format!("change upsert tag {number}"), has_id));
        }
    }
}

/// Y-49: a stream from a token that has expired is 410; a token that expires on the way is the last event.
/// Y-50: a stream ends before the next batch when its token is revoked, or its user is disabled or gets another
/// role.
#[both_stores]
async fn streams_end(app: &TestApp) {
    let editor = Copy::new(app.editor()).await;
    let refused =
        app.anonymous().open("/changes", &[ACCEPT, ("last-event-id", &editor.token)]).await;
    assert_eq!(refused.status(), 410);
    let refused = app.anonymous().open("/changes", &[ACCEPT, ("last-event-id", "x")]).await;
    assert_eq!(refused.status(), 400);

    app.admin().make("/tags", json!({"name": "One"})).await;
    let mut stream = Stream::open(&app.anonymous(), "", None).await;
    stream.ready().await;
    for _ in 0..3 {
        app.admin().event(json!({"status": "draft"})).await;
    }
    app.clock.advance_seconds(400 * 86_400);
    app.calendar.prune_journal(30).await.unwrap();
    app.admin().make("/tags", json!({"name": "Two"})).await;
    let (name, id, data) = stream.next().await.unwrap();
    assert_eq!((name.as_str(), id, data), ("expired", None, json!({})));
    assert_eq!(stream.next().await, None);

    let user = app.accounts.user("author").await.unwrap();
    let token = app.accounts.create_token(user.id, "sync", app::ports::TokenScope::Read, None);
    let token = token.await.unwrap();
    let client = app.anonymous().with_token(token.text.expose());
    let mut revoked = Stream::open(&client, "", None).await;
    let mut demoted = Stream::open(&app.user(6), "", None).await;
    let mut disabled = Stream::open(&app.user(7), "", None).await;
    for stream in [&mut revoked, &mut demoted, &mut disabled] {
        stream.ready().await;
    }
    assert!(app.accounts.revoke_token(token.token.id).await.unwrap());
    app.accounts.set_role("author2", domain::Role::Contributor).await.unwrap();
    app.accounts.set_disabled("contributor2", true).await.unwrap();
    app.admin().make("/tags", json!({"name": "Three"})).await;
    for mut stream in [revoked, demoted, disabled] {
        assert_eq!(stream.next().await, None);
    }
}
