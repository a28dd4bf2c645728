//! Recurrences: cases with their dates, a second implementation, and other programs.
#![cfg(test)]

mod brute_force;
mod cases;
mod changes;
mod dateutil;
mod input;
mod jumps;
mod moves;
mod properties;
mod random_rules;
mod second_opinion;
mod shortened;
mod times;

use events_calendar_domain::{
    recurrence::{Recurrence, RecurrenceParts, Rule},
    time::{EventTime, NaiveDateTime, Zone, parse_civil},
};

/// The wall clock `YYYY-MM-DD HH:MM`, or 00:00 of `YYYY-MM-DD`.
fn wall(text: &str) -> NaiveDateTime {
    let seconds = match text.len() {
        10 => " 00:00:00",
        16 => ":00",
        _ => "",
    };
    parse_civil(&format!("{text}{seconds}")).unwrap_or_else(|| panic!("{text}"))
}

/// An event of a zone.
fn event(zone: &str, start: &str, end: &str) -> EventTime {
    let zone: Zone = zone.parse().unwrap();
    EventTime::new(zone, wall(start), wall(end), false).unwrap()
}

/// Whole days in Paris.
fn days(first: &str, last: &str) -> EventTime {
    EventTime::new(
        "Europe/Paris".parse().unwrap(),
        wall(first),
        wall(last),
        true,
    )
    .unwrap()
}

fn parts(rule: &str) -> RecurrenceParts {
    let rule = (!rule.is_empty()).then(|| rule.parse::<Rule>().unwrap());
    RecurrenceParts {
        rule,
        ..RecurrenceParts::default()
    }
}

fn recurrence(first: &EventTime, rule: &str) -> Recurrence {
    Recurrence::new(first.clone(), parts(rule)).unwrap()
}

/// The series of several cases: six Tuesdays.
fn jazz() -> EventTime {
    event("Europe/Paris", "2027-03-02 19:00", "2027-03-02 21:00")
}

fn canonical(recurrence: &Recurrence) -> String {
    recurrence.rule().map(Rule::to_string).unwrap_or_default()
}

/// Dates in short form: what a date leaves out is that of the one before.
fn dates(short: &str) -> Vec<String> {
    let mut day = String::new();
    let complete = |date: &str| {
        let (new_day, time) = match date.split_once(' ') {
            Some((day, time)) => (day, time),
            None if date.contains(':') => ("", date),
            None => (date, ""),
        };
        day = match new_day.len() {
            0 => day.clone(),
            5 => format!("{}{new_day}", &day[..5]),
            _ => new_day.to_owned(),
        };
        format!("{day} {time}").trim_end().to_owned()
    };
    short.split(", ").map(complete).collect()
}
