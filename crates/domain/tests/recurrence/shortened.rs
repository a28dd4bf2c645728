//! Recurrences with more dates than the limits, as they are imported.

use std::collections::BTreeSet;

use events_calendar_domain::{
    recurrence::{DateValue, Recurrence, RecurrenceParts, Shortened, horizon},
    time::{EventTime, Timestamp},
};

use super::{days, event, wall};

/// 2026-11-22.
fn now() -> Timestamp {
    Timestamp::from_seconds(1_795_305_600).unwrap()
}

fn shortened(first: &EventTime, parts: &RecurrenceParts) -> Option<Shortened> {
    let horizon = horizon(now(), first.zone(), 60);
    parts.shortened(first, now(), horizon).unwrap()
}

fn rule(text: &str) -> RecurrenceParts {
    RecurrenceParts {
        rule: Some(text.parse().unwrap()),
        ..RecurrenceParts::default()
    }
}

/// The dates that are left are the last ones of the whole, or else the next ones.
#[test]
fn oldest_dates_go_first() {
    for (start, text, first, left, number) in [
        // Fewer than 5,000 up to the horizon.
        (
            "2013-01-07",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            None,
            "",
            4930,
        ),
        ("2027-01-01", "FREQ=DAILY;COUNT=5000", None, "", 5000),
        (
            "2005-01-03",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            Some("2013-01-01"),
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            4934,
        ),
        (
            "2010-05-05",
            "FREQ=DAILY;UNTIL=20290703",
            Some("2016-01-01"),
            "FREQ=DAILY;UNTIL=20290703",
            4933,
        ),
        // Every third day stays every third day.
        (
            "1980-01-01",
            "FREQ=DAILY;INTERVAL=3",
            Some("1991-01-03"),
            "FREQ=DAILY;INTERVAL=3",
            4981,
        ),
        // All are past.
        (
            "1980-01-01",
            "FREQ=DAILY;UNTIL=19960604",
            Some("1983-01-01"),
            "FREQ=DAILY;UNTIL=19960604",
            4904,
        ),
        // Too many are still to come.
        (
            "2026-11-23",
            "FREQ=DAILY;UNTIL=20400802",
            Some("2026-11-23"),
            "FREQ=DAILY;COUNT=5000",
            5000,
        ),
        (
            "2025-11-23",
            "FREQ=DAILY;UNTIL=99991231",
            Some("2026-11-01"),
            "FREQ=DAILY;COUNT=5000",
            5000,
        ),
        (
            "2005-11-23",
            "FREQ=DAILY;UNTIL=47590101",
            Some("2026-11-01"),
            "FREQ=DAILY;COUNT=5000",
            5000,
        ),
        (
            "2025-11-23",
            "FREQ=DAILY;BYHOUR=8,12,16,20",
            Some("2026-11-01"),
            "FREQ=DAILY;COUNT=5000;BYHOUR=8,12,16,20",
            5000,
        ),
    ] {
        let when = event(
            "Europe/Paris",
            &format!("{start} 08:00"),
            &format!("{start} 09:00"),
        );
        let parts = rule(text);
        let none = BTreeSet::new();
        let whole = Recurrence::from_stored(when.clone(), parts.rule.clone(), none.clone(), none);
        let short = shortened(&when, &parts);
        let begins = short.as_ref().map(|one| one.first.start().local);
        let expected = first.map(|day| wall(&format!("{day} 08:00")));
        assert_eq!(begins, expected, "{start} {text}");
        let series = match short {
            Some(short) => {
                let rule = short.parts.rule.as_ref().unwrap().to_string();
                assert_eq!(rule, left, "{start} {text}");
                Recurrence::new(short.first, short.parts).unwrap()
            }
            None => Recurrence::new(when, parts).unwrap(),
        };
        let end = horizon(now(), series.first().zone(), 60);
        let all = if series.is_endless() {
            series.count_before(end, 9999)
        } else {
            series.total().unwrap()
        };
        assert_eq!(all, number, "{start} {text}");
        let kept = whole.slots(series.first_slot()..).take(all);
        assert!(series.slots(..).take(all).eq(kept), "{start} {text}");
    }
}

/// A series that is imported on another day of the year begins with the same date.
#[test]
fn start_is_the_same_for_a_year() {
    let when = event("Europe/Paris", "2005-01-03 09:15", "2005-01-03 09:30");
    let parts = rule("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR");
    let mut starts: Vec<_> = (0..36)
        .map(|month| {
            let now = now().saturating_add(month * 2_629_746);
            let end = horizon(now, when.zone(), 60);
            let short = parts.shortened(&when, now, end).unwrap().unwrap();
            short.first.start().local.to_string()
        })
        .collect();
    starts.dedup();
    assert_eq!(starts.len(), 4, "{starts:?}");
}

/// Extra and deleted dates before the new start go; the later ones stay.
#[test]
fn dates_before_the_start_go() {
    let when = days("2005-01-01", "2005-01-01");
    let day = |text: &str| -> DateValue { text.parse().unwrap() };
    let parts = RecurrenceParts {
        extra: vec![day("2030-06-01"), day("2004-06-01")],
        deleted: vec![day("2005-06-01"), day("2027-01-01")],
        ..rule("FREQ=DAILY;COUNT=5000")
    };
    let short = shortened(&when, &parts).unwrap();
    assert_eq!(short.first.start().local, wall("2006-01-01"));
    assert_eq!(short.parts.extra, [day("2030-06-01")]);
    assert_eq!(short.parts.deleted, [day("2027-01-01")]);
    assert_eq!(
        short.parts.rule.unwrap().to_string(),
        "FREQ=DAILY;COUNT=4635"
    );
}

/// Extra dates beyond 1,000 go: first the past ones, then the latest.
#[test]
fn extra_dates_are_limited() {
    let date = |day: i64| DateValue::Instant(now().saturating_add(day * 86_400));
    let when = event("Europe/Paris", "2020-01-01 20:00", "2020-01-01 21:00");
    for (days, first, number) in [
        (-2000..100, "2025-01-01 01:00", 790),
        (10..2000, "2026-12-02 01:00", 1000),
        (-3000..-1000, "2022-01-01 01:00", 786),
    ] {
        let parts = RecurrenceParts {
            extra: days.clone().map(date).collect(),
            ..RecurrenceParts::default()
        };
        let short = shortened(&when, &parts).unwrap();
        assert_eq!(short.first.start().local, wall(first), "{days:?}");
        assert_eq!(short.parts.extra.len() + 1, number, "{days:?}");
    }
}

/// Deleted dates that hit nothing are no obstacle; more than 1,000 others are.
#[test]
fn deleted_dates_are_limited() {
    let when = event("UTC", "2026-11-22 08:00", "2026-11-22 09:00");
    let date = |day: i64| DateValue::Instant(now().saturating_add(8 * 3600 + day * 86_400));
    let end = horizon(now(), when.zone(), 60);
    let without = |days: std::ops::Range<i64>| {
        let parts = RecurrenceParts {
            deleted: days.map(date).collect(),
            ..rule("FREQ=DAILY;COUNT=3000")
        };
        parts.shortened(&when, now(), end)
    };
    assert_eq!(without(0..1000), Ok(None));
    assert_eq!(
        without(2000..4000).unwrap().unwrap().parts.deleted.len(),
        1000
    );
    assert!(without(0..1001).is_err());
}
