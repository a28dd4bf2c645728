//! Phrases in English.

use chrono::{Datelike as _, NaiveDate};
use domain::{Language, recurrence::Weekday};

use super::{
    End, Exceptions, Hours, Phrase, clock, joined, month_name,
    pattern::{DayOfMonth, DaysOfMonth, Ordinal, Pattern, Weekdays},
    weekday_name,
};

const LANGUAGE: Language = Language::English;

pub(super) fn phrase(phrase: &Phrase) -> String {
    let mut parts = vec![pattern(&phrase.pattern)];
    match phrase.hours {
        Hours::AllDay => {}
        Hours::Days(days) => parts.push(format!("for {days} days")),
        Hours::At(start) => parts.push(format!("at {}", clock(start))),
        Hours::Between(start, end) => parts.push(format!("{} to {}", clock(start), clock(end))),
    }
    match phrase.end {
        None => {}
        Some(End::Until(day)) => parts.push(format!("until {}", date(day))),
        Some(End::Times(2)) => parts.push("twice".to_owned()),
        Some(End::Times(times)) => parts.push(format!("{times} times")),
    }
    match &phrase.without {
        Exceptions::Days(days) if days.is_empty() => {}
        Exceptions::Days(days) => parts.push(format!("except on {}", listed(days))),
        Exceptions::Many => parts.push("with exceptions".to_owned()),
    }
    match &phrase.with {
        Exceptions::Days(days) if days.is_empty() => {}
        Exceptions::Days(days) => parts.push(format!("and also on {}", listed(days))),
        Exceptions::Many => parts.push("and on other dates".to_owned()),
    }
    parts.join(", ")
}

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Daily { interval, months } => every(*interval, "day") + &in_months(months),
        Pattern::Weekly {
            interval,
            days,
            months,
        } => weekly(*interval, days) + &in_months(months),
        Pattern::Monthly { interval, days } => {
            format!("{} on {}", every(*interval, "month"), days_of_month(days))
        }
        Pattern::Yearly {
            interval,
            days,
            months,
        } => {
            let days = match days {
                DaysOfMonth::Days(days) if !days.contains(&DayOfMonth::Last) => {
                    numbered(days, months)
                }
                days => format!("{} of {}", days_of_month(days), list(month_names(months))),
            };
            format!("{} on {days}", every(*interval, "year"))
        }
    }
}

fn every(interval: i64, unit: &str) -> String {
    match interval {
        1 => format!("every {unit}"),
        2 => format!("every second {unit}"),
        interval => format!("every {interval} {unit}s"),
    }
}

fn weekly(interval: i64, days: &Weekdays) -> String {
    match (interval, days) {
        (1 | 2, Weekdays::Days(days)) if days.len() == 1 => every(interval, name(days[0])),
        (1, Weekdays::Days(days)) => format!("every {}", list(days.iter().map(|day| name(*day)))),
        (interval, Weekdays::Days(days)) => {
            let days = list(days.iter().map(|day| name(*day)));
            format!("{} on {days}", every(interval, "week"))
        }
        (interval, Weekdays::Row(first, last)) => {
            let (first, last) = (name(*first), name(*last));
            format!("{} from {first} to {last}", every(interval, "week"))
        }
    }
}

fn days_of_month(days: &DaysOfMonth) -> String {
    match days {
        DaysOfMonth::Days(days) => list(days.iter().map(|day| match day {
            DayOfMonth::Day(day) => format!("the {day}{}", suffix(*day)),
            DayOfMonth::Last => "the last day".to_owned(),
        })),
        DaysOfMonth::Weekdays(weekdays) => list(weekdays.iter().map(|(ordinals, weekday)| {
            let ordinals = list(ordinals.iter().map(|one| ordinal(*one)));
            format!("the {ordinals} {}", name(*weekday))
        })),
    }
}

/// Days of months: `1 and 15 July`.
fn numbered(days: &[DayOfMonth], months: &[u32]) -> String {
    let days = list(days.iter().filter_map(|day| match day {
        DayOfMonth::Day(day) => Some(day.to_string()),
        DayOfMonth::Last => None,
    }));
    list(month_names(months).map(|month| format!("{days} {month}")))
}

const fn suffix(day: u32) -> &'static str {
    match day {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    }
}

const fn ordinal(ordinal: Ordinal) -> &'static str {
    match ordinal {
        Ordinal::Number(1) => "first",
        Ordinal::Number(2) => "second",
        Ordinal::Number(3) => "third",
        Ordinal::Number(4) => "fourth",
        Ordinal::Number(_) => "fifth",
        Ordinal::LastButOne => "second to last",
        Ordinal::Last => "last",
    }
}

fn in_months(months: &[u32]) -> String {
    match months {
        [] => String::new(),
        months => format!(" in {}", list(month_names(months))),
    }
}

fn month_names(months: &[u32]) -> impl Iterator<Item = &'static str> {
    months.iter().map(|month| month_name(*month, LANGUAGE))
}

fn listed(days: &[NaiveDate]) -> String {
    list(days.iter().map(|day| date(*day)))
}

fn date(date: NaiveDate) -> String {
    let month = month_name(date.month(), LANGUAGE);
    format!("{} {month} {}", date.day(), date.year())
}

fn name(weekday: Weekday) -> &'static str {
    weekday_name(weekday, LANGUAGE)
}

fn list(items: impl Iterator<Item: Into<String>>) -> String {
    let items: Vec<String> = items.map(Into::into).collect();
    joined(&items, ", ", " and ")
}
