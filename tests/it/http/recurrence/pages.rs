//! The pages of series and occurrences.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, for_each_row};

use super::super::html::page;
use super::{deleted, jazz, jazz_with, patched};

/// The page of a series shows its days and links to its next dates.
#[both_stores]
async fn the_page_of_a_series(app: &TestApp) {
    let series = jazz(app).await;
    app.clock.set("2027-03-10 12:00:00");
    for (prefix, heading) in
        [("", "Next dates"), ("/fr", "Prochaines dates"), ("/ar", "المواعيد القادمة")]
    {
        let html = page(&app.anonymous(), &format!("/{prefix}/event/jazz-night/")).await;
        assert!(html.contains(heading), "{html}");
        for day in ["2027-03-16", "2027-04-06"] {
            let link = format!("https://cal.example{prefix}/event/jazz-night~{day}/");
            assert!(html.contains(&link), "{link}");
        }
        assert!(!html.contains("jazz-night~2027-03-09"), "a date that is over");
    }
    let html = page(&app.anonymous(), "//event/jazz-night/").await;
    assert!(html.contains("<time datetime=\"2027-04-06\">Tuesday 6 April 2027</time>"), "{html}");
    assert!(html.contains("EventSeries") && !html.contains("This event is over."));
    app.clock.set("2027-05-01 12:00:00");
    let html = page(&app.anonymous(), "//event/jazz-night/").await;
    assert!(html.contains("This event is over.") && !html.contains("Next dates"), "{html}");
    assert_eq!(series.occurrences.len(), 6);
}

/// The page of an occurrence names its series.
#[both_stores]
async fn the_page_of_an_occurrence(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.of(3), json!({"title": "Trio"})).await;
    for (prefix, label) in [("", "Series"), ("/fr", "Série"), ("/ar", "سلسلة فعاليات")]
    {
        let html = page(&app.anonymous(), &format!("/{prefix}/event/jazz-night~2027-03-16/")).await;
        let link = format!(
            "<a href=\"https://cal.example{prefix}/event/jazz-night/\"><bdi>Jazz night</bdi>"
        );
        assert!(html.contains(label) && html.contains(&link), "{html}");
        assert!(html.contains("Trio"), "{html}");
    }
    let home = page(&app.anonymous(), "//").await;
    assert!(home.contains("https://cal.example/event/jazz-night~2027-03-02/"), "{home}");
}

/// Where a path leads, after a permanent redirect.
async fn target(app: &TestApp, path: &str) -> String {
    let answer = app.anonymous().get(&format!("/{path}")).await;
    assert_eq!(answer.status, 301, "{path}: {}", answer.text());
    answer.header("location").strip_prefix("https://cal.example").unwrap().to_owned()
}

async fn is_missing(app: &TestApp, path: &str) {
    assert_eq!(app.anonymous().get(&format!("/{path}")).await.status, 404, "{path}");
}

/// Addresses of a series and a day lead to the page of the occurrence, in each language.
#[both_stores]
async fn addresses_with_a_day(app: &TestApp) {
    let series = jazz(app).await;
    let french = json!({"title": "Soirée jazz", "slug": "soiree-jazz"});
    patched(&app.admin(), &format!("{}?ml_language=fr", series.path()), french).await;
    deleted(&app.admin(), &series.of(4)).await;
    let rows = [
        ("/event/jazz-night/2027-03-16/", "/event/jazz-night~2027-03-16/"),
        ("/event/jazz-night/2027-03-16", "/event/jazz-night~2027-03-16/"),
        ("/event/jazz-night/20270316T180000Z/", "/event/jazz-night~2027-03-16/"),
        ("/event/jazz-night/?eventDate=2027-03-16", "/event/jazz-night~2027-03-16/"),
        ("/fr/event/soiree-jazz/2027-03-16/", "/fr/event/soiree-jazz~2027-03-16/"),
        ("/fr/event/jazz-night/2027-03-16/", "/fr/event/soiree-jazz~2027-03-16/"),
        ("/fr/event/soiree-jazz/?eventDate=2027-03-16", "/fr/event/soiree-jazz~2027-03-16/"),
    ];
    for_each_row(rows, async |(path, wanted)| {
        assert_eq!(target(app, path).await, wanted);
        page(&app.anonymous(), &format!("/{wanted}")).await;
    })
    .await;
    let none = [
        "/event/jazz-night/2027-03-17/",
        "/event/jazz-night/2027-03-23/",
        "/event/jazz-night/x/",
        "/event/other/2027-03-16/",
        "/event/jazz-night~2027-03-16/2027-03-16/",
    ];
    for_each_row(none, async |path| is_missing(app, path).await).await;
    // A day without an occurrence shows the series.
    page(&app.anonymous(), "//event/jazz-night/?eventDate=2027-03-17").await;
}

/// The address of a day with two shows leads to the first one.
#[both_stores]
async fn a_day_with_two_shows(app: &TestApp) {
    let series = jazz(app).await;
    let dates = json!({"recurrence": {"rdate": ["2027-03-16 15:00", "2027-03-23 15:00"]}});
    patched(&app.admin(), &series.path(), dates).await;
    let rows = [
        ("/event/jazz-night/2027-03-16/", "/event/jazz-night~2027-03-16-1500/"),
        ("/event/jazz-night/?eventDate=2027-03-16", "/event/jazz-night~2027-03-16-1500/"),
        // The address that the evening had before the second show.
        ("/event/jazz-night~2027-03-16/", "/event/jazz-night~2027-03-16-1500/"),
        ("/event/jazz-night/2027-03-16T19:00:00/", "/event/jazz-night~2027-03-16-1900/"),
    ];
    for_each_row(rows, async |(path, wanted)| assert_eq!(target(app, path).await, wanted)).await;
    deleted(&app.admin(), &format!("{}/2027-03-16T15:00:00", series.list())).await;
    let evening = "/event/jazz-night~2027-03-16-1900/";
    assert_eq!(target(app, "/event/jazz-night/2027-03-16/").await, evening);
}

/// Former addresses of an occurrence lead to it: after another slug of the series, a split, and a
/// detachment.
#[both_stores]
async fn former_addresses(app: &TestApp) {
    let series = jazz(app).await;
    patched(&app.admin(), &series.path(), json!({"slug": "late-jazz"})).await;
    let later = format!("{}?scope=following", series.of(4));
    patched(&app.admin(), &later, json!({"title": "Later jazz"})).await;
    patched(&app.admin(), &series.of(2), json!({"detach": true})).await;
    patched(&app.admin(), &series.of(5), json!({"detach": true})).await;
    let rows = [
        ("jazz-night~2027-03-16", "late-jazz~2027-03-16", Some(3)),
        ("jazz-night~2027-03-23", "late-jazz-2~2027-03-23", Some(4)),
        ("late-jazz~2027-03-23", "late-jazz-2~2027-03-23", Some(4)),
        ("late-jazz~2027-03-09", "late-jazz-2027-03-09", Some(2)),
        ("late-jazz-2~2027-03-30", "late-jazz-2-2027-03-30", Some(5)),
        ("late-jazz-2~2027-03-31", "", None),
        ("jazz-night~2027-03-17", "", None),
    ];
    for_each_row(rows, async |(former, present, number)| {
        let by_slug = app.anonymous().get(&format!("/events/by-slug/{former}")).await;
        by_slug.assert_error(404, "rest-event-not-found");
        let path = format!("/event/{former}/");
        let moved_to = by_slug.json()["data"]["moved_to"].clone();
        if let Some(number) = number {
            let record = format!("https://cal.example/cal/events/v1{}", series.of(number));
            assert_eq!(moved_to, record);
            let wanted = format!("/event/{present}/");
            assert_eq!(target(app, &path).await, wanted);
            page(&app.anonymous(), &format!("/{wanted}")).await;
        } else {
            assert_eq!(moved_to, json!(null));
            is_missing(app, &path).await;
        }
    })
    .await;
    for_each_row(
        [
            ("2027-03-23", series.of(4)),
            ("2027-03-23T19:00:00", series.of(4)),
            ("2027-03-30", String::new()),
        ],
        async |(date, present)| {
            let by_date = app.anonymous().get(&format!("{}/{date}", series.list())).await;
            by_date.assert_error(404, "rest-event-not-found");
            let record = format!("https://cal.example/cal/events/v1{present}");
            let moved_to = (!present.is_empty()).then_some(record);
            assert_eq!(by_date.json()["data"]["moved_to"], json!(moved_to));
        },
    )
    .await;
    let day = "/event/jazz-night/2027-03-16/";
    assert_eq!(target(app, day).await, "/event/late-jazz~2027-03-16/");
    // A record that the public does not see has no former address, either.
    patched(&app.admin(), &series.path(), json!({"status": "draft"})).await;
    is_missing(app, "/event/jazz-night~2027-03-16/").await;
    is_missing(app, day).await;
    let by_date = app.anonymous().get(&format!("{}/2027-03-23", series.list())).await;
    assert_eq!(by_date.json()["data"]["moved_to"], json!(null), "{}", by_date.text());
}

/// The page of an occurrence beyond the horizon, which has no ID.
#[both_stores]
async fn a_page_beyond_the_horizon(app: &TestApp) {
    let series = jazz_with(&app.admin(), json!({"recurrence": "FREQ=WEEKLY"})).await;
    let path = "/event/jazz-night~2044-03-01/";
    assert_eq!(target(app, "/event/jazz-night/2044-03-01/").await, path);
    let html = page(&app.anonymous(), &format!("/{path}")).await;
    assert!(html.contains("2044") && html.contains("Jazz night"), "{html}");
    let json = format!("{}/2044-03-01T19:00:00", series.list());
    let link = format!("<a href=\"https://cal.example/cal/events/v1{json}\"");
    assert!(html.contains(&link), "{html}");
    assert_eq!(app.anonymous().get(&json).await.json()["id"], 0);
    // A former address of one that is not stored leads to its page alone.
    patched(&app.admin(), &series.path(), json!({"slug": "late-jazz"})).await;
    assert_eq!(target(app, path).await, "/event/late-jazz~2044-03-01/");
    let by_slug = app.anonymous().get("/events/by-slug/jazz-night~2044-03-01").await;
    by_slug.assert_error(404, "rest-event-not-found");
    assert_eq!(by_slug.json()["data"]["moved_to"], json!(null));
    // After a split, its former date leads to its present one.
    let later = format!("{}/2044-02-23T19:00:00?scope=following", series.list());
    let half = patched(&app.admin(), &later, json!({"title": "Later jazz"})).await;
    let by_date = app.anonymous().get(&json).await;
    by_date.assert_error(404, "rest-event-not-found");
    let half =
        format!("{}/occurrences/2044-03-01T19:00:00", half["series"]["rest_url"].as_str().unwrap());
    assert_eq!(by_date.json()["data"]["moved_to"], half);
}

/// The page of a series shows its cancelled dates, its sub-events, and a beginning without an end.
#[both_stores]
async fn what_the_page_of_a_series_shows(app: &TestApp) {
    let series = jazz_with(&app.admin(), json!({"recurrence": "FREQ=WEEKLY"})).await;
    app.clock.set("2027-03-10 12:00:00");
    patched(&app.admin(), &series.of(3), json!({"cancelled": true})).await;
    let html = page(&app.anonymous(), "//event/jazz-night/").await;
    assert!(
        html.contains("<s>Jazz night</s>") && html.contains("This event is cancelled."),
        "{html}"
    );
    assert!(
        html.contains("from <time datetime=\"2027-03-02\">Tuesday 2 March 2027</time>"),
        "{html}"
    );
    assert!(!html.contains("Programme"), "{html}");
    let workshop = json!({
        "title": "Workshop", "parent": series.id,
        "start_date": "2027-03-16 10:00", "end_date": "2027-03-16 11:00",
    });
    app.admin().event(workshop).await;
    let html = page(&app.anonymous(), "//event/jazz-night/").await;
    let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}: {html}"));
    assert!(at("Next dates") < at("Programme") && at("Programme") < at("/event/workshop/"));
    let (_, article) = html.split_once("<article").unwrap();
    assert_eq!(article.matches("/event/jazz-night~2027-03-16/").count(), 1, "{html}");
}

/// The JSON-LD of a page.
fn data(html: &str) -> Value {
    let (_, rest) = html.split_once("<script type=\"application/ld+json\">").expect(html);
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The page of a series describes each of its next dates as an event of its own, up to ten, and never the whole
/// series as one event. The record of the series does not change.
#[both_stores]
async fn search_engines_find_each_date(app: &TestApp) {
    let fields = json!({
        "recurrence": "FREQ=WEEKLY", "venue": {"venue": "Cellar", "address": "3 Quai Vert"},
        "description": format!("A </script> {}", "long ".repeat(100)),
    });
    let series = jazz_with(&app.admin(), fields).await;
    patched(&app.admin(), &series.of(3), json!({"cancelled": true, "title": "Trio"})).await;
    app.clock.set("2027-03-10 12:00:00");
    let html = page(&app.anonymous(), "//event/jazz-night/").await;
    let dates = data(&html);
    let dates = dates.as_array().unwrap();
    assert_eq!(dates.len(), 10);
    for (number, date) in dates.iter().enumerate() {
        assert_eq!(
            (&date["@type"], &date["@context"]),
            (&json!("Event"), &json!("http://schema.org"))
        );
        let [start, end] = ["startDate", "endDate"].map(|name| &date[name].as_str().unwrap()[..10]);
        assert_eq!(start, end);
        assert_eq!(date["url"], format!("https://cal.example/event/jazz-night~{start}/"));
        assert_eq!(date["superEvent"]["url"], "https://cal.example/event/jazz-night/");
        assert_eq!(date["location"]["address"]["streetAddress"], "3 Quai Vert");
        assert!(date["description"].as_str().unwrap().chars().count() <= 161);
        let (name, status) =
            if number == 0 { ("Trio", "EventCancelled") } else { ("Jazz night", "EventScheduled") };
        let status = format!("https://schema.org/{status}");
        assert_eq!((&date["name"], &date["eventStatus"]), (&json!(name), &json!(status)));
    }
    assert_eq!(dates[0]["startDate"], "2027-03-16T19:00:00+01:00");
    let further = data(&page(&app.anonymous(), "//event/jazz-night/?dates=2").await);
    assert_eq!(further.as_array().unwrap().len(), 10);
    assert!(further[0]["startDate"].as_str() > dates[9]["startDate"].as_str());
    let record = app.anonymous().get(&series.path()).await.json();
    assert_eq!(record["json_ld"]["@type"], "EventSeries");
    // A series that is over has no next date.
    patched(&app.admin(), &series.path(), json!({"recurrence": "FREQ=WEEKLY;COUNT=2"})).await;
    app.clock.set("2028-01-01 12:00:00");
    assert_eq!(data(&page(&app.anonymous(), "//event/jazz-night/").await)["@type"], "EventSeries");
    patched(&app.admin(), &series.path(), json!({"password": "open sesame"})).await;
    let html = page(&app.anonymous(), "//event/jazz-night/").await;
    assert!(!html.contains("application/ld+json"), "{html}");
}
