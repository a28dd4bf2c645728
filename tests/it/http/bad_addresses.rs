//! Queries and paths with nonsensical values.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::Answer, for_each_row};

use super::{document::Document, languages::KINDS};

/// Values that are hard to parse, percent-encoded.
const VALUES: [&str; 24] = [
    "%00",
    "a%00b",
    "%",
    "%zz",
    "%ff",
    "%c3%28",
    "%ed%a0%80",
    "%f4%90%80%80",
    "99999999999999999999",
    "-99999999999999999999",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "1e309",
    "NaN",
    "-0",
    "0.0",
    "%F0%9F%8E%89",
    "'%22%5C;--",
    "%2B",
    ",,,",
    "999999999999",
    "+999999999+years",
];

/// Fails unless an answer is a documented one, and no 5xx.
#[track_caller]
fn is_sound(answer: &Answer, what: &str) {
    assert!(answer.status < 500, "{what}: {} {}", answer.status, answer.text());
    assert_eq!(
        answer.header("content-type"),
        "application/json; charset=UTF-8",
        "{what}: {}",
        answer.text()
    );
    let json = answer.json();
    if answer.status >= 400 {
        assert_eq!(json["data"]["status"], answer.status, "{what}: {json}");
        assert!(json["code"].is_string() && json["message"].is_string(), "{what}: {json}");
    }
}

/// No value in a query breaks a list.
#[both_stores]
async fn senseless_queries(app: &TestApp) {
    app.admin().event(json!({"tags": ["A"], "categories": ["A"], "venue": {"venue": "A"}})).await;
    let document = Document::of(app).await;
    let of_lists: BTreeSet<_> =
        KINDS.iter().flat_map(|(path, _)| document.parameter_names(path)).collect();
    for (path, _) in KINDS {
        for name in &of_lists {
            for value in VALUES {
                let path = format!("{path}?{name}={value}");
                is_sound(&app.anonymous().get(&path).await, &path);
            }
            // Several values at once, as a list and as an object.
            let many: Vec<_> = VALUES.iter().map(|value| format!("{name}[]={value}")).collect();
            let path = format!("{path}?{}&{name}[%00][x]=%ff", many.join("&"));
            is_sound(&app.anonymous().get(&path).await, &path);
        }
    }
}

/// Names with empty, odd or many brackets are unknown parameters.
#[both_stores]
async fn odd_names(app: &TestApp) {
    app.admin().event(json!({})).await;
    let rows = [
        "[]=1",
        "[=1",
        "]=1",
        "[[]]=1",
        "=1",
        "&&&",
        "=&=",
        "a[=1",
        "a]=1",
        "a[]]=1",
        "a[[]=1",
        "a[b]c=1",
        "%5B%5D=1",
        "%00=1",
        "%ff[%ff]=1",
        "include[[]]=x",
        "page[=0",
        "page]=0",
        "[page]=0",
        "[][page]=0",
    ];
    for_each_row(rows, async |query| {
        let answer = app.anonymous().get(&format!("/events?{query}")).await;
        assert_eq!(answer.ids(), [1], "{query}");
        // The address in the answer leads to the same list.
        let list = answer.json();
        let url = list["rest_url"].as_str().expect("an address");
        let path = url.strip_prefix("https://cal.example").expect("an address of ours");
        let again = app.anonymous().get(&format!("/{path}")).await;
        assert_eq!(again.json(), list, "{query}");
        let answer = app.admin().post_form("/events/1", query).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    })
    .await;
    let rows = [
        ("page", "[]=1"),
        ("page", "[a]=1"),
        ("per_page", "[][]=1"),
        ("search", "[]="),
        ("include", "[][a]=1"),
        ("include", "[a][b]=1"),
    ];
    for_each_row(rows, async |(name, brackets)| {
        let answer = app.anonymous().get(&format!("/events?{name}{brackets}")).await;
        answer.assert_invalid(&[name]);
    })
    .await;
}

/// Paths that cannot be decoded, or whose decoded form is unusual, have no record.
#[both_stores]
async fn senseless_paths(app: &TestApp) {
    app.admin().event(json!({"title": "A b"})).await;
    let rows = [
        "%00",
        "%",
        "%zz",
        "%ff",
        "%c3%28",
        "%ed%a0%80",
        "%2f",
        "%2e%2e",
        "..",
        ".",
        "%0a",
        "1%00",
        "%31%ff",
        "1;x",
        "1,2",
        "+1",
        "%201",
        "%ef%bc%91",
        "%20",
        "~",
        "*",
        "'",
    ];
    for_each_row(rows, async |segment| {
        for (path, _) in KINDS {
            for client in [app.anonymous(), app.admin()] {
                for method in [Method::GET, Method::PUT, Method::DELETE, Method::PATCH] {
                    let by_id = format!("{path}/{segment}");
                    client
                        .send(method.clone(), &by_id, None)
                        .await
                        .assert_error(404, "rest_no_route");
                    let by_slug = format!("{path}/by-slug/{segment}");
                    let answer = client.send(method, &by_slug, None).await;
                    is_sound(&answer, &by_slug);
                    assert!(matches!(answer.status, 401 | 404), "{by_slug}: {}", answer.text());
                }
            }
        }
    })
    .await;
    let rows = [
        ("/events/by-slug/%ff", "rest_no_route"),
        ("/events/by-slug/!!!", "rest-event-not-found"),
        ("/venues/by-slug/%F0%9F%8E%89", "venue-not-found"),
        ("/organizers/by-slug/%2f%2f", "organizer-not-found"),
        ("//%ff", "rest_no_route"),
        ("//%00/..", "rest_no_route"),
    ];
    for_each_row(rows, async |(path, code)| {
        app.anonymous().get(path).await.assert_error(404, code);
    })
    .await;
    // The name is the same, encoded or not.
    for path in [
        "/events/%31",
        "/events/by-slug/%41%2D%62",
        "/events/by-slug/a%20b",
        "/events/by-slug/a%2fb",
    ] {
        let answer = app.anonymous().get(path).await;
        assert_eq!((answer.status, &answer.json()["id"]), (200, &json!(1)), "{path}");
    }
}
