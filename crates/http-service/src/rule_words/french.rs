//! Phrases in French.

use chrono::{Datelike as _, NaiveDate};
use domain::{Language, recurrence::Weekday};

use super::{
    End, Exceptions, Hours, Phrase, clock, joined, month_name,
    pattern::{DayOfMonth, DaysOfMonth, Ordinal, Pattern, Weekdays},
    weekday_name,
};

const LANGUAGE: Language = Language::French;

pub(super) fn phrase(phrase: &Phrase) -> String {
    let mut parts = vec![pattern(&phrase.pattern)];
    match phrase.hours {
        Hours::AllDay => {}
        Hours::Days(days) => parts.push(format!("pendant {days} jours")),
        Hours::At(start) => parts.push(format!("à {}", clock(start))),
        Hours::Between(start, end) => parts.push(format!("de {} à {}", clock(start), clock(end))),
    }
    match phrase.end {
        None => {}
        Some(End::Until(day)) => parts.push(format!("jusqu’au {}", date(day))),
        Some(End::Times(times)) => parts.push(format!("{times} fois")),
    }
    match &phrase.without {
        Exceptions::Days(days) if days.is_empty() => {}
        Exceptions::Days(days) => parts.push(format!("sauf {}", listed(days))),
        Exceptions::Many => parts.push("sauf exceptions".to_owned()),
    }
    match &phrase.with {
        Exceptions::Days(days) if days.is_empty() => {}
        Exceptions::Days(days) => parts.push(format!("et aussi {}", listed(days))),
        Exceptions::Many => parts.push("et à d’autres dates".to_owned()),
    }
    parts.join(", ")
}

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Daily { interval, months } => every(*interval, &DAY) + &in_months(months),
        Pattern::Weekly {
            interval,
            days,
            months,
        } => weekly(*interval, days) + &in_months(months),
        Pattern::Monthly { interval, days } => {
            format!("{}, {}", every(*interval, &MONTH), days_of_month(days, ""))
        }
        Pattern::Yearly {
            interval,
            days,
            months,
        } => {
            let days = match days {
                DaysOfMonth::Days(numbers) if !numbers.contains(&DayOfMonth::Last) => {
                    list(month_names(months).map(|month| days_of_month(days, &format!(" {month}"))))
                }
                days => {
                    let months =
                        list(month_names(months).map(|month| format!("{}{month}", of(month))));
                    days_of_month(days, &format!(" {months}"))
                }
            };
            format!("{}, {days}", every(*interval, &YEAR))
        }
    }
}

/// A unit of time: with `tous les`, and with `sur deux`.
struct Unit {
    all: &'static str,
    one_in_two: &'static str,
    plural: &'static str,
}

const DAY: Unit = Unit {
    all: "tous les",
    one_in_two: "un jour",
    plural: "jours",
};
const WEEK: Unit = Unit {
    all: "toutes les",
    one_in_two: "une semaine",
    plural: "semaines",
};
const MONTH: Unit = Unit {
    all: "tous les",
    one_in_two: "un mois",
    plural: "mois",
};
const YEAR: Unit = Unit {
    all: "tous les",
    one_in_two: "une année",
    plural: "ans",
};

fn every(interval: i64, unit: &Unit) -> String {
    match interval {
        1 => format!("{} {}", unit.all, unit.plural),
        2 => format!("{} sur deux", unit.one_in_two),
        interval => format!("{} {interval} {}", unit.all, unit.plural),
    }
}

fn weekly(interval: i64, days: &Weekdays) -> String {
    match (interval, days) {
        (2, Weekdays::Days(days)) if days.len() == 1 => format!("un {} sur deux", name(days[0])),
        (1, Weekdays::Days(days)) => {
            let days = days.iter().map(|day| format!("{}s", name(*day)));
            format!("tous les {}", list(days))
        }
        (interval, Weekdays::Days(days)) => {
            let days = list(days.iter().map(|day| format!("le {}", name(*day))));
            format!("{}, {days}", every(interval, &WEEK))
        }
        (interval, Weekdays::Row(first, last)) => {
            let (first, last) = (name(*first), name(*last));
            format!("{}, du {first} au {last}", every(interval, &WEEK))
        }
    }
}

/// Days of a month, the name of which follows the last of them.
fn days_of_month(days: &DaysOfMonth, month: &str) -> String {
    let days = match days {
        DaysOfMonth::Days(days) => list(days.iter().map(|day| match day {
            DayOfMonth::Day(1) => "le 1er".to_owned(),
            DayOfMonth::Day(day) => format!("le {day}"),
            DayOfMonth::Last => "le dernier jour".to_owned(),
        })),
        DaysOfMonth::Weekdays(weekdays) => list(weekdays.iter().map(|(ordinals, weekday)| {
            let ordinals = ordinals.iter().map(|one| ordinal(*one));
            format!("{} {}", list(ordinals), name(*weekday))
        })),
    };
    days + month
}

const fn ordinal(ordinal: Ordinal) -> &'static str {
    match ordinal {
        Ordinal::Number(1) => "le premier",
        Ordinal::Number(2) => "le deuxième",
        Ordinal::Number(3) => "le troisième",
        Ordinal::Number(4) => "le quatrième",
        Ordinal::Number(_) => "le cinquième",
        Ordinal::LastButOne => "l’avant-dernier",
        Ordinal::Last => "le dernier",
    }
}

fn in_months(months: &[u32]) -> String {
    match months {
        [] => String::new(),
        months => format!(" en {}", list(month_names(months))),
    }
}

/// `de `, or `d’` before a vowel.
fn of(word: &str) -> &'static str {
    match word.chars().next() {
        Some('a' | 'e' | 'i' | 'o' | 'u') => "d’",
        _ => "de ",
    }
}

fn month_names(months: &[u32]) -> impl Iterator<Item = &'static str> {
    months.iter().map(|month| month_name(*month, LANGUAGE))
}

fn listed(days: &[NaiveDate]) -> String {
    list(days.iter().map(|day| format!("le {}", date(*day))))
}

fn date(date: NaiveDate) -> String {
    let day = match date.day() {
        1 => "1er".to_owned(),
        day => day.to_string(),
    };
    let month = month_name(date.month(), LANGUAGE);
    format!("{day} {month} {}", date.year())
}

fn name(weekday: Weekday) -> &'static str {
    weekday_name(weekday, LANGUAGE)
}

fn list(items: impl Iterator<Item: Into<String>>) -> String {
    let items: Vec<String> = items.map(Into::into).collect();
    joined(&items, ", ", " et ")
}
