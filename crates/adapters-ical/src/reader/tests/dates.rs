use domain::recurrence::DateValue;

use super::*;

/// F-59: Whole days, a duration, and no end.
#[test]
fn ends_by_the_kind_of_the_start() {
    for (lines, all_day, start, end) in [
        (
            "DTSTART;VALUE=DATE:20270310",
            true,
            "2027-03-10 00:00:00",
            "2027-03-10 23:59:59",
        ),
        (
            "DTSTART;VALUE=DATE:20270310\nDTEND;VALUE=DATE:20270310",
            true,
            "2027-03-10 00:00:00",
            "2027-03-10 23:59:59",
        ),
        (
            "DTSTART;VALUE=DATE:20270310\nDTEND;VALUE=DATE:20270313",
            true,
            "2027-03-10 00:00:00",
            "2027-03-12 23:59:59",
        ),
        (
            "DTSTART:20270310\nDURATION:P2D",
            true,
            "2027-03-10 00:00:00",
            "2027-03-11 23:59:59",
        ),
        (
            "DTSTART;VALUE=DATE:20270310\nDURATION:P1W",
            true,
            "2027-03-10 00:00:00",
            "2027-03-16 23:59:59",
        ),
        (
            "DTSTART:20270310T090000\nDURATION:PT90M",
            false,
            "2027-03-10 09:00:00",
            "2027-03-10 10:30:00",
        ),
        (
            "DTSTART:20270327T090000\nDURATION:P1DT1H",
            false,
            "2027-03-27 09:00:00",
            "2027-03-28 10:00:00",
        ),
        (
            "DTSTART:20270310T090000",
            false,
            "2027-03-10 09:00:00",
            "2027-03-10 09:00:00",
        ),
        // In another zone, the same instant in the zone of the start.
        (
            "DTSTART;TZID=Europe/Paris:20270310T090000\nDTEND;TZID=America/New_York:20270310T090000",
            false,
            "2027-03-10 09:00:00",
            "2027-03-10 15:00:00",
        ),
    ] {
        let event = one(lines);
        assert_eq!(event.when.all_day(), all_day, "{lines}");
        assert_eq!(times(&event)[..2], [start, end], "{lines}");
    }
}

/// F-60: An end before the start is refused with its line; other events are taken.
#[test]
fn an_end_before_the_start_is_refused() {
    let file = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:x\nDTSTART:20270310T090000Z\n\
                DTEND:20270310T080000Z\nEND:VEVENT\nBEGIN:VEVENT\nUID:b\nSUMMARY:y\n\
                DTSTART:20270310T090000Z\nEND:VEVENT\nEND:VCALENDAR";
    let items = items(file);
    assert_eq!(findings(&items), [(6, "DTEND", "end-before-start")]);
    let ReadItem::Refused(finding) = &items[0] else {
        panic!("{items:?}")
    };
    assert_eq!(finding.uid.as_deref(), Some("a"));
    assert_eq!(events(&items)[0].uid.as_deref(), Some("b"));
    for (lines, code) in [
        (
            "DTSTART:20270310T090000\nDURATION:-PT1H",
            FindingCode::EndBeforeStart,
        ),
        (
            "DTSTART;VALUE=DATE:20270310\nDTEND;VALUE=DATE:20270309",
            FindingCode::EndBeforeStart,
        ),
        ("DTSTART:20270230T090000", FindingCode::BadDate),
        ("DTSTART:soon", FindingCode::BadDate),
        ("DTSTART:20270310T090000\nDTEND:x", FindingCode::BadDate),
        (
            "DTSTART:20270310T090000\nDURATION:1 hour",
            FindingCode::BadDate,
        ),
        ("DTSTART:00000101T000000Z", FindingCode::BadDate),
        ("LOCATION:x", FindingCode::NoStart),
        ("SUMMARY: \nDTSTART:20270310T090000", FindingCode::NoTitle),
    ] {
        assert_eq!(codes(&super::items(event_file(lines))), [code], "{lines}");
    }
}

#[test]
fn times_of_day_that_do_not_exist_are_adjusted() {
    for (text, start) in [
        ("20270310T240000", "2027-03-11 00:00:00"),
        ("20271231T240000Z", "2028-01-01 00:00:00"),
        ("20270310T235960", "2027-03-10 23:59:59"),
    ] {
        let items = items(event_file(&format!("DTSTART:{text}")));
        assert_eq!(
            findings(&items),
            [(5, "DTSTART", "adjusted-time")],
            "{text}"
        );
        assert_eq!(times(events(&items)[0])[0], start, "{text}");
    }
}

#[test]
fn series_have_rules_and_dates() {
    let event = one(
        "DTSTART;TZID=Europe/Paris:20270302T190000\nRRULE:FREQ=WEEKLY;COUNT=6\n\
         EXDATE;TZID=Europe/Paris:20270309T190000,20270316T190000\nEXDATE:20270323T180000Z\n\
         RDATE;TZID=Europe/London:20270501T180000",
    );
    assert_eq!(
        event.recurrence.rule.unwrap().to_string(),
        "FREQ=WEEKLY;COUNT=6"
    );
    let texts = |dates: &[domain::recurrence::DateValue]| -> Vec<_> {
        dates.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        texts(&event.recurrence.deleted),
        [
            "2027-03-09T19:00:00",
            "2027-03-16T19:00:00",
            "2027-03-23T18:00:00Z"
        ]
    );
    assert_eq!(texts(&event.recurrence.extra), ["2027-05-01T17:00:00Z"]);
    // Parts of the time of day mean nothing for whole days.
    let days = one("DTSTART;VALUE=DATE:20270302\nRRULE:FREQ=DAILY;COUNT=2;BYHOUR=9;BYMINUTE=0");
    assert_eq!(
        days.recurrence.rule.unwrap().to_string(),
        "FREQ=DAILY;COUNT=2"
    );
    let moved = one(
        "DTSTART:20270317T180000Z\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Paris:20270316T190000",
    );
    let id = moved.recurrence_id.unwrap();
    assert!(id.and_following);
    assert_eq!(
        (id.value.basic().as_str(), id.zone.unwrap().name()),
        ("20270316T190000", "Europe/Paris")
    );
}

#[test]
fn unknown_ways_to_repeat_are_refused() {
    for (line, property) in [
        ("RRULE:FREQ=SECONDLY", "RRULE"),
        ("RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", "RRULE"),
        ("EXRULE:FREQ=DAILY", "EXRULE"),
        ("RRULE:FREQ=YEARLY;RSCALE=HEBREW", "RRULE"),
        ("RRULE:FREQ=HOURLY", "RRULE"),
        ("RRULE:FREQ=HOURLY;COUNT=10002", "RRULE"),
        ("RRULE:FREQ=SECONDLY;UNTIL=99991231", "RRULE"),
        ("RRULE:FREQ=SECONDLY;BYMONTH=2;COUNT=2", "RRULE"),
        ("RRULE:FREQ=HOURLY;COUNT=2;BYSETPOS=1", "RRULE"),
        ("RRULE:FREQ=HOURLY;COUNT=2;INTERVAL=x", "RRULE"),
        ("RRULE:FREQ=HOURLY;COUNT=2;BYDAY=1MO", "RRULE"),
    ] {
        let items = items(event_file(&format!("DTSTART:20270302T190000Z\n{line}")));
        let line = if line.contains('\n') { 7 } else { 6 };
        assert_eq!(findings(&items), [(line, property, "recurrence")]);
    }
}

/// More dates than an import keeps are read: an import leaves the past ones out.
#[test]
fn long_series_are_read_whole() {
    for (lines, rule, dates) in [
        (
            "RRULE:FREQ=DAILY;COUNT=5001",
            "FREQ=DAILY;UNTIL=20401108T190000",
            0,
        ),
        (
            "RRULE:FREQ=DAILY;BYHOUR=7,19;COUNT=6000",
            "FREQ=DAILY;UNTIL=20350519T070000;BYHOUR=7,19",
            0,
        ),
        ("RRULE:FREQ=DAILY;COUNT=50001", "FREQ=DAILY", 0),
        (
            "RRULE:FREQ=DAILY;COUNT=99999999999999999999",
            "FREQ=DAILY",
            0,
        ),
        ("RRULE:FREQ=HOURLY;COUNT=3000", "", 3000),
        (
            "RRULE:FREQ=WEEKLY;COUNT=2\nRRULE:FREQ=DAILY;COUNT=2000",
            "FREQ=WEEKLY;COUNT=2",
            2000,
        ),
        (
            "RRULE:FREQ=WEEKLY;COUNT=2\nRRULE:FREQ=DAILY;COUNT=6000",
            "FREQ=WEEKLY;COUNT=2",
            6000,
        ),
        ("RRULE:FREQ=MONTHLY;RSCALE=HEBREW;COUNT=1500", "", 1500),
    ] {
        let items = items(event_file(&format!("DTSTART:20270302T190000Z\n{lines}")));
        let parts = events(&items)[0].recurrence.clone();
        let kept = parts.rule.map(|rule| rule.to_string()).unwrap_or_default();
        assert_eq!((&*kept, parts.extra.len()), (rule, dates), "{lines}");
    }
}

/// Examples of RFC 7529, section 4.2, and a leap day.
#[test]
fn rules_of_other_calendars_are_dates() {
    for (start, rule, dates) in [
        (
            "20130210",
            "RSCALE=CHINESE;FREQ=YEARLY;COUNT=4",
            &["20130210", "20140131", "20150219", "20160208"][..],
        ),
        (
            "20130906",
            "RSCALE=ETHIOPIC;FREQ=MONTHLY;BYMONTH=13;UNTIL=20151231",
            &["20130906", "20140906", "20150906"],
        ),
        (
            "20140208",
            "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD;COUNT=5",
            &["20140208", "20150227", "20160217", "20170306", "20180223"],
        ),
        (
            "20120229",
            "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;COUNT=4",
            &["20120229", "20130301", "20140301", "20150301"],
        ),
        (
            "20140131",
            "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4",
            &["20140131", "20140228", "20140331", "20140430"],
        ),
        (
            "20140131",
            "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;INTERVAL=3;COUNT=3",
            &["20140131", "20140501", "20140731"],
        ),
    ] {
        let event = one(&format!("DTSTART;VALUE=DATE:{start}\nRRULE:{rule}"));
        let mut found: Vec<_> = event
            .recurrence
            .extra
            .iter()
            .map(DateValue::basic)
            .collect();
        found.sort();
        assert_eq!(found, dates, "{rule}");
        assert_eq!(event.recurrence.rule, None);
    }
}

#[test]
fn rules_of_other_calendars_without_an_end_are_refused() {
    for rule in [
        "RSCALE=CHINESE;FREQ=YEARLY",
        "RSCALE=KLINGON;FREQ=YEARLY;COUNT=2",
        "RSCALE=HEBREW;FREQ=WEEKLY;COUNT=2",
        "RSCALE=HEBREW;FREQ=YEARLY;BYDAY=1MO;COUNT=2",
        "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=14;COUNT=2",
        "RSCALE=HEBREW;FREQ=YEARLY;BYMONTHDAY=0;COUNT=2",
        "RSCALE=HEBREW;FREQ=MONTHLY;COUNT=10002",
        "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=12L;BYMONTHDAY=30;SKIP=FORWARD;COUNT=2",
    ] {
        let items = items(event_file(&format!(
            "DTSTART:20270302T190000Z\nRRULE:{rule}"
        )));
        assert_eq!(findings(&items), [(6, "RRULE", "recurrence")], "{rule}");
    }
}

/// The rule and the dates of an event on Tuesday 2027-03-02, 19:00 UTC.
fn repeated(lines: &str) -> (Option<String>, [Vec<String>; 2]) {
    let event = one(&format!("DTSTART:20270302T190000Z\n{lines}"));
    let texts = |dates: &[DateValue]| dates.iter().map(DateValue::basic).collect();
    let parts = &event.recurrence;
    let rule = parts.rule.as_ref().map(ToString::to_string);
    (rule, [texts(&parts.extra), texts(&parts.deleted)])
}

/// rules that this calendar does not have become dates.
#[test]
fn finite_rules_become_dates() {
    let hours = |hours: &[&str]| -> Vec<_> {
        hours
            .iter()
            .map(|hour| format!("2027030{hour}0000"))
            .collect()
    };
    for (rule, expected) in [
        ("FREQ=HOURLY;COUNT=3", &["2T19", "2T20", "2T21"][..]),
        (
            "FREQ=HOURLY;INTERVAL=6;UNTIL=20270303T130000Z",
            &["2T19", "3T01", "3T07", "3T13"],
        ),
        ("FREQ=HOURLY;BYHOUR=9,20;COUNT=3", &["2T19", "2T20", "3T09"]),
        (
            "FREQ=MINUTELY;INTERVAL=120;COUNT=2;WKST=SU",
            &["2T19", "2T21"],
        ),
        (
            "FREQ=SECONDLY;INTERVAL=3600;UNTIL=20270302T200000",
            &["2T19", "2T20"],
        ),
        (
            "FREQ=HOURLY;BYDAY=WE;BYHOUR=8;BYMONTH=3;COUNT=2",
            &["2T19", "3T08"],
        ),
    ] {
        let (kept, dates) = repeated(&format!("RRULE:{rule}"));
        assert_eq!(
            (kept, dates),
            (None, [hours(expected), Vec::new()]),
            "{rule}"
        );
    }
    let (kept, [extra, deleted]) = repeated(
        "RRULE:FREQ=WEEKLY\nRRULE:FREQ=DAILY;COUNT=3\nEXRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2",
    );
    assert_eq!(kept.as_deref(), Some("FREQ=WEEKLY"));
    assert_eq!(extra, hours(&["2T19", "3T19", "4T19"]));
    assert_eq!(deleted, ["20270302T190000", "20270316T190000"]);
    // The start is no Wednesday.
    let (_, [_, deleted]) =
        repeated("RRULE:FREQ=DAILY;COUNT=9\nEXRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=3");
    assert_eq!(deleted, ["20270303T190000", "20270310T190000"]);
}

/// a period is an extra date with an end of its own.
#[test]
fn periods_have_their_own_end() {
    for (period, end) in [
        ("20270303T190000Z/PT3H", "2027-03-03 22:00:00"),
        ("20270303T190000Z/20270304T010000Z", "2027-03-04 01:00:00"),
    ] {
        let event = one(&format!(
            "DTSTART:20270302T190000Z\nDTEND:20270302T200000Z\nRDATE;VALUE=PERIOD:{period}"
        ));
        assert_eq!(event.recurrence.extra.len(), 1);
        let [(date, when)] = &event.periods[..] else {
            panic!("{event:?}")
        };
        assert_eq!(
            (*date, when.end().utc.to_string().as_str()),
            (event.recurrence.extra[0], end)
        );
    }
    let bad = event_file(
        "DTSTART:20270302T190000Z\nRDATE;VALUE=PERIOD:20270303T190000Z/20270303T180000Z",
    );
    assert_eq!(findings(&items(bad)), [(6, "RDATE", "end-before-start")]);
}
