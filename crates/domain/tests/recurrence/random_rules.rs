//! Properties of random rules.

use events_calendar_domain::{
    recurrence::{InvalidRecurrence, Recurrence, Rule, Slot},
    time::{EventTime, NaiveDate, NaiveDateTime, Zone},
};
use proptest::{
    collection::vec,
    option::{of, weighted},
    prelude::*,
    sample::select,
};

use super::{brute_force::Reading, parts};

/// The last day of the comparison.
fn last_day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2033, 12, 31).unwrap()
}

/// Starts at ordinary days, and at the ends of months and years.
pub(crate) fn start() -> impl Strategy<Value = NaiveDateTime> {
    let day = prop_oneof![
        (2027..2031, 1..13_u32, 1..29_u32),
        (
            2027..2031,
            select(vec![1, 2, 3, 12]),
            select(vec![1, 2, 3, 4, 28, 29, 30, 31])
        ),
    ];
    let time = select(vec![
        (0, 0, 0),
        (2, 30, 0),
        (9, 30, 0),
        (19, 0, 15),
        (23, 59, 0),
    ]);
    (day, time).prop_filter_map("a day that exists", |((year, month, day), (h, m, s))| {
        NaiveDate::from_ymd_opt(year, month, day)?.and_hms_opt(h, m, s)
    })
}

fn list(name: &'static str, values: impl Strategy<Value = i64>) -> impl Strategy<Value = String> {
    vec(values, 1..4).prop_map(move |mut values| {
        values.sort_unstable();
        values.dedup();
        let values: Vec<_> = values.iter().map(i64::to_string).collect();
        format!(";{name}={}", values.join(","))
    })
}

/// Numbers from both ends, up to a limit.
fn signed(most: i64) -> impl Strategy<Value = i64> {
    prop_oneof![-most..0, 1..=most, -2..0_i64, 1..3_i64]
}

fn weekdays(most: i64) -> impl Strategy<Value = String> {
    let names = select(vec!["MO", "TU", "WE", "TH", "FR", "SA", "SU"]);
    let number = match most {
        0 => Just(None).boxed(),
        most => weighted(0.6, signed(most)).boxed(),
    };
    vec((number, names), 1..4).prop_map(|days| {
        let day = |(number, name): (Option<i64>, &str)| {
            format!(
                "{}{name}",
                number.map_or(String::new(), |number| number.to_string())
            )
        };
        let days: Vec<_> = days.into_iter().map(day).collect();
        format!(";BYDAY={}", days.join(","))
    })
}

/// The parts that select days.
fn days() -> impl Strategy<Value = String> {
    let months = || of(list("BYMONTH", 1..=12_i64));
    let month_days = || weighted(0.4, list("BYMONTHDAY", signed(31)));
    let plain = || weighted(0.5, weekdays(0));
    let joined = |frequency: &'static str| {
        move |(a, b, c): (Option<String>, Option<String>, Option<String>)| {
            let rest = [a, b, c].map(Option::unwrap_or_default).concat();
            format!("FREQ={frequency}{rest}")
        }
    };
    let year_days = weighted(0.5, list("BYYEARDAY", signed(366)));
    let interval = || {
        let some = (1..5_i64).prop_map(|interval| format!(";INTERVAL={interval}"));
        weighted(0.5, some).prop_map(Option::unwrap_or_default)
    };
    let with_interval = |days: BoxedStrategy<String>| {
        (days, interval())
            .prop_map(|(days, interval)| days + &interval)
            .boxed()
    };
    prop_oneof![
        with_interval(
            (months(), month_days(), plain())
                .prop_map(joined("DAILY"))
                .boxed()
        ),
        with_interval(
            (months(), plain(), Just(None))
                .prop_map(joined("WEEKLY"))
                .boxed()
        ),
        with_interval(
            (months(), month_days(), weighted(0.5, weekdays(5)))
                .prop_map(joined("MONTHLY"))
                .boxed()
        ),
        with_interval(
            (months(), month_days(), weighted(0.5, weekdays(53)))
                .prop_map(joined("YEARLY"))
                .boxed()
        ),
        with_interval(
            (year_days, months(), plain())
                .prop_map(joined("YEARLY"))
                .boxed()
        ),
        (
            list("BYWEEKNO", signed(53)),
            (months(), month_days(), plain())
        )
            .prop_map(move |(weeks, rest)| joined("YEARLY")(rest) + &weeks),
    ]
}

/// Rules without an end.
pub(crate) fn endless() -> impl Strategy<Value = String> {
    let hours = weighted(0.3, list("BYHOUR", 0..24_i64));
    let minutes = weighted(0.2, list("BYMINUTE", 0..60_i64));
    let positions = weighted(0.3, list("BYSETPOS", signed(5)));
    let names = select(vec!["MO", "TU", "TH", "SA", "SU"]);
    let week_start = weighted(0.4, names.prop_map(|name| format!(";WKST={name}")));
    (days(), hours, minutes, positions, week_start)
        .prop_map(|(days, hours, minutes, positions, week_start)| {
            let positions = positions.filter(|_| days.contains(";BY") || hours.is_some());
            let rest = [hours, minutes, positions, week_start].map(Option::unwrap_or_default);
            days + &rest.concat()
        })
        .prop_filter("a rule", |rule| rule.parse::<Rule>().is_ok())
}

/// Rules with all kinds of ends, for a start.
pub(crate) fn rules() -> impl Strategy<Value = (String, NaiveDateTime)> {
    (endless(), start(), end()).prop_map(|(rule, start, end)| (rule + &end.of(start), start))
}

/// The end of a rule.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Never,
    Count(i64),
    /// Days after the start.
    Until(u64),
}

impl End {
    /// The part of a rule from a start on.
    pub(crate) fn of(&self, start: NaiveDateTime) -> String {
        match self {
            Self::Never => String::new(),
            Self::Count(count) => format!(";COUNT={count}"),
            Self::Until(days) => {
                let last = start + chrono::Days::new(*days);
                format!(";UNTIL={}", last.format("%Y%m%dT%H%M%S"))
            }
        }
    }
}

pub(crate) fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        Just(End::Never),
        (1..60_i64).prop_map(End::Count),
        (1..1000_u64).prop_map(End::Until),
        (1..20_u64).prop_map(End::Until),
    ]
}

pub(crate) fn at(start: NaiveDateTime, zone: &str) -> EventTime {
    let zone: Zone = zone.parse().unwrap();
    EventTime::new(zone, start, start + chrono::TimeDelta::minutes(90), false).unwrap()
}

/// The slots up to the last day of the comparison.
fn slots(recurrence: &Recurrence) -> Vec<NaiveDateTime> {
    let slots = recurrence
        .slots(..)
        .take_while(|slot| slot.day() <= last_day());
    slots.map(Slot::local).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The slots are those of the second implementation.
    #[test]
    fn slots_are_those_of_each_day((rule, start) in rules()) {
        let expected = Reading::new(&rule, start).slots(last_day());
        match Recurrence::new(at(start, "UTC"), parts(&rule)) {
            Ok(recurrence) => prop_assert_eq!(slots(&recurrence), expected),
            Err(InvalidRecurrence::TooManySlots) => prop_assert!(expected.len() > 5000),
            Err(error) => {
                prop_assert_eq!(error, InvalidRecurrence::Never);
                prop_assert_eq!(expected, [start]);
            }
        }
    }
}

proptest! {
    /// The canonical text is the same rule.
    #[test]
    fn canonical_text_is_read_back((text, _) in rules()) {
        let rule: Rule = text.parse().unwrap();
        let shown = rule.to_string();
        prop_assert_eq!(shown.parse(), Ok(rule.clone()));
        let lower = format!("rrule:{}", shown.to_lowercase());
        prop_assert_eq!(lower.parse(), Ok(rule.clone()));
        prop_assert_eq!(Rule::new(rule.parts().clone()), Ok(rule));
    }

    /// To begin at a slot is to skip those before it.
    #[test]
    fn a_later_begin_skips((rule, start) in rules(), days in 0..3000_i64, seconds in 0..86_400_i64) {
        let Ok(recurrence) = Recurrence::new(at(start, "UTC"), parts(&rule)) else {
            return Ok(());
        };
        let distance = chrono::TimeDelta::days(days - 100) + chrono::TimeDelta::seconds(seconds);
        let from = Slot::new(start + distance);
        let skipped: Vec<_> = recurrence.slots(..).skip_while(|slot| *slot < from).take(30).collect();
        let begun: Vec<_> = recurrence.slots(from..).take(30).collect();
        prop_assert_eq!(&begun, &skipped);
        for slot in begun {
            prop_assert!(recurrence.has_slot(slot));
        }
    }

    /// The occurrences of a window are those of the whole within it.
    #[test]
    fn a_window_is_part_of_the_whole(
        (rule, start) in rules(),
        zone in select(vec!["Europe/Paris", "America/New_York", "Australia/Lord_Howe"]),
        from in 0..1500_i64,
        length in 0..400_i64,
    ) {
        let Ok(recurrence) = Recurrence::new(at(start, zone), parts(&rule)) else {
            return Ok(());
        };
        let from = recurrence.first().start().utc.saturating_add(from * 86_400);
        let window = from..from.saturating_add(length * 86_400);
        let end = window.end.saturating_add(3 * 86_400);
        let whole = recurrence.occurrences(..end);
        let whole = whole.filter(|one| window.contains(&one.when.start().utc));
        let whole: Vec<_> = whole.collect();
        let part: Vec<_> = recurrence.occurrences(window.clone()).collect();
        prop_assert_eq!(&part, &whole);
        for one in part {
            prop_assert_eq!(recurrence.occurrence_at(one.slot), Some(one));
        }
    }
}
