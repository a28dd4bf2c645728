//! The pages of series and occurrences.

use serde_json::json;
use tests::{app::TestApp, both_stores, for_each_row};

use super::{jazz, patched};

/// The text of a page, whose path is not below the namespace.
async fn page(app: &TestApp, path: &str) -> String {
    let answer = app.anonymous().get(&format!("/{path}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text()
}

/// The page of a series shows its days and links to its next dates.
#[both_stores]
async fn the_page_of_a_series(app: &TestApp) {
    let series = jazz(app).await;
    app.clock.set("2027-03-10 12:00:00");
    for (prefix, heading) in
        [("", "Next dates"), ("/fr", "Prochaines dates"), ("/ar", "المواعيد القادمة")]
    {
        let html = page(app, &format!("{prefix}/event/jazz-night/")).await;
        assert!(html.contains(heading), "{html}");
        for day in ["2027-03-16", "2027-04-06"] {
            let link = format!("https://cal.example{prefix}/event/jazz-night~{day}/");
            assert!(html.contains(&link), "{link}");
        }
        assert!(!html.contains("jazz-night~2027-03-09"), "a date that is over");
    }
    let html = page(app, "/event/jazz-night/").await;
    assert!(html.contains("<time datetime=\"2027-04-06\">Tuesday 6 April 2027</time>"), "{html}");
    assert!(html.contains("EventSeries") && !html.contains("This event is over."));
    app.clock.set("2027-05-01 12:00:00");
    let html = page(app, "/event/jazz-night/").await;
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
        let html = page(app, &format!("{prefix}/event/jazz-night~2027-03-16/")).await;
        let link = format!(
            "<a href=\"https://cal.example{prefix}/event/jazz-night/\"><bdi>Jazz night</bdi>"
        );
        assert!(html.contains(label) && html.contains(&link), "{html}");
        assert!(html.contains("Trio"), "{html}");
    }
    let home = page(app, "/").await;
    assert!(home.contains("https://cal.example/event/jazz-night~2027-03-02/"), "{home}");
}

/// Addresses of a series and a day lead to the page of the occurrence.
#[both_stores]
async fn addresses_with_a_day(app: &TestApp) {
    jazz(app).await;
    let rows = [
        ("/event/jazz-night/2027-03-16/", "/event/jazz-night~2027-03-16/"),
        ("/event/jazz-night/2027-03-16", "/event/jazz-night~2027-03-16/"),
        ("/event/jazz-night/?eventDate=2027-03-16", "/event/jazz-night~2027-03-16/"),
        ("/fr/event/jazz-night/2027-03-16/", "/fr/event/jazz-night~2027-03-16/"),
        ("/fr/event/jazz-night/?eventDate=2027-03-16", "/fr/event/jazz-night~2027-03-16/"),
    ];
    for_each_row(rows, async |(path, target)| {
        let answer = app.anonymous().get(&format!("/{path}")).await;
        assert_eq!(answer.status, 301, "{}", answer.text());
        assert_eq!(answer.header("location"), format!("https://cal.example{target}"));
    })
    .await;
    let none =
        ["/event/jazz-night/2027-03-17/", "/event/jazz-night/x/", "/event/other/2027-03-16/"];
    for_each_row(none, async |path| {
        assert_eq!(app.anonymous().get(&format!("/{path}")).await.status, 404);
    })
    .await;
    // A day without an occurrence shows the series.
    page(app, "/event/jazz-night/?eventDate=2027-03-17").await;
}
