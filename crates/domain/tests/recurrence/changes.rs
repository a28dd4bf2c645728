//! Changes of recurrences.

use super::{canonical, days, event, jazz, parts, recurrence, wall};
use domain::{
    recurrence::{
        Comparison, DateValue, InvalidLine, InvalidMove, InvalidRecurrence, InvalidSplit, Part,
        Recurrence, RecurrenceParts, Slot,
    },
    time::{EventTime, Timestamp},
};

fn slot(text: &str) -> Slot {
    text.parse().unwrap()
}

fn days_of(recurrence: &Recurrence) -> Vec<String> {
    recurrence
        .slots(..)
        .map(|slot| slot.day().format("%m-%d").to_string())
        .collect()
}

fn six() -> Recurrence {
    recurrence(&jazz(), "FREQ=WEEKLY;COUNT=6")
}

fn without(recurrence: &Recurrence, deleted: &str) -> Recurrence {
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

fn times(recurrence: &Recurrence) -> impl Iterator<Item = EventTime> {
    recurrence.occurrences(..).map(|one| one.when)
}

/// All move by an hour, and the end with them.
/// All move by a day.
#[test]
fn moves() {
    let later = event("Europe/Paris", "2027-03-02 20:00", "2027-03-02 22:00");
    let until = recurrence(&jazz(), "FREQ=WEEKLY;UNTIL=20270406T170000Z");
    let moved = until.moved(&later).unwrap();
    assert_eq!(
        canonical(&moved),
        "FREQ=WEEKLY;UNTIL=20270406T180000Z",
        "R-113"
    );
    assert_eq!(moved.slots(..).count(), 6, "R-113");
    let fifth = moved.occurrences(..).nth(4).unwrap().when;
    assert_eq!(
        fifth.start().utc.to_string(),
        "2027-03-30 18:00:00",
        "R-113"
    );
    let Comparison {
        kept,
        added,
        removed,
        ..
    } = until.compare(&moved, Timestamp::MAX);
    assert_eq!((kept.len(), added, removed), (6, vec![], vec![]), "R-113");

    for (rule, shown) in [
        ("FREQ=WEEKLY;COUNT=6", "FREQ=WEEKLY;COUNT=6"),
        (
            "FREQ=WEEKLY;COUNT=6;BYDAY=TU",
            "FREQ=WEEKLY;COUNT=6;BYDAY=WE",
        ),
    ] {
        let series = recurrence(&jazz(), rule);
        let third = event("Europe/Paris", "2027-03-17 19:00", "2027-03-17 21:00");
        let first = series
            .first_for(slot("2027-03-16T19:00:00"), &third)
            .unwrap();
        let moved = series.moved(&first).unwrap();
        assert_eq!(canonical(&moved), shown, "R-114");
        assert_eq!(
            days_of(&moved),
            ["03-03", "03-10", "03-17", "03-24", "03-31", "04-07"],
            "R-114"
        );
        assert_eq!(
            series.compare(&moved, Timestamp::MAX).kept.len(),
            6,
            "R-114"
        );
    }
}

/// A deleted date moves, too.
/// In another zone, wall clocks stay.
#[test]
fn moves_keep_dates() {
    let later = event("Europe/Paris", "2027-03-02 20:00", "2027-03-02 22:00");
    let moved = without(&six(), "2027-03-16").moved(&later).unwrap();
    assert_eq!(
        moved.deleted().iter().next(),
        Some(&slot("2027-03-16T20:00:00")),
        "R-116"
    );
    assert_eq!(moved.slots(..).count(), 5, "R-116");

    let american = event("America/New_York", "2027-03-02 19:00", "2027-03-02 21:00");
    let moved = six().moved(&american).unwrap();
    assert!(moved.slots(..).eq(six().slots(..)), "R-122");
    let starts: Vec<_> = times(&moved)
        .map(|when| when.start().utc.to_string())
        .collect();
    assert_eq!(starts[0], "2027-03-03 00:00:00", "R-122");
    assert_eq!(starts[2], "2027-03-16 23:00:00", "R-122");
    let until = recurrence(&jazz(), "FREQ=WEEKLY;UNTIL=20270406T170000Z");
    let moved = until.moved(&american).unwrap();
    assert_eq!(
        canonical(&moved),
        "FREQ=WEEKLY;UNTIL=20270406T230000Z",
        "R-122"
    );
}

/// What a rule says against a new start is refused.
#[test]
fn refused_moves() {
    let start = "2027-01-29 18:00";
    let moved = |rule: &str, to: &str| {
        let series = recurrence(&event("Europe/Paris", start, start), rule);
        series
            .moved(&event("Europe/Paris", to, to))
            .map(|moved| canonical(&moved))
    };
    let (next_day, later) = ("2027-01-30 18:00", "2027-01-29 20:30");
    let contradicts = |part| Err(InvalidMove::Contradicts(part));
    for (rule, to, expected) in [
        (
            "FREQ=MONTHLY;BYDAY=-1FR;COUNT=4",
            next_day,
            contradicts(Part::Days),
        ),
        ("FREQ=DAILY;BYDAY=MO,FR", next_day, contradicts(Part::Days)),
        (
            "FREQ=MONTHLY;BYMONTHDAY=29",
            next_day,
            contradicts(Part::DaysOfMonth),
        ),
        (
            "FREQ=YEARLY;BYYEARDAY=29",
            next_day,
            contradicts(Part::DaysOfYear),
        ),
        ("FREQ=YEARLY;BYWEEKNO=4", next_day, contradicts(Part::Weeks)),
        (
            "FREQ=YEARLY;BYMONTH=1,3",
            "2027-02-05 18:00",
            contradicts(Part::Months),
        ),
        (
            "FREQ=DAILY;BYHOUR=1,18",
            "2027-01-29 16:00",
            contradicts(Part::Hours),
        ),
        (
            "FREQ=DAILY;BYHOUR=1,18;BYMINUTE=0,40",
            later,
            contradicts(Part::Hours),
        ),
    ] {
        assert_eq!(moved(rule, to), expected, "{rule}");
    }
    for (rule, to, expected) in [
        (
            "FREQ=MONTHLY;BYDAY=-1FR;COUNT=4",
            later,
            "FREQ=MONTHLY;COUNT=4;BYDAY=-1FR",
        ),
        ("FREQ=MONTHLY;COUNT=4", next_day, "FREQ=MONTHLY;COUNT=4"),
        (
            "FREQ=YEARLY;BYMONTH=3,4",
            next_day,
            "FREQ=YEARLY;BYMONTH=3,4",
        ),
        (
            "FREQ=YEARLY;BYMONTH=1",
            "2027-02-05 18:00",
            "FREQ=YEARLY;BYMONTH=2",
        ),
        ("FREQ=DAILY;BYHOUR=10,18", later, "FREQ=DAILY;BYHOUR=12,20"),
        (
            "FREQ=DAILY;BYHOUR=10,18;BYMINUTE=0",
            later,
            "FREQ=DAILY;BYHOUR=12,20;BYMINUTE=30",
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU",
            next_day,
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SA;WKST=TU",
        ),
    ] {
        assert_eq!(moved(rule, to).as_deref(), Ok(expected), "{rule}");
    }
}

/// Slots become days, and times again.
#[test]
fn whole_days() {
    let day = days("2027-03-02", "2027-03-02");
    let six_days = without(&six(), "2027-03-16").moved(&day).unwrap();
    assert_eq!(
        days_of(&six_days),
        ["03-02", "03-09", "03-23", "03-30", "04-06"],
        "R-123"
    );
    let id = six_days.recurrence_id(six_days.slots(..).nth(1).unwrap());
    assert_eq!(id.to_string(), "2027-03-09", "R-123");
    let timed = six_days.moved(&jazz()).unwrap();
    assert_eq!(timed, without(&six(), "2027-03-16"), "R-123");
    let hours = recurrence(&jazz(), "FREQ=DAILY;BYHOUR=9,19");
    assert_eq!(
        hours.moved(&day),
        Err(InvalidMove::NotForAllDay(Part::Hours)),
        "R-123"
    );
    // The end stays behind the last slot, which is after the time of day of the end.
    let until = recurrence(&jazz(), "FREQ=DAILY;UNTIL=20270305T120000Z");
    assert_eq!(until.slots(..).count(), 3);
    assert_eq!(
        canonical(&until.moved(&day).unwrap()),
        "FREQ=DAILY;UNTIL=20270304"
    );
    // Of two slots of a day, one is deleted: the day stays.
    let parts = RecurrenceParts {
        extra: vec!["20270316T100000".parse().unwrap()],
        deleted: vec!["20270316T190000".parse().unwrap()],
        rule: six().rule().cloned(),
    };
    let twice = Recurrence::new(jazz(), parts).unwrap().moved(&day).unwrap();
    assert_eq!(twice.slots(..).count(), 6, "R-123");
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

/// Not all months have both days: the n-th slot becomes the n-th.
#[test]
fn moves_over_the_end_of_a_month() {
    let start = event("Europe/Paris", "2027-04-30 19:00", "2027-04-30 19:00");
    let to = event("Europe/Paris", "2027-05-01 19:00", "2027-05-01 19:00");
    let until = recurrence(&start, "FREQ=MONTHLY;UNTIL=20270530T170000Z");
    let moved = until.moved(&to).unwrap();
    assert_eq!(days_of(&moved), ["05-01", "06-01"]);

    let series = without(&recurrence(&start, "FREQ=MONTHLY;COUNT=6"), "2027-05-30");
    let moved = series.moved(&to).unwrap();
    assert!(moved.deleted().iter().eq([&slot("2027-06-01T19:00:00")]));
    assert_eq!(
        days_of(&moved),
        ["05-01", "07-01", "08-01", "09-01", "10-01"]
    );
    let comparison = series.compare(&moved, Timestamp::MAX);
    assert_eq!(comparison.kept.len(), 5);
    assert!(comparison.added.is_empty() && comparison.removed.is_empty());
    assert_eq!(moved.moved(&start), Ok(series));

    // The days of these rules stay in their months.
    for rule in ["FREQ=WEEKLY;BYMONTH=4;BYDAY=TU", "FREQ=DAILY;BYMONTH=4,5"] {
        let refused = recurrence(&start, rule).moved(&to);
        assert_eq!(refused, Err(InvalidMove::Contradicts(Part::Months)));
    }
    // No February has the new day.
    let day = |day: &str| event("Europe/Paris", day, day);
    let february = recurrence(&day("2027-04-25 19:00"), "FREQ=YEARLY;BYMONTH=2");
    let refused = february.moved(&day("2027-04-30 19:00"));
    assert_eq!(refused, Err(InvalidMove::Contradicts(Part::Months)));
    let monthly = recurrence(&start, "FREQ=MONTHLY;BYMONTH=5").moved(&to);
    assert_eq!(monthly, Err(InvalidMove::Contradicts(Part::Months)));
}

/// Hours that a move names go with the move back.
#[test]
fn hours_come_and_go() {
    let at = |time: &str| {
        let time = format!("2027-03-02 {time}");
        event("Europe/Paris", &time, &time)
    };
    let rule = "FREQ=WEEKLY;BYDAY=TU,TH;BYMINUTE=4,13";
    let series = recurrence(&at("01:30"), rule);
    let moved = series.moved(&at("01:00")).unwrap();
    let shown = "FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=0;BYMINUTE=34,43";
    assert_eq!(canonical(&moved), shown);
    assert_eq!(moved.moved(&at("01:30")), Ok(series));
    // BYSETPOS needs another part beside it.
    let series = recurrence(&at("01:30"), "FREQ=DAILY;BYHOUR=0;BYMINUTE=34;BYSETPOS=1");
    for time in ["02:04", "02:30"] {
        let moved = series.moved(&at(time)).unwrap();
        assert_eq!(recurrence(moved.first(), &canonical(&moved)), moved);
    }
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
