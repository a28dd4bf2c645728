//! Requests for calendar files.

use app::site::Site;
use axum::http::Method;
use http_service::AppState;
use serde_json::json;
use tests::{app::TestApp, both_stores, client::id};

use super::{file, titles};

/// F-01: `events.ics` holds the events that the list of its window holds, in the same order.
#[both_stores]
async fn a_feed_holds_what_the_list_holds(app: &TestApp) {
    for (title, start, status) in [
        ("Late", "2027-05-01 10:00", "publish"),
        ("Early", "2027-04-01 10:00", "publish"),
        ("Draft", "2027-04-02 10:00", "draft"),
        ("Hidden", "2027-04-03 10:00", "publish"),
    ] {
        let hidden = title == "Hidden";
        let end = start.replace("10:00", "11:00");
        let event = json!({"title": title, "start_date": start, "end_date": end, "status": status,
            "hide_from_listings": hidden});
        app.admin().event(event).await;
    }
    assert_eq!(titles(&app.anonymous(), "").await, ["Early", "Late"]);
    assert_eq!(titles(&app.editor(), "?status=draft").await, ["Draft"]);
    let list = app.anonymous().get("/events?per_page=50").await.json();
    assert_eq!(list["total"], 2);
}

/// F-03: the file of one event, by ID and by slug, is named by the slug and is no feed.
#[both_stores]
async fn one_event_is_a_file(app: &TestApp) {
    app.admin().event(json!({"title": "River cleanup"})).await;
    app.admin().event(json!({"title": "تنظيف النهر"})).await;
    for path in ["/events/1.ics", "/events/by-slug/river-cleanup.ics", "/events/1?format=ics"] {
        let calendar = file(&app.anonymous(), path).await;
        assert_eq!(calendar.titles(), ["River cleanup"]);
        assert_eq!((calendar.get("NAME"), calendar.get("METHOD")), (None, None));
        let answer = app.anonymous().get(path).await;
        assert_eq!(
            answer.header("content-disposition"),
            "attachment; filename=\"river-cleanup.ics\""
        );
        let tag = answer.header("etag").to_owned();
        let again = app.anonymous().get_with(path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status, again.text()), (304, String::new()));
    }
    let named = app.anonymous().get("/events/2.ics").await;
    let named = named.header("content-disposition");
    assert!(named.contains("filename=\"event-2.ics\"; filename*=UTF-8''%D8%AA"), "{named}");
}

/// F-04: `Accept: text/calendar` chooses the format; `*/*` and unknown types mean JSON. All answers
/// say that they depend on it.
#[both_stores]
async fn accept_chooses_the_format(app: &TestApp) {
    app.admin().event(json!({"title": "Concert"})).await;
    for path in ["/events", "/events/1", "/events/by-slug/concert"] {
        for (accept, expected) in [
            ("text/calendar", "text/calendar; charset=utf-8"),
            ("text/calendar, */*;q=0.1", "text/calendar; charset=utf-8"),
            ("*/*", "application/json; charset=UTF-8"),
            ("image/png", "application/json; charset=UTF-8"),
            ("application/json", "application/json; charset=UTF-8"),
        ] {
            // Twice: answers of one format must not be cached for another.
            for _ in 0..2 {
                let answer = app.anonymous().get_with(path, &[("accept", accept)]).await;
                assert_eq!(answer.header("content-type"), expected, "{path} {accept}");
                assert!(
                    answer.header("vary").contains("Accept,")
                        || answer.header("vary").ends_with("Accept")
                );
            }
        }
    }
    let venues = app.anonymous().get_with("/venues", &[("accept", "text/calendar")]).await;
    assert_eq!(venues.header("content-type"), "application/json; charset=UTF-8");
}

/// F-05: a suffix wins over `format`, `format` over `Accept`; other formats are refused.
#[both_stores]
async fn the_format_by_suffix_and_parameter(app: &TestApp) {
    let json = [("accept", "application/json")];
    let calendar = [("accept", "text/calendar")];
    for (path, headers, is_calendar) in [
        ("/events?format=ics", json, true),
        ("/events.ics?format=json", json, true),
        ("/events?format=json", calendar, false),
    ] {
        let answer = app.anonymous().get_with(path, &headers).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let content_type = answer.header("content-type").starts_with("text/calendar");
        assert_eq!(content_type, is_calendar, "{path}");
    }
    app.anonymous().refuses("/events", "format", &["=xml", "=", "=ICS"]).await;
}

/// F-06: errors are those of the JSON route.
#[both_stores]
async fn errors_are_those_of_the_record(app: &TestApp) {
    app.admin().event(json!({"title": "Draft", "status": "draft"})).await;
    for (path, status, code) in [
        ("/events/99.ics", 404, "rest-event-not-found"),
        ("/events/by-slug/nothing.ics", 404, "rest-event-not-found"),
        ("/events/1.ics", 403, "event-not-accessible"),
        ("/events/1.xyz", 404, "rest_no_route"),
    ] {
        let answer = app.anonymous().get(path).await;
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)), "{path}");
    }
    assert_eq!(
        file(&app.editor(), "/events/1.ics").await.events()[0].get("STATUS"),
        Some("TENTATIVE")
    );
}

/// F-07: without dates a feed reaches from 90 days back to 24 months ahead; one bound of `starts_…` or
/// `ends_…` is no reason for the default of another.
#[both_stores]
async fn the_window_of_a_feed(app: &TestApp) {
    app.clock.set("2027-01-01 12:00:00");
    for (title, day) in [
        ("Older", "2026-10-02"),
        ("Old", "2026-10-03"),
        ("Next", "2028-12-31"),
        ("Far", "2029-01-03"),
    ] {
        let (start, end) = (format!("{day} 10:00"), format!("{day} 11:00"));
        app.admin().event(json!({"title": title, "start_date": start, "end_date": end})).await;
    }
    assert_eq!(titles(&app.anonymous(), "").await, ["Old", "Next"]);
    assert_eq!(
        titles(&app.anonymous(), "?start_date=2020-01-01&end_date=2040-01-01").await,
        ["Older", "Old", "Next", "Far"]
    );
    let all = "?ends_after=2020-01-01&starts_after=2020-01-01&starts_before=2040-01-01&ends_before=2040-01-01";
    assert_eq!(titles(&app.anonymous(), all).await, ["Older", "Old", "Next", "Far"]);
}

/// F-08: the filters are those of lists; unknown records in them are refused.
#[both_stores]
async fn the_filters_of_lists(app: &TestApp) {
    let fields = json!({
        "title": "Concert", "categories": ["Music"], "tags": ["Loud"], "featured": true,
        "venue": {"venue": "Old Mill"}, "organizer": {"organizer": "Society"},
    });
    let made = app.admin().event(fields).await;
    app.admin().event(json!({"title": "Walk"})).await;
    let venue = id(&made["venue"]);
    for query in [
        "categories=music".to_owned(),
        "tags=loud".to_owned(),
        "featured=1".to_owned(),
        "search=concert".to_owned(),
        format!("venue={venue}"),
        format!("organizer={}", id(&made["organizer"][0])),
        "include=1".to_owned(),
    ] {
        assert_eq!(titles(&app.anonymous(), &format!("?{query}")).await, ["Concert"], "{query}");
    }
    app.anonymous().refuses("/events.ics", "categories", &["=nothing"]).await;
    app.anonymous().refuses("/events.ics", "start_date", &["=someday"]).await;
    // These are not read.
    let ignored = "?page=9&per_page=1&orderby=nothing&order=desc&_fields=id&_envelope=1";
    assert_eq!(titles(&app.anonymous(), ignored).await, ["Concert", "Walk"]);
}

/// F-09: more events than the site allows are refused, never cut.
#[both_stores]
async fn a_feed_is_never_cut(app: &TestApp) {
    let site = Site { feed_max: 2, ..Site::default() };
    let app = app.variant().site(site).build().await;
    for title in ["One", "Two"] {
        app.admin().event(json!({"title": title})).await;
    }
    assert_eq!(titles(&app.anonymous(), "").await, ["One", "Two"]);
    app.admin().event(json!({"title": "Three"})).await;
    let refused = app.anonymous().get("/events.ics").await;
    assert_eq!(refused.status, 400);
    let refused = refused.json();
    assert_eq!(refused["code"], "feed-too-large");
    assert_eq!(refused["data"], json!({"status": 400, "total": 3, "limit": 2}));
    assert_eq!(titles(&app.anonymous(), "?search=one").await, ["One"]);
}

/// F-10: `HEAD` has no body, other methods have no route.
#[both_stores]
async fn other_methods(app: &TestApp) {
    let head = app.anonymous().send(Method::HEAD, "/events.ics", None).await;
    assert_eq!((head.status, head.text()), (200, String::new()));
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        let refused = app.admin().send(method, "/events.ics", None).await;
        assert_eq!((refused.status, &refused.json()["code"]), (404, &json!("rest_no_route")));
    }
    for path in ["/events.ics", "/events.csv"] {
        assert_eq!(app.admin().get(path).await.header("allow"), "GET", "{path}");
    }
    assert_eq!(app.admin().send(Method::OPTIONS, "/events.ics", None).await.header("allow"), "GET");
}

/// A service without a format of calendar files has none to offer.
#[both_stores]
async fn a_service_without_calendar_files(app: &TestApp) {
    let without = |state: AppState| state.without_calendar_files();
    let other = app.variant().build_with(without).await;
    let answer = other.anonymous().get("/events?format=ics").await;
    assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8");
}
