//! Moves of recurrences to another start, zone or kind of day.

use super::{
    canonical,
    changes::{days_of, six, slot, times, without},
    days, event, jazz, recurrence,
};
use events_calendar_domain::{
    recurrence::{Comparison, InvalidMove, Part, Recurrence, RecurrenceParts},
    time::Timestamp,
};

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
        let start = series.start_for(slot("2027-03-16T19:00:00"), &third);
        let moved = series.moved_to(start.unwrap()).unwrap();
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
    // One of two slots of a day is deleted: the day stays.
    let parts = RecurrenceParts {
        extra: vec!["20270316T100000".parse().unwrap()],
        deleted: vec!["20270316T190000".parse().unwrap()],
        rule: six().rule().cloned(),
    };
    let twice = Recurrence::new(jazz(), parts).unwrap().moved(&day).unwrap();
    assert_eq!(twice.slots(..).count(), 6, "R-123");
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

/// Of several slots of a day, one that is not deleted becomes the day.
#[test]
fn a_day_of_several_slots() {
    let parts = RecurrenceParts {
        extra: vec![
            "2027-03-03T10:00:00".parse().unwrap(),
            "2027-03-03T20:00:00".parse().unwrap(),
        ],
        ..RecurrenceParts::default()
    };
    let both = Recurrence::new(jazz(), parts).unwrap();
    for (deleted, left) in [
        ("2027-03-03T10:00:00", "2027-03-03T20:00:00"),
        ("2027-03-03T20:00:00", "2027-03-03T10:00:00"),
    ] {
        let one = both.with_dates(both.extra().clone(), [slot(deleted)].into());
        let moved = one.moved(&days("2027-03-02", "2027-03-02")).unwrap();
        let Comparison {
            kept,
            added,
            removed,
            ..
        } = one.compare(&moved, Timestamp::MAX);
        assert_eq!((added, removed), (vec![], vec![]));
        assert_eq!(kept[1], (slot(left), slot("2027-03-03T00:00:00")));
    }
}

/// A slot at another time of its day has that name, wherever it is.
#[test]
fn names_on_the_same_day() {
    let weekly = recurrence(&jazz(), "FREQ=WEEKLY");
    let later = recurrence(&jazz(), "FREQ=WEEKLY;BYHOUR=20");
    let far = slot("2044-03-01T19:00:00");
    assert_eq!(
        weekly.moved_names(&later, &[far]),
        [slot("2044-03-01T20:00:00")]
    );
    // No slot is there, or the day has two.
    let none = slot("2044-03-02T19:00:00");
    assert_eq!(weekly.moved_names(&later, &[none]), [none]);
    let twice = recurrence(&jazz(), "FREQ=WEEKLY;BYHOUR=20,21");
    assert_eq!(weekly.moved_names(&twice, &[far]), [far]);
}
