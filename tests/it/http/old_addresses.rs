//! The addresses that sites of The Events Calendar had.

use http_service::parse_base_path;
use serde_json::json;
use tests::{
    app::{TestApp, endpoints},
    both_stores,
};

/// The answer of an address: its status, and the target of its redirect or the type of its content.
async fn answer(app: &TestApp, path: &str) -> (u16, String) {
    let answer = app.anonymous().get(&format!("//{path}")).await;
    let shown = match answer.status {
        301 | 307 => answer.header("location").replace("https://cal.example", ""),
        _ => answer.header("content-type").split(';').next().unwrap().to_owned(),
    };
    (answer.status, shown)
}

async fn assert_answers(app: &TestApp, answers: &[(&str, u16, &str)]) {
    for (path, status, shown) in answers {
        assert_eq!(answer(app, path).await, (*status, (*shown).to_owned()), "{path}");
    }
}

/// Bookmarks lead to the page with the same content, by one redirect.
#[both_stores]
async fn old_pages_lead_to_pages(app: &TestApp) {
    let admin = app.admin();
    let music = admin.make("/categories", json!({"name": "Music"})).await;
    admin.make("/categories", json!({"name": "Jazz", "parent": music["id"]})).await;
    admin.make("/categories", json!({"name": "List", "parent": music["id"]})).await;
    admin.make("/tags", json!({"name": "Loud"})).await;
    let venue = admin.make("/venues", json!({"venue": "Old Mill"})).await;
    let event =
        json!({"title": "Night", "venue": venue["id"], "categories": ["Jazz"], "tags": ["Loud"]});
    let event = admin.event(event).await;
    let series = json!({"title": "Course", "start_date": "2027-03-01 19:00", "end_date": "2027-03-01 20:00", "recurrence": "FREQ=WEEKLY;COUNT=3"});
    admin.event(series).await;
    assert_answers(
        app,
        &[
            ("events/", 301, "/events/list/"),
            ("events", 301, "/events/list/"),
            ("fr/events/", 301, "/fr/events/list/"),
            ("events/page/2/", 301, "/events/list/?page=2"),
            ("events/2027-03/", 301, "/events/month/2027-03/"),
            ("events/2027-03-10/", 301, "/events/day/2027-03-10/"),
            ("ar/events/2027-03-10", 301, "/ar/events/day/2027-03-10/"),
            ("events/today/", 301, "/events/day/"),
            ("events/photo/", 301, "/events/list/"),
            ("events/list/?tribe-bar-date=2027-03-10", 301, "/events/list/?start_date=2027-03-10"),
            ("events/month/?tribe-bar-date=2027-03-10", 301, "/events/month/2027-03/"),
            ("events/?eventDisplay=past", 301, "/events/past/"),
            ("events/?tribe_events_cat=jazz", 301, "/events/list/?categories=jazz"),
            (
                "events/category/music/jazz/month/2027-03/",
                301,
                "/events/month/2027-03/?categories=jazz",
            ),
            ("events/category/music/jazz/list/", 301, "/events/category/music/jazz/"),
            ("events/tag/loud/", 301, "/tag/loud/"),
            ("?post_type=tribe_events", 301, "/events/list/"),
            ("?tribe_events=night", 301, "/event/night/"),
            ("event/night/all/", 301, "/event/night/"),
            ("event/night/embed/", 301, "/event/night/"),
            ("event/course/2027-03-08/", 301, "/event/course~2027-03-08/"),
            ("series/course/", 301, "/event/course/"),
            // The category wins over the view of the same name.
            ("events/category/music/list/", 200, "text/html"),
            ("events/category/nowhere/", 404, "text/html"),
            ("events/nowhere/", 404, "application/json"),
        ],
    )
    .await;
    for (query, page) in [
        (format!("?p={}", event["id"]), "/event/night/"),
        (format!("?post_type=tribe_events&p={}", event["id"]), "/event/night/"),
        (format!("?post_type=tribe_venue&p={}", venue["id"]), "/venue/old-mill/"),
        ("?post_type=post&p=1".to_owned(), ""),
    ] {
        let (status, shown) = answer(app, &query).await;
        match page {
            "" => assert_eq!(status, 404, "{query}"),
            page => assert_eq!((status, &*shown), (301, page), "{query}"),
        }
    }
}

/// Subscribed calendars answer at once, with the events of their filters.
#[both_stores]
async fn old_subscriptions_are_files(app: &TestApp) {
    let admin = app.admin();
    for (title, category, tag) in [("Night", "Jazz", "Loud"), ("Day", "Folk", "Quiet")] {
        let start = json!({"title": title, "categories": [category], "tags": [tag], "start_date": "2027-03-10 20:00", "end_date": "2027-03-10 22:00"});
        admin.event(start).await;
    }
    let later =
        json!({"title": "Later", "start_date": "2027-05-10 20:00", "end_date": "2027-05-10 22:00"});
    admin.event(later).await;
    for (path, titles) in [
        ("?post_type=tribe_events&ical=1", &["Day", "Later", "Night"][..]),
        ("events/?ical=1", &["Day", "Later", "Night"]),
        ("fr/events/?ical=1", &["Day", "Later", "Night"]),
        ("events/list/?outlook-ical=1", &["Day", "Later", "Night"]),
        ("events/2027-03/?ical=1", &["Day", "Night"]),
        ("events/category/jazz/?ical=1", &["Night"]),
        ("events/category/jazz/ical/", &["Night"]),
        ("events/tag/quiet/?ical=1", &["Day"]),
        ("events/?ical=1&tribe-bar-search=night", &["Night"]),
        ("event/night/?ical=1", &["Night"]),
        ("event/night/ical/", &["Night"]),
    ] {
        let answer = app.anonymous().get(&format!("//{path}")).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        assert!(answer.header("content-type").starts_with("text/calendar"), "{path}");
        let text = answer.text();
        let summaries = text.lines().filter(|line| line.starts_with("SUMMARY"));
        let mut summaries: Vec<_> =
            summaries.filter_map(|line| line.trim_end().rsplit(':').next()).collect();
        summaries.sort_unstable();
        assert_eq!(summaries, titles, "{path}");
    }
    for path in ["feed/", "events/feed/", "events/category/jazz/feed/"] {
        assert_answers(app, &[(path, 200, "application/atom+xml")]).await;
    }
    assert_answers(app, &[("event/nowhere/?ical=1", 404, "application/json")]).await;
}

/// A site that renamed `events` keeps its addresses: one redirect to a page, and files at once.
#[both_stores]
async fn a_site_may_have_renamed_events(app: &TestApp) {
    let admin = app.admin();
    let music = admin.make("/categories", json!({"name": "Music"})).await;
    admin.make("/categories", json!({"name": "Jazz", "parent": music["id"]})).await;
    admin.event(json!({"title": "Night", "categories": ["Jazz"]})).await;
    let old = parse_base_path("/Agenda", &endpoints()).unwrap();
    let client = app.variant().build_with(|state| state.with_old_events_at(Some(&old))).await;
    let client = client.anonymous();
    for (path, target) in [
        ("agenda/", "/events/list/"),
        ("Agenda/month/", "/events/month/"),
        ("agenda/month/2027-03", "/events/month/2027-03/"),
        ("fr/agenda/2027-03-10/", "/fr/events/day/2027-03-10/"),
        ("agenda/list/?search=night", "/events/list/?search=night"),
        ("agenda/category/music/jazz/", "/events/category/music/jazz/"),
        ("agenda/category/music/jazz/month/", "/events/month/?categories=jazz"),
    ] {
        let answer = client.get(&format!("//{path}")).await;
        let location = answer.header("location").replace("https://cal.example", "");
        assert_eq!((answer.status, &*location), (301, target), "{path}");
        let target = client.get(&format!("/{location}")).await;
        assert_eq!(target.status, 200, "{location}");
    }
    for (path, kind) in [
        ("agenda/?ical=1", "text/calendar"),
        ("fr/agenda/category/jazz/?ical=1", "text/calendar"),
        ("agenda/feed/", "application/atom+xml"),
    ] {
        let answer = client.get(&format!("//{path}")).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.header("content-type").starts_with(kind), "{path}");
    }
    assert_eq!(client.get("//agenda/nowhere/").await.status, 404);
    assert_eq!(app.anonymous().get("//agenda/").await.status, 404);
}

/// The calendar files of venues and organizers lead to the files of their events.
#[both_stores]
async fn old_subscriptions_of_places_lead_to_files(app: &TestApp) {
    let admin = app.admin();
    let venue = admin.make("/venues", json!({"venue": "Old Mill"})).await;
    let organizer = admin.make("/organizers", json!({"organizer": "Club"})).await;
    for (path, filter) in [
        ("venue/old-mill/?ical=1", format!("venue={}", venue["id"])),
        ("organizer/club/?ical=1", format!("organizer={}", organizer["id"])),
    ] {
        let file = format!("/cal/events/v1/events.ics?{filter}");
        assert_answers(app, &[(path, 301, &file)]).await;
    }
    assert_answers(app, &[("venue/nowhere/?ical=1", 404, "text/html")]).await;
}
