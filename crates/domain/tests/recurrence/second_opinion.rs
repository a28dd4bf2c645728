//! The crate `rrule` as a second opinion. It reads some rules in another way, as python-dateutil
//! does; each such difference has an example here, with the paragraph that it does not follow.

use chrono::NaiveDateTime;
use events_calendar_domain::recurrence::{Recurrence, RuleParts, Slot};
use proptest::prelude::*;
use rrule::RRuleSet;

use super::{
    parts,
    random_rules::{at, endless, start},
    recurrence, wall,
};

/// Most slots of a comparison.
const MOST: u16 = 20;

/// The slots of the other program; none if it refuses the rule.
fn others(rule: &str, start: NaiveDateTime) -> Option<Vec<NaiveDateTime>> {
    let start = start.format("%Y%m%dT%H%M%SZ");
    let set: RRuleSet = format!("DTSTART:{start}\nRRULE:{rule}").parse().ok()?;
    let dates = set.all(MOST).dates;
    Some(dates.iter().map(chrono::DateTime::naive_utc).collect())
}

fn ours(recurrence: &Recurrence) -> Vec<NaiveDateTime> {
    let slots = recurrence.slots(..).map(Slot::local);
    slots.take(MOST.into()).collect()
}

/// A rule that the other program reads in another way.
struct Difference {
    applies_to: fn(&RuleParts) -> bool,
    rule: &'static str,
    start: &'static str,
}

const DIFFERENCES: &[Difference] = &[
    // RFC 5545, 3.3.10: BYSETPOS counts in the set of one interval, a whole week. The other program
    // counts from the start on.
    Difference {
        applies_to: |rule| rule.frequency.name() == "weekly" && !rule.positions.is_empty(),
        rule: "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,2",
        start: "2027-03-10 09:00",
    },
    // RFC 5545, 3.3.10: an element of BYDAY with a number and one without select their days each.
    // The other program wants both of one day.
    Difference {
        applies_to: |rule| {
            let numbered = rule.days.iter().filter(|day| day.number.is_some()).count();
            numbered > 0 && numbered < rule.days.len()
        },
        rule: "FREQ=MONTHLY;BYDAY=MO,-1FR",
        start: "2027-03-01 09:00",
    },
    // RFC 5545, 3.3.10: information missing in the rule comes from DTSTART; RFC 8984, 4.3.3: here,
    // the month.
    Difference {
        applies_to: |rule| {
            rule.frequency.name() == "yearly"
                && !rule.days_of_month.is_empty()
                && [&rule.months, &rule.weeks, &rule.days_of_year]
                    .iter()
                    .all(|list| list.is_empty())
        },
        rule: "FREQ=YEARLY;BYMONTHDAY=30",
        start: "2027-03-30 09:00",
    },
    // The same: the weekday.
    Difference {
        applies_to: |rule| {
            !rule.weeks.is_empty() && rule.days.is_empty() && rule.days_of_month.is_empty()
        },
        rule: "FREQ=YEARLY;BYWEEKNO=20",
        start: "2027-05-20 09:00",
    },
    // RFC 5545, 3.3.10: a week is of the year in which it has four days or more. The other program
    // looks for its days in the calendar year.
    Difference {
        applies_to: |rule| {
            let mut weeks = rule.weeks.iter();
            weeks.any(|week| !(2..=51).contains(&week.abs()) || !rule.positions.is_empty())
        },
        rule: "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SA,SU",
        start: "2038-01-02 09:00",
    },
];

#[test]
fn differences() {
    for Difference {
        applies_to,
        rule,
        start,
    } in DIFFERENCES
    {
        let start = wall(start);
        let recurrence = recurrence(&at(start, "UTC"), rule);
        let other = others(rule, start).unwrap();
        assert_ne!(ours(&recurrence), other, "{rule}: take it off the list");
        assert!(applies_to(recurrence.rule().unwrap().parts()), "{rule}");
    }
    // RFC 5545, 3.8.5.3: DTSTART is the first instance and counts, even if the rule does not give
    // it. The comparison below begins at slots of rules.
    let (rule, start) = ("FREQ=WEEKLY;BYDAY=TU;COUNT=3", wall("2027-03-10 18:00"));
    let other = others(rule, start).unwrap();
    assert_eq!(ours(&recurrence(&at(start, "UTC"), rule))[1..], other[..2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn other_rules_are_read_alike(rule in endless(), start in start()) {
        let Ok(from_any_start) = Recurrence::new(at(start, "UTC"), parts(&rule)) else {
            return Ok(());
        };
        let read = from_any_start.rule().unwrap().parts();
        if DIFFERENCES.iter().any(|difference| (difference.applies_to)(read)) {
            return Ok(());
        }
        let start = from_any_start.slots(..).nth(1).unwrap().local();
        let recurrence = recurrence(&at(start, "UTC"), &rule);
        // It refuses the fifth weekday from the end of a month.
        match others(&rule, start) {
            None => prop_assert!(rule.contains("-5"), "refuses {}", rule),
            Some(other) => prop_assert_eq!(ours(&recurrence), other),
        }
    }
}
