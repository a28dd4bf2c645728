//! The warning before an event that looks like another one.

use domain::Role;
use serde_json::json;
use tests::{app::TestApp, both_stores};

use super::{Browser, form_of};

fn jazz(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let fields = [
        ("title", "Jazz  NIGHT"),
        ("start_date", "2027-03-09T21:00"),
        ("end_date", "2027-03-09T22:00"),
        ("timezone", "Europe/Paris"),
        ("venue", "old mill"),
        ("status", "publish"),
    ];
    let sent = |name: &str| more.iter().any(|(one, _)| *one == name);
    let fields = fields.into_iter().filter(|(name, _)| !sent(name));
    fields.chain(more.iter().copied()).collect()
}

async fn total(app: &TestApp) -> i64 {
    app.editor().get("/events?start_date=2027-01-01").await.json()["total"].as_i64().unwrap()
}

/// Nothing is stored before the person says so; other days, titles and venues are no reason to ask.
#[both_stores]
async fn the_form_asks_before_an_event_is_entered_twice(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let event = json!({"title": "Jazz night", "start_date": "2027-03-09 19:00:00", "end_date":
        "2027-03-09 21:00:00", "timezone": "Europe/Paris", "venue": {"venue": "Old Mill"}});
    let first = app.editor().event(event).await["id"].clone();
    let answer = browser.post("//desk/event/new", &jazz(&[])).await;
    let html = answer.text();
    assert_eq!(answer.status, 409, "{html}");
    assert!(html.contains(&format!("/desk/event/{first}\"")) && html.contains("name=\"anyway\""));
    assert!(
        html.contains("value=\"Jazz  NIGHT\"") && html.contains("value=\"old mill\""),
        "{html}"
    );
    assert_eq!(total(app).await, 1);
    for more in [
        [("venue", ""), ("slug", "")],
        [("title", "Night: jazz"), ("slug", "")],
        [("title", "Jazz nihgt"), ("slug", "")],
    ] {
        let answer = browser.post("//desk/event/new", &jazz(&more)).await;
        assert_eq!(answer.status, 409, "{more:?}: {}", answer.text());
    }

    for more in [
        [("start_date", "2027-03-10T19:00"), ("end_date", "2027-03-10T21:00")],
        [("title", "Jazz"), ("slug", "")],
        [("venue", "New Mill"), ("slug", "")],
        [("anyway", "1"), ("slug", "")],
    ] {
        let answer = browser.post("//desk/event/new", &jazz(&more)).await;
        assert_eq!(answer.status, 303, "{more:?}: {}", answer.text());
    }
    assert_eq!(total(app).await, 5);

    // A change that makes two events alike asks, too; one that does not touch them, not.
    let id =
        app.editor().get("/events?search=jazz&venue=2").await.json()["events"][0]["id"].clone();
    let path = format!("//desk/event/{id}");
    let html = browser.get(&path).await.text();
    let summary = form_of(&html, &[("excerpt", "Loud")]);
    assert_eq!(browser.post(&path, &summary).await.status, 303);
    let html = browser.get(&path).await.text();
    let moved = form_of(&html, &[("venue", "Old Mill")]);
    assert_eq!(browser.post(&path, &moved).await.status, 409);
    let moved = [moved, vec![("anyway", "1")]].concat();
    assert_eq!(browser.post(&path, &moved).await.status, 303);
}

/// The warning says nothing of events that the person may not read.
#[both_stores]
async fn drafts_of_others_are_no_reason_to_ask(app: &TestApp) {
    for (title, more) in [
        ("Canary draft", json!({"status": "draft"})),
        ("Canary private", json!({"status": "private"})),
        ("Canary hidden", json!({"hide_from_listings": true})),
        ("Canary later", json!({"date": "2027-02-01 09:00:00"})),
    ] {
        let mut event = json!({"title": title, "start_date": "2027-03-09 19:00:00",
            "end_date": "2027-03-09 21:00:00", "timezone": "Europe/Paris"});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        app.editor().event(event).await;
        for role in [Role::Contributor, Role::Author] {
            let name = format!("{}-{role}", title.split(' ').nth(1).unwrap());
            let mut browser = Browser::of(app, &name, role).await;
            let fields = jazz(&[("title", title), ("venue", ""), ("status", "draft")]);
            let answer = browser.post("//desk/event/new", &fields).await;
            assert_eq!(answer.status, 303, "{title}: {}", answer.text());
        }
        let mut editor =
            Browser::of(app, &format!("{}-editor", title.replace(' ', "")), Role::Editor).await;
        let fields = jazz(&[("title", title), ("venue", "")]);
        assert_eq!(editor.post("//desk/event/new", &fields).await.status, 409, "{title}");
    }
}

/// A series is not warned of its own dates.
#[both_stores]
async fn a_series_does_not_look_like_itself(app: &TestApp) {
    let mut browser = Browser::of(app, "grace", Role::Editor).await;
    let fields = jazz(&[("repeats", "daily"), ("ends", "count"), ("times", "3")]);
    assert_eq!(browser.post("//desk/event/new", &fields).await.status, 303);
    let html = browser.get("//desk/event/1").await.text();
    let fields = form_of(&html, &[("title", "Jazz night!"), ("start_date", "2027-03-09T20:00")]);
    assert_eq!(browser.post("//desk/event/1", &fields).await.status, 303);
    let html = browser.get("//desk/event/2").await.text();
    let fields = form_of(&html, &[("title", "Jazz night?"), ("scope", "all")]);
    let answer = browser.post("//desk/event/2", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    // Another event on the day of an occurrence looks like it.
    let fields = jazz(&[("title", "Jazz night?"), ("start_date", "2027-03-10T08:00")]);
    let fields = [fields, vec![("end_date", "2027-03-10T09:00")]].concat();
    assert_eq!(browser.post("//desk/event/new", &fields).await.status, 409);
}
