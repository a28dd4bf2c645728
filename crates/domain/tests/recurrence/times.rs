//! Instants of slots, and slots of instants.

use events_calendar_domain::{
    recurrence::{Occurrence, Recurrence, Slot},
    time::{EventTime, Timestamp, Zone, format_civil, parse_date},
};

use super::{dates, days, event, jazz, recurrence, wall};

/// Starts by the clock and in UTC, as `2027-03-21 09:00 (08:00Z)`.
fn moments(recurrence: &Recurrence) -> Vec<String> {
    let moment = |one: Occurrence| {
        let start = one.when.start();
        let (local, utc) = (format_civil(start.local), start.utc.to_string());
        let day = if local[..10] == utc[..10] {
            ""
        } else {
            &utc[8..11]
        };
        format!("{} ({day}{}Z)", &local[..16], &utc[11..16])
    };
    recurrence.occurrences(..).map(moment).collect()
}

/// Each case with a zone, a start, a rule, and its dates.
const CHANGES_OF_TIME: &[[&str; 5]] = &[
    [
        "R-25",
        "Europe/Paris",
        "2027-03-17 18:00",
        "FREQ=WEEKLY;UNTIL=20270331T160000Z",
        "2027-03-17 18:00 (17:00Z), 2027-03-24 18:00 (17:00Z), 2027-03-31 18:00 (16:00Z)",
    ],
    [
        "R-26",
        "Europe/Paris",
        "2027-10-29 02:30",
        "FREQ=DAILY;UNTIL=20271031T003000Z",
        "2027-10-29 02:30 (00:30Z), 2027-10-30 02:30 (00:30Z), 2027-10-31 02:30 (00:30Z)",
    ],
    [
        "R-38",
        "Europe/Paris",
        "2027-03-21 09:00",
        "FREQ=WEEKLY;COUNT=3",
        "2027-03-21 09:00 (08:00Z), 2027-03-28 09:00 (07:00Z), 2027-04-04 09:00 (07:00Z)",
    ],
    [
        "R-39",
        "Europe/Paris",
        "2027-10-24 19:00",
        "FREQ=WEEKLY;COUNT=3",
        "2027-10-24 19:00 (17:00Z), 2027-10-31 19:00 (18:00Z), 2027-11-07 19:00 (18:00Z)",
    ],
    [
        "R-40",
        "Europe/Paris",
        "2027-03-27 02:30",
        "FREQ=DAILY;COUNT=3",
        "2027-03-27 02:30 (01:30Z), 2027-03-28 03:30 (01:30Z), 2027-03-29 02:30 (00:30Z)",
    ],
    [
        "R-41",
        "Europe/Paris",
        "2027-10-30 02:30",
        "FREQ=DAILY;COUNT=3",
        "2027-10-30 02:30 (00:30Z), 2027-10-31 02:30 (00:30Z), 2027-11-01 02:30 (01:30Z)",
    ],
    [
        "R-42",
        "Europe/Paris",
        "2027-03-28 02:30",
        "FREQ=DAILY;COUNT=3",
        "2027-03-28 03:30 (01:30Z), 2027-03-29 03:30 (01:30Z), 2027-03-30 03:30 (01:30Z)",
    ],
    [
        "R-44",
        "Europe/Paris",
        "2027-03-27 02:30",
        "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30;COUNT=6",
        "2027-03-27 02:30 (01:30Z), 2027-03-27 03:30 (02:30Z), 2027-03-28 03:30 (01:30Z), \
             2027-03-29 02:30 (00:30Z), 2027-03-29 03:30 (01:30Z)",
    ],
    [
        "R-45",
        "America/New_York",
        "2027-03-13 02:30",
        "FREQ=DAILY;COUNT=3",
        "2027-03-13 02:30 (07:30Z), 2027-03-14 03:30 (07:30Z), 2027-03-15 02:30 (06:30Z)",
    ],
    [
        "R-46",
        "America/New_York",
        "2027-11-06 01:30",
        "FREQ=DAILY;COUNT=3",
        "2027-11-06 01:30 (05:30Z), 2027-11-07 01:30 (05:30Z), 2027-11-08 01:30 (06:30Z)",
    ],
    [
        "R-47",
        "Africa/Casablanca",
        "2026-02-08 02:30",
        "FREQ=WEEKLY;BYDAY=SU;COUNT=3",
        "2026-02-08 02:30 (01:30Z), 2026-02-15 02:30 (01:30Z), 2026-02-22 02:30 (02:30Z)",
    ],
    [
        "R-48",
        "Africa/Casablanca",
        "2026-03-15 02:30",
        "FREQ=WEEKLY;BYDAY=SU;COUNT=3",
        "2026-03-15 02:30 (02:30Z), 2026-03-22 03:30 (02:30Z), 2026-03-29 02:30 (01:30Z)",
    ],
    [
        "R-49",
        "Australia/Lord_Howe",
        "2027-10-02 02:15",
        "FREQ=DAILY;COUNT=3",
        "2027-10-02 02:15 (01 15:45Z), 2027-10-03 02:45 (02 15:45Z), \
             2027-10-04 02:15 (03 15:15Z)",
    ],
    [
        "R-50",
        "UTC+2",
        "2027-03-21 09:00",
        "FREQ=WEEKLY;COUNT=2",
        "2027-03-21 09:00 (07:00Z), 2027-03-28 09:00 (07:00Z)",
    ],
];

/// Wall clocks are kept over changes of time.
#[test]
fn changes_of_time() {
    for [case, zone, start, rule, expected] in CHANGES_OF_TIME {
        let recurrence = recurrence(&event(zone, start, start), rule);
        assert_eq!(moments(&recurrence).join(", "), *expected, "{case}");
    }
    let slots = |rule: &str| {
        let recurrence = recurrence(
            &event("Europe/Paris", "2027-03-27 02:30", "2027-03-27 02:30"),
            rule,
        );
        recurrence
            .occurrences(..)
            .map(|one| one.slot.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        slots("FREQ=DAILY;COUNT=3")[1],
        "2027-03-28T02:30:00",
        "R-40"
    );
    assert_eq!(
        slots("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30;COUNT=6")[2],
        "2027-03-28T03:30:00",
        "R-44"
    );
}

/// The first occurrence keeps the instant it was given.
#[test]
fn a_start_at_the_second_occurrence_of_its_wall_clock() {
    let zone: Zone = "Europe/Paris".parse().unwrap();
    let start = parse_date("2027-10-31T02:30:00+01:00", &zone, Timestamp::MIN).unwrap();
    let first = EventTime::between(zone, start, start, false).unwrap();
    let daily = recurrence(&first, "FREQ=DAILY;COUNT=2");
    assert_eq!(
        moments(&daily),
        ["2027-10-31 02:30 (01:30Z)", "2027-11-01 02:30 (01:30Z)"]
    );
}

/// The end keeps its distance by the clock.
#[test]
fn ends_over_changes_of_time() {
    for (case, start, end, rule, second) in [
        (
            "R-51",
            "2027-02-26 18:00",
            "2027-02-28 16:00",
            "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3",
            "2027-03-26 18:00:00/2027-03-28 16:00:00, 2027-03-26 17:00:00/2027-03-28 14:00:00",
        ),
        (
            "R-52",
            "2027-10-23 22:00",
            "2027-10-24 06:00",
            "FREQ=WEEKLY;COUNT=2",
            "2027-10-30 22:00:00/2027-10-31 06:00:00, 2027-10-30 20:00:00/2027-10-31 05:00:00",
        ),
        (
            "R-53",
            "2027-03-27 02:30",
            "2027-03-27 03:00",
            "FREQ=DAILY;COUNT=2",
            "2027-03-28 03:30:00/2027-03-28 04:00:00, 2027-03-28 01:30:00/2027-03-28 02:00:00",
        ),
        (
            "R-53",
            "2027-03-27 02:30",
            "2027-03-27 05:00",
            "FREQ=DAILY;COUNT=2",
            "2027-03-28 03:30:00/2027-03-28 05:00:00, 2027-03-28 01:30:00/2027-03-28 03:00:00",
        ),
    ] {
        let recurrence = recurrence(&event("Europe/Paris", start, end), rule);
        assert_eq!(interval(&recurrence, 1), second, "{case}");
    }
    let monthly = recurrence(
        &event("Europe/Paris", "2027-02-26 18:00", "2027-02-28 16:00"),
        "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3",
    );
    let third = monthly.occurrences(..).nth(2).unwrap().when;
    assert_eq!(third.start().local, wall("2027-04-30 18:00"), "R-51");
    assert_eq!(third.end().local, wall("2027-05-02 16:00"), "R-51");
    let whole_days = recurrence(&days("2027-03-20", "2027-03-21"), "FREQ=WEEKLY;COUNT=2");
    assert_eq!(
        interval(&whole_days, 1),
        "2027-03-27 00:00:00/2027-03-28 23:59:59, 2027-03-26 23:00:00/2027-03-28 21:59:59",
        "R-54"
    );
}

/// An event over the hour that occurs twice shows an earlier time at its end.
#[test]
fn an_end_that_the_clocks_show_before_the_start() {
    let zone: Zone = "Europe/Paris".parse().unwrap();
    let at = |text| parse_date(text, &zone, Timestamp::MIN).unwrap();
    let (start, end) = (at("2027-10-31T00:45:00Z"), at("2027-10-31T01:15:00Z"));
    let first = EventTime::between(zone.clone(), start, end, false).unwrap();
    assert!(end.local < start.local);
    let daily = recurrence(&first, "FREQ=DAILY;COUNT=2");
    let second = "2027-11-01 02:45:00/2027-11-01 03:15:00, 2027-11-01 01:45:00/2027-11-01 02:15:00";
    assert_eq!(interval(&daily, 1), second);
    let next_day = event("Europe/Paris", "2027-11-02 02:45", "2027-11-02 03:15");
    let slot = daily.slots(..).nth(1).unwrap();
    let moved = daily.start_for(slot, &next_day).unwrap();
    assert_eq!(moved.first().end().local, wall("2027-11-01 03:15"));
}

/// The times of an occurrence, by the clock and in UTC.
fn interval(recurrence: &Recurrence, index: usize) -> String {
    let when = recurrence.occurrences(..).nth(index).unwrap().when;
    let [start, end] = [when.start(), when.end()];
    let local = [start.local, end.local].map(format_civil).join("/");
    format!("{local}, {}/{}", start.utc, end.utc)
}

/// A slot is found by its forms.
#[test]
fn slots_are_found() {
    let six = recurrence(&jazz(), "FREQ=WEEKLY;COUNT=6");
    let third: Slot = "2027-03-16T19:00:00".parse().unwrap();
    for text in [
        "2027-03-16T19:00:00",
        "20270316T190000",
        "2027-03-16",
        "20270316T180000Z",
    ] {
        assert_eq!(six.find(text.parse().unwrap()), Some(third), "R-81 {text}");
    }
    for text in [
        "2027-03-17",
        "2027-03-16T18:00:00",
        "20270316T190000Z",
        "2027-04-13",
    ] {
        assert_eq!(six.find(text.parse().unwrap()), None, "R-81 {text}");
    }
    // The wall clock that the clocks skip, its instant, and one of two slots of a day.
    let first = event("Europe/Paris", "2027-03-27 02:30", "2027-03-27 03:00");
    let daily = recurrence(&first, "FREQ=DAILY;COUNT=3");
    let skipped: Slot = "2027-03-28T02:30:00".parse().unwrap();
    for text in ["2027-03-28T02:30:00", "2027-03-28", "2027-03-28T01:30:00Z"] {
        assert_eq!(daily.find(text.parse().unwrap()), Some(skipped), "{text}");
    }
    let twice = recurrence(&first, "FREQ=DAILY;BYHOUR=2,9;COUNT=3");
    assert_eq!(twice.find("2027-03-27".parse().unwrap()), None);
    let of_days = recurrence(&days("2027-03-10", "2027-03-11"), "FREQ=DAILY;COUNT=3");
    let second = Slot::of_day(wall("2027-03-11").date());
    for text in [
        "2027-03-11",
        "20270311",
        "2027-03-10T23:30:00Z",
        "2027-03-11T09:00:00",
    ] {
        assert_eq!(of_days.find(text.parse().unwrap()), Some(second), "{text}");
    }
    assert_eq!(of_days.recurrence_id(second).to_string(), "2027-03-11");
}

/// A slot is found by its day in a slug, and by its time if the day has several.
#[test]
fn slots_have_labels() {
    let six = recurrence(&jazz(), "FREQ=WEEKLY;COUNT=6");
    let third: Slot = "2027-03-16T19:00:00".parse().unwrap();
    assert_eq!(six.label(third), "2027-03-16", "R-71");
    assert_eq!(six.find_label("2027-03-16"), Some(third), "R-71");
    for label in [
        "2027-03-17",
        "2027-03-16-1900",
        "2027-03-16T19:00:00",
        "",
        "2027-03-1é",
    ] {
        assert_eq!(six.find_label(label), None, "R-71 {label}");
    }
    let first = event("Europe/Paris", "2027-03-27 02:30", "2027-03-27 03:00");
    let twice = recurrence(&first, "FREQ=DAILY;BYHOUR=2,9;COUNT=3");
    let labels: Vec<_> = twice.slots(..).map(|slot| twice.label(slot)).collect();
    assert_eq!(labels, ["2027-03-27-0230", "2027-03-27-0930", "2027-03-28"]);
    for (slot, label) in twice.slots(..).zip(labels) {
        assert_eq!(twice.find_label(&label), Some(slot));
    }
}

/// An endless rule up to a horizon, and far beyond.
#[test]
fn endless_rules_begin_at_a_window() {
    let first = event("UTC", "2027-01-05 19:00", "2027-01-05 20:00");
    let weekly = recurrence(&first, "FREQ=WEEKLY");
    let at = |day: &str| Timestamp::from_seconds(wall(day).and_utc().timestamp()).unwrap();
    let kept: Vec<_> = weekly.occurrences(..at("2031-12-01")).collect();
    assert_eq!(kept.len(), 256, "R-82");
    assert_eq!(kept[255].slot.to_string(), "2031-11-25T19:00:00", "R-82");
    assert_eq!(weekly.count_before(at("2031-12-01"), 5001), 256, "R-82");
    assert_eq!((weekly.total(), weekly.last()), (None, None), "R-82");
    let march = weekly.occurrences(at("2044-03-01")..at("2044-04-01"));
    let march: Vec<_> = march.map(|one| one.slot.day().to_string()).collect();
    assert_eq!(
        march,
        dates("2044-03-01, 03-08, 03-15, 03-22, 03-29"),
        "R-84"
    );
    let last = weekly
        .slots("9999-12-01T00:00:00".parse::<Slot>().unwrap()..)
        .last();
    assert_eq!(last.unwrap().to_string(), "9999-12-28T19:00:00");
}
