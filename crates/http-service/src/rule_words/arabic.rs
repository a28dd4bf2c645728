//! Phrases in Arabic.

use chrono::{Datelike as _, NaiveDate};
use domain::{Language, recurrence::Weekday};

use super::{
    End, Exceptions, Hours, Phrase, clock, joined, month_name,
    pattern::{DayOfMonth, DaysOfMonth, Ordinal, Pattern, Weekdays},
    weekday_name,
};

const LANGUAGE: Language = Language::Arabic;

pub(super) fn phrase(phrase: &Phrase) -> String {
    let mut parts = vec![pattern(&phrase.pattern)];
    match phrase.hours {
        Hours::AllDay => {}
        Hours::Days(days) => parts.push(format!("لمدة {}", DAY.counted(days))),
        Hours::At(start) => parts.push(format!("الساعة {}", clock(start))),
        Hours::Between(start, end) => parts.push(format!("من {} إلى {}", clock(start), clock(end))),
    }
    match phrase.end {
        None => {}
        Some(End::Until(day)) => parts.push(format!("حتى {}", date(day))),
        Some(End::Times(times)) => parts.push(TIME.counted(times)),
    }
    match &phrase.without {
        Exceptions::Days(days) if days.is_empty() => {}
        Exceptions::Days(days) => parts.push(format!("باستثناء {}", listed(days))),
        Exceptions::Many => parts.push("مع بعض الاستثناءات".to_owned()),
    }
    match &phrase.with {
        Exceptions::Days(days) if days.is_empty() => {}
        Exceptions::Days(days) => parts.push(format!("وكذلك في {}", listed(days))),
        Exceptions::Many => parts.push("وفي مواعيد أخرى".to_owned()),
    }
    parts.join("، ")
}

/// A noun in the forms that numbers ask for.
struct Noun {
    /// After no number, and after hundreds.
    singular: &'static str,
    /// For two, in the oblique case.
    dual: &'static str,
    /// After 3 to 10.
    plural: &'static str,
    /// After 11 to 99.
    accusative: &'static str,
}

const DAY: Noun = Noun {
    singular: "يوم",
    dual: "يومين",
    plural: "أيام",
    accusative: "يومًا",
};
const WEEK: Noun = Noun {
    singular: "أسبوع",
    dual: "أسبوعين",
    plural: "أسابيع",
    accusative: "أسبوعًا",
};
const MONTH: Noun = Noun {
    singular: "شهر",
    dual: "شهرين",
    plural: "أشهر",
    accusative: "شهرًا",
};
const YEAR: Noun = Noun {
    singular: "سنة",
    dual: "سنتين",
    plural: "سنوات",
    accusative: "سنة",
};
const TIME: Noun = Noun {
    singular: "مرة",
    dual: "مرتين",
    plural: "مرات",
    accusative: "مرة",
};

impl Noun {
    /// A number from 1 on with the noun.
    fn counted(&self, number: i64) -> String {
        match (number, number % 100) {
            (1, _) => self.singular.to_owned(),
            (2, _) => self.dual.to_owned(),
            (_, 3..=10) => format!("{number} {}", self.plural),
            (_, 11..) => format!("{number} {}", self.accusative),
            _ => format!("{number} {}", self.singular),
        }
    }
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
            format!("{} في {}", every(*interval, &MONTH), days_of_month(days))
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
                days => format!("{} من {}", days_of_month(days), list(month_names(months))),
            };
            format!("{} في {days}", every(*interval, &YEAR))
        }
    }
}

fn every(interval: i64, noun: &Noun) -> String {
    format!("كل {}", noun.counted(interval))
}

fn weekly(interval: i64, days: &Weekdays) -> String {
    let named = |days: &[Weekday]| list(days.iter().map(|day| name(*day)));
    match days {
        Weekdays::Days(days) if days.len() == 1 && interval == 1 => {
            format!("كل يوم {}", without_article(name(days[0])))
        }
        Weekdays::Days(days) => {
            let noun = match days.len() {
                1 => "يوم",
                2 => "يومي",
                _ => "أيام",
            };
            format!("{} {noun} {}", every(interval, &WEEK), named(days))
        }
        Weekdays::Row(first, last) => {
            let (first, last) = (name(*first), name(*last));
            format!("{} من {first} إلى {last}", every(interval, &WEEK))
        }
    }
}

fn days_of_month(days: &DaysOfMonth) -> String {
    match days {
        DaysOfMonth::Days(days) => {
            let numbers = days.iter().filter_map(|day| match day {
                DayOfMonth::Day(day) => Some(day.to_string()),
                DayOfMonth::Last => None,
            });
            let numbers: Vec<_> = numbers.collect();
            let numbered = match numbers.len() {
                0 => None,
                1 => Some(format!("اليوم {}", numbers[0])),
                2 => Some(format!("اليومين {}", list(numbers.into_iter()))),
                _ => Some(format!("الأيام {}", list(numbers.into_iter()))),
            };
            let last = days
                .contains(&DayOfMonth::Last)
                .then(|| "آخر يوم".to_owned());
            list(numbered.into_iter().chain(last))
        }
        DaysOfMonth::Weekdays(weekdays) => list(weekdays.iter().flat_map(|(ordinals, weekday)| {
            ordinals.iter().map(|one| with_ordinal(*one, *weekday))
        })),
    }
}

/// Days of months: `14 يوليو`.
fn numbered(days: &[DayOfMonth], months: &[u32]) -> String {
    let dates = month_names(months).flat_map(|month| {
        days.iter().filter_map(move |day| match day {
            DayOfMonth::Day(day) => Some(format!("{day} {month}")),
            DayOfMonth::Last => None,
        })
    });
    list(dates)
}

fn with_ordinal(ordinal: Ordinal, weekday: Weekday) -> String {
    let name = name(weekday);
    let word = match ordinal {
        Ordinal::Number(1) => "أول",
        Ordinal::Number(2) => "ثاني",
        Ordinal::Number(3) => "ثالث",
        Ordinal::Number(4) => "رابع",
        Ordinal::Number(_) => "خامس",
        Ordinal::Last => "آخر",
        // An adjective agrees with its noun, and Friday alone is feminine.
        Ordinal::LastButOne if weekday == Weekday::Fri => return format!("{name} قبل الأخيرة"),
        Ordinal::LastButOne => return format!("{name} قبل الأخير"),
    };
    format!("{word} {}", without_article(name))
}

fn in_months(months: &[u32]) -> String {
    match months {
        [] => String::new(),
        months => format!(" في {}", list(month_names(months))),
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

/// The name of a weekday, with its article.
fn name(weekday: Weekday) -> &'static str {
    weekday_name(weekday, LANGUAGE)
}

fn without_article(name: &str) -> &str {
    name.strip_prefix("ال").unwrap_or(name)
}

/// A list: the conjunction stands before each item, and is written with it.
fn list(items: impl Iterator<Item: Into<String>>) -> String {
    let items: Vec<String> = items.map(Into::into).collect();
    joined(&items, " و", " و")
}
