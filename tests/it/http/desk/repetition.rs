//! The repetition of an event in plain words, and its preview.

use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::Browser;

/// The fields of a form with a repetition.
fn jazz(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let fields = [
        ("title", "Jazz night"),
        ("start_date", "2027-03-09T19:00"),
        ("end_date", "2027-03-09T21:00"),
        ("timezone", "Europe/Paris"),
        ("status", "publish"),
        ("ends", "never"),
        ("every", "1"),
        ("recurrence", ""),
    ];
    let sent = |name: &str| more.iter().any(|(one, _)| *one == name);
    let fields = fields.into_iter().filter(|(name, _)| !sent(name));
    fields.chain(more.iter().copied()).collect()
}

async fn starts(app: &TestApp) -> Vec<String> {
    let list = app.anonymous().get("/events?start_date=2027-01-01&per_page=50").await.json();
    let events = list["events"].as_array().unwrap().iter();
    events.map(|event| event["start_date"].as_str().unwrap()[..10].to_owned()).collect()
}

fn id(location: &str) -> String {
    let path = location.split('?').next().unwrap();
    path.rsplit('/').next().unwrap().to_owned()
}

/// The value and the state of the choices of a form.
fn chosen(html: &str, value: &str) -> bool {
    html.contains(&format!("value=\"{value}\" selected"))
        || html.contains(&format!("value=\"{value}\" checked"))
}

/// Plain fields make a rule; the form of the series says it again, and changes nothing when it is sent as it is.
#[both_stores]
async fn a_repetition_is_said_in_plain_words(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let fields = jazz(&[("repeats", "monthly-weekday"), ("ends", "count"), ("times", "3")]);
    let answer = browser.post("//desk/event/new", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(starts(app).await, ["2027-03-09", "2027-04-13", "2027-05-11"]);
    let path = format!("//desk/event/{}", id(answer.header("location")));
    let html = browser.get(&path).await.text();
    assert!(chosen(&html, "monthly-weekday") && chosen(&html, "count"), "{html}");
    assert!(html.contains("name=\"times\" value=\"3\""), "{html}");

    // A picked date and another weekday: the second Thursday, in turn.
    let fields = jazz(&[
        ("repeats", "monthly-weekday"),
        ("ends", "count"),
        ("times", "3"),
        ("start_date", "2027-03-11T19:00"),
        ("end_date", "2027-03-11T21:00"),
        ("slug", "jazz-night"),
    ]);
    assert_eq!(browser.post(&path, &fields).await.status, 303);
    assert_eq!(starts(app).await, ["2027-03-11", "2027-04-08", "2027-05-13"]);

    let fields = jazz(&[
        ("repeats", "weekly"),
        ("on", "th"),
        ("on", "sa"),
        ("ends", "until"),
        ("until", "2027-03-20"),
        ("start_date", "2027-03-11T19:00"),
        ("end_date", "2027-03-11T21:00"),
    ]);
    assert_eq!(browser.post(&path, &fields).await.status, 303);
    assert_eq!(starts(app).await, ["2027-03-11", "2027-03-13", "2027-03-18", "2027-03-20"]);
    let html = browser.get(&path).await.text();
    assert!(chosen(&html, "weekly") && chosen(&html, "th") && chosen(&html, "sa"), "{html}");
    assert!(!chosen(&html, "tu") && html.contains("value=\"2027-03-20\""), "{html}");

    let fields = [
        ("repeats", "never"),
        ("start_date", "2027-03-11T19:00"),
        ("end_date", "2027-03-11T21:00"),
    ];
    assert_eq!(browser.post(&path, &jazz(&fields)).await.status, 303);
    assert_eq!(starts(app).await, ["2027-03-11"]);
}

/// A rule that plain fields cannot say stays as it is.
#[both_stores]
async fn another_rule_stays_as_it_is(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let event = json!({"title": "Jazz night", "start_date": "2027-03-09 19:00:00",
        "end_date": "2027-03-09 21:00:00", "timezone": "Europe/Paris", "recurrence":
        ["RRULE:FREQ=MONTHLY;COUNT=4;BYMONTHDAY=9,20", "EXDATE:20270320T190000"]});
    let made = app.editor().event(event).await;
    let before = starts(app).await;
    assert_eq!(before, ["2027-03-09", "2027-04-09", "2027-04-20"]);
    let path = format!("//desk/event/{}", made["id"]);
    let html = browser.get(&path).await.text();
    assert!(chosen(&html, "other") && html.contains("BYMONTHDAY=9,20\nEXDATE"), "{html}");
    let lines =
        "RRULE:FREQ=MONTHLY;COUNT=4;BYMONTHDAY=9,20\r\nEXDATE;TZID=Europe/Paris:20270320T190000";
    let same = jazz(&[("repeats", "other"), ("recurrence", lines), ("title", "Blues night")]);
    assert_eq!(browser.post(&path, &same).await.status, 303);
    assert_eq!(starts(app).await, before);
    // A plain rule keeps the dates beside the rule.
    let daily = jazz(&[("repeats", "daily"), ("every", "11"), ("ends", "count"), ("times", "3")]);
    assert_eq!(browser.post(&path, &daily).await.status, 303);
    assert_eq!(starts(app).await, ["2027-03-09", "2027-03-31"]);
}

/// A preview stores nothing, says the rule and the dates, and keeps what was typed.
#[both_stores]
async fn a_preview_stores_nothing(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let fields =
        jazz(&[("repeats", "weekly"), ("every", "2"), ("venue", "Old Mill"), ("preview", "1")]);
    let answer = browser.post("//desk/event/new", &fields).await;
    let html = answer.text();
    assert_eq!(answer.status, 200, "{html}");
    assert!(html.contains("every second Tuesday, 19:00 to 21:00"), "{html}");
    let dates = html.split("<ol>").nth(1).unwrap().split("</ol>").next().unwrap();
    assert_eq!(dates.matches("<li>").count(), 10, "{dates}");
    assert!(
        dates.contains("Tuesday 23 March 2027, 19:00") && !dates.contains("16 March"),
        "{dates}"
    );
    assert!(html.contains("value=\"Old Mill\"") && chosen(&html, "weekly"), "{html}");
    assert!(starts(app).await.is_empty());
    assert_eq!(app.anonymous().get("/venues").await.json()["total"], 0);

    for (more, input) in [
        ([("every", "often"), ("repeats", "daily")], "every"),
        ([("every", "1001"), ("repeats", "daily")], "every"),
        ([("ends", "until"), ("repeats", "yearly")], "until"),
        ([("ends", "count"), ("repeats", "yearly")], "times"),
        ([("repeats", "other"), ("recurrence", "FREQ=HOURLY")], "recurrence"),
        ([("repeats", "daily"), ("start_date", "")], "start_date"),
    ] {
        let fields = [jazz(&more), vec![("preview", "1")]].concat();
        let answer = browser.post("//desk/event/new", &fields).await;
        let html = answer.text();
        assert_eq!(answer.status, 400, "{input}");
        assert!(html.contains(&format!("href=\"#{input}\"")), "{input}: {html}");
        assert!(html.contains("aria-invalid") && html.contains("Jazz night"), "{input}: {html}");
    }
    assert!(starts(app).await.is_empty());

    // The preview of a stored series keeps its rule.
    let stored = jazz(&[("repeats", "daily"), ("ends", "count"), ("times", "2")]);
    let answer = browser.post("//desk/event/new", &stored).await;
    let path = format!("//desk/event/{}", id(answer.header("location")));
    let longer = jazz(&[("repeats", "daily"), ("ends", "count"), ("times", "4"), ("preview", "1")]);
    let answer = browser.post(&path, &longer).await;
    assert!(answer.text().contains("every day, 19:00 to 21:00, 4 times"), "{}", answer.text());
    assert_eq!(starts(app).await.len(), 2);
}
