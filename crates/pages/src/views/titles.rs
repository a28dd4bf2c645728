//! Periods in words.

use domain::{
    Language,
    time::{Datelike as _, NaiveDate, Period, PeriodUnit},
};

use crate::dates;

/// A period, as the title of its page.
pub(super) fn title(period: Period, language: Language) -> String {
    let first = period.first();
    match period.unit() {
        PeriodUnit::Month => capitalized(&month(first, language)),
        PeriodUnit::Week(_) => {
            let day = dates::day_and_month(first, language);
            let year = first.year();
            match language {
                Language::Arabic => format!("أسبوع {day} {year}"),
                Language::English => format!("Week of {day} {year}"),
                Language::French => format!("Semaine du {day} {year}"),
            }
        }
        PeriodUnit::Day => capitalized(&dates::day(first, true, language)),
    }
}

/// A month with its year: `November 2026`.
fn month(date: NaiveDate, language: Language) -> String {
    format!("{} {}", dates::month(date, language), date.year())
}

/// A text whose first letter is a capital one.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// The number of events of a day that have no row: `+3 more`.
pub(super) fn more(number: usize, language: Language) -> String {
    match (language, number) {
        (Language::Arabic, number) => format!("+{number} أخرى"),
        (Language::English, number) => format!("+{number} more"),
        (Language::French, 1) => "+1 autre".to_owned(),
        (Language::French, number) => format!("+{number} autres"),
    }
}

#[cfg(test)]
mod tests {
    use domain::time::Weekday;

    use super::*;

    #[test]
    fn titles_of_periods() {
        let date: NaiveDate = "2027-02-01".parse().unwrap();
        for (unit, titles) in [
            (
                PeriodUnit::Month,
                ["فبراير 2027", "February 2027", "Février 2027"],
            ),
            (
                PeriodUnit::Week(Weekday::Mon),
                [
                    "أسبوع 1 فبراير 2027",
                    "Week of 1 February 2027",
                    "Semaine du 1er février 2027",
                ],
            ),
            (
                PeriodUnit::Day,
                [
                    "الاثنين 1 فبراير 2027",
                    "Monday 1 February 2027",
                    "Lundi 1er février 2027",
                ],
            ),
        ] {
            let period = Period::of(date, unit);
            assert_eq!(Language::ALL.map(|one| title(period, one)), titles);
        }
        assert_eq!(more(1, Language::French), "+1 autre");
        assert_eq!(more(3, Language::English), "+3 more");
    }
}
