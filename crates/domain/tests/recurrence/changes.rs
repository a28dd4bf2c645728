//! Changes of recurrences.

use super::{canonical, days, event, jazz, parts, recurrence, wall};
use events_calendar_domain::{
    recurrence::{
        Comparison, DateValue, InvalidLine, InvalidRecurrence, InvalidSplit, Recurrence,
        RecurrenceParts, Slot,
    },
    time::{EventTime, Timestamp},
};

pub(super) fn slot(text: &str) -> Slot {
    text.parse().unwrap()
}

pub(super) fn days_of(recurrence: &Recurrence) -> Vec<String> {
    recurrence
        .slots(..)
        .map(|slot| slot.day().format("%m-%d").to_string())
        .collect()
}

pub(super) fn six() -> Recurrence {
    recurrence(&jazz(), "FREQ=WEEKLY;COUNT=6")
}

pub(super) fn without(recurrence: &Recurrence, deleted: &str) -> Recurrence {
    let parts = RecurrenceParts {
        deleted: vec![deleted.parse().unwrap()],
        rule: recurrence.rule().cloned(),
        extra: Vec::new(),
    };
    Recurrence::new(recurrence.first().clone(), parts).unwrap()
}

/// A series is split.
#[test]
fn splits() {
    let [before, after] = six().split(slot("2027-03-23T19:00:00")).unwrap();
    assert_eq!(canonical(&before), "FREQ=WEEKLY;COUNT=3", "R-106");
    assert_eq!(canonical(&after), "FREQ=WEEKLY;COUNT=3", "R-106");
    assert_eq!(days_of(&after), ["03-23", "03-30", "04-06"], "R-106");
    assert_eq!(after.first().end().local, wall("2027-03-23 21:00"), "R-106");

    let endless = recurrence(&jazz(), "FREQ=WEEKLY");
    let [before, after] = endless.split(slot("2027-03-23T19:00:00")).unwrap();
    assert_eq!(
        canonical(&before),
        "FREQ=WEEKLY;UNTIL=20270323T175959Z",
        "R-107"
    );
    assert_eq!(canonical(&after), "FREQ=WEEKLY", "R-107");

    let [before, after] = without(&six(), "2027-04-06")
        .split(slot("2027-03-23T19:00:00"))
        .unwrap();
    assert!(before.deleted().is_empty(), "R-108");
    assert_eq!(days_of(&after), ["03-23", "03-30"], "R-108");

    let whole_days = recurrence(
        &days("2027-03-01", "2027-03-02"),
        "FREQ=DAILY;UNTIL=20270310",
    );
    let [before, after] = whole_days
        .split(Slot::of_day(wall("2027-03-05").date()))
        .unwrap();
    assert_eq!(canonical(&before), "FREQ=DAILY;UNTIL=20270304");
    assert_eq!(canonical(&after), "FREQ=DAILY;UNTIL=20270310");
}

/// Neither at the first slot nor at an extra date.
#[test]
fn refused_splits() {
    let extra = RecurrenceParts {
        extra: vec![
            "20270320T150000".parse().unwrap(),
            "20270323T190000".parse().unwrap(),
        ],
        ..parts("FREQ=WEEKLY;COUNT=6")
    };
    let series = Recurrence::new(jazz(), extra).unwrap();
    for (at, error) in [
        ("2027-03-02T19:00:00", InvalidSplit::First),
        ("2027-03-20T15:00:00", InvalidSplit::Extra),
        ("2027-03-17T19:00:00", InvalidSplit::NoSlot),
    ] {
        assert_eq!(series.split(slot(at)), Err(error), "R-110 {at}");
    }
    // Nothing is left before it, or from it on.
    let rest = without(&six(), "2027-03-02");
    let first = rest.split(slot("2027-03-09T19:00:00"));
    assert_eq!(first, Err(InvalidSplit::First));
    let last = without(&six(), "2027-04-06").split(slot("2027-04-06T19:00:00"));
    assert_eq!(last, Err(InvalidSplit::NoSlot));
    // A date of the rule that is also an extra date.
    assert!(series.split(slot("2027-03-23T19:00:00")).is_ok(), "R-110");
}

/// At the start, earlier extra dates are a half of their own.
#[test]
fn a_split_at_the_start() {
    let extra = ["2027-02-20T12:00:00", "2027-03-10T12:00:00"].map(|text| text.parse().unwrap());
    let parts = RecurrenceParts {
        rule: six().rule().cloned(),
        extra: extra.to_vec(),
        ..RecurrenceParts::default()
    };
    let whole = Recurrence::new(jazz(), parts).unwrap();
    let [before, after] = whole.split(whole.first_slot()).unwrap();
    assert_eq!((before.rule(), before.total()), (None, Some(1)));
    assert_eq!(before.first().start().local, wall("2027-02-20 12:00"));
    assert_eq!(before.first().end().local, wall("2027-02-20 14:00"));
    assert_eq!(after.start(), whole.start());
    assert_eq!(
        (canonical(&after), after.total()),
        (canonical(&whole), Some(7))
    );
    assert!(times(&before).chain(times(&after)).eq(times(&whole)));
    // Nothing is before the start.
    let gone = [slot("2027-02-20T12:00:00")].into();
    let deleted = whole.with_dates(whole.extra().clone(), gone);
    assert_eq!(
        deleted.split(deleted.first_slot()),
        Err(InvalidSplit::First)
    );
}

/// A split where the clocks jump keeps the rule, though its time is skipped on that day.
#[test]
fn a_split_in_a_gap() {
    let first = event("Europe/Paris", "2027-03-27 02:30", "2027-03-27 03:00");
    let daily = recurrence(&first, "FREQ=DAILY;COUNT=4");
    let [before, after] = daily.split(slot("2027-03-28T02:30:00")).unwrap();
    assert_eq!(canonical(&before), "FREQ=DAILY;COUNT=1");
    assert_eq!(canonical(&after), "FREQ=DAILY;COUNT=3");
    assert!(times(&before).chain(times(&after)).eq(times(&daily)));
    // The same if that day is deleted.
    let three = without(&daily, "2027-03-28");
    let [before, after] = three.split(slot("2027-03-28T02:30:00")).unwrap();
    assert!(times(&before).chain(times(&after)).eq(times(&three)));
}

/// The clocks jump from 02:00 to 02:30: the slot at 02:10 comes at 02:40, after that at 02:35.
#[test]
fn splits_between_slots_that_change_places() {
    let first = event(
        "Australia/Lord_Howe",
        "2027-10-02 02:10",
        "2027-10-02 02:20",
    );
    for end in ["", ";COUNT=9", ";UNTIL=20271005"] {
        let rule = format!("FREQ=DAILY;BYHOUR=2;BYMINUTE=10,35{end}");
        let series = recurrence(&first, &rule);
        let mut whole: Vec<_> = times(&series)
            .take(7)
            .map(|when| when.start().utc)
            .collect();
        whole.sort();
        for at in ["2027-10-03T02:10:00", "2027-10-03T02:35:00"] {
            let [before, after] = series.split(slot(at)).unwrap();
            let count = before.slots(..).count();
            assert_eq!(
                count,
                if at.contains("02:10") { 2 } else { 3 },
                "{rule} {at}"
            );
            assert!(
                before.slots(..).all(|before| before < slot(at)),
                "{rule} {at}"
            );
            let halves = times(&before).chain(times(&after)).take(7);
            let mut halves: Vec<_> = halves.map(|when| when.start().utc).collect();
            halves.sort();
            assert_eq!(halves, whole, "{rule} {at}");
            let totals = before
                .total()
                .zip(after.total())
                .map(|(before, after)| before + after);
            assert_eq!(totals, series.total(), "{rule} {at}");
        }
    }
}

pub(super) fn times(recurrence: &Recurrence) -> impl Iterator<Item = EventTime> {
    recurrence.occurrences(..).map(|one| one.when)
}

/// A new rule keeps the slots that remain.
#[test]
fn new_rules() {
    let with = |rule: &str| six().with_rule(rule.parse().ok()).unwrap();
    let comparison = six().compare(&with("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6"), Timestamp::MAX);
    let names = |slots: &[Slot]| {
        slots
            .iter()
            .map(|slot| slot.day().to_string())
            .collect::<Vec<_>>()
    };
    let kept: Vec<_> = comparison.kept.iter().map(|(slot, _)| *slot).collect();
    assert_eq!(
        names(&kept),
        ["2027-03-02", "2027-03-09", "2027-03-16"],
        "R-118"
    );
    assert_eq!(
        names(&comparison.added),
        ["2027-03-04", "2027-03-11", "2027-03-18"],
        "R-118"
    );
    assert_eq!(
        names(&comparison.removed),
        ["2027-03-23", "2027-03-30", "2027-04-06"],
        "R-118"
    );

    let five = without(&six(), "2027-03-16");
    let seven = five.with_rule("FREQ=WEEKLY;COUNT=8".parse().ok()).unwrap();
    assert_eq!(seven.total(), Some(7), "R-120");
    assert!(!days_of(&seven).contains(&"03-16".to_owned()), "R-120");
    let anew = Recurrence::new(jazz(), parts("FREQ=WEEKLY;COUNT=8")).unwrap();
    assert_eq!(anew.total(), Some(8), "R-120");

    let comparison = six().compare(&with("FREQ=WEEKLY;COUNT=2"), Timestamp::MAX);
    assert_eq!(
        (comparison.kept.len(), comparison.removed.len()),
        (2, 4),
        "R-121"
    );

    // Another time of a day with one slot, and of a day with two.
    let once = six().compare(&with("FREQ=WEEKLY;BYHOUR=20;COUNT=6"), Timestamp::MAX);
    let second = (slot("2027-03-09T19:00:00"), slot("2027-03-09T20:00:00"));
    assert_eq!(once.kept[1], second);
    let twice = six().compare(&with("FREQ=WEEKLY;BYHOUR=18,20;COUNT=12"), Timestamp::MAX);
    assert_eq!(twice.kept.len(), 1);
    let refused = six().with_rule("FREQ=DAILY;UNTIL=20270301".parse().ok());
    assert_eq!(refused, Err(InvalidRecurrence::UntilBeforeStart));
}

/// A deleted slot stays deleted at another time of its day, and what is read of it, too.
#[test]
fn deleted_slots_follow_their_day() {
    let five = without(&six(), "2027-03-16");
    let later = five.with_rule("FREQ=WEEKLY;BYHOUR=20;COUNT=7".parse().ok());
    let later = later.unwrap();
    let renamed = (slot("2027-03-16T19:00:00"), slot("2027-03-16T20:00:00"));
    assert!(later.deleted().iter().eq([&renamed.1]));
    let Comparison {
        kept,
        added,
        removed,
        deleted,
    } = five.compare(&later, Timestamp::MAX);
    // The start is a slot beside that of the rule.
    assert_eq!(added, [slot("2027-03-02T20:00:00")]);
    assert_eq!((kept.len(), removed), (5, vec![]));
    assert_eq!(deleted, [renamed]);
    // Deleting and reviving.
    let Comparison { removed, .. } = six().compare(&five, Timestamp::MAX);
    assert_eq!(removed, [renamed.0]);
    let Comparison { added, .. } = five.compare(&six(), Timestamp::MAX);
    assert_eq!(added, [renamed.0]);
}

/// A slot that moves past the horizon is kept.
#[test]
fn slots_move_past_the_horizon() {
    let first = event("UTC", "2027-01-05 19:00", "2027-01-05 20:00");
    let daily = recurrence(&first, "FREQ=DAILY");
    let horizon = wall("2031-12-01").and_utc().timestamp();
    let horizon = Timestamp::from_seconds(horizon).unwrap();
    let stored = daily.occurrences(..horizon).count();
    for to in [
        event("UTC", "2027-01-06 19:00", "2027-01-06 20:00"),
        event("America/New_York", "2027-01-05 19:00", "2027-01-05 20:00"),
    ] {
        let comparison = daily.compare(&daily.moved(&to).unwrap(), horizon);
        assert_eq!(comparison.kept.len(), stored);
        assert!(comparison.removed.is_empty() && comparison.added.is_empty());
    }
    let earlier = event("UTC", "2027-01-04 19:00", "2027-01-04 20:00");
    let comparison = daily.compare(&daily.moved(&earlier).unwrap(), horizon);
    assert_eq!(comparison.added, [slot("2031-11-30T19:00:00")]);
    assert!(comparison.removed.is_empty());
}

/// A recurrence whose slots were deleted one by one can be written back, and no other one.
#[test]
fn all_slots_are_deleted() {
    let all: std::collections::BTreeSet<_> = six().slots(..).collect();
    let none = six().with_dates([].into(), all.clone());
    let rule = || none.rule().cloned();
    let dates = all.into_iter().map(|slot| DateValue::Local(slot.local()));
    let deleted: Vec<_> = dates.collect();
    let as_read = none.with_parts(rule(), Some(Vec::new()), Some(deleted.clone()));
    assert_eq!(as_read.as_ref(), Ok(&none));
    let fewer = "FREQ=WEEKLY;COUNT=5".parse().ok();
    assert_eq!(none.with_rule(fewer), Err(InvalidRecurrence::NoneLeft));
    let again = six().with_parts(rule(), None, Some(deleted));
    assert_eq!(again, Err(InvalidRecurrence::NoneLeft));
}

/// Dates alone change, beside those that are there.
#[test]
fn new_dates() {
    let rule = || six().rule().cloned();
    let date = |text: &str| vec![text.parse().unwrap()];
    let seven = six().with_parts(rule(), Some(date("20270320T150000")), None);
    let seven = seven.unwrap();
    assert_eq!(seven.total(), Some(7));
    let without_third = seven.with_parts(rule(), None, Some(date("20270316")));
    let without_third = without_third.unwrap();
    assert_eq!(days_of(&without_third).len(), 6);
    let revived = without_third.with_parts(rule(), None, Some(Vec::new()));
    assert_eq!(revived, Ok(seven));
    // Stored dates are sent back, however many they are.
    let daily = recurrence(&jazz(), "FREQ=DAILY;COUNT=2000");
    let deleted = daily.slots(..).skip(1).take(1500).collect();
    let daily = daily.with_dates(daily.extra().clone(), deleted);
    let sent: Vec<_> = daily
        .deleted()
        .iter()
        .map(|slot| DateValue::Local(slot.local()))
        .collect();
    let again = daily.with_parts(daily.rule().cloned(), None, Some(sent));
    assert_eq!(again, Ok(daily));
}

/// Lines of iCalendar.
#[test]
fn lines() {
    let paris = jazz().zone().clone();
    let read = |lines: &[&str]| RecurrenceParts::from_lines(lines, &paris);
    let text = ["RRULE:FREQ=WEEKLY;COUNT=6"];
    assert_eq!(
        Recurrence::new(jazz(), read(&text).unwrap()),
        Ok(six()),
        "R-55"
    );
    let sent = [
        "rrule:freq=weekly;count=6",
        "EXDATE;TZID=\"Europe/Paris\":20270309T190000",
        "EXDATE;TZID=America/New_York;VALUE=DATE-TIME:20270330T130000",
        "RDATE:20270501T150000Z,20270502T150000",
    ];
    let series = Recurrence::new(jazz(), read(&sent).unwrap()).unwrap();
    assert_eq!(
        series.lines(),
        [
            "RRULE:FREQ=WEEKLY;COUNT=6",
            "RDATE;TZID=Europe/Paris:20270501T170000,20270502T150000",
            "EXDATE;TZID=Europe/Paris:20270309T190000,20270330T190000",
        ]
    );
    let value = |name: &str| InvalidLine::Value {
        name: name.to_owned(),
    };
    let unknown = |name: &str| InvalidLine::Unknown {
        name: name.to_owned(),
    };
    let parameter = |name: &str| InvalidLine::Parameter {
        name: name.to_owned(),
    };
    for (lines, error) in [
        (
            &["RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"] as &[_],
            InvalidLine::TwoRules,
        ),
        (&["DTSTART:20270302T190000"], unknown("DTSTART")),
        (&["EXRULE:FREQ=DAILY"], unknown("EXRULE")),
        (&[""], unknown("")),
        (
            &["RDATE;VALUE=PERIOD:20270302T190000Z/PT1H"],
            InvalidLine::Period,
        ),
        (&["RDATE:20270302T190000Z/PT1H"], value("RDATE")),
        (&["EXDATE;VALUE=DATE:20270302T190000"], value("EXDATE")),
        (&["EXDATE;VALUE=DATE-TIME:20270302"], value("EXDATE")),
        (&["EXDATE:"], value("EXDATE")),
        (&["EXDATE"], value("EXDATE")),
        (&["EXDATE;RANGE=THISANDFUTURE:20270302"], parameter("RANGE")),
        (
            &["EXDATE;TZID=Nowhere:20270302T190000"],
            InvalidLine::Zone {
                name: "Nowhere".into(),
            },
        ),
    ] {
        assert_eq!(read(lines), Err(error), "R-62 {lines:?}");
    }
    let fixed = event("UTC+2", "2027-03-02 19:00", "2027-03-02 21:00");
    let dates = RecurrenceParts {
        extra: vec!["20270305T190000".parse().unwrap()],
        ..parts("")
    };
    let fixed = Recurrence::new(fixed, dates).unwrap();
    assert_eq!(fixed.lines(), ["RDATE:20270305T170000Z"]);
    // A name of the database without a slash.
    let cuba = event("Cuba", "2027-03-02 19:00", "2027-03-02 21:00");
    let dates = RecurrenceParts {
        extra: vec!["20270314T003000".parse().unwrap()],
        ..parts("")
    };
    let cuba = Recurrence::new(cuba, dates).unwrap();
    assert_eq!(cuba.lines(), ["RDATE;TZID=Cuba:20270314T003000"]);
    let of_days = RecurrenceParts {
        extra: vec!["20270305".parse().unwrap()],
        ..parts("")
    };
    let of_days = Recurrence::new(days("2027-03-02", "2027-03-02"), of_days).unwrap();
    assert_eq!(of_days.lines(), ["RDATE;VALUE=DATE:20270305"]);
}

/// Dates as sent become slots of their series.
#[test]
fn dates_become_slots() {
    let dates: [DateValue; 3] =
        ["20270320", "20270320T100000", "20270320T230000Z"].map(|text| text.parse().unwrap());
    let extra = |first: EventTime| {
        let parts = RecurrenceParts {
            extra: dates.to_vec(),
            ..parts("")
        };
        let series = Recurrence::new(first, parts).unwrap();
        series
            .extra()
            .iter()
            .map(Slot::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        extra(jazz()),
        [
            "2027-03-20T00:00:00",
            "2027-03-20T10:00:00",
            "2027-03-21T00:00:00"
        ]
    );
    assert_eq!(
        extra(days("2027-03-02", "2027-03-02")),
        ["2027-03-20T00:00:00", "2027-03-21T00:00:00"]
    );
}
