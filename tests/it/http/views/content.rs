//! The content of views: the parts of an event that they show.

use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{between, view};

/// The cell of a day of March 2027.
fn cell<'a>(html: &'a str, day: &str) -> &'a str {
    let mark = format!("datetime=\"2027-03-{day}\"");
    let grid = between(html, "<tbody>", "</tbody>");
    grid.split("<td").find(|cell| cell.contains(&mark)).unwrap()
}

/// An event of several days runs across the cells of its days, in the same row, and begins anew in each week.
#[both_stores]
async fn an_event_of_several_days_is_a_bar(app: &TestApp) {
    app.admin()
        .event(json!({"title": "Fair", "start_date": "2027-03-12 09:00", "end_date": "2027-03-16 18:00"}))
        .await;
    app.admin()
        .event(json!({"title": "Talk", "start_date": "2027-03-13 08:00", "end_date": "2027-03-13 09:00"}))
        .await;
    let html = view(&app.anonymous(), "month/2027-03/").await;
    for (day, class) in [
        ("12", "row-0 bar begins leads cells-3 h-event"),
        ("13", "row-0 bar"),
        ("14", "row-0 bar"),
        ("15", "row-0 bar leads cells-2"),
        ("16", "row-0 bar ends"),
    ] {
        let cell = cell(&html, day);
        assert!(cell.contains(&format!("<li class=\"{class}\">")), "{day}: {cell}");
        let continues = cell.contains("<span class=\"hidden\">continues: </span><bdi>Fair</bdi>");
        assert_eq!(continues, day != "12", "{day}: {cell}");
    }
    assert!(cell(&html, "12").contains(">09:00</time> <bdi class=\"p-name\">Fair</bdi>"));
    assert!(cell(&html, "13").contains("<li class=\"row-1 h-event\">"));
    assert!(!cell(&html, "17").contains("Fair"));
}

/// A table with a caption, and headings of columns in the order of the language's week.
#[both_stores]
async fn the_grid_is_a_table(app: &TestApp) {
    app.admin().event(json!({"title": "Fair"})).await;
    for (path, caption, first, cells) in [
        ("month/2027-03/", "Events day by day, March 2027", "Monday", 35),
        ("fr:month/2027-03/", "Événements jour par jour, Mars 2027", "lundi", 35),
        ("ar:month/2027-03/", "الفعاليات يومًا بيوم, مارس 2027", "السبت", 35),
    ] {
        let html = view(&app.anonymous(), path).await;
        assert_eq!(between(&html, "<caption class=\"hidden\">", "</caption>"), caption);
        assert_eq!(between(&html, "<meta name=\"description\" content=\"", "\""), caption);
        assert_eq!(html.matches("<th scope=\"col\">").count(), 7);
        assert_eq!(between(&html, "<th scope=\"col\"><span class=\"long\">", "<"), first);
        assert_eq!(html.matches("<td").count(), cells);
        assert!(!html.contains("style=\""));
    }
    app.clock.set("2027-03-10 12:00:00");
    let html = view(&app.anonymous(), "month/2027-03/").await;
    assert!(cell(&html, "10").starts_with(" aria-current=\"date\">"));
    assert_eq!(html.matches("aria-current=\"date\"").count(), 1);
}

/// Only title and time of a locked event are shown.
#[both_stores]
async fn a_locked_event_shows_title_and_time(app: &TestApp) {
    app.admin()
        .event(json!({
            "title": "Wedding", "password": "sesame", "sticky": true, "all_day": true, "venue": {"venue": "Mill"},
            "categories": ["Private"], "excerpt": "Secret.", "cancelled": true,
        }))
        .await;
    let run =
        json!({"title": "Run", "start_date": "2027-03-09 22:00", "end_date": "2027-03-10 02:00"});
    app.admin().event(run).await;
    for path in ["month/2027-03/", "week/2027-03-08/", "day/2027-03-10/", "list/"] {
        let html = view(&app.anonymous(), path).await;
        assert!(html.contains("<bdi>Wedding</bdi>"), "{path}: {html}");
        for secret in ["Mill", "Private", "Secret", "<s>", "all day"] {
            assert!(!html.contains(secret), "{path}: {secret}");
        }
    }
    let html = view(&app.anonymous(), "day/2027-03-10/").await;
    assert!(html.find("Run") < html.find("Wedding"));
}

/// A sticky event comes first in its day.
#[both_stores]
async fn a_sticky_event_comes_first(app: &TestApp) {
    for (title, hour, sticky) in [("Early", "08", false), ("Late", "20", true)] {
        let start = format!("2027-03-10 {hour}:00");
        let fields =
            json!({"title": title, "start_date": start, "end_date": start, "sticky": sticky});
        app.admin().event(fields).await;
    }
    for path in ["month/2027-03/", "week/2027-03-08/", "day/2027-03-10/"] {
        let html = view(&app.anonymous(), path).await;
        assert!(html.find("Late") < html.find("Early"), "{path}");
    }
}

/// Past events come the last one first, upcoming ones the next one first.
#[both_stores]
async fn lists_have_their_order(app: &TestApp) {
    for number in 1..=28 {
        let day = format!("2027-03-{number:02}");
        app.admin()
            .event(json!({"title": format!("No. {number};"), "start_date": day, "end_date": day}))
            .await;
    }
    app.clock.set("2027-03-27 12:00:00");
    let first = view(&app.anonymous(), "past/").await;
    let numbers = |html: &str| -> Vec<u32> {
        let titles = html.split("<bdi>No. ").skip(1);
        titles.map(|rest| rest.split_once(';').unwrap().0.parse().unwrap()).collect()
    };
    assert_eq!(numbers(&first), (3..=27).rev().collect::<Vec<_>>());
    assert!(first.contains("href=\"https://cal.example/events/past/?page=2\""));
    let second = view(&app.anonymous(), "past/?page=2").await;
    assert_eq!(numbers(&second), [2, 1]);
    assert_eq!(numbers(&view(&app.anonymous(), "list/").await), [28]);
}

/// The occurrences of a series are on their days.
#[both_stores]
async fn occurrences_are_on_their_days(app: &TestApp) {
    app.admin()
        .event(json!({
            "title": "Yoga", "start_date": "2027-03-02 19:00", "end_date": "2027-03-02 20:00", "recurrence": "FREQ=WEEKLY;COUNT=4",
        }))
        .await;
    let html = view(&app.anonymous(), "month/2027-03/").await;
    for day in ["02", "09", "16", "23"] {
        assert!(cell(&html, day).contains("<bdi class=\"p-name\">Yoga</bdi>"), "{day}");
    }
    assert_eq!(between(&html, "<tbody>", "</tbody>").matches("Yoga").count(), 4);
    let html = view(&app.anonymous(), "day/2027-03-09/").await;
    assert!(html.contains("<bdi>Yoga</bdi>"));
}
