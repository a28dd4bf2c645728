//! Single dates of a series.

use domain::Role;
use serde_json::{Value, json};
use tests::{app::TestApp, both_stores};

use super::{Browser, form_of};

/// A series of four Tuesdays, and the forms of its dates.
async fn jazz(app: &TestApp, browser: &Browser<'_>) -> (String, Vec<String>) {
    let event = json!({"title": "Jazz night", "start_date": "2027-03-09 19:00:00", "end_date":
        "2027-03-09 21:00:00", "timezone": "Europe/Paris", "recurrence": "FREQ=WEEKLY;COUNT=4"});
    let id = app.editor().event(event).await["id"].clone();
    let series = format!("//desk/event/{id}");
    let html = browser.get(&format!("{series}/dates")).await.text();
    let links = html.split("<td><a href=\"").skip(1);
    let path = |link: &str| {
        let url = link.split('"').next().unwrap();
        format!("//desk{}", url.split("/desk").nth(1).unwrap())
    };
    (series, links.map(path).collect())
}

/// Start, title, and whether it is cancelled, of each date.
async fn dates(app: &TestApp) -> Vec<(String, String, bool)> {
    let list = app.anonymous().get("/events?start_date=2027-01-01&per_page=50").await.json();
    let events = list["events"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let one = |event: &Value| {
        let start = text(&event["start_date"])[5..16].to_owned();
        (start, text(&event["title"]), event["cancelled"] == true)
    };
    events.map(one).collect()
}

fn expect(dates: &[(&str, &str, bool)]) -> Vec<(String, String, bool)> {
    let one = |(start, title, cancelled): &(&str, &str, bool)| {
        ((*start).to_owned(), (*title).to_owned(), *cancelled)
    };
    dates.iter().map(one).collect()
}

/// The form of a date changes that date, it and all later ones, or all.
#[both_stores]
async fn a_change_concerns_the_dates_that_are_chosen(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let (series, forms) = jazz(app, &browser).await;
    assert_eq!(forms.len(), 4);
    let html = browser.get(&forms[1]).await.text();
    assert!(
        html.contains("value=\"this\" checked") && !html.contains("name=\"repeats\""),
        "{html}"
    );
    assert!(html.contains(&format!("{}\"", series.replace("//desk", "/desk"))), "{html}");

    // This one alone: another time, another title.
    let fields = form_of(
        &html,
        &[
            ("scope", "this"),
            ("title", "Jazz for children"),
            ("start_date", "2027-03-17T15:00"),
            ("end_date", "2027-03-17T16:00"),
        ],
    );
    let answer = browser.post(&forms[1], &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let expected = [
        ("03-09 19:00", "Jazz night", false),
        ("03-17 15:00", "Jazz for children", false),
        ("03-23 19:00", "Jazz night", false),
        ("03-30 19:00", "Jazz night", false),
    ];
    assert_eq!(dates(app).await, expect(&expected));
    let html = browser.get(&format!("{series}/dates")).await.text();
    assert_eq!(html.matches("name=\"follow\"").count(), 1, "{html}");
    assert!(html.contains("Jazz for children") && html.contains("Wednesday 17 March 2027, 15:00"));
    let html = browser.get(&series).await.text();
    assert!(html.contains("Jazz for children") && html.contains("· changed"), "{html}");

    // Cancelled, by its form.
    let html = browser.get(&forms[0]).await.text();
    let fields = form_of(&html, &[("scope", "this"), ("cancelled", "1")]);
    assert_eq!(browser.post(&forms[0], &fields).await.status, 303);
    assert_eq!(dates(app).await[0], expect(&[("03-09 19:00", "Jazz night", true)])[0]);

    // All dates: another title, which the changed date keeps from its own.
    let html = browser.get(&forms[3]).await.text();
    let fields = form_of(&html, &[("scope", "all"), ("title", "Blues night")]);
    let answer = browser.post(&forms[3], &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let expected = [
        ("03-09 19:00", "Blues night", true),
        ("03-17 15:00", "Jazz for children", false),
        ("03-23 19:00", "Blues night", false),
        ("03-30 19:00", "Blues night", false),
    ];
    assert_eq!(dates(app).await, expect(&expected));

    // From here on: an hour later.
    let html = browser.get(&forms[2]).await.text();
    let fields = form_of(
        &html,
        &[
            ("scope", "following"),
            ("start_date", "2027-03-23T20:00"),
            ("end_date", "2027-03-23T22:00"),
        ],
    );
    let answer = browser.post(&forms[2], &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let expected = [
        ("03-09 19:00", "Blues night", true),
        ("03-17 15:00", "Jazz for children", false),
        ("03-23 20:00", "Blues night", false),
        ("03-30 20:00", "Blues night", false),
    ];
    assert_eq!(dates(app).await, expect(&expected));
}

/// A date is cancelled from the list, held after all, and made as the series.
#[both_stores]
async fn one_date_is_cancelled(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let (series, forms) = jazz(app, &browser).await;
    let list = format!("{series}/dates");
    let second = forms[1].rsplit('/').next().unwrap();
    assert_eq!(browser.post(&list, &[("cancel", second)]).await.status, 303);
    let cancelled =
        |dates: &[(String, String, bool)]| dates.iter().map(|one| one.2).collect::<Vec<_>>();
    assert_eq!(cancelled(&dates(app).await), [false, true, false, false]);
    assert!(browser.get(&list).await.text().contains("<strong>cancelled</strong>"));
    for action in ["hold", "cancel", "follow"] {
        assert_eq!(browser.post(&list, &[(action, second)]).await.status, 303);
        let expected = [false, action == "cancel", false, false];
        assert_eq!(cancelled(&dates(app).await), expected, "{action}");
    }
    let past = browser.get(&format!("{list}?past=1")).await.text();
    assert!(past.contains("Nothing is here."), "{past}");

    // Not by people who may not change it, and not as a date of another event.
    let event = json!({"title": "Fair", "start_date": "2027-03-09", "end_date": "2027-03-09"});
    let other = app.editor().event(event).await["id"].clone();
    let foreign = format!("//desk/event/{other}/dates");
    assert_eq!(browser.get(&foreign).await.status, 404);
    assert_eq!(browser.post(&foreign, &[("cancel", second)]).await.status, 404);
    let mut author = Browser::of(app, "linus", Role::Author).await;
    let page = author.get(&list).await;
    assert!(matches!(page.status, 403 | 404) && !page.text().contains("Jazz"));
    assert!(matches!(author.post(&list, &[("cancel", second)]).await.status, 403 | 404));
    assert_eq!(cancelled(&dates(app).await), [false; 5]);
}
