use app::feed::{FeedOverride, FeedSeries};
use domain::recurrence::{Recurrence, RecurrenceParts};

use super::*;

pub(super) fn series(first: EventTime, lines: &[&str]) -> FeedSeries {
    let parts = RecurrenceParts::from_lines(lines, first.zone()).unwrap();
    let recurrence = Recurrence::new(first.clone(), parts).unwrap();
    let until = at(1_900_000_000);
    FeedSeries::new(event(first), recurrence, until)
}

fn jazz_nights(lines: &[&str]) -> FeedSeries {
    series(
        timed("Europe/Paris", "2027-03-02 19:00:00", "2027-03-02 21:00:00"),
        lines,
    )
}

/// The lines of dates and recurrence of each VEVENT.
fn dates(series: FeedSeries) -> Vec<Vec<String>> {
    let file = written(feed(), &[series.into()]);
    let names = [
        "RECURRENCE-ID",
        "DTSTART",
        "DTEND",
        "RRULE",
        "RDATE",
        "EXDATE",
        "STATUS",
    ];
    let is_date = |line: &String| names.contains(&line.split([':', ';']).next().unwrap());
    components(&file, "VEVENT")
        .into_iter()
        .map(|lines| lines.into_iter().filter(is_date).collect())
        .collect()
}

/// A series is one VEVENT with its rule; a deleted occurrence is in EXDATE.
#[test]
fn a_series_is_one_event() {
    let deleted = jazz_nights(&[
        "RRULE:FREQ=WEEKLY;COUNT=6",
        "EXDATE:20270316T190000",
        "RDATE:20270320T150000",
    ]);
    assert_eq!(
        dates(deleted),
        [[
            "DTSTART;TZID=Europe/Paris:20270302T190000",
            "DTEND;TZID=Europe/Paris:20270302T210000",
            "RRULE:FREQ=WEEKLY;COUNT=6",
            "RDATE;TZID=Europe/Paris:20270320T150000",
            "EXDATE;TZID=Europe/Paris:20270316T190000",
            "STATUS:CONFIRMED",
        ]]
    );
}

/// A start that the rule does not give is one of the dates, and the rule has no number: programs count
/// such a start differently, or leave it out.
#[test]
fn a_start_beside_its_rule() {
    let times = |lines: &[&str]| {
        let lines = dates(jazz_nights(lines)).remove(0);
        let rules = lines.into_iter().filter(|line| line.starts_with('R'));
        rules.collect::<Vec<_>>()
    };
    assert_eq!(
        times(&["RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=3"]),
        [
            "RRULE:FREQ=WEEKLY;UNTIL=20270310T180000Z;BYDAY=WE",
            "RDATE;TZID=Europe/Paris:20270302T190000",
        ]
    );
    assert_eq!(
        times(&["RDATE:20270320T150000"]),
        ["RDATE;TZID=Europe/Paris:20270302T190000,20270320T150000"]
    );
}

/// A moved and a cancelled occurrence are VEVENTs of their own with the UID of the series.
#[test]
fn occurrences_that_differ_are_events_of_their_own() {
    let mut six = jazz_nights(&["RRULE:FREQ=WEEKLY;COUNT=6"]);
    let moved = timed("Europe/Paris", "2027-03-17 18:00:00", "2027-03-17 20:00:00");
    let moved = FeedEvent {
        when: moved,
        ..six.event.clone()
    };
    let slot = "2027-03-23T19:00:00".parse().unwrap();
    let when = six.recurrence.time_at(slot).unwrap();
    let cancelled = FeedEvent {
        when,
        status: FeedStatus::Cancelled,
        ..six.event.clone()
    };
    six.overrides = vec![
        FeedOverride {
            slot: "2027-03-16T19:00:00".parse().unwrap(),
            event: moved,
        },
        FeedOverride {
            slot,
            event: cancelled,
        },
    ];
    six.left_out = ["2027-03-09T19:00:00".parse().unwrap()].into();
    let file = written(feed(), &[six.clone().into()]);
    assert_eq!(file.matches("UID:1@cal.example\r\n").count(), 3);
    let events = dates(six);
    assert_eq!(events[0][3], "EXDATE;TZID=Europe/Paris:20270309T190000");
    assert_eq!(
        events[1..],
        [
            [
                "RECURRENCE-ID;TZID=Europe/Paris:20270316T190000",
                "DTSTART;TZID=Europe/Paris:20270317T180000",
                "DTEND;TZID=Europe/Paris:20270317T200000",
                "STATUS:CONFIRMED",
            ],
            [
                "RECURRENCE-ID;TZID=Europe/Paris:20270323T190000",
                "DTSTART;TZID=Europe/Paris:20270323T190000",
                "DTEND;TZID=Europe/Paris:20270323T210000",
                "STATUS:CANCELLED",
            ],
        ]
    );
}

/// A weekend over the change of time, which ends at the same wall clock, has a VEVENT of its own.
#[test]
fn an_end_over_a_change_of_time_has_an_event_of_its_own() {
    let weekend = timed("Europe/Paris", "2027-02-26 18:00:00", "2027-02-28 16:00:00");
    let events = dates(series(weekend, &["RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3"]));
    assert_eq!(events.len(), 2);
    assert_eq!(
        events[1],
        [
            "RECURRENCE-ID;TZID=Europe/Paris:20270326T180000",
            "DTSTART;TZID=Europe/Paris:20270326T180000",
            "DTEND;TZID=Europe/Paris:20270328T160000",
            "STATUS:CONFIRMED",
        ]
    );
}

#[test]
fn endless_rules_stay_endless() {
    let events = dates(jazz_nights(&["RRULE:FREQ=WEEKLY"]));
    assert_eq!(events.len(), 1);
    assert_eq!(events[0][2], "RRULE:FREQ=WEEKLY");
}

#[test]
fn a_slot_that_the_clocks_skip_for_another_is_left_out() {
    let nights = timed("Europe/Paris", "2027-03-27 02:30:00", "2027-03-27 03:00:00");
    let rule = "RRULE:FREQ=DAILY;COUNT=6;BYHOUR=2,3;BYMINUTE=30";
    let events = dates(series(nights, &[rule]));
    assert_eq!(events[0][3], "EXDATE;TZID=Europe/Paris:20270328T023000");
}

#[test]
fn a_slot_that_the_clocks_skip_has_an_event_of_its_own() {
    let nights = timed("Europe/Paris", "2027-03-27 02:30:00", "2027-03-27 03:00:00");
    let events = dates(series(nights, &["RRULE:FREQ=DAILY;COUNT=3"]));
    assert_eq!(events.len(), 2);
    assert_eq!(
        events[1],
        [
            "RECURRENCE-ID;TZID=Europe/Paris:20270328T023000",
            "DTSTART;TZID=Europe/Paris:20270328T033000",
            "DTEND;TZID=Europe/Paris:20270328T040000",
            "STATUS:CONFIRMED",
        ]
    );
}

#[test]
fn whole_days_and_offsets() {
    let events = dates(series(
        days("Europe/Paris", "2027-03-20", "2027-03-21"),
        &["RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;VALUE=DATE:20270327"],
    ));
    assert_eq!(
        events,
        [[
            "DTSTART;VALUE=DATE:20270320",
            "DTEND;VALUE=DATE:20270322",
            "RRULE:FREQ=WEEKLY;COUNT=3",
            "EXDATE;VALUE=DATE:20270327",
            "STATUS:CONFIRMED",
        ]]
    );
    // Tuesdays of the zone are Mondays of UTC.
    let east = timed("+05:30", "2027-03-02 01:00:00", "2027-03-02 02:00:00");
    let east = series(east, &["RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU"]);
    let file = written(feed(), &[east.into()]);
    assert_eq!(
        property(&file, "DTSTART").unwrap(),
        "DTSTART;TZID=+0530:20270302T010000"
    );
    assert_eq!(
        component(&file, "VTIMEZONE")[..6],
        [
            "TZID:+0530",
            "X-LIC-LOCATION:+05:30",
            "BEGIN:STANDARD",
            "DTSTART:20260101T053000",
            "TZOFFSETFROM:+0530",
            "TZOFFSETTO:+0530",
        ]
    );
    let utc = timed("UTC", "2027-03-02 01:00:00", "2027-03-02 02:00:00");
    let events = dates(series(
        utc,
        &["RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20270309T010000Z"],
    ));
    assert_eq!(events[0][0], "DTSTART;TZID=Etc/UTC:20270302T010000");
    assert_eq!(events[0][3], "EXDATE;TZID=Etc/UTC:20270309T010000");
}

/// An endless series is bounded by itself, however far its caller looks ahead.
#[test]
fn an_endless_series_ends_its_own_events() {
    let nights = timed("Europe/Paris", "2027-03-02 22:00:00", "2027-03-03 06:00:00");
    let nights = FeedSeries {
        until: Timestamp::MAX,
        ..series(nights, &["RRULE:FREQ=DAILY"])
    };
    let file = written(feed(), &[nights.into()]);
    // Two nights a year are longer or shorter by an hour.
    assert_eq!(components(&file, "VEVENT").len(), 1 + 81);
}
