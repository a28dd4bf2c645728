//! The periods that have a page: those between the first and the last event, and one more.

use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{address, is_left_out, links, view};

/// A festival in March and a concert in May 2027.
async fn add_events(app: &TestApp) {
    for (start, end) in
        [("2027-03-30 09:00", "2027-04-02 18:00"), ("2027-05-20 20:00", "2027-05-20 22:00")]
    {
        app.admin().event(json!({"title": "E", "start_date": start, "end_date": end})).await;
    }
    app.clock.set("2027-04-10 12:00:00");
}

/// Links lead from each period with events to the next one, and at last to the one after, which has none.
#[both_stores]
async fn links_end_where_events_end(app: &TestApp) {
    add_events(app).await;
    for view_name in ["month", "week", "day"] {
        let path = format!("{view_name}/");
        let (mut pages, mut next) = (0, Some(path));
        let mut last = String::new();
        while let Some(path) = next {
            let html = view(&app.anonymous(), &path).await;
            let follow = links(&html, "next").into_iter().chain(links(&html, "next nofollow"));
            next = follow.last();
            pages += 1;
            last = path;
            assert!(pages < 100, "{last}");
        }
        let (expected, end) = match view_name {
            "month" => (3, "month/2027-06/"),
            "week" => (3, "week/2027-05-24/"),
            _ => (3, "day/2027-05-21/"),
        };
        assert_eq!((pages, last.as_str()), (expected, end));
        let html = view(&app.anonymous(), &last).await;
        assert!(is_left_out(&html), "{last}");
    }
    let html = view(&app.anonymous(), "month/2027-03/").await;
    assert!(links(&html, "prev").is_empty() && links(&html, "prev nofollow").is_empty());
}

/// Search engines leave out periods without events. Links skip these, but for the one after the last event.
#[both_stores]
async fn empty_periods_are_left_out(app: &TestApp) {
    add_events(app).await;
    for (path, is_empty, previous, next) in [
        ("month/2027-03/", false, None, Some(("next", "month/2027-04/"))),
        (
            "month/2027-04/",
            false,
            Some(("prev", "month/2027-03/")),
            Some(("next", "month/2027-05/")),
        ),
        (
            "month/2027-05/",
            false,
            Some(("prev", "month/2027-04/")),
            Some(("next nofollow", "month/2027-06/")),
        ),
        (
            "day/2027-04-30/",
            true,
            Some(("prev", "day/2027-04-02/")),
            Some(("next", "day/2027-05-20/")),
        ),
        ("month/2027-06/", true, Some(("prev", "month/2027-05/")), None),
        (
            "week/2027-04-05/",
            true,
            Some(("prev", "week/2027-03-29/")),
            Some(("next", "week/2027-05-17/")),
        ),
        (
            "day/2027-04-01/",
            false,
            Some(("prev", "day/2027-03-31/")),
            Some(("next", "day/2027-04-02/")),
        ),
        (
            "day/2027-04-02/",
            false,
            Some(("prev", "day/2027-04-01/")),
            Some(("next", "day/2027-05-20/")),
        ),
        (
            "day/2027-04-03/",
            true,
            Some(("prev", "day/2027-04-02/")),
            Some(("next", "day/2027-05-20/")),
        ),
    ] {
        let html = view(&app.anonymous(), path).await;
        assert_eq!(is_left_out(&html), is_empty, "{path}");
        for (relation, target) in previous.into_iter().chain(next) {
            assert_eq!(links(&html, relation), [target], "{path}");
        }
    }
}

/// A period beyond the bounds has no page, but a link to the nearest one.
#[both_stores]
async fn periods_beyond_lead_to_the_nearest(app: &TestApp) {
    add_events(app).await;
    for (path, nearest) in [
        ("month/2027-02/", "month/2027-03/"),
        ("month/1999-02/", "month/2027-03/"),
        ("month/2027-07/", "month/2027-05/"),
        ("week/2027-03-22/", "week/2027-03-29/"),
        ("week/2027-05-31/", "week/2027-05-17/"),
        ("day/2027-03-29/", "day/2027-03-30/"),
        ("day/9999-12-31/", "day/2027-05-20/"),
    ] {
        let answer = app.anonymous().get(&address(path)).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("x-robots-tag"), "noindex");
        let link = format!("<a href=\"https://cal.example/events/{nearest}\">");
        assert!(answer.text().contains(&link), "{link} in {}", answer.text());
    }
}

/// A calendar without events has a page for the present period alone.
#[both_stores]
async fn a_calendar_without_events(app: &TestApp) {
    for path in ["month/", "month/2027-01/", "week/", "week/2026-12-28/", "day/", "day/2027-01-01/"]
    {
        let html = view(&app.anonymous(), path).await;
        assert!(
            is_left_out(&html) && html.contains("There are no events in this period."),
            "{path}"
        );
    }
    for path in ["month/2027-02/", "week/2027-01-04/", "day/2026-12-31/"] {
        assert_eq!(app.anonymous().get(&address(path)).await.status, 404, "{path}");
    }
    assert!(view(&app.anonymous(), "past/").await.contains("No event is over yet."));
    assert!(view(&app.anonymous(), "list/").await.contains("Nothing is planned"));
}

/// The present period has a page even long after the last event, with a link back.
#[both_stores]
async fn the_present_period_leads_back(app: &TestApp) {
    add_events(app).await;
    app.clock.set("2030-01-01 12:00:00");
    let html = view(&app.anonymous(), "month/").await;
    assert!(is_left_out(&html));
    assert_eq!(links(&html, "prev"), ["month/2027-05/"]);
    app.clock.set("2027-01-02 12:00:00");
    let html = view(&app.anonymous(), "day/").await;
    assert_eq!(links(&html, "next"), ["day/2027-03-30/"]);
}
