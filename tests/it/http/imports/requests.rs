//! Requests for an import: rights, sizes, options.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{calendar, event, events, findings, import, import_with, numbers, send};

/// F-71: contributors may not import; a file of 2 MiB and one with 1,001 events are refused; a dry run
/// stores nothing.
#[both_stores]
async fn rights_and_bounds(app: &TestApp) {
    let file = calendar(&[event("1", &[])]);
    send(&app.anonymous(), "", &*file).await.assert_error(401, "rest_forbidden");
    send(&app.contributor(), "", &*file).await.assert_error(403, "rest_forbidden");
    send(&app.author(), "", &*file).await.assert_error(403, "rest_forbidden");
    let large = "x".repeat(2 << 20);
    send(&app.editor(), "", &*large).await.assert_error(413, "payload_too_large");
    let many: Vec<String> = (0..1001).map(|uid| event(&uid.to_string(), &[])).collect();
    send(&app.editor(), "", calendar(&many)).await.assert_error(413, "payload_too_large");
    let report = import_with(&app.editor(), "?dry_run=1", &*file).await;
    assert_eq!(numbers(&report), [1, 0, 0, 0, 0]);
    assert!(events(&app.admin()).await.is_empty());
    assert!(app.anonymous().get("/categories").await.json()["categories"] == json!([]));
    let report = import(&app.editor(), &*file).await;
    assert_eq!((numbers(&report), report["read"].as_u64()), ([1, 0, 0, 0, 0], Some(1)));
    assert_eq!(events(&app.admin()).await[0]["author"], 2);
}

/// An import that would write more rows than a request may is refused at once, and stores nothing.
#[both_stores]
async fn too_much_work(app: &TestApp) {
    let daily: Vec<String> =
        (0..600).map(|uid| event(&uid.to_string(), &["RRULE:FREQ=DAILY"])).collect();
    for query in ["", "?dry_run=1"] {
        let answer = send(&app.editor(), query, calendar(&daily)).await;
        answer.assert_error(413, "payload_too_large");
        assert!(answer.text().contains("events-calendar import"));
    }
    for columns in [201, 1_000_000] {
        let table = format!("title{}\nFair\n", ",".repeat(columns - 1));
        let body = Some(("text/csv", table.into_bytes()));
        let answer = app.editor().send(Method::POST, "/imports", body).await;
        answer.assert_error(413, "payload_too_large");
    }
    assert!(events(&app.admin()).await.is_empty());
    // The same events, once a week and only some of them, are within the limit.
    let weekly: Vec<String> =
        (0..20).map(|uid| event(&uid.to_string(), &["RRULE:FREQ=WEEKLY"])).collect();
    let report = import(&app.editor(), calendar(&weekly)).await;
    assert_eq!(numbers(&report), [20, 0, 0, 0, 0]);
}

/// Bad options and another content type are refused, and nothing is stored.
#[both_stores]
async fn bad_requests(app: &TestApp) {
    let file = calendar(&[event("1", &[])]);
    for (query, name) in [
        ("policy=merge", "policy"),
        ("policy=", "policy"),
        ("timezone=Mars/X", "timezone"),
        ("dry_run=maybe", "dry_run"),
        ("prune=2", "prune"),
        ("source=", "source"),
    ] {
        let answer = send(&app.editor(), &format!("?{query}"), &*file).await;
        answer.assert_invalid(&[name]);
    }
    let long = format!("?source={}", "x".repeat(201));
    send(&app.editor(), &long, &*file).await.assert_invalid(&["source"]);
    let body = Some(("application/octet-stream", file.clone().into_bytes()));
    let read = app.editor().send(Method::POST, "/imports?dry_run=1", body).await;
    assert_eq!((read.status, read.json()["created"].clone()), (200, json!(1)));
    for kind in ["application/json", "text/plain", "text/html"] {
        let body = Some((kind, file.clone().into_bytes()));
        let answer = app.editor().send(Method::POST, "/imports", body).await;
        answer.assert_error(415, "unsupported_media_type");
    }
    assert!(events(&app.admin()).await.is_empty());
}

/// A file that is no calendar, such as the page of a login, is refused; a calendar without events is not.
#[both_stores]
async fn files_without_events(app: &TestApp) {
    for file in ["", "hello", "<html>\r\n</html>", "{\"title\": \"x\"}", "\0\u{1}"] {
        for query in ["", "?dry_run=1", "?prune=1"] {
            let answer = send(&app.editor(), query, file).await;
            answer.assert_error(415, "unsupported_media_type");
        }
    }
    let report = import(&app.editor(), "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n").await;
    assert_eq!((numbers(&report), report["read"].as_u64()), ([0; 5], Some(0)));
}

/// F-60: an event whose end is before its start is refused by its line; the others are taken.
#[both_stores]
async fn one_bad_event_stops_no_other(app: &TestApp) {
    let file = calendar(&[
        event("1", &[]),
        event("2", &["DTEND;TZID=Europe/Paris:20300310T080000"]),
        event("3", &["DTSTART;TZID=Europe/Paris:20300231T090000"]),
        event("4", &["SUMMARY:"]),
        event("5", &[&format!("SUMMARY:{}", "x".repeat(1001))]),
        event("6", &[&format!("LOCATION:{}", "x".repeat(1001))]),
        event("7", &["RRULE:FREQ=DAILY;COUNT=5001"]),
        event("8", &[&format!("DESCRIPTION:{}", "x".repeat(200_001))]),
        event("9", &[]),
    ]);
    let report = import(&app.editor(), file).await;
    assert_eq!(numbers(&report), [4, 0, 0, 0, 5]);
    assert_eq!(report["read"], 9);
    assert_eq!(
        findings(&report["refused"]),
        [
            (13, "DTEND", "end-before-start"),
            (19, "DTSTART", "bad-date"),
            (27, "SUMMARY", "bad-value"),
            (33, "LOCATION", "bad-value"),
            (47, "DESCRIPTION", "bad-value"),
        ]
    );
    assert_eq!(report["refused"][0]["uid"], "2");
    // A title is optional (RFC 5545, section 3.6.1).
    assert_eq!(
        findings(&report["warnings"]),
        [(21, "SUMMARY", "no-title"), (40, "RRULE", "too-many-dates")]
    );
    let events = events(&app.admin()).await;
    let titles: BTreeSet<_> = events.iter().map(|event| event["title"].as_str()).collect();
    assert_eq!(titles, ["Event 1", "Event 7", "Event 9", "Untitled"].map(Some).into());
}

/// F-67: files made to be expensive are refused quickly.
#[both_stores]
async fn expensive_files(app: &TestApp) {
    let dates = "20300310T090000,".repeat(60_000);
    let file = calendar(&[
        event("1", &["RRULE:FREQ=SECONDLY"]),
        event("2", &["RRULE:FREQ=DAILY", &format!("EXDATE;TZID=Europe/Paris:{dates}")]),
        event("3", &["RRULE:FREQ=SECONDLY;COUNT=999999999"]),
        format!("{}{}", "BEGIN:X\r\n".repeat(50), "END:X\r\n".repeat(50)),
    ]);
    let begun = std::time::Instant::now();
    let report = import(&app.editor(), file).await;
    assert!(begun.elapsed() < std::time::Duration::from_secs(2), "{:?}", begun.elapsed());
    let codes: Vec<_> = findings(&report["refused"]).into_iter().map(|one| one.2).collect();
    assert_eq!(codes, ["recurrence", "too-many-values", "recurrence"]);
    assert!(events(&app.admin()).await.is_empty());
}
