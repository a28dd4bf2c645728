//! Requests that are too long, too deep or nonsensical.

use axum::http::Method;
use serde_json::{Value, json};
use tests::{
    app::TestApp,
    both_stores,
    client::{event_fields, has_fields},
    for_each_row,
};

use super::{languages::KINDS, records::record};

/// The maximum length of queries and bodies.
const MAX_QUERY: usize = 8 * 1024;
const MAX_BODY: usize = 1024 * 1024;

/// An event whose JSON has this depth.
fn nested(levels: usize) -> Vec<u8> {
    let deep = format!("{}{}", "[".repeat(levels - 1), "]".repeat(levels - 1));
    let event = event_fields(json!({"deep": 0})).to_string();
    event.replace("\"deep\":0", &format!("\"deep\":{deep}")).into_bytes()
}

/// A query of more than 8 KiB is refused.
#[both_stores]
async fn long_queries(app: &TestApp) {
    let query = |length: usize| format!("foo={}", "x".repeat(length - "foo=".len()));
    for (path, _) in KINDS {
        let long = format!("{path}?{}", query(MAX_QUERY));
        assert_eq!(app.anonymous().get(&long).await.status, 200, "{path}");
        for method in [Method::GET, Method::POST] {
            let longer = format!("{path}?{}", query(MAX_QUERY + 1));
            app.admin().send(method, &longer, None).await.assert_error(414, "uri_too_long");
        }
    }
    let longer = format!("/events/1?{}", query(MAX_QUERY + 1));
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        app.admin().send(method, &longer, None).await.assert_error(414, "uri_too_long");
    }
}

/// A body of more than 1 MiB is refused with any type.
#[both_stores]
async fn long_bodies(app: &TestApp) {
    let event = event_fields(json!({})).to_string();
    let padded =
        |length: usize| format!("{event}{}", " ".repeat(length - event.len())).into_bytes();
    let whole = Some(("application/json", padded(MAX_BODY)));
    assert_eq!(app.admin().send(Method::POST, "/events", whole).await.status, 201);
    let part = "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n";
    let parts = format!("{part}{}\r\n--b--\r\n", "x".repeat(MAX_BODY)).into_bytes();
    let rows = [
        ("application/json", padded(MAX_BODY + 1)),
        ("application/x-www-form-urlencoded", padded(MAX_BODY + 1)),
        ("text/plain", padded(MAX_BODY + 1)),
        ("multipart/form-data; boundary=b", parts),
        ("multipart/form-data", padded(3 * MAX_BODY)),
        ("application/json", padded(5 * MAX_BODY)),
    ];
    for_each_row(rows, async |(content_type, body)| {
        for (method, path) in [
            (Method::POST, "/events"),
            (Method::PUT, "/events/1"),
            (Method::DELETE, "/events/1"),
            (Method::GET, "/tags"),
        ] {
            let answer = app.admin().send(method, path, Some((content_type, body.clone()))).await;
            answer.assert_error(413, "payload_too_large");
        }
    })
    .await;
    assert_eq!(app.anonymous().get("/events").await.ids(), [1]);
}

/// JSON deeper than 64 levels is refused.
#[both_stores]
async fn deep_bodies(app: &TestApp) {
    for (levels, status) in [(2, 201), (64, 201), (65, 400), (129, 400), (100_000, 400)] {
        let body = Some(("application/json", nested(levels)));
        let answer = app.admin().send(Method::POST, "/events", body).await;
        if status == 201 {
            assert_eq!(answer.status, status, "{levels}: {}", answer.text());
        } else {
            answer.assert_error(400, "rest_invalid_json");
        }
    }
    // Brackets in names do not count as depth.
    let brackets = "[a]".repeat(1000);
    let answer =
        app.anonymous().get(&format!("/events?include{brackets}=1&page{brackets}=0")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// A list of more than a hundred values is refused, however it is spelt.
#[both_stores]
async fn long_lists(app: &TestApp) {
    let admin = app.admin();
    let ones = |count: usize, value: &str| vec![value; count].join(",");
    let brackets =
        |name: &str, count: usize, value: &str| vec![format!("{name}[]={value}"); count].join("&");
    let event = json!({
        "venue": {"venue": "A"}, "organizer": {"organizer": "A"}, "tags": ["A"],
        "categories": ["A"],
    });
    admin.event(event).await;
    let rows = [
        ("/events", "include", "1"),
        ("/events", "categories", "1"),
        ("/events", "tags", "a"),
        ("/events", "venue", "1"),
        ("/events", "organizer", "1"),
        ("/events", "status", "publish"),
        ("/venues", "status", "publish"),
        ("/organizers", "status", "publish"),
        ("/categories", "include", "1"),
        ("/tags", "exclude", "1"),
    ];
    for_each_row(rows, async |(path, name, value)| {
        for query in [format!("{name}={}", ones(100, value)), brackets(name, 100, value)] {
            let answer = app.anonymous().get(&format!("{path}?{query}")).await;
            assert_eq!(answer.status, 200, "{path} {name}: {}", answer.text());
        }
        let nested = vec![format!("{name}[]={value},{value}"); 51].join("&");
        for query in [format!("{name}={}", ones(101, value)), brackets(name, 101, value), nested] {
            app.anonymous().get(&format!("{path}?{query}")).await.assert_invalid(&[name]);
        }
    })
    .await;
    for name in ["categories", "tags", "organizer"] {
        admin.event(json!({name: vec![1; 100]})).await;
        admin.refuses_event(name, [json!(vec![1; 101]), json!(ones(101, "1"))]).await;
    }
    admin.refuses_event("cost", [json!(vec![1; 101])]).await;
}

/// IDs beyond the maximum have no record; page numbers beyond the maximum have no page.
#[both_stores]
async fn huge_numbers(app: &TestApp) {
    app.admin().event(json!({})).await;
    let huge = [
        "99999999999999999999",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551617",
    ];
    for number in huge {
        for (path, code) in [
            ("/events", "rest-event-not-found"),
            ("/venues", "venue-not-found"),
            ("/organizers", "organizer-not-found"),
            ("/categories", "rest_term_invalid"),
            ("/tags", "rest_term_invalid"),
        ] {
            for method in [Method::GET, Method::PUT, Method::DELETE] {
                let answer = app.admin().send(method, &format!("{path}/{number}"), None).await;
                answer.assert_error(404, code);
            }
            for sizes in ["", "per_page=100&", &format!("per_page={number}&")] {
                let page = app.anonymous().get(&format!("{path}?{sizes}page={number}")).await;
                assert_eq!(page.status, 404, "{}", page.text());
                assert!(page.code().ends_with("-archive-page-not-found"), "{}", page.code());
            }
            let long = app.anonymous().get(&format!("{path}?per_page={number}")).await;
            let url = format!("https://cal.example/cal/events/v1{path}?per_page=100");
            assert_eq!(record(&long)["rest_url"], url);
        }
        assert_eq!(app.list(&format!("include={number}")).await, [0; 0]);
        assert_eq!(app.list(&format!("include=1,{number}")).await, [1]);
        for (path, name) in [
            ("/events", "venue"),
            ("/events", "organizer"),
            ("/events", "tags"),
            ("/tags", "include"),
            ("/categories", "exclude"),
            ("/categories", "parent"),
        ] {
            app.anonymous().get(&format!("{path}?{name}={number}")).await.assert_invalid(&[name]);
        }
        for (path, name) in [("/venues", "event"), ("/tags", "event"), ("/categories", "post")] {
            let answer = app.anonymous().get(&format!("{path}?{name}={number}")).await;
            answer.assert_error(400, "rest-invalid-event-id");
        }
        let json: Value = serde_json::from_str(number).expect("a number");
        for field in ["author", "venue", "organizer", "image"] {
            app.admin().refuses_event(field, [json.clone(), json!(number)]).await;
        }
    }
    // Unknown terms are not linked.
    let unknown = json!([i64::MAX, i64::MAX - 1]);
    let event = app.admin().event(json!({"categories": unknown, "tags": unknown})).await;
    has_fields(&event, json!({"categories": [], "tags": []}));
    app.refuses("page", &["=-9223372036854775808", "=-99999999999999999999", "=0"]).await;
}
