//! Rules, ends, extra and deleted dates.

use events_calendar_domain::{
    recurrence::{
        DateValue, InvalidRecurrence, InvalidRule, Part, Recurrence, RecurrenceParts, Rule,
    },
    time::{Timestamp, Zone, format_civil},
};

use super::{canonical, dates, days, event, jazz, parts, recurrence, wall};

/// The starts of all occurrences, by the clock.
fn starts(recurrence: &Recurrence) -> Vec<String> {
    let occurrences = recurrence.occurrences(..);
    occurrences
        .map(|one| format_civil(one.when.start().local)[..16].to_owned())
        .collect()
}

fn days_of(recurrence: &Recurrence) -> Vec<String> {
    starts(recurrence)
        .into_iter()
        .map(|start| start[..10].to_owned())
        .collect()
}

fn date(text: &str) -> DateValue {
    DateValue::read(text, &Zone::utc(), Timestamp::MIN).unwrap()
}

/// Each rule from a start, and its dates.
const RULES: &[[&str; 4]] = &[
    [
        "R-01",
        "FREQ=DAILY;COUNT=5",
        "2027-03-10 09:00",
        "2027-03-10, 03-11, 03-12, 03-13, 03-14",
    ],
    [
        "R-02",
        "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=6",
        "2027-03-11 09:00",
        "2027-03-11, 03-12, 03-15, 03-16, 03-17, 03-18",
    ],
    [
        "R-03",
        "FREQ=DAILY;BYHOUR=10,14;BYMINUTE=0,30;COUNT=6",
        "2027-03-10 14:00",
        "2027-03-10 14:00, 14:30, 03-11 10:00, 10:30, 14:00, 14:30",
    ],
    [
        "R-04",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO;COUNT=4",
        "2027-08-03 09:00",
        "2027-08-03, 08-08, 08-17, 08-22",
    ],
    [
        "R-05",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;COUNT=4",
        "2027-08-03 09:00",
        "2027-08-03, 08-15, 08-17, 08-29",
    ],
    [
        "R-06",
        "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,2;COUNT=4",
        "2027-03-10 09:00",
        "2027-03-10, 03-15, 03-17, 03-22",
    ],
    [
        "R-07",
        "FREQ=MONTHLY;COUNT=6",
        "2027-01-31 20:00",
        "2027-01-31, 03-31, 05-31, 07-31, 08-31, 10-31",
    ],
    [
        "R-08",
        "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5",
        "2027-01-31 20:00",
        "2027-01-31, 02-28, 03-31, 04-30, 05-31",
    ],
    [
        "R-09",
        "FREQ=MONTHLY;BYDAY=-1FR;COUNT=4",
        "2027-01-29 18:00",
        "2027-01-29, 02-26, 03-26, 04-30",
    ],
    [
        "R-10",
        "FREQ=MONTHLY;BYDAY=5MO;COUNT=4",
        "2027-03-29 10:00",
        "2027-03-29, 05-31, 08-30, 11-29",
    ],
    [
        "R-11",
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1MO;COUNT=4",
        "2027-10-25 14:00",
        "2027-10-25, 12-27, 2028-02-28, 04-24",
    ],
    [
        "R-12",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=4",
        "2027-01-29 17:00",
        "2027-01-29, 02-26, 03-31, 04-30",
    ],
    [
        "R-13",
        "FREQ=YEARLY;COUNT=4",
        "2028-02-29 12:00",
        "2028-02-29, 2032-02-29, 2036-02-29, 2040-02-29",
    ],
    [
        "R-14",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1;COUNT=5",
        "2028-02-29 12:00",
        "2028-02-29, 2029-02-28, 2030-02-28, 2031-02-28, 2032-02-29",
    ],
    [
        "R-15",
        "FREQ=YEARLY;BYMONTHDAY=30;COUNT=3",
        "2027-03-30 09:00",
        "2027-03-30, 2028-03-30, 2029-03-30",
    ],
    [
        "R-16",
        "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=4",
        "2027-11-25 12:00",
        "2027-11-25, 2028-11-23, 2029-11-22, 2030-11-28",
    ],
    [
        "R-17",
        "FREQ=YEARLY;BYYEARDAY=1,100,-1;COUNT=6",
        "2027-01-01 10:00",
        "2027-01-01, 04-10, 12-31, 2028-01-01, 04-09, 12-31",
    ],
    [
        "R-18",
        "FREQ=YEARLY;BYWEEKNO=20;COUNT=3",
        "2027-05-20 09:00",
        "2027-05-20, 2028-05-18, 2029-05-17",
    ],
    [
        "R-19",
        "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=4",
        "2027-01-04 09:00",
        "2027-01-04, 2028-01-03, 2029-01-01, 12-31",
    ],
    [
        "R-20",
        "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SA,SU;COUNT=4",
        "2038-01-02 09:00",
        "2038-01-02, 01-03, 2044-01-02, 01-03",
    ],
    [
        "R-21",
        "FREQ=WEEKLY;BYDAY=TU;COUNT=3",
        "2027-03-10 18:00",
        "2027-03-10, 03-16, 03-23",
    ],
    [
        "R-22",
        "FREQ=DAILY;UNTIL=20270312",
        "2027-03-10 18:00",
        "2027-03-10, 03-11, 03-12",
    ],
    [
        "R-23",
        "FREQ=DAILY;UNTIL=20270312T170000Z",
        "2027-03-10 18:00",
        "2027-03-10, 03-11, 03-12",
    ],
    [
        "R-23",
        "FREQ=DAILY;UNTIL=20270312T165959Z",
        "2027-03-10 18:00",
        "2027-03-10, 03-11",
    ],
    [
        "R-24",
        "FREQ=DAILY;UNTIL=20270312T175959",
        "2027-03-10 18:00",
        "2027-03-10, 03-11",
    ],
    [
        "R-25",
        "FREQ=WEEKLY;UNTIL=20270331T150000Z",
        "2027-03-17 18:00",
        "2027-03-17, 03-24",
    ],
    [
        "R-25",
        "FREQ=WEEKLY;UNTIL=20270331T160000Z",
        "2027-03-17 18:00",
        "2027-03-17, 03-24, 03-31",
    ],
    [
        "R-26",
        "FREQ=DAILY;UNTIL=20271031T003000Z",
        "2027-10-29 02:30",
        "2027-10-29, 10-30, 10-31",
    ],
    [
        "R-26",
        "FREQ=DAILY;UNTIL=20271031T002959Z",
        "2027-10-29 02:30",
        "2027-10-29, 10-30",
    ],
];

/// Rules give their dates.
#[test]
fn rules() {
    for [case, rule, start, expected] in RULES {
        let is_american = *case == "R-16";
        let zone = if is_american {
            "America/New_York"
        } else {
            "Europe/Paris"
        };
        let recurrence = recurrence(&event(zone, start, start), rule);
        let mut expected = dates(expected);
        for date in &mut expected {
            if date.len() == 10 {
                date.push_str(&start[10..]);
            }
        }
        assert_eq!(starts(&recurrence), expected, "{case}");
    }
}

/// An end is written back as an instant, or as a day for whole days.
#[test]
fn ends() {
    let at_18 = event("Europe/Paris", "2027-03-10 18:00", "2027-03-10 19:00");
    for (case, rule, shown) in [
        (
            "R-22",
            "FREQ=DAILY;UNTIL=20270312",
            "FREQ=DAILY;UNTIL=20270312T225959Z",
        ),
        (
            "R-24",
            "FREQ=DAILY;UNTIL=20270312T175959",
            "FREQ=DAILY;UNTIL=20270312T165959Z",
        ),
    ] {
        assert_eq!(canonical(&recurrence(&at_18, rule)), shown, "{case}");
    }
    let whole_days = recurrence(
        &days("2027-03-10", "2027-03-10"),
        "FREQ=DAILY;UNTIL=20270312T225959Z",
    );
    assert_eq!(
        days_of(&whole_days),
        dates("2027-03-10, 03-11, 03-12"),
        "R-27"
    );
    assert_eq!(canonical(&whole_days), "FREQ=DAILY;UNTIL=20270312", "R-27");
}

/// Long recurrences, and those that are too long.
#[test]
fn lengths() {
    let weekly = event("Europe/Paris", "2027-01-05 19:00", "2027-01-05 20:00");
    let ten_years = recurrence(&weekly, "FREQ=WEEKLY;COUNT=522");
    assert_eq!(ten_years.total(), Some(522), "R-28");
    assert_eq!(
        ten_years.last().unwrap().slot.to_string(),
        "2036-12-30T19:00:00",
        "R-28"
    );

    let daily = event("Europe/Paris", "2027-01-01 09:00", "2027-01-01 10:00");
    let longest = recurrence(&daily, "FREQ=DAILY;COUNT=5000");
    assert_eq!(
        longest.last().unwrap().slot.to_string(),
        "2040-09-08T09:00:00",
        "R-29"
    );
    assert_eq!(
        "FREQ=DAILY;COUNT=5001".parse::<Rule>(),
        Err(InvalidRule::Value(Part::Count)),
        "R-29"
    );
    let too_long = Recurrence::new(daily.clone(), parts("FREQ=DAILY;UNTIL=20401231"));
    assert_eq!(too_long, Err(InvalidRecurrence::TooManySlots), "R-30");

    // nothing beside the start; and more than 5,000 slots within five years.
    let never = Recurrence::new(daily.clone(), parts("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"));
    assert_eq!(never, Err(InvalidRecurrence::Never), "R-63");
    let hours = (0..24)
        .map(|hour| hour.to_string())
        .collect::<Vec<_>>()
        .join(",");
    let hourly = recurrence(&daily, &format!("FREQ=DAILY;BYHOUR={hours}"));
    let horizon = Timestamp::from_seconds(1_960_000_000).unwrap();
    let limit = Recurrence::MAX_SLOTS + 1;
    assert_eq!(hourly.count_before(horizon, limit), limit, "R-63");
}

fn with_dates(rule: &str, extra: &[&str], deleted: &[&str]) -> RecurrenceParts {
    RecurrenceParts {
        extra: extra.iter().map(|text| date(text)).collect(),
        deleted: deleted.iter().map(|text| date(text)).collect(),
        ..parts(rule)
    }
}

/// Extra and deleted dates.
#[test]
fn single_dates() {
    let rule = "FREQ=WEEKLY;COUNT=6";
    let of = |extra: &[&str], deleted: &[&str]| {
        Recurrence::new(jazz(), with_dates(rule, extra, deleted)).unwrap()
    };
    let without_third = of(&[], &["2027-03-16"]);
    let five = dates("2027-03-02, 03-09, 03-23, 03-30, 04-06");
    assert_eq!(days_of(&without_third), five, "R-31");
    assert_eq!(without_third.total(), Some(5), "R-31");
    let last = without_third.last().unwrap().when;
    assert_eq!(last.start().local, wall("2027-04-06 19:00"), "R-31");

    let by_instant = of(&[], &["2027-03-30T17:00:00Z"]);
    assert_eq!(
        days_of(&by_instant),
        dates("2027-03-02, 03-09, 03-16, 03-23, 04-06"),
        "R-32"
    );
    let misses = of(&[], &["2027-03-30T18:00:00Z"]);
    assert_eq!(misses.total(), Some(6), "R-32");
    assert_eq!(misses.deleted().len(), 1, "R-32");

    let without_first = of(&[], &["2027-03-02"]);
    let rest = dates("2027-03-09, 03-16, 03-23, 03-30, 04-06");
    assert_eq!(days_of(&without_first), rest, "R-33");
    assert_eq!(without_first.first(), &jazz(), "R-33");

    let with_extra = of(&["2027-03-20 15:00", "2027-03-09 19:00"], &[]);
    let seven = dates(
        "2027-03-02 19:00, 03-09 19:00, 03-16 19:00, 03-20 15:00, 03-23 19:00, 03-30 19:00, 04-06 19:00",
    );
    assert_eq!(starts(&with_extra), seven, "R-34");
    let extra = with_extra
        .occurrence_at("2027-03-20T15:00:00".parse().unwrap())
        .unwrap();
    assert_eq!(extra.when.end().local, wall("2027-03-20 17:00"), "R-34");

    let before = of(&["2027-02-27 10:00"], &[]);
    assert_eq!(starts(&before)[0], "2027-02-27 10:00");
    assert_eq!((before.total(), before.first()), (Some(7), &jazz()));

    let beaten = of(&["2027-03-20 15:00"], &["2027-03-20"]);
    assert!(!days_of(&beaten).contains(&"2027-03-20".to_owned()), "R-35");

    let start = event("Europe/Paris", "2027-05-04 10:00", "2027-05-04 11:00");
    let extra_only = with_dates("", &["2027-06-01 10:00", "2027-06-15 19:30"], &[]);
    let extra_only = Recurrence::new(start, extra_only).unwrap();
    let three = dates("2027-05-04 10:00, 06-01 10:00, 06-15 19:30");
    assert_eq!(starts(&extra_only), three, "R-36");
    assert_eq!(canonical(&extra_only), "", "R-36");

    let all = dates("2027-03-02, 03-09, 03-16, 03-23, 03-30, 04-06");
    let all: Vec<_> = all.iter().map(|day| &**day).collect();
    let none = Recurrence::new(jazz(), with_dates(rule, &[], &all));
    assert_eq!(none, Err(InvalidRecurrence::NoneLeft), "R-37");
}
