//! Events of calendar files that repeat.

use serde_json::{Value, json};
use tests::{app::TestApp, both_stores, client::Client};

use super::{calendar, event, events, findings, import, numbers};

/// A series of six Tuesdays from 2027-03-02, 19:00 to 21:00 in Paris; with these lines.
fn jazz(lines: &[&str]) -> String {
    let own = [
        "SUMMARY:Jazz night",
        "DTSTART;TZID=Europe/Paris:20270302T190000",
        "DTEND;TZID=Europe/Paris:20270302T210000",
        "RRULE:FREQ=WEEKLY;COUNT=6",
    ];
    event("jazz", &[&own[..], lines].concat())
}

/// The occurrence of a slot, by default at 20:00; with these lines.
fn on(slot: &str, lines: &[&str]) -> String {
    let id = format!("RECURRENCE-ID;TZID=Europe/Paris:{slot}T190000");
    let own = [
        id,
        "SUMMARY:Jazz night".to_owned(),
        format!("DTSTART;TZID=Europe/Paris:{slot}T200000"),
        format!("DTEND;TZID=Europe/Paris:{slot}T220000"),
    ];
    let own = own.iter().map(String::as_str);
    let name = |line: &str| line.split([':', ';']).next().unwrap_or_default().to_owned();
    let own = own.filter(|one| !lines.iter().any(|line| name(line) == name(one)));
    event("jazz", &own.chain(lines.iter().copied()).collect::<Vec<_>>())
}

/// The starts of all events in their order, with titles other than `Jazz night`, and `off` if they are
/// called off.
async fn starts(client: &Client) -> Vec<String> {
    let mut events = events(client).await;
    events.sort_by_key(|event| event["utc_start_date"].to_string());
    let text = |event: &Value| {
        let mut text = event["start_date"].as_str().unwrap()[5..16].to_owned();
        if event["title"] != "Jazz night" {
            text = format!("{text} {}", event["title"].as_str().unwrap());
        }
        if event["cancelled"] == true {
            text += " off";
        }
        text
    };
    events.iter().map(text).collect()
}

/// A series with deleted, moved, renamed and cancelled occurrences, whose components stand apart.
#[both_stores]
async fn components_of_a_uid_are_a_series(app: &TestApp) {
    let file = calendar(&[
        on("20270309", &["SUMMARY:Trio"]),
        event("other", &["DTSTART:20270501T100000Z", "DTEND:20270501T110000Z", "SUMMARY:Fair"]),
        jazz(&[
            "EXDATE;TZID=Europe/Paris:20270316T190000",
            "RDATE;TZID=Europe/Paris:20270320T150000",
        ]),
        on("20270323", &["STATUS:CANCELLED", "DTSTART;TZID=Europe/Paris:20270323T190000"]),
    ]);
    let report = import(&app.editor(), &*file).await;
    assert_eq!((numbers(&report), report["read"].as_u64()), ([2, 0, 0, 0, 0], Some(2)));
    let expected = [
        "03-02 19:00",
        "03-09 20:00 Trio",
        "03-20 15:00",
        "03-23 19:00 off",
        "03-30 19:00",
        "04-06 19:00",
        "05-01 10:00 Fair",
    ];
    assert_eq!(starts(&app.anonymous()).await, expected);
    assert_eq!(numbers(&import(&app.editor(), file).await), [0, 0, 2, 0, 0]);
    let series = app.anonymous().get("/events/by-slug/jazz-night").await.json();
    assert_eq!(series["recurrence"]["rrule"], "FREQ=WEEKLY;COUNT=6");
    // A newer file: occurrences keep their IDs, and an override that is gone is undone.
    let before = events(&app.anonymous()).await;
    let newer = calendar(&[jazz(&["SEQUENCE:3"]), on("20270330", &["SEQUENCE:3"])]);
    assert_eq!(numbers(&import(&app.editor(), newer).await), [0, 1, 0, 0, 0]);
    assert_eq!(
        starts(&app.anonymous()).await,
        [
            "03-02 19:00",
            "03-09 19:00",
            "03-16 19:00",
            "03-23 19:00",
            "03-30 20:00",
            "04-06 19:00",
            "05-01 10:00 Fair",
        ]
    );
    let after = events(&app.anonymous()).await;
    let id_on = |events: &[Value], slot: &str| {
        let found = events.iter().find(|event| event["series"]["recurrence_id"] == slot);
        found.unwrap()["id"].clone()
    };
    let slot = "2027-03-09T19:00:00";
    assert_eq!(id_on(&before, slot), id_on(&after, slot));
}

/// THISANDFUTURE splits a series; an orphaned RECURRENCE-ID is an extra date.
#[both_stores]
async fn splits_and_orphans(app: &TestApp) {
    let file = calendar(&[
        jazz(&[]),
        on("20270404", &["SUMMARY:Sunday"]),
        event(
            "jazz",
            &[
                "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Paris:20270323T190000",
                "DTSTART;TZID=Europe/Paris:20270323T183000",
                "DTEND;TZID=Europe/Paris:20270323T203000",
                "SUMMARY:Early jazz",
            ],
        ),
    ]);
    let report = import(&app.editor(), &*file).await;
    assert_eq!(numbers(&report), [1, 0, 0, 0, 0], "{report}");
    let expected = [
        "03-02 19:00",
        "03-09 19:00",
        "03-16 19:00",
        "03-23 18:30 Early jazz",
        "03-30 18:30 Early jazz",
        "04-04 20:00 Sunday",
        "04-06 18:30 Early jazz",
    ];
    assert_eq!(starts(&app.anonymous()).await, expected);
    assert_eq!(numbers(&import(&app.editor(), &*file).await), [0, 0, 1, 0, 0]);
    let newer =
        file.replace("Early jazz", "Earlier jazz").replace("UID:jazz", "UID:jazz\r\nSEQUENCE:1");
    assert_eq!(numbers(&import(&app.editor(), newer).await), [0, 1, 0, 0, 0]);
    let expected = expected.map(|one| one.replace("Early", "Earlier"));
    assert_eq!(starts(&app.anonymous()).await, expected);
    let off = "BEGIN:VEVENT\r\nUID:jazz\r\nDTSTART:20270302T180000Z\r\nSEQUENCE:2\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n";
    assert_eq!(numbers(&import(&app.editor(), off).await), [0, 0, 0, 1, 0]);
    assert!(starts(&app.anonymous()).await.is_empty());
}

/// Occurrences alone become an event with extra dates; of a known series, they change single occurrences.
#[both_stores]
async fn occurrences_without_their_series(app: &TestApp) {
    let file = calendar(&[on("20270309", &[]), on("20270316", &["SUMMARY:Trio"])]);
    assert_eq!(numbers(&import(&app.editor(), file).await), [1, 0, 0, 0, 0]);
    assert_eq!(starts(&app.anonymous()).await, ["03-09 20:00", "03-16 20:00 Trio"]);
    let file = calendar(&[jazz(&["SEQUENCE:1"])]);
    assert_eq!(numbers(&import(&app.editor(), file).await), [0, 1, 0, 0, 0]);
    let single = calendar(&[on("20270330", &["SEQUENCE:1", "SUMMARY:Duo"])]);
    assert_eq!(numbers(&import(&app.editor(), &*single).await), [0, 1, 0, 0, 0]);
    assert_eq!(numbers(&import(&app.editor(), single).await), [0, 0, 1, 0, 0]);
    let starts = starts(&app.anonymous()).await;
    assert_eq!((starts.len(), starts[4].as_str()), (6, "03-30 20:00 Duo"));
}

/// rules that this calendar does not have become extra dates; those without an end are refused by
/// their line; a period has its own end.
#[both_stores]
async fn other_rules(app: &TestApp) {
    let yoga = |uid: &str, rule: &str| {
        let lines = [
            "DTSTART;TZID=Europe/Paris:20270302T190000",
            "DTEND;TZID=Europe/Paris:20270302T193000",
            "SUMMARY:Jazz night",
            rule,
        ];
        event(uid, &lines)
    };
    let file = calendar(&[
        yoga("1", "RRULE:FREQ=HOURLY;COUNT=3"),
        yoga("2", "RRULE:FREQ=MINUTELY"),
        yoga("3", "RRULE:FREQ=YEARLY;RSCALE=CHINESE"),
        yoga("4", "RRULE:FREQ=DAILY\r\nEXRULE:FREQ=DAILY"),
    ]);
    let report = import(&app.editor(), file).await;
    assert_eq!(numbers(&report), [1, 0, 0, 0, 3]);
    let refused = findings(&report["refused"]);
    assert!(refused.iter().all(|(_, _, code)| *code == "recurrence"), "{refused:?}");
    assert_eq!(starts(&app.anonymous()).await, ["03-02 19:00", "03-02 20:00", "03-02 21:00"]);
    let period =
        calendar(&[yoga("5", "RDATE;VALUE=PERIOD;TZID=Europe/Paris:20270401T100000/PT5H")]);
    import(&app.editor(), period).await;
    let events = events(&app.anonymous()).await;
    let ends: Vec<_> = events.iter().map(|event| event["end_date"].clone()).collect();
    assert!(ends.contains(&json!("2027-04-01 15:00:00")), "{ends:?}");
}

/// A feed of occurrences without their series is what the file says now, in whatever number.
#[both_stores]
async fn occurrences_alone_come_and_go(app: &TestApp) {
    let poll =
        |slots: &[&str]| calendar(&slots.iter().map(|slot| on(slot, &[])).collect::<Vec<_>>());
    for (slots, numbers_of) in [
        (&["20270309"][..], [1, 0, 0, 0, 0]),
        (&["20270309", "20270316", "20270323"], [0, 1, 0, 0, 0]),
        (&["20270316", "20270323", "20270330"], [0, 1, 0, 0, 0]),
        (&["20270316", "20270323", "20270330"], [0, 0, 1, 0, 0]),
        (&["20270330"], [0, 1, 0, 0, 0]),
        (&["20270406"], [0, 1, 0, 0, 0]),
        (&["20270406", "20270413"], [0, 1, 0, 0, 0]),
    ] {
        let report = import(&app.editor(), poll(slots)).await;
        assert_eq!(numbers(&report), numbers_of, "{slots:?} {report}");
        let expected: Vec<_> =
            slots.iter().map(|slot| format!("{}-{} 20:00", &slot[4..6], &slot[6..])).collect();
        assert_eq!(starts(&app.anonymous()).await, expected);
    }
}

/// The cancellation of one occurrence alone, by the method or by the status, is applied.
#[both_stores]
async fn one_occurrence_is_called_off(app: &TestApp) {
    import(&app.editor(), calendar(&[jazz(&[])])).await;
    let off = |slot: &str, lines: &[&str]| {
        let start = format!("DTSTART;TZID=Europe/Paris:{slot}T190000");
        calendar(&[on(slot, &[&[start.as_str()], lines].concat())])
    };
    let by_status = off("20270309", &["STATUS:CANCELLED", "SEQUENCE:1"]);
    let by_method = off("20270316", &["SEQUENCE:1"]).replacen(
        "BEGIN:VEVENT",
        "METHOD:CANCEL\r\nBEGIN:VEVENT",
        1,
    );
    for file in [by_status, by_method] {
        let report = import(&app.editor(), &*file).await;
        assert_eq!(numbers(&report), [0, 1, 0, 0, 0], "{report}");
        assert_eq!(numbers(&import(&app.editor(), file).await), [0, 0, 1, 0, 0]);
    }
    let reply = off("20270323", &["STATUS:CANCELLED", "SEQUENCE:2"]).replacen(
        "BEGIN:VEVENT",
        "METHOD:REPLY\r\nBEGIN:VEVENT",
        1,
    );
    let report = import(&app.editor(), reply).await;
    assert_eq!((numbers(&report), findings(&report["warnings"]).len()), ([0; 5], 1));
    assert_eq!(
        starts(&app.anonymous()).await,
        [
            "03-02 19:00",
            "03-09 19:00 off",
            "03-16 19:00 off",
            "03-23 19:00",
            "03-30 19:00",
            "04-06 19:00"
        ]
    );
}

/// An occurrence inherits what it leaves out from its series.
#[both_stores]
async fn occurrences_have_the_texts_of_their_series(app: &TestApp) {
    let moved = [
        "RECURRENCE-ID:20270309T190000",
        "DTSTART;TZID=Europe/Paris:20270310T190000",
        "DTEND;TZID=Europe/Paris:20270310T210000",
    ];
    let moved = event("jazz", &moved).replace("SUMMARY:Event jazz\r\n", "");
    let file = calendar(&[jazz(&["LOCATION:Hall", "DESCRIPTION:Bring friends."]), moved]);
    let report = import(&app.editor(), file).await;
    assert_eq!((numbers(&report), &report["warnings"]), ([1, 0, 0, 0, 0], &json!([])));
    assert_eq!(starts(&app.anonymous()).await[1], "03-10 19:00");
    let events = events(&app.anonymous()).await;
    let moved = events.iter().find(|event| event["start_date"] == "2027-03-10 19:00:00").unwrap();
    assert_eq!(moved["venue"]["venue"], "Hall");
    assert_eq!(moved["description"], "<p>Bring friends.</p>");
}

/// A series with more dates than are kept begins later, or ends earlier, with a warning. Later imports of
/// the file change nothing.
#[both_stores]
async fn series_with_too_many_dates_are_shortened(app: &TestApp) {
    for (uid, [start, rule], [first, left]) in [
        (
            "a",
            ["20050103T091500", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
            ["2013-01-01 09:15:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
        ),
        (
            "b",
            ["20301105T190000", "FREQ=DAILY;COUNT=5001"],
            ["2030-11-05 19:00:00", "FREQ=DAILY;COUNT=5000"],
        ),
        ("c", ["20260301T000000", "FREQ=HOURLY;COUNT=8000"], ["2027-01-01 00:00:00", ""]),
    ] {
        let lines = [
            &format!("DTSTART;TZID=Europe/Paris:{start}"),
            &format!("DTEND;TZID=Europe/Paris:{start}"),
            &format!("RRULE:{rule}"),
            "EXDATE;TZID=Europe/Paris:20050110T091500",
        ];
        let file = calendar(&[
            event(uid, &lines),
            event(uid, &["RECURRENCE-ID;TZID=Europe/Paris:20050111T091500"]),
        ]);
        let report = import(&app.editor(), &*file).await;
        assert_eq!(numbers(&report), [1, 0, 0, 0, 0], "{report}");
        let warning = (3, "RRULE", "too-many-dates");
        assert_eq!(findings(&report["warnings"]), [warning]);
        let list = app
            .editor()
            .get("/events?expand=false&start_date=2005-01-01&end_date=2040-01-01")
            .await
            .json();
        let series = list["events"].as_array().unwrap();
        let title = format!("Event {uid}");
        let series = series.iter().find(|event| event["title"] == title).unwrap();
        assert_eq!(series["recurrence"]["first"], first, "{series}");
        assert_eq!(series["recurrence"]["rrule"], left);
        assert_eq!(series["recurrence"]["exdate"], json!([]));
        let again = import(&app.editor(), file).await;
        assert_eq!(numbers(&again), [0, 0, 1, 0, 0], "{again}");
        assert_eq!(findings(&again["warnings"]), [warning]);
    }
}

/// A year later, a shortened series begins a year later, with the same dates.
#[both_stores]
async fn a_shortened_series_moves_on(app: &TestApp) {
    let lines = [
        "DTSTART;TZID=Europe/Paris:20050103T091500",
        "DTEND;TZID=Europe/Paris:20050103T093000",
        "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        "EXDATE;TZID=Europe/Paris:20280104T091500",
    ];
    let file = calendar(&[event("a", &lines)]);
    let on = async || {
        let day = "/events?start_date=2028-01-03&end_date=2028-01-05";
        let list = app.anonymous().get(day).await.json();
        let events = list["events"].as_array().unwrap().iter();
        let text = |event: &Value| event["start_date"].as_str().unwrap().to_owned();
        events.map(text).collect::<Vec<_>>()
    };
    import(&app.editor(), &*file).await;
    let before = on().await;
    assert_eq!(before, ["2028-01-03 09:15:00", "2028-01-05 09:15:00"]);
    app.clock.advance_seconds(366 * 86_400);
    let report = import(&app.editor(), &*file).await;
    assert_eq!(numbers(&report), [0, 1, 0, 0, 0], "{report}");
    assert_eq!(on().await, before);
    assert_eq!(numbers(&import(&app.editor(), file).await), [0, 0, 1, 0, 0]);
}
