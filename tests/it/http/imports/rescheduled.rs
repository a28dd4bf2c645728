//! Events that a later file moves to another start.

use serde_json::Value;
use tests::{app::TestApp, both_stores, client::id};

use super::{calendar, event, import, only};

/// The file of an event that begins at an hour.
fn file(hour: u32, sequence: u32, title: &str) -> String {
    let lines = [
        format!("DTSTART;TZID=Europe/Paris:20300310T{hour:02}0000"),
        format!("DTEND;TZID=Europe/Paris:20300310T{:02}0000", hour + 1),
        format!("SEQUENCE:{sequence}"),
        format!("SUMMARY:{title}"),
    ];
    calendar(&[event("1@x", &lines.each_ref().map(String::as_str))])
}

/// A file with a higher SEQUENCE announces a move; any other one moves the event in silence.
#[both_stores]
async fn only_a_higher_sequence_announces_a_move(app: &TestApp) {
    let previous = async || only(&app.anonymous()).await.get("previous_start_date").cloned();
    import(&app.editor(), file(9, 1, "Fair")).await;
    for (hour, sequence, title, expected) in [
        (11, 1, "Fair", None),
        (13, 2, "Fair", Some("2030-03-10 11:00:00")),
        (13, 3, "Great fair", Some("2030-03-10 11:00:00")),
        (15, 3, "Great fair", Some("2030-03-10 11:00:00")),
        // Whoever moves it back: it is where it was.
        (11, 3, "Fair", None),
    ] {
        import(&app.editor(), file(hour, sequence, title)).await;
        assert_eq!(previous().await, expected.map(Value::from), "{hour} {sequence}");
    }
}

/// Tables have no SEQUENCE.
#[both_stores]
async fn tables_move_events_in_silence(app: &TestApp) {
    for hour in [9, 15] {
        let table = format!("uid,title,start_date\na@x,Fair,2030-03-10 {hour:02}:00\n");
        let body = Some(("text/csv; charset=utf-8", table.into_bytes()));
        let sent = app.editor().send(axum::http::Method::POST, "/imports", body).await;
        assert_eq!(sent.status, 200, "{}", sent.text());
        assert_eq!(only(&app.anonymous()).await.get("previous_start_date"), None, "{hour}");
    }
    assert_eq!(only(&app.anonymous()).await["start_date"], "2030-03-10 15:00:00");
}

/// The series of three Tuesdays at 19:00, of which the second one begins at another hour.
fn series(sequence: u32, title: &str, second: Option<u32>) -> String {
    let whole = [
        "DTSTART;TZID=Europe/Paris:20270302T190000".to_owned(),
        "DTEND;TZID=Europe/Paris:20270302T200000".to_owned(),
        "RRULE:FREQ=WEEKLY;COUNT=3".to_owned(),
        format!("SUMMARY:{title}"),
        format!("SEQUENCE:{sequence}"),
    ];
    let mut events = vec![event("jazz", &whole.each_ref().map(String::as_str))];
    if let Some(hour) = second {
        let own = [
            "RECURRENCE-ID;TZID=Europe/Paris:20270309T190000".to_owned(),
            format!("DTSTART;TZID=Europe/Paris:20270309T{hour}0000"),
            format!("DTEND;TZID=Europe/Paris:20270309T{}0000", hour + 1),
            format!("SUMMARY:{title}"),
            format!("SEQUENCE:{sequence}"),
        ];
        events.push(event("jazz", &own.each_ref().map(String::as_str)));
    }
    calendar(&events)
}

/// The previous start of the second occurrence.
async fn previous_of_second(app: &TestApp) -> Option<Value> {
    let list = app.anonymous().get("/events?start_date=2027-03-09&end_date=2027-03-10").await;
    let [second] = &list.ids()[..] else { panic!("{}", list.text()) };
    let second = app.anonymous().get(&format!("/events/{second}")).await.json();
    assert_eq!(second["series"]["recurrence_id"], "2027-03-09T19:00:00", "{}", id(&second));
    second.get("previous_start_date").cloned()
}

/// An occurrence is moved by a file with a higher SEQUENCE, and stays so in the next files.
#[both_stores]
async fn occurrences_are_moved(app: &TestApp) {
    let told = Some(Value::from("2027-03-09 19:00:00"));
    for (sequence, title, second, expected) in [
        (0, "Jazz", None, None),
        (1, "Jazz", Some(21), told.clone()),
        (2, "Late jazz", Some(21), told.clone()),
        (3, "Late jazz", Some(20), told),
        (4, "Late jazz", None, None),
    ] {
        import(&app.editor(), series(sequence, title, second)).await;
        assert_eq!(previous_of_second(app).await, expected, "{sequence}");
    }
}

/// An occurrence that came with a time of its own was not moved.
#[both_stores]
async fn occurrences_with_their_own_time_are_not_moved(app: &TestApp) {
    for (sequence, title) in [(0, "Jazz"), (1, "Late jazz")] {
        import(&app.editor(), series(sequence, title, Some(21))).await;
        assert_eq!(previous_of_second(app).await, None, "{sequence}");
    }
}
