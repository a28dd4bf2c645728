//! Small faults of other programs, which cost no event.

use domain::recurrence::Recurrence;

use super::*;

/// The days of an event, and its warnings.
fn days(lines: &str) -> (Vec<String>, Vec<FindingCode>) {
    let items = items(event_file(lines));
    let [event] = events(&items)[..] else {
        panic!("{items:#?}")
    };
    let parts = event.recurrence.clone();
    let whole = Recurrence::new(event.when.clone(), parts).unwrap();
    let days = whole.slots(..).take(10).map(|slot| slot.day().to_string());
    (days.collect(), codes(&items))
}

#[test]
fn faults_of_rules_are_mended_with_a_warning() {
    let start = "DTSTART;TZID=Europe/Paris:20270405T190000";
    let from_5 = |count: u32| {
        (5..5 + count)
            .map(|day| format!("2027-04-{day:02}"))
            .collect::<Vec<_>>()
    };
    for (rule, count) in [
        ("RRULE:", 1),
        ("RRULE:FREQ=DAILY;COUNT=3;UNTIL=20270430", 3),
        ("RRULE:FREQ=DAILY;UNTIL=20270407T170000Z;COUNT=16", 3),
        ("RRULE:FREQ=DAILY;COUNT=3;UNTIL=20270407T170000Z", 3),
        ("RRULE:FREQ=DAILY;COUNT=0;UNTIL=20270408T170000Z", 4),
        ("RRULE:FREQ=DAILY;COUNT=-1", 10),
        ("RRULE:FREQ=DAILY; COUNT=2", 2),
        ("RRULE:FREQ=DAILY ;BYDAY=MO, TU;COUNT=2", 2),
        ("RRULE:FREQ=DAILY;UNTIL=20270401T000000Z", 1),
        ("RRULE:FREQ=DAILY;UNTIL=20270401T000000Z;COUNT=5", 1),
        ("RRULE:FREQ = DAILY ; COUNT = 3", 3),
        ("RRULE:FREQ=DAILY;COUNT=", 10),
        ("RRULE:FREQ=DAILY;UNTIL=;COUNT=3", 3),
        ("RRULE:FREQ=DAILY;INTERVAL=;BYDAY=;COUNT=3", 3),
        ("RRULE:FREQ=DAILY;INTERVAL=0;COUNT=3", 3),
        ("RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,;COUNT=3", 3),
        ("RRULE:FREQ=DAILY;COUNT=2;BYDAY=MO,TU,", 2),
        ("RRULE:freq=daily;COUNT=2;count=2", 2),
        ("RRULE:FREQ=DAILY;COUNT=-1;UNTIL=20270406", 2),
    ] {
        let (found, codes) = days(&format!("{start}\n{rule}"));
        assert_eq!(found, from_5(count), "{rule}");
        assert_eq!(codes, [FindingCode::AdjustedValue], "{rule}");
    }
}

#[test]
fn one_bad_date_of_a_list_costs_itself_alone() {
    let (found, codes) = days(
        "DTSTART;TZID=Australia/Sydney:20270302T110000\nRRULE:FREQ=WEEKLY;COUNT=3\n\
         EXDATE;TZID=Australia/Sydney:202702%= holiday %>T110000\n\
         EXDATE;TZID=Australia/Sydney:20270309T110000,soon\nRDATE:x,20270401T110000",
    );
    assert_eq!(found, ["2027-03-02", "2027-03-16", "2027-04-01"]);
    assert_eq!(codes, [FindingCode::BadDate; 3]);
}

#[test]
fn units_of_durations_on_the_wrong_side() {
    for (duration, end) in [
        ("P3600S", "2027-03-10 10:00:00"),
        ("PT1D", "2027-03-11 09:00:00"),
        ("P90M", "2027-03-10 10:30:00"),
        ("PT1W", "2027-03-17 09:00:00"),
        ("PT1H 30M", "2027-03-10 10:30:00"),
        ("PT", "2027-03-10 09:00:00"),
        ("P", "2027-03-10 09:00:00"),
        ("", "2027-03-10 09:00:00"),
    ] {
        let items = items(event_file(&format!(
            "DTSTART:20270310T090000\nDURATION:{duration}"
        )));
        assert_eq!(codes(&items), [FindingCode::AdjustedValue], "{duration}");
        assert_eq!(times(events(&items)[0])[1], end, "{duration}");
    }
}

/// Midnight in UTC, and the last second before, are the day that they name for series of whole days.
#[test]
fn the_end_of_whole_days_is_a_day() {
    for until in [
        "20270303",
        "20270303T000000Z",
        "20270303T235959Z",
        "20270303T235959",
    ] {
        let file = event_file(&format!(
            "DTSTART;VALUE=DATE:20270301\nRRULE:FREQ=DAILY;UNTIL={until}"
        ));
        for site in ["Asia/Tokyo", "America/Los_Angeles", "Europe/Paris"] {
            let file = std::io::Cursor::new(file.clone().into_bytes());
            let mut reader = ICalendar.reader(Box::new(file), zone(site));
            let Some(Ok(ReadItem::Event(event))) = reader.next() else {
                panic!("{until}")
            };
            let whole = Recurrence::new(event.when.clone(), event.recurrence.clone()).unwrap();
            assert_eq!(whole.slots(..).count(), 3, "{until} in {site}");
        }
    }
    let (found, codes) =
        days("DTSTART;VALUE=DATE:20270301\nRRULE:FREQ=DAILY;UNTIL=20270301T000000Z");
    assert_eq!((found, codes), (vec!["2027-03-01".to_owned()], Vec::new()));
}

#[test]
fn days_with_a_time() {
    let items = items(event_file(
        "DTSTART;VALUE=DATE:20270804T120000\nDTEND;VALUE=DATE:20270804T140000",
    ));
    assert_eq!(codes(&items), [FindingCode::AdjustedValue; 2]);
    let event = events(&items)[0];
    assert!(!event.when.all_day());
    assert_eq!(
        times(event)[..2],
        ["2027-08-04 12:00:00", "2027-08-04 14:00:00"]
    );

    let items = super::items(event_file("DTSTART;VALUE=DATE:20270804T000000"));
    assert!(events(&items)[0].when.all_day());

    for (end, last) in [
        ("DTEND:20270403T235900", "2027-04-03 23:59:59"),
        ("DTEND:20270402T120000", "2027-04-02 23:59:59"),
        ("DTEND:20270404T000000", "2027-04-03 23:59:59"),
    ] {
        let event = one(&format!("DTSTART;VALUE=DATE:20270402\n{end}"));
        assert_eq!(times(&event)[1], last, "{end}");
    }
}

/// An empty end is absent.
#[test]
fn empty_ends() {
    let items = items(event_file("DTSTART:20270310T090000\nDTEND:"));
    assert_eq!(findings(&items), [(6, "DTEND", "adjusted-value")]);
    assert_eq!(times(events(&items)[0])[1], "2027-03-10 09:00:00");
}

/// Times at midnight in another zone name days of a series of whole days.
#[test]
fn slots_of_whole_days_are_days() {
    for date in [
        "EXDATE:20270302T000000Z",
        "EXDATE:20270302T000000",
        "EXDATE;TZID=Asia/Tokyo:20270302T000000",
        "EXDATE;TZID=America/Los_Angeles:20270302T000000",
        "EXDATE;VALUE=DATE:20270302",
        "EXDATE;VALUE=DATE;TZID=Asia/Tokyo:20270302T000000",
        "exdate;value=date:20270302T000000z",
    ] {
        for site in ["Asia/Tokyo", "America/Los_Angeles", "Europe/Paris"] {
            let file = event_file(&format!(
                "X-A:1\nDTSTART;VALUE=DATE:20270301\nRRULE:FREQ=DAILY;COUNT=3\n{date}"
            ));
            let file = std::io::Cursor::new(file.into_bytes());
            let mut reader = ICalendar.reader(Box::new(file), zone(site));
            let event = loop {
                match reader.next().unwrap().unwrap() {
                    ReadItem::Event(event) => break event,
                    ReadItem::Warning(_) => {}
                    other => panic!("{other:?}"),
                }
            };
            let whole = Recurrence::new(event.when.clone(), event.recurrence.clone()).unwrap();
            let days: Vec<_> = whole.slots(..).map(|slot| slot.day().to_string()).collect();
            assert_eq!(days, ["2027-03-01", "2027-03-03"], "{date} in {site}");
        }
    }
}

/// A day may have a midnight in UTC.
#[test]
fn days_with_midnight_in_utc() {
    let items = items(event_file(
        "DTSTART;VALUE=DATE:20270804T000000Z\nDTEND;VALUE=DATE:20270806T000000Z",
    ));
    assert_eq!(codes(&items), [FindingCode::AdjustedValue; 2]);
    let event = events(&items)[0];
    assert!(event.when.all_day());
    assert_eq!(times(event)[1], "2027-08-05 23:59:59");
}

/// Texts in quoted-printable, of vCalendar 1.0.
#[test]
fn quoted_printable_texts() {
    for (line, text) in [
        ("SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9", "Café"),
        (
            "SUMMARY;ENCODING=quoted-printable:Caf=E9 =\nam=20See",
            "Café am See",
        ),
        (
            "SUMMARY;QUOTED-PRINTABLE:Caf=c3=a9=0D=0Aam See=\n",
            "Café\nam See",
        ),
        (
            "SUMMARY;ENCODING=QUOTED-PRINTABLE:a=3Db =3D=\nx=C3=\n=A9",
            "a=b =xé",
        ),
        (
            "SUMMARY;CHARSET=ISO-8859-2;ENCODING=QUOTED-PRINTABLE:=B1",
            "ą",
        ),
        (
            "SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E2=82=AC",
            "€",
        ),
        (
            "SUMMARY;ENCODING=QUOTED-PRINTABLE:100% = sure=ZZ=4",
            "100% = sure=ZZ=4",
        ),
        ("SUMMARY;ENCODING=QUOTED-PRINTABLE:é=C3=A9", "éé"),
        ("SUMMARY;ENCODING=8BIT:Jazz=20x", "Jazz=20x"),
        ("SUMMARY:Jazz=20x", "Jazz=20x"),
    ] {
        let event = one(&format!("{line}\nDTSTART:20270310T090000Z"));
        assert_eq!(event.title, text, "{line}");
    }
}

/// A comma in brackets does not end the name of a place.
#[test]
fn brackets_in_places() {
    for (text, name, address) in [
        ("Hall (A, B), Main St 1", "Hall (A, B)", "Main St 1"),
        ("Hall [A, B], Main St 1", "Hall [A, B]", "Main St 1"),
        ("Hall {A, B}\\, Main St 1", "Hall {A, B}", "Main St 1"),
        ("Hall （A, B）, Main St 1", "Hall （A, B）", "Main St 1"),
        (
            "Hall (A (b, c), d), Main St 1",
            "Hall (A (b, c), d)",
            "Main St 1",
        ),
        ("Hall (A, Main St 1", "Hall (A", "Main St 1"),
        ("Hall) A, Main St (1, 2)", "Hall) A", "Main St (1, 2)"),
    ] {
        let place = one(&format!("LOCATION:{text}\nDTSTART:20270310T090000Z")).place;
        let place = place.unwrap();
        assert_eq!((&*place.name, &*place.address), (name, address), "{text}");
    }
}

/// Lines that end with CR CR LF, and empty lines within a fold.
#[test]
fn folds_with_empty_lines() {
    let lines = event_file("SUMMARY:Double\n  line\nDTSTART:20270310T090000Z\nDTEND:x");
    for (file, line) in [
        (lines.replace('\n', "\r\r\n"), 7),
        (lines.replace("\n  line", "\n\n  line"), 8),
        (lines.replace("\n  line", "\r\n\r\n\r\n  line"), 9),
    ] {
        let refused = items(file.clone());
        assert_eq!(findings(&refused), [(line, "DTEND", "bad-date")]);
        let items = items(file.replace("DTEND:x", "LOCATION:y"));
        assert_eq!(events(&items)[0].title, "Double line");
        assert_eq!(findings(&items), []);
    }
}

#[test]
fn sequence_numbers_are_limited() {
    for (number, expected) in [
        ("2147483647", 2_147_483_647),
        ("2147483648", 2_147_483_647),
        ("99999999999999999999", 2_147_483_647),
        (
            "99999999999999999999999999999999999999999999999999",
            2_147_483_647,
        ),
        ("+3", 3),
        (" 5 ", 5),
        ("-1", 0),
        ("x", 0),
    ] {
        let event = one(&format!("DTSTART:20270310T090000Z\nSEQUENCE:{number}"));
        assert_eq!(event.sequence, expected, "{number}");
    }
}

#[test]
fn places_with_an_address_in_brackets() {
    for (text, name, address) in [
        (
            "Hall One (12 Main St\\, San Francisco\\, CA)",
            "Hall One (12 Main St, San Francisco, CA)",
            "",
        ),
        ("Hall (a\\, b)\\, Lyon", "Hall (a, b)", "Lyon"),
        ("Hall :-(\\, Lyon", "Hall :-(", "Lyon"),
        ("Hall\\, (a\\, b)", "Hall", "(a, b)"),
    ] {
        let place = one(&format!("DTSTART:20270310T090000Z\nLOCATION:{text}"))
            .place
            .unwrap();
        assert_eq!(
            (place.name.as_str(), place.address.as_str()),
            (name, address)
        );
    }
}

/// Answers to invitations change nothing; a cancellation calls off what it names.
#[test]
fn methods_of_calendars() {
    let with = |method: &str| {
        let file = event_file("DTSTART:20270310T090000Z");
        items(file.replacen("BEGIN:VEVENT", &format!("METHOD:{method}\nBEGIN:VEVENT"), 1))
    };
    for method in ["REPLY", "counter"] {
        let items = with(method);
        assert_eq!(
            (codes(&items), events(&items).len()),
            (vec![FindingCode::Method], 0)
        );
    }
    assert_eq!(
        events(&with("CANCEL"))[0].status,
        app::feed::FeedStatus::Cancelled
    );
    assert_eq!(
        events(&with("PUBLISH"))[0].status,
        app::feed::FeedStatus::Confirmed
    );
}
