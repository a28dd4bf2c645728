//! The addresses of views: one spelling each, and redirects from the others.

use serde_json::json;
use tests::{
    app::{PUBLIC_URL, TestApp},
    both_stores,
};

use super::{address, between, view};

/// Events in three successive months around the present day, 1 January 2027.
async fn add_events(app: &TestApp) {
    for day in ["2026-12-20", "2027-01-05", "2027-02-10"] {
        app.admin().event(json!({"title": day, "start_date": day, "end_date": day})).await;
    }
}

/// Each other spelling of an address leads to the one that has a page.
#[both_stores]
async fn one_spelling_has_a_page(app: &TestApp) {
    add_events(app).await;
    for (sent, path) in [
        ("//events/month", "/events/month/"),
        ("//events/month/2027-01", "/events/month/2027-01/"),
        ("//events/Month/2027-01/", "/events/month/2027-01/"),
        ("//events//month/2027-01/", "/events/month/2027-01/"),
        ("//events/month/2027-1/", "/events/month/2027-01/"),
        ("//events/month/2027-01-17/", "/events/month/2027-01/"),
        ("//FR/events/month/2027-01/", "/fr/events/month/2027-01/"),
        ("//fr/events/month", "/fr/events/month/"),
        ("//events/day/2027-1-5", "/events/day/2027-01-05/"),
        ("//events/list", "/events/list/"),
        ("//events/past?page=2", "/events/past/?page=2"),
        // Any day of a week leads to its first one.
        ("//events/week/2027-01-05/", "/events/week/2027-01-04/"),
        ("//events/week/2027-01-10/", "/events/week/2027-01-04/"),
        ("//fr/events/week/2027-01-05/", "/fr/events/week/2027-01-04/"),
        ("//ar/events/week/2027-01-05/", "/ar/events/week/2027-01-02/"),
    ] {
        let answer = app.anonymous().get(sent).await;
        let target = format!("{PUBLIC_URL}{path}");
        assert_eq!((answer.status, answer.header("location")), (301, target.as_str()), "{sent}");
        let shown = app.anonymous().get(&format!("/{path}")).await;
        assert!(shown.status == 200 || path.contains("page=2"), "{path}");
    }
}

/// The form sends a date, which leads to its period.
#[both_stores]
async fn a_form_leads_to_a_date(app: &TestApp) {
    add_events(app).await;
    for (sent, path) in [
        ("month/?date=2027-02-10", "/events/month/2027-02/"),
        ("week/?date=2027-02-10", "/events/week/2027-02-08/"),
        ("day/?date=2027-02-10", "/events/day/2027-02-10/"),
        ("ar:week/?date=2027-02-10", "/ar/events/week/2027-02-06/"),
    ] {
        let answer = app.anonymous().get(&address(sent)).await;
        let target = format!("{PUBLIC_URL}{path}");
        assert_eq!((answer.status, answer.header("location")), (303, target.as_str()), "{sent}");
    }
    let html = view(&app.anonymous(), "month/2027-02/").await;
    let form = between(&html, "<form ", "</form>");
    assert!(form.contains("action=\"https://cal.example/events/month/\" method=\"get\""), "{form}");
    assert!(form.contains("min=\"2026-12-20\" max=\"2027-02-10\""), "{form}");
}

/// A date that does not exist has no page.
#[both_stores]
async fn dates_that_do_not_exist(app: &TestApp) {
    add_events(app).await;
    for path in [
        "month/2027-13/",
        "month/2027/",
        "month/next/",
        "month/2027-01/x/",
        "week/2027-02-30/",
        "week/2027-W01/",
        "day/2027-02-29/",
        "day/0000-01-01/",
        "day/99999-01-01/",
        "day/%D9%A2/",
        "day/?date=2027-02-29",
        "month/?date=",
        "list/2027-01/",
        "year/",
        "past/?page=2",
        "day/2027-01-05/?page=2",
        "list/?page=0",
    ] {
        let answer = app.anonymous().get(&address(path)).await;
        assert!(answer.status == 404, "{path}: {}", answer.status);
    }
}

/// Without a date, a view shows the present period of the site's zone.
#[both_stores]
async fn the_present_period(app: &TestApp) {
    add_events(app).await;
    app.clock.set("2026-12-31 12:30:00");
    let kiritimati = app.variant().zone("Pacific/Kiritimati").build().await;
    for (client, month, week, day) in [
        (app.anonymous(), "December 2026", "28 December 2026", "Thursday 31 December 2026"),
        (kiritimati.anonymous(), "January 2027", "28 December 2026", "Friday 1 January 2027"),
    ] {
        for (path, title) in [
            ("month/", month.to_owned()),
            ("week/", format!("Week of {week}")),
            ("day/", day.to_owned()),
        ] {
            let html = view(&client, path).await;
            assert_eq!(
                between(&html, "<h1 class=\"p-name\">", "</h1>")
                    .replace("<bdi>", "")
                    .replace("</bdi>", ""),
                title
            );
        }
    }
    let html = view(&app.anonymous(), "month/").await;
    let canonical = between(&html, "<link rel=\"canonical\" href=\"", "\"");
    assert_eq!(canonical, "https://cal.example/events/month/2026-12/");
}

/// Every page links the views; a view links those of its first day with events.
#[both_stores]
async fn views_link_each_other(app: &TestApp) {
    add_events(app).await;
    let answer = app.anonymous().get("//").await.text();
    let views = between(&answer, "<nav class=\"views\"", "</nav>");
    for view in ["list", "month", "week", "day", "past"] {
        assert!(views.contains(&format!("href=\"https://cal.example/events/{view}/\"")), "{views}");
    }
    assert!(!views.contains("aria-current"));
    let html = view(&app.anonymous(), "month/2027-02/").await;
    let views = between(&html, "<nav class=\"views\"", "</nav>");
    for (path, rest) in [
        ("list/", ">List<"),
        ("month/2027-02/", " aria-current=\"page\">Month<"),
        ("week/2027-02-08/", " rel=\"nofollow\">Week<"),
        ("day/2027-02-10/", " rel=\"nofollow\">Day<"),
    ] {
        let link = format!("href=\"https://cal.example/events/{path}\"{rest}");
        assert!(views.contains(&link), "{link} in {views}");
    }
    // The week of another language begins on another day.
    let html = view(&app.anonymous(), "week/2027-02-08/").await;
    assert!(
        html.contains("hreflang=\"ar\" href=\"https://cal.example/ar/events/week/2027-02-06/\"")
    );
    let html = view(&app.anonymous(), "ar:week/2027-02-06/").await;
    assert!(
        html.contains("hreflang=\"fr\" href=\"https://cal.example/fr/events/week/2027-02-08/\"")
    );
}
