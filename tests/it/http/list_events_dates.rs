//! Filters of lists of events by dates.

use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, id},
    db::TestDb,
    for_each_row,
};

/// Creates an event from one moment to another.
async fn event(client: &Client, start: &str, end: &str) -> i64 {
    let event = client.event(json!({"start_date": start, "end_date": end})).await;
    id(&event)
}

/// Creates an all-day event on 10 March 2027.
async fn all_day(client: &Client) -> i64 {
    let day = "2027-03-10";
    id(&client.event(json!({"start_date": day, "end_date": day, "all_day": true})).await)
}

/// EL-01: Without events the list is empty, and there are no pages.
#[both_stores]
async fn a_list_without_events(app: &TestApp) {
    let answer = app.anonymous().get("/events").await;
    assert_eq!(answer.status, 200);
    let rest_url = "https://cal.example/cal/events/v1/events";
    let empty = json!({"events": [], "rest_url": rest_url, "total": 0, "total_pages": 0});
    assert_eq!(answer.json(), empty);
    for header in ["x-tec-total", "x-tec-totalpages"] {
        assert_eq!(answer.header(header), "0", "{header}");
    }
    assert!(answer.headers.get("link").is_none());
}

/// EL-02: A list begins with yesterday and spans 24 months; earlier starts are left out.
#[both_stores]
async fn the_usual_window(app: &TestApp) {
    let admin = app.admin();
    event(&admin, "2026-12-25 09:00:00", "2027-01-05 09:00:00").await;
    event(&admin, "2026-12-30 23:59:59", "2026-12-31 09:00:00").await;
    let first = event(&admin, "2026-12-31 00:00:00", "2026-12-31 01:00:00").await;
    let last = event(&admin, "2029-01-01 09:00:00", "2029-01-01 23:59:59").await;
    event(&admin, "2029-01-01 09:00:00", "2029-01-02 00:00:00").await;
    assert_eq!(app.list("").await, [first, last]);
    // With `strict_dates`, the list begins a minute before today and ends at this time of day.
    let strict = event(&admin, "2026-12-31 23:59:00", "2029-01-01 12:00:00").await;
    event(&admin, "2026-12-31 23:58:59", "2027-01-01 12:00:00").await;
    event(&admin, "2027-01-01 12:00:00", "2029-01-01 12:00:01").await;
    assert_eq!(app.list("strict_dates=1").await, [strict]);
}

/// EL-03: Wide bounds include events long past and far ahead.
#[both_stores]
async fn bounds_widen_the_window(app: &TestApp) {
    let admin = app.admin();
    let past = event(&admin, "2000-01-01 00:00:00", "2000-01-01 01:00:00").await;
    let far = event(&admin, "2099-12-31 00:00:00", "2099-12-31 23:00:00").await;
    assert_eq!(app.list("").await, [0; 0]);
    assert_eq!(app.list("start_date=2000-01-01&end_date=2100-01-01").await, [past, far]);
}

/// EL-04: One day as both bounds lists the events of that day, from first to last second.
/// EL-05: The time of day in a bound does not matter.
#[both_stores]
async fn bounds_are_days(app: &TestApp) {
    let admin = app.admin();
    event(&admin, "2027-03-09 23:59:59", "2027-03-10 00:30:00").await;
    let first = event(&admin, "2027-03-10 00:00:00", "2027-03-10 00:30:00").await;
    let whole = all_day(&admin).await;
    let noon = event(&admin, "2027-03-10 12:00:00", "2027-03-10 12:00:00").await;
    let last = event(&admin, "2027-03-10 23:30:00", "2027-03-10 23:59:59").await;
    event(&admin, "2027-03-10 23:30:00", "2027-03-11 00:00:00").await;
    event(&admin, "2027-03-11 00:00:00", "2027-03-11 01:00:00").await;
    for (start, end) in [
        ("2027-03-10", "2027-03-10"),
        ("2027-03-10%2012:00", "2027-03-10%2008:00"),
        ("2027-03-10%2023:59:59", "2027-03-10T00:00:00Z"),
    ] {
        let query = format!("start_date={start}&end_date={end}");
        assert_eq!(app.list(&query).await, [first, whole, noon, last], "{query}");
    }
}

/// EL-06: Exact bounds hold what starts and ends on them.
/// EL-07: One second more at the start or less at the end, and they do not.
/// EL-08: `strict_dates` takes words for true and false; others are refused.
#[both_stores]
async fn bounds_can_be_exact(app: &TestApp) {
    let id = event(&app.admin(), "2027-03-10 09:00:00", "2027-03-10 11:00:00").await;
    for (start, end, held) in [
        ("09:00:00", "11:00:00", true),
        ("09:00:01", "11:00:00", false),
        ("09:00:00", "10:59:59", false),
        ("08:59:59", "11:00:01", true),
    ] {
        let query = format!("start_date=2027-03-10%20{start}&end_date=2027-03-10%20{end}");
        assert_eq!(app.list(&format!("{query}&strict_dates=true")).await == [id], held, "{query}");
        assert_eq!(app.list(&query).await, [id], "{query}");
    }
    let late = "start_date=2027-03-10%2009:30";
    for word in ["true", "1", "yes", "on", "TRUE", "Yes", "oN"] {
        assert_eq!(app.list(&format!("{late}&strict_dates={word}")).await, [0; 0], "{word}");
    }
    for word in ["false", "0", "no", "off", "FALSE", "No", "oFF"] {
        assert_eq!(app.list(&format!("{late}&strict_dates={word}")).await, [id], "{word}");
    }
    app.refuses("strict_dates", &["=", "=foo", "=2", "=y", "=-1"]).await;
}

/// EL-09: `starts_after` a day lists events of later days, however far ahead.
/// EL-10: `starts_after` an exact moment excludes that moment.
#[both_stores]
async fn starts_after(app: &TestApp) {
    let admin = app.admin();
    event(&admin, "2027-03-09 09:00:00", "2027-03-12 09:00:00").await;
    let nine = event(&admin, "2027-03-10 09:00:00", "2027-03-10 11:00:00").await;
    let later = event(&admin, "2027-03-10 09:00:01", "2027-03-10 11:00:00").await;
    let last = event(&admin, "2027-03-10 23:59:59", "2027-03-10 23:59:59").await;
    let next = event(&admin, "2027-03-11 00:00:00", "2027-03-11 01:00:00").await;
    let far = event(&admin, "2040-01-01 00:00:00", "2040-01-01 01:00:00").await;
    for day in ["2027-03-10", "2027-03-10%2009:00"] {
        assert_eq!(app.list(&format!("starts_after={day}")).await, [next, far], "{day}");
    }
    let strict = "strict_dates=1&starts_after=2027-03-10%20";
    assert_eq!(app.list(&format!("{strict}09:00:00")).await, [later, last, next, far]);
    assert_eq!(app.list(&format!("{strict}08:59:59")).await, [nine, later, last, next, far]);
}

/// EL-11: `starts_before` a day lists events of that day and of any day before it.
/// EL-12: `starts_before` an exact moment excludes that moment.
#[both_stores]
async fn starts_before(app: &TestApp) {
    let admin = app.admin();
    let past = event(&admin, "2001-01-01 00:00:00", "2001-01-01 01:00:00").await;
    let early = event(&admin, "2027-03-10 08:59:59", "2027-03-10 11:00:00").await;
    let nine = event(&admin, "2027-03-10 09:00:00", "2039-03-10 11:00:00").await;
    let late = event(&admin, "2027-03-10 23:59:58", "2027-03-11 11:00:00").await;
    event(&admin, "2027-03-11 00:00:00", "2027-03-11 01:00:00").await;
    for day in ["2027-03-10", "2027-03-10%2009:00"] {
        let held = app.list(&format!("starts_before={day}")).await;
        assert_eq!(held, [past, early, nine, late], "{day}");
    }
    let strict = "strict_dates=1&starts_before=2027-03-10%20";
    assert_eq!(app.list(&format!("{strict}09:00:00")).await, [past, early]);
    assert_eq!(app.list(&format!("{strict}09:00:01")).await, [past, early, nine]);
}

/// EL-13: `ends_after` a moment excludes that moment, to the second.
#[both_stores]
async fn ends_after(app: &TestApp) {
    let admin = app.admin();
    let running = event(&admin, "2020-01-01 00:00:00", "2027-03-11 00:00:00").await;
    let eleven = event(&admin, "2027-03-10 09:00:00", "2027-03-10 11:00:00").await;
    let strict = "strict_dates=1&ends_after=2027-03-10%20";
    assert_eq!(app.list(&format!("{strict}11:00:00")).await, [running]);
    assert_eq!(app.list(&format!("{strict}10:59:59")).await, [running, eleven]);
    all_day(&admin).await;
    assert_eq!(app.list("ends_after=2027-03-10%2008:00").await, [running]);
}

/// EL-14: An event that fills a day ends before the end of that day.
/// EL-15: `ends_before` an exact moment excludes that moment.
#[both_stores]
async fn ends_before(app: &TestApp) {
    let admin = app.admin();
    let whole = all_day(&admin).await;
    let eleven = event(&admin, "2027-03-10 09:00:00", "2027-03-10 11:00:00").await;
    event(&admin, "2027-03-10 09:00:00", "2027-03-11 00:00:00").await;
    let past = event(&admin, "2001-01-01 00:00:00", "2001-01-01 01:00:00").await;
    assert_eq!(app.list("ends_before=2027-03-10").await, [past, whole, eleven]);
    let strict = "strict_dates=1&ends_before=2027-03-10%20";
    assert_eq!(app.list(&format!("{strict}11:00:00")).await, [past]);
    assert_eq!(app.list(&format!("{strict}11:00:01")).await, [past, eleven]);
}

/// EL-16: All bounds that are sent apply, and the default end does not.
/// EL-17: Bounds that exclude each other give an empty list.
#[both_stores]
async fn bounds_combine(app: &TestApp) {
    let admin = app.admin();
    let first = event(&admin, "2027-03-05 09:00:00", "2027-03-05 11:00:00").await;
    let tenth = event(&admin, "2027-03-10 09:00:00", "2027-03-10 11:00:00").await;
    let next = event(&admin, "2027-03-11 09:00:00", "2027-03-11 11:00:00").await;
    let far = event(&admin, "2040-01-01 00:00:00", "2040-01-01 01:00:00").await;
    let rows = [
        ("starts_after=2027-03-01&start_date=2027-03-10", vec![tenth, next, far]),
        ("starts_after=2027-03-10&start_date=2027-03-01", vec![next, far]),
        ("ends_before=2027-03-11&end_date=2027-03-10", vec![first, tenth]),
        ("ends_before=2027-03-10&end_date=2027-03-11", vec![first, tenth]),
        ("starts_after=2027-03-05&ends_before=2027-03-10", vec![tenth]),
        ("start_date=2027-03-10&end_date=2027-03-09", vec![]),
        ("starts_after=2030-01-01&starts_before=2029-01-01", vec![]),
    ];
    app.lists(rows).await;
}

/// EL-18: A bound that is no date, or empty, is refused by its name.
#[both_stores]
async fn bounds_are_dates(app: &TestApp) {
    let rows = [
        "start_date",
        "end_date",
        "starts_after",
        "starts_before",
        "ends_after",
        "ends_before",
        "modified_after",
        "modified_before",
    ];
    let bad = ["=foo", "=", "=%20", "=2027-02-30", "=10000-01-01", "=2027", "[]=2027-03-10"];
    for_each_row(rows, async |name| app.refuses(name, &bad).await).await;
    let both = app.anonymous().get("/events?start_date=a&ends_after=b").await;
    both.assert_invalid(&["start_date", "ends_after"]);
}

/// EL-19: A bound may be a count of seconds since 1970.
/// EL-20: A bound with an offset of its own is that instant.
#[both_stores]
async fn bounds_are_instants(app: &TestApp) {
    let admin = app.admin();
    event(&admin, "2027-05-11 01:46:39", "2027-05-11 02:00:00").await;
    let seconds = event(&admin, "2027-05-11 01:46:40", "2027-05-11 02:00:00").await;
    event(&admin, "2027-05-11 03:59:59", "2027-05-11 05:00:00").await;
    let four = event(&admin, "2027-05-11 04:00:00", "2027-05-11 05:00:00").await;
    let held = app.list("strict_dates=1&start_date=1810000000").await;
    assert_eq!((held.len(), held[0]), (3, seconds));
    assert_eq!(app.list("start_date=1810000000&per_page=1").await, [1]);
    for bound in ["2027-05-10T23:00:00-05:00", "2027-05-11T06:00:00%2B02:00"] {
        let held = app.list(&format!("strict_dates=1&start_date={bound}")).await;
        assert_eq!(held, [four], "{bound}");
    }
}

/// Days are those of the site, also where it is far from UTC.
#[tokio::test]
async fn days_are_those_of_the_site() {
    let app = TestApp::builder(TestDb::sqlite().await).zone("Asia/Tokyo").build().await;
    let admin = app.admin();
    // Tokyo is nine hours ahead: 21:00 on the same day.
    event(&admin, "2026-12-30T14:59:59Z", "2026-12-31T20:00:00Z").await;
    let first = event(&admin, "2026-12-30T15:00:00Z", "2026-12-31T20:00:00Z").await;
    let last = event(&admin, "2029-01-01T09:00:00Z", "2029-01-01T14:59:59Z").await;
    event(&admin, "2029-01-01T09:00:00Z", "2029-01-01T15:00:00Z").await;
    assert_eq!(app.list("").await, [first, last]);
    assert_eq!(app.list("starts_before=2026-12-31&ends_after=2026-12-31").await.len(), 2);
    let late = "strict_dates=1&starts_after=2029-01-01%2017:59:59&per_page=1";
    assert_eq!(app.list(late).await, [last]);
}
