//! Conditional writes.

use axum::http::Method;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Answer, Client, event_fields},
    for_each_row,
};

use super::{languages::KINDS, races::at_once};

const METHODS: [Method; 4] = [Method::PUT, Method::PATCH, Method::POST, Method::DELETE];

/// The entity tag of a record.
async fn tag_of(client: &Client, path: &str) -> String {
    client.get(path).await.header("etag").to_owned()
}

/// A change of a text that every kind has.
fn change(text: &str) -> serde_json::Value {
    json!({ "description": text })
}

/// Sends a change of the description, or a deletion, with a condition.
async fn send_if(
    client: &Client,
    method: Method,
    path: &str,
    condition: (&str, &str),
    text: &str,
) -> Answer {
    client.send_json_with(method, path, &[condition], &change(text)).await
}

/// G-50b: A write with a stale tag is refused with any method, and changes nothing.
#[both_stores]
async fn a_stale_tag_is_refused(app: &TestApp) {
    let admin = app.admin();
    for (path, name) in KINDS {
        admin.make(path, event_fields(json!({name: "One"}))).await;
        let record = format!("{path}/1");
        let old = tag_of(&admin, &record).await;
        let old = ("if-match", old.as_str());
        admin.change(&record, change("second")).await;
        let now = admin.get(&record).await;
        for method in METHODS {
            let answer = send_if(&admin, method.clone(), &record, old, "third").await;
            answer.assert_error(412, "precondition_failed");
            assert_eq!(admin.get(&record).await.bytes, now.bytes, "{method} {record}");
        }
        // A change without effect needs the present revision too.
        let answer = send_if(&admin, Method::PUT, &record, old, "second").await;
        answer.assert_error(412, "precondition_failed");
        let current = tag_of(&admin, &record).await;
        for method in [Method::PUT, Method::DELETE] {
            let answer = send_if(&admin, method, &record, ("if-match", &current), "second").await;
            assert_eq!(answer.status, 200, "{record}: {}", answer.text());
        }
    }
}

/// Only the revision counts, at any position of a list, also in a tag that a proxy weakened; a star matches
/// any.
#[both_stores]
async fn if_match_compares_revisions(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"venue": {"venue": "Old Mill"}})).await;
    let old = tag_of(&app.anonymous(), "/events/1").await;
    // Another representation of the same revision.
    admin.change("/venues/1", json!({"city": "Lyon"})).await;
    assert_ne!(tag_of(&app.anonymous(), "/events/1").await, old);
    let rows = [
        (old.clone(), 200),
        (old.replace('"', ""), 412),
        (format!("W/{old}"), 200),
        ("W/\"r2-x\"".to_owned(), 412),
        ("\"r1-x\"".to_owned(), 200),
        ("\"r2-x\"".to_owned(), 412),
        (format!("\"r7-y\", {old}"), 200),
        ("*".to_owned(), 200),
        ("nonsense".to_owned(), 412),
    ];
    for_each_row(rows, async |(sent, status)| {
        let headers = [("if-match", sent.as_str())];
        let answer = admin.send_json_with(Method::PUT, "/events/1", &headers, &json!({})).await;
        assert_eq!(answer.status, status, "{sent}");
    })
    .await;
}

/// The same holds for the path by slug; a tag of another encoding is equivalent.
#[both_stores]
async fn by_slug_and_compressed(app: &TestApp) {
    let admin = app.admin();
    let text = "River. ".repeat(400);
    admin.event(json!({"title": "Fair", "description": text})).await;
    let path = "/events/by-slug/fair";
    let tag = admin.get_with(path, &[("accept-encoding", "gzip")]).await;
    let tag = tag.header("etag").to_owned();
    assert!(tag.ends_with("-gzip\""), "{tag}");
    let tag = ("if-match", tag.as_str());
    let first = send_if(&admin, Method::PATCH, path, tag, "new").await;
    assert_eq!(first.status, 200, "{}", first.text());
    for method in [Method::PATCH, Method::DELETE] {
        let second = send_if(&admin, method, path, tag, "newer").await;
        second.assert_error(412, "precondition_failed");
    }
}

/// D-27: `If-Unmodified-Since` on a write is compared with the record's own last change; a write for
/// an older state is 412 and changes nothing.
#[both_stores]
async fn a_stale_date_is_refused(app: &TestApp) {
    let admin = app.admin();
    let linked = json!({"venue": {"venue": "Old Mill"}, "organizer": {"organizer": "Green Hands"}});
    admin.event(linked).await;
    app.clock.advance_seconds(1);
    let unless_since = |date| ("if-unmodified-since", date);
    let old = "Fri, 01 Jan 2027 12:00:00 GMT";
    app.clock.set("2027-01-01 12:00:05");
    for record in ["/venues/1", "/organizers/1", "/events/1"] {
        // Changes of the venue and the organizer do not count for the event.
        let first = send_if(&admin, Method::PUT, record, unless_since(old), "second").await;
        assert_eq!(first.status, 200, "{record}: {}", first.text());
        let now = admin.get(record).await;
        for date in [old, "Friday, 01-Jan-27 12:00:04 GMT"] {
            for method in METHODS {
                let date = unless_since(date);
                let answer = send_if(&admin, method.clone(), record, date, "third").await;
                answer.assert_error(412, "precondition_failed");
                assert_eq!(admin.get(record).await.bytes, now.bytes, "{method} {record}");
            }
        }
    }
    for record in ["/events/1", "/venues/1", "/organizers/1"] {
        for method in [Method::PUT, Method::DELETE] {
            let date = unless_since("Fri, 01 Jan 2027 12:00:05 GMT");
            let answer = send_if(&admin, method, record, date, "third").await;
            assert_eq!(answer.status, 200, "{record}: {}", answer.text());
        }
    }
}

/// D-27: `If-Unmodified-Since` has no effect beside `If-Match`, for terms, and with an invalid
/// date.
#[both_stores]
async fn dates_without_effect(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"categories": ["Outdoor"]})).await;
    let tag = tag_of(&admin, "/events/1").await;
    let old = ("if-unmodified-since", "Thu, 31 Dec 2026 12:00:00 GMT");
    for (path, headers, status) in [
        ("/events/1", vec![old], 412),
        ("/events/1", vec![old, ("if-match", tag.as_str())], 200),
        ("/events/1", vec![old, ("if-match", "*")], 200),
        ("/events/1", vec![("if-unmodified-since", "yesterday")], 200),
        ("/categories/1", vec![old], 200),
    ] {
        let answer = admin.send_json_with(Method::PUT, path, &headers, &json!({})).await;
        assert_eq!(answer.status, status, "{path} {headers:?}");
    }
}

/// The service checks the right to write before the tag, and the existence of the record too.
#[both_stores]
async fn rights_come_first(app: &TestApp) {
    app.admin().event(json!({})).await;
    let tag = ("if-match", "\"r7-x\"");
    for (client, path, status, code) in [
        (app.anonymous(), "/events/1", 401, "rest_forbidden"),
        (app.subscriber(), "/events/1", 403, "rest_forbidden"),
        (app.author(), "/events/1", 403, "rest_forbidden"),
        (app.editor(), "/events/9", 404, "rest-event-not-found"),
        (app.editor(), "/events/1", 412, "precondition_failed"),
    ] {
        for method in [Method::PUT, Method::DELETE] {
            send_if(&client, method, path, tag, "new").await.assert_error(status, code);
        }
    }
    let bad = json!({"title": 7});
    let answer = app.editor().send_json_with(Method::PUT, "/events/1", &[tag], &bad).await;
    answer.assert_invalid(&["title"]);
    // A deleted event stays deleted with any tag.
    assert_eq!(app.editor().delete("/events/1").await.status, 200);
    let again = send_if(&app.editor(), Method::DELETE, "/events/1", tag, "").await;
    again.assert_error(410, "event-is-in-trash");
}

/// G-50b: One of many writers with the same tag writes.
/// D-27: One of many writers with the same date writes.
#[both_stores(threads = 4)]
async fn one_of_many_writers_wins(app: &TestApp) {
    app.admin().event(json!({})).await;
    app.clock.advance_seconds(5);
    let date = "Fri, 01 Jan 2027 12:00:00 GMT".to_owned();
    for round in 0..4 {
        let condition = match round {
            0 => ("if-unmodified-since", date.clone()),
            _ => ("if-match", tag_of(&app.admin(), "/events/1").await),
        };
        let texts = (0..8).map(|writer| format!("{round} {writer}"));
        let conditions = vec![condition; 8];
        let answers = at_once(
            &app.admin(),
            texts.zip(conditions),
            |client, (text, (name, value))| async move {
                send_if(&client, Method::PUT, "/events/1", (name, &value), &text).await
            },
        )
        .await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        for answer in lost {
            answer.assert_error(412, "precondition_failed");
        }
        let won: Vec<_> = won.iter().map(|answer| answer.json()["description"].clone()).collect();
        let shown = app.anonymous().get("/events/1").await.json()["description"].clone();
        assert_eq!(won, [shown]);
    }
}
