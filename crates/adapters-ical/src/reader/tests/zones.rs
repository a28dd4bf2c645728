use super::{super::windows_zones::WINDOWS_ZONES, *};

fn zone_of(tzid: &str) -> String {
    let event = one(&format!("DTSTART;TZID={tzid}:20270310T090000"));
    event.when.zone().name().to_owned()
}

/// F-55: Each time zone name of Windows is the zone of the CLDR, without a definition in the file.
#[test]
fn names_of_windows_are_zones() {
    for (windows, iana) in WINDOWS_ZONES {
        let zone: Zone = iana.parse().unwrap();
        // `UTC` is a name of the IANA database, too.
        let expected = if windows == "UTC" { "UTC" } else { zone.name() };
        assert_eq!(zone_of(windows), expected);
        assert_eq!(
            zone_of(&format!("\"{}\"", windows.to_ascii_uppercase())),
            expected
        );
    }
    let names: std::collections::BTreeSet<_> = WINDOWS_ZONES.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 139);
}

/// F-57: Names with a prefix and in lower case are IANA names; an unknown one is floating, with a
/// warning.
#[test]
fn names_of_zones_in_other_forms() {
    for (tzid, name) in [
        ("/mozilla.org/20050126_1/Europe/Berlin", "Europe/Berlin"),
        (
            "/freeassociation.sourceforge.net/America/Argentina/Ushuaia",
            "America/Argentina/Ushuaia",
        ),
        (
            "/citadel.org/20210210_1/America/New_York",
            "America/New_York",
        ),
        ("\"tzone://Microsoft/Utc\"", "UTC"),
        ("europe/paris", "Europe/Paris"),
        ("US/Eastern", "US/Eastern"),
        ("UTC+2", "UTC+2"),
    ] {
        assert_eq!(zone_of(tzid), name);
    }
    let items = items(event_file(
        "DTSTART;TZID=Mars/X:20270310T090000\nDTEND;TZID=Mars/X:20270310T100000",
    ));
    assert_eq!(
        findings(&items),
        [(5, "DTSTART", "unknown-zone"), (6, "DTEND", "unknown-zone")]
    );
    assert_eq!(
        times(events(&items)[0]),
        [
            "2027-03-10 09:00:00",
            "2027-03-10 10:00:00",
            "Europe/Helsinki"
        ]
    );
}

/// F-58: Wall clocks without a zone are of X-WR-TIMEZONE, else of the calendar that reads them.
#[test]
fn floating_times_are_of_the_calendar() {
    let event = one("DTSTART:20270310T090000");
    assert_eq!(event.when.zone().name(), "Europe/Helsinki");
    let file = event_file("DTSTART:20270310T090000");
    let named = |zone: &str| {
        file.replacen(
            "BEGIN:VEVENT",
            &format!("X-WR-TIMEZONE:{zone}\nBEGIN:VEVENT"),
            1,
        )
    };
    let items = items(named("Europe/Madrid"));
    assert_eq!(times(events(&items)[0])[2], "Europe/Madrid");
    let items = super::items(named("Nowhere"));
    assert_eq!(times(events(&items)[0])[2], "Europe/Helsinki");
    // An instant is shown in the zone of the file, else in UTC.
    let items = super::items(named("Europe/Madrid").replace("T090000", "T090000Z"));
    assert_eq!(
        times(events(&items)[0])[..2],
        ["2027-03-10 10:00:00", "2027-03-10 10:00:00"]
    );
    assert_eq!(one("DTSTART:20270310T090000Z").when.zone().name(), "UTC");
}

fn with_definition(definition: &str, start: &str) -> ReadEvent {
    let file = format!(
        "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Customized Time Zone\n{definition}\nEND:VTIMEZONE\n\
         BEGIN:VEVENT\nSUMMARY:x\nDTSTART;TZID=Customized Time Zone:{start}\nEND:VEVENT\nEND:VCALENDAR"
    );
    let items = items(file);
    assert_eq!(findings(&items), []);
    events(&items)[0].clone()
}

fn observance(kind: &str, start: &str, from: &str, to: &str, rule: &str) -> String {
    format!(
        "BEGIN:{kind}\nDTSTART:{start}\nTZOFFSETFROM:{from}\nTZOFFSETTO:{to}\n{rule}\nEND:{kind}"
    )
}

/// F-56: An unknown name with the rules of Perth means its instants.
#[test]
fn a_definition_says_the_zone() {
    let perth = observance(
        "STANDARD",
        "16010101T000000",
        "+0800",
        "+0800",
        "X-NOTHING:",
    );
    let event = with_definition(&perth, "20270310T090000");
    assert_eq!(instants(&event)[0], "2027-03-10 01:00:00");
    assert_eq!(event.when.zone().name(), "Australia/Perth");

    let winter = observance(
        "STANDARD",
        "16011028T030000",
        "+0200",
        "+0100",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
    );
    let summer = observance(
        "DAYLIGHT",
        "16010325T020000",
        "+0100",
        "+0200",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
    );
    let central = format!("{winter}\n{summer}");
    for (start, instant) in [
        ("20270310T090000", "2027-03-10 08:00:00"),
        ("20270710T090000", "2027-07-10 07:00:00"),
    ] {
        let event = with_definition(&central, start);
        assert_eq!(instants(&event)[0], instant);
        assert!(event.when.zone().name().starts_with("Europe/"));
    }

    let named = format!("X-LIC-LOCATION:Europe/Zurich\n{central}");
    assert_eq!(
        with_definition(&named, "20270310T090000")
            .when
            .zone()
            .name(),
        "Europe/Zurich"
    );

    // Rules of no zone: the instant, in the zone of the calendar.
    let odd = observance(
        "STANDARD",
        "20200101T000000",
        "+0123",
        "+0123",
        "X-NOTHING:",
    );
    let event = with_definition(&odd, "20270310T090000");
    assert_eq!(
        (event.when.zone().name(), instants(&event)[0].as_str()),
        ("Europe/Helsinki", "2027-03-10 07:37:00")
    );

    // A rule that ended: its last observance is in force.
    let ended = observance(
        "STANDARD",
        "19671029T020000",
        "-0400",
        "-0500",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z",
    );
    let later = observance(
        "STANDARD",
        "20071104T020000",
        "-0400",
        "-0500",
        "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
    );
    let earlier = observance(
        "DAYLIGHT",
        "20070311T020000",
        "-0500",
        "-0400",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
    );
    let event = with_definition(&format!("{ended}\n{later}\n{earlier}"), "20270310T090000");
    assert_eq!(instants(&event)[0], "2027-03-10 14:00:00");
    assert!(event.when.zone().name().starts_with("America/"));
}

/// Names that Exchange, Outlook and hand-written files give to zones.
#[test]
fn names_of_zones_as_people_see_them() {
    for (tzid, name) in [
        ("/America/New_York", "America/New_York"),
        ("/Australia/Sydney", "Australia/Sydney"),
        ("America/New York", "America/New_York"),
        (
            "America/Argentina/Buenos Aires",
            "America/Argentina/Buenos_Aires",
        ),
        ("Pacific Time (US & Canada)", "America/Los_Angeles"),
        (
            "\"(UTC-05:00) Eastern Time (US & Canada)\"",
            "America/New_York",
        ),
        (
            "\"(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna\"",
            "Europe/Berlin",
        ),
        ("(UTC) Coordinated Universal Time", "Etc/UTC"),
        ("Eastern Standard Time 1", "America/New_York"),
        ("Eastern Daylight Time", "America/New_York"),
        ("W. Europe Daylight Time", "Europe/Berlin"),
        ("Russia Time Zone 3", "Europe/Samara"),
        ("GMT+0100", "UTC+1"),
        ("UTC+0530", "UTC+5:30"),
        ("\"GMT-03:30\"", "UTC-3:30"),
        ("+0530", "+05:30"),
        ("EDT", "America/New_York"),
        ("CEST", "CET"),
    ] {
        assert_eq!(zone_of(tzid), name, "{tzid}");
    }
    // In doubt, a name is unknown: each of these is used in several countries.
    for doubtful in ["IST", "BST", "CST", "AMT"] {
        let file = event_file(&format!("DTSTART;TZID={doubtful}:20270310T090000"));
        assert_eq!(
            codes(&items(file)),
            [FindingCode::UnknownZone],
            "{doubtful}"
        );
    }
}

/// A colon in the name of a zone, without quotation marks.
#[test]
fn the_last_colon_before_a_date_ends_the_name_of_a_zone() {
    for lines in [
        "DTSTART;TZID=(UTC-05:00) Eastern Time (US & Canada):20270708T140000",
        "DTSTART;TZID=(UTC-05:00) Eastern Time (US & Canada);VALUE=DATE-TIME:20270708T140000",
    ] {
        let items = items(event_file(lines));
        assert_eq!(codes(&items), [FindingCode::AdjustedValue], "{lines}");
        assert_eq!(instants(events(&items)[0])[0], "2027-07-08 18:00:00");
    }
}

/// A rule on an instant is a rule in UTC, whatever zone the calendar is shown in.
#[test]
fn series_in_utc_stay_in_utc() {
    for repetition in [
        "RRULE:FREQ=WEEKLY;COUNT=4",
        "RDATE:20270322T170000Z",
        "RECURRENCE-ID:20270315T170000Z",
    ] {
        let file = event_file(&format!("DTSTART:20270315T170000Z\n{repetition}"));
        let file = file.replacen(
            "BEGIN:VEVENT",
            "X-WR-TIMEZONE:Europe/Berlin\nBEGIN:VEVENT",
            1,
        );
        let items = items(file);
        assert_eq!(events(&items)[0].when.zone().name(), "UTC", "{repetition}");
    }
}

/// EXDATE, RDATE and RECURRENCE-ID without a zone are wall clocks of the series.
#[test]
fn dates_of_a_series_have_its_zone() {
    let start = "DTSTART;TZID=America/New_York:20270405T190000\n";
    let event = one(&format!(
        "{start}RRULE:FREQ=WEEKLY;COUNT=4\nEXDATE:20270412T190000\nRDATE:20270501T100000\n\
         RDATE;VALUE=PERIOD:20270502T100000/20270502T120000"
    ));
    let texts = |dates: &[domain::recurrence::DateValue]| -> Vec<_> {
        dates
            .iter()
            .map(domain::recurrence::DateValue::basic)
            .collect()
    };
    assert_eq!(texts(&event.recurrence.deleted), ["20270412T190000"]);
    assert_eq!(
        texts(&event.recurrence.extra),
        ["20270501T100000", "20270502T100000"]
    );
    assert_eq!(
        event.periods[0].1.end().utc.to_string(),
        "2027-05-02 16:00:00"
    );
    let id = one(&format!("{start}RECURRENCE-ID:20270419T190000"))
        .recurrence_id
        .unwrap();
    assert_eq!(
        id.value_in(&zone("America/New_York")).basic(),
        "20270419T190000"
    );
}

/// The rules of the United States before 2007, which no zone has today.
fn old_rules(zone: &str, event: &str) -> String {
    let winter = observance(
        "STANDARD",
        "19501029T020000",
        "-0400",
        "-0500",
        "RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=-1SU;BYMONTH=10",
    );
    let summer = observance(
        "DAYLIGHT",
        "19500402T020000",
        "-0500",
        "-0400",
        "RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=1SU;BYMONTH=4",
    );
    let zone = format!("BEGIN:VTIMEZONE\nTZID:{zone}\n{winter}\n{summer}\nEND:VTIMEZONE");
    let event = format!("BEGIN:VEVENT\nUID:1\nSUMMARY:x\n{event}\nEND:VEVENT");
    format!("BEGIN:VCALENDAR\n{event}\n{zone}\nEND:VCALENDAR\n")
}

/// Each event has the instants of the definition, whether a zone has its rules or not, and wherever the
/// definition stands in the file.
#[test]
fn a_definition_that_no_zone_has_is_followed() {
    for (start, instant) in [
        ("20271018T100000", "2027-10-18 14:00:00"),
        ("20271101T100000", "2027-11-01 15:00:00"),
        ("20270320T100000", "2027-03-20 15:00:00"),
        ("20270701T100000", "2027-07-01 14:00:00"),
    ] {
        let file = old_rules("Eastern", &format!("DTSTART;TZID=Eastern:{start}"));
        let items = items(file);
        assert_eq!(codes(&items), []);
        assert_eq!(instants(events(&items)[0])[0], instant);
    }
    // A series within one offset keeps its rule; one over a change becomes dates, with a warning.
    let rule = |start: &str| format!("DTSTART;TZID=Eastern:{start}\nRRULE:FREQ=WEEKLY;COUNT=4");
    let items = super::items(old_rules("Eastern", &rule("20270601T100000")));
    assert_eq!(codes(&items), []);
    assert!(events(&items)[0].recurrence.rule.is_some());
    let items = super::items(old_rules("Eastern", &rule("20271018T100000")));
    assert_eq!(codes(&items), [FindingCode::AdjustedValue]);
    let event = events(&items)[0];
    assert_eq!(event.recurrence.rule, None);
    let dates = event
        .recurrence
        .extra
        .iter()
        .map(domain::recurrence::DateValue::basic);
    assert_eq!(
        dates.collect::<Vec<_>>(),
        [
            "20271018T140000Z",
            "20271025T140000Z",
            "20271101T150000Z",
            "20271108T150000Z"
        ]
    );
    assert_eq!(event.when.zone().name(), "Europe/Helsinki");
}

/// X-WR-TIMEZONE may come last; the zones of one calendar do not hold in the next.
#[test]
fn each_calendar_has_its_own_zones() {
    let event = "BEGIN:VEVENT\nSUMMARY:x\nDTSTART:20270310T090000\nEND:VEVENT";
    let file = format!(
        "BEGIN:VCALENDAR\n{event}\nX-WR-TIMEZONE:America/New_York\nEND:VCALENDAR\n\
         BEGIN:VCALENDAR\n{event}\nEND:VCALENDAR\n"
    );
    let items = items(file);
    let zones: Vec<_> = events(&items)
        .iter()
        .map(|one| one.when.zone().name())
        .collect();
    assert_eq!(zones, ["America/New_York", "Europe/Helsinki"]);
}

/// A definition that says nothing counts as absent.
#[test]
fn a_definition_without_rules_is_unknown() {
    let start =
        "BEGIN:VEVENT\nUID:1\nSUMMARY:x\nDTSTART;TZID=Mars Base:20270708T140000\nEND:VEVENT";
    for rules in [
        "",
        "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:x\nTZOFFSETTO:y\nEND:STANDARD\n",
    ] {
        let file = format!(
            "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Mars Base\n{rules}END:VTIMEZONE\n{start}\nEND:VCALENDAR\n"
        );
        assert_eq!(codes(&items(file)), [FindingCode::UnknownZone]);
    }
}
