//! Events that repeat, in calendar files.

use axum::http::Method;
use serde_json::json;
use tests::{
    app::TestApp,
    both_stores,
    client::{Client, event_fields, id},
};

use super::{file, file::Component};

const PARIS: &str = "TZID=Europe/Paris:";

/// Adds the series "Jazz night": six Tuesdays from 2027-03-02, 19:00 to 21:00 in Paris.
async fn add(app: &TestApp, more: serde_json::Value) -> i64 {
    let mut fields = event_fields(json!({
        "title": "Jazz night", "start_date": "2027-03-02 19:00", "end_date": "2027-03-02 21:00",
        "timezone": "Europe/Paris", "recurrence": "FREQ=WEEKLY;COUNT=6",
    }));
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    id(&app.admin().event(fields).await)
}

async fn patch(client: &Client, series: i64, day: &str, fields: serde_json::Value) {
    let path = format!("/events/{series}/occurrences/{day}");
    let answer = client.send_json(Method::PATCH, &path, &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

fn lines(feed: &Component, name: &str) -> Vec<Option<String>> {
    feed.events().iter().map(|event| event.line(name)).collect()
}

/// a series is one event with its rule; deleted occurrences are excluded.
#[both_stores]
async fn a_series_is_one_event(app: &TestApp) {
    let series = add(app, json!({})).await;
    let feed = file(&app.anonymous(), "/events.ics").await;
    let [event] = feed.events()[..] else { panic!("{feed:?}") };
    assert_eq!(event.line("DTSTART"), Some(format!("{PARIS}20270302T190000")));
    assert_eq!(event.get("RRULE"), Some("FREQ=WEEKLY;COUNT=6"));
    assert_eq!(event.get("EXDATE"), None);
    app.admin().delete(&format!("/events/{series}/occurrences/2027-03-16")).await;
    let feed = file(&app.anonymous(), "/events.ics").await;
    let [event] = feed.events()[..] else { panic!("{feed:?}") };
    assert_eq!(event.line("EXDATE"), Some(format!("{PARIS}20270316T190000")));
    let alone = file(&app.anonymous(), &format!("/events/{series}.ics")).await;
    assert_eq!(alone.events()[0].get("RRULE"), Some("FREQ=WEEKLY;COUNT=6"));
}

/// A series is whole in a feed: the rules of its zone go on, however long ago the window ended.
#[both_stores]
async fn the_zone_of_a_series_is_defined_behind_the_window(app: &TestApp) {
    let first = json!({
        "start_date": "2001-07-03 19:00", "end_date": "2001-07-03 21:00",
        "timezone": "America/New_York", "recurrence": "FREQ=YEARLY",
    });
    add(app, first).await;
    // The rules of New York changed in 2007.
    let window = "/events.ics?start_date=2001-01-01&end_date=2002-01-01";
    let feed = file(&app.anonymous(), window).await;
    let [zone] = feed.all("VTIMEZONE")[..] else { panic!("{feed:?}") };
    let rules = zone.components.iter().filter_map(|one| one.get("RRULE"));
    let mut endless: Vec<_> = rules.filter(|rule| !rule.contains("UNTIL")).collect();
    endless.sort_unstable();
    let [autumn, spring] = ["BYMONTH=11;BYDAY=1SU", "BYMONTH=3;BYDAY=2SU"];
    assert_eq!(endless, [autumn, spring].map(|day| format!("FREQ=YEARLY;{day}")));
}

/// occurrences that were moved or cancelled are events of their own with the same UID.
#[both_stores]
async fn own_fields_are_overrides(app: &TestApp) {
    let series = add(app, json!({})).await;
    let moved = json!({"start_date": "2027-03-17 18:00", "end_date": "2027-03-17 20:00"});
    patch(&app.admin(), series, "2027-03-16", moved).await;
    patch(&app.admin(), series, "2027-03-23", json!({"cancelled": true})).await;
    let feed = file(&app.anonymous(), "/events.ics").await;
    let uids: Vec<_> = feed.events().iter().map(|event| event.get("UID")).collect();
    assert_eq!(uids, [uids[0]; 3]);
    let slot = |time: &str| Some(format!("{PARIS}{time}"));
    assert_eq!(
        lines(&feed, "RECURRENCE-ID"),
        [None, slot("20270316T190000"), slot("20270323T190000")]
    );
    assert_eq!(
        lines(&feed, "DTSTART"),
        [slot("20270302T190000"), slot("20270317T180000"), slot("20270323T190000")]
    );
    let states: Vec<_> = feed.events().iter().map(|event| event.get("STATUS")).collect();
    assert_eq!(states, [Some("CONFIRMED"), Some("CONFIRMED"), Some("CANCELLED")]);
}

/// an occurrence whose length by the clock is another elapsed time is an event of its own.
#[both_stores]
async fn a_change_of_time_is_an_override(app: &TestApp) {
    let times = json!({"start_date": "2027-02-26 18:00", "end_date": "2027-02-28 16:00",
        "recurrence": "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3"});
    add(app, times).await;
    let feed = file(&app.anonymous(), "/events.ics").await;
    let ends = lines(&feed, "DTEND");
    let end = |time: &str| Some(format!("{PARIS}{time}"));
    assert_eq!(ends, [end("20270228T160000"), end("20270328T160000")]);
    assert_eq!(lines(&feed, "RECURRENCE-ID")[1], end("20270326T180000"));
}

/// A filter that holds only some occurrences leaves the others out.
#[both_stores]
async fn other_filters_than_dates_choose_occurrences(app: &TestApp) {
    let series = add(app, json!({})).await;
    patch(&app.admin(), series, "2027-03-16", json!({"title": "Trio"})).await;
    let feed = file(&app.anonymous(), "/events.ics?search=trio").await;
    assert_eq!(lines(&feed, "RECURRENCE-ID")[1], Some(format!("{PARIS}20270316T190000")));
    assert_eq!(feed.events()[0].get("RRULE"), None);
    assert_eq!(feed.events()[0].line("RDATE"), Some(format!("{PARIS}20270316T190000")));
    assert_eq!(feed.events()[0].line("EXDATE"), Some(format!("{PARIS}20270302T190000")));
    let feed = file(&app.anonymous(), "/events.ics?search=jazz").await;
    assert_eq!(feed.titles(), ["Jazz night"]);
    assert_eq!(feed.events()[0].line("EXDATE"), Some(format!("{PARIS}20270316T190000")));
    // A window holds a series whole.
    let march = "/events.ics?start_date=2027-03-20&end_date=2027-03-25";
    assert_eq!(
        file(&app.anonymous(), march).await.events()[0].get("RRULE"),
        Some("FREQ=WEEKLY;COUNT=6")
    );
    let april = "/events.ics?start_date=2027-05-01&end_date=2027-05-30";
    assert_eq!(file(&app.anonymous(), april).await.events().len(), 0);
}

/// Hidden occurrences are excluded for readers of public lists.
#[both_stores]
async fn hidden_occurrences_are_left_out(app: &TestApp) {
    let series = add(app, json!({})).await;
    patch(
        &app.admin(),
        series,
        "2027-03-16",
        json!({"hide_from_listings": true, "title": "Canary"}),
    )
    .await;
    let feed = app.anonymous().get("/events.ics").await.text();
    assert!(!feed.contains("Canary"));
    let feed = Component::read(&feed);
    let [event] = feed.events()[..] else { panic!("{feed:?}") };
    assert_eq!(event.line("EXDATE"), Some(format!("{PARIS}20270316T190000")));
}

/// An occurrence by itself is an event without a rule, whose UID names its slot.
#[both_stores]
async fn an_occurrence_is_a_file(app: &TestApp) {
    let series = add(app, json!({})).await;
    let whole = file(&app.anonymous(), &format!("/events/{series}.ics")).await;
    let uid = format!("20270316T190000.{}", whole.events()[0].get("UID").unwrap());
    let slug = "/events/by-slug/jazz-night~2027-03-16.ics";
    let plain = file(&app.anonymous(), slug).await;
    patch(&app.admin(), series, "2027-03-16", json!({"title": "Trio"})).await;
    let own = file(&app.anonymous(), slug).await;
    for (file, title) in [(plain, "Jazz night"), (own, "Trio")] {
        let [event] = file.events()[..] else { panic!("{file:?}") };
        assert_eq!((event.get("UID"), event.get("SUMMARY")), (Some(&*uid), Some(title)));
        assert_eq!((event.get("RRULE"), event.get("RECURRENCE-ID")), (None, None));
        assert_eq!(event.line("DTSTART"), Some(format!("{PARIS}20270316T190000")));
    }
}
