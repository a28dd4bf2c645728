//! Conditional writes.

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::Client, for_each_row};

/// The entity tag of a record.
async fn tag_of(client: &Client, path: &str) -> String {
    client.get(path).await.header("etag").to_owned()
}

/// A change of a text that every kind has.
fn change(text: &str) -> serde_json::Value {
    json!({ "description": text })
}

const KINDS: [(&str, &str, &str); 5] = [
    ("/events", "title", "One"),
    ("/venues", "venue", "One"),
    ("/organizers", "organizer", "One"),
    ("/categories", "name", "One"),
    ("/tags", "name", "One"),
];

/// G-50b: A write with a stale tag is refused with any method, and changes nothing.
#[both_stores]
async fn a_stale_tag_is_refused(app: &TestApp) {
    let admin = app.admin();
    for (path, name, value) in KINDS {
        let fields = json!({
            name: value, "start_date": "2027-03-10 09:00", "end_date": "2027-03-10 10:00",
        });
        admin.make(path, fields).await;
        let record = format!("{path}/1");
        let old = tag_of(&admin, &record).await;
        assert_eq!(admin.put(&record, change("second")).await.status, 200);
        let now = admin.get(&record).await;
        for method in [Method::PUT, Method::PATCH, Method::POST, Method::DELETE] {
            let headers = [("if-match", old.as_str())];
            let answer =
                admin.send_json_with(method.clone(), &record, &headers, &change("third")).await;
            answer.is_error(412, "precondition_failed");
            assert_eq!(admin.get(&record).await.bytes, now.bytes, "{method} {record}");
        }
        // A change without effect needs the present revision too.
        let headers = [("if-match", old.as_str())];
        admin
            .send_json_with(Method::PUT, &record, &headers, &change("second"))
            .await
            .is_error(412, "precondition_failed");
        let current = tag_of(&admin, &record).await;
        let headers = [("if-match", current.as_str())];
        for method in [Method::PUT, Method::DELETE] {
            let answer = admin.send_json_with(method, &record, &headers, &change("second")).await;
            assert_eq!(answer.status, 200, "{record}: {}", answer.text());
        }
    }
}

/// Only the revision counts, in strong tags, at any place of a list; a star matches any.
#[both_stores]
async fn which_tags_hold(app: &TestApp) {
    let admin = app.admin();
    admin.event(json!({"venue": {"venue": "Old Mill"}})).await;
    let old = tag_of(&app.anonymous(), "/events/1").await;
    // Another representation of the same revision.
    assert_eq!(admin.put("/venues/1", json!({"city": "Lyon"})).await.status, 200);
    assert_ne!(tag_of(&app.anonymous(), "/events/1").await, old);
    let rows = [
        (old.clone(), 200),
        (old.replace('"', ""), 412),
        (format!("W/{old}"), 412),
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
    let headers = [("if-match", tag.as_str())];
    let first = admin.send_json_with(Method::PATCH, path, &headers, &change("new")).await;
    assert_eq!(first.status, 200, "{}", first.text());
    admin
        .send_json_with(Method::PATCH, path, &headers, &change("newer"))
        .await
        .is_error(412, "precondition_failed");
    admin
        .send_with(Method::DELETE, path, &headers, None)
        .await
        .is_error(412, "precondition_failed");
}

/// D-27: `If-Unmodified-Since` on a write is compared with the record's own last change; a write for
/// an older state is 412 and changes nothing.
#[both_stores]
async fn a_stale_date_is_refused(app: &TestApp) {
    let admin = app.admin();
    let linked = json!({"venue": {"venue": "Old Mill"}, "organizer": {"organizer": "Green Hands"}});
    admin.event(linked).await;
    app.clock.advance_seconds(1);
    let old = "Fri, 01 Jan 2027 12:00:00 GMT";
    app.clock.set("2027-01-01 12:00:05");
    for record in ["/venues/1", "/organizers/1", "/events/1"] {
        // Changes of the venue and the organizer do not count for the event.
        let first = admin
            .send_json_with(Method::PUT, record, &[("if-unmodified-since", old)], &change("second"))
            .await;
        assert_eq!(first.status, 200, "{record}: {}", first.text());
        let now = admin.get(record).await;
        for date in [old, "Friday, 01-Jan-27 12:00:04 GMT"] {
            for method in [Method::PUT, Method::PATCH, Method::POST, Method::DELETE] {
                let headers = [("if-unmodified-since", date)];
                let answer =
                    admin.send_json_with(method.clone(), record, &headers, &change("third")).await;
                answer.is_error(412, "precondition_failed");
                assert_eq!(admin.get(record).await.bytes, now.bytes, "{method} {record}");
            }
        }
    }
    for record in ["/events/1", "/venues/1", "/organizers/1"] {
        for method in [Method::PUT, Method::DELETE] {
            let headers = [("if-unmodified-since", "Fri, 01 Jan 2027 12:00:05 GMT")];
            let answer = admin.send_json_with(method, record, &headers, &change("third")).await;
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
    let headers = [("if-match", "\"r7-x\"")];
    let body = change("new");
    for (client, path, status, code) in [
        (app.anonymous(), "/events/1", 401, "rest_forbidden"),
        (app.subscriber(), "/events/1", 403, "rest_forbidden"),
        (app.author(), "/events/1", 403, "rest_forbidden"),
        (app.editor(), "/events/9", 404, "rest-event-not-found"),
        (app.editor(), "/events/1", 412, "precondition_failed"),
    ] {
        for method in [Method::PUT, Method::DELETE] {
            client.send_json_with(method, path, &headers, &body).await.is_error(status, code);
        }
    }
    let bad = json!({"title": 7});
    app.editor()
        .send_json_with(Method::PUT, "/events/1", &headers, &bad)
        .await
        .is_invalid(&["title"]);
    // A deleted event stays deleted with any tag.
    assert_eq!(app.editor().delete("/events/1").await.status, 200);
    app.editor()
        .send_with(Method::DELETE, "/events/1", &headers, None)
        .await
        .is_error(410, "event-is-in-trash");
}

/// D-27: One of many writers with the same date writes.
#[both_stores(threads = 4)]
async fn one_of_many_dated_writers_wins(app: &TestApp) {
    app.admin().event(json!({})).await;
    app.clock.advance_seconds(5);
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let client = app.admin();
            tokio::spawn(async move {
                let headers = [("if-unmodified-since", "Fri, 01 Jan 2027 12:00:00 GMT")];
                let body = change(&writer.to_string());
                client.send_json_with(Method::PUT, "/events/1", &headers, &body).await
            })
        })
        .collect();
    let mut won = 0;
    for writer in writers {
        let answer = writer.await.unwrap();
        if answer.status == 200 {
            won += 1;
        } else {
            answer.is_error(412, "precondition_failed");
        }
    }
    assert_eq!(won, 1);
}

/// G-50b: One of many writers with the same tag writes.
#[both_stores(threads = 4)]
async fn one_of_many_writers_wins(app: &TestApp) {
    app.admin().event(json!({})).await;
    let tag = tag_of(&app.admin(), "/events/1").await;
    for round in 0..3 {
        let tag = if round == 0 { tag.clone() } else { tag_of(&app.admin(), "/events/1").await };
        let writers: Vec<_> = (0..8)
            .map(|writer| {
                let (client, tag) = (app.admin(), tag.clone());
                tokio::spawn(async move {
                    let headers = [("if-match", tag.as_str())];
                    let body = change(&format!("{round} {writer}"));
                    client.send_json_with(Method::PUT, "/events/1", &headers, &body).await
                })
            })
            .collect();
        let mut won = Vec::new();
        for writer in writers {
            let answer = writer.await.unwrap();
            if answer.status == 200 {
                won.push(answer.json()["description"].clone());
            } else {
                answer.is_error(412, "precondition_failed");
            }
        }
        let shown = app.anonymous().get("/events/1").await.json()["description"].clone();
        assert_eq!(won, [shown]);
    }
}
