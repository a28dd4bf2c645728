//! Quick ranges of dates.

use domain::{
    Language,
    time::{Datelike as _, Days, NaiveDate, Period, PeriodUnit, Weekday},
};

use crate::words::Word;

/// The parameter by which the form sends a quick range.
pub(crate) const RANGE: &str = "range";

/// A quick range of dates, from today on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuickRange {
    Today,
    Weekend,
    NextDays,
    NextMonth,
}

impl QuickRange {
    pub(crate) const ALL: [Self; 4] = [Self::Today, Self::Weekend, Self::NextDays, Self::NextMonth];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|range| range.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Weekend => "weekend",
            Self::NextDays => "week",
            Self::NextMonth => "month",
        }
    }

    pub(crate) const fn word(self) -> Word {
        match self {
            Self::Today => Word::TODAY,
            Self::Weekend => Word::RANGE_WEEKEND,
            Self::NextDays => Word::RANGE_WEEK,
            Self::NextMonth => Word::RANGE_MONTH,
        }
    }

    /// The first and the last day.
    pub(crate) fn days(self, today: NaiveDate, language: Language) -> [NaiveDate; 2] {
        let later = |days| today.checked_add_days(Days::new(days)).unwrap_or(today);
        match self {
            Self::Today => [today; 2],
            Self::NextDays => [today, later(6)],
            Self::Weekend => {
                let end = weekend_end(language);
                let is_end = |day: &NaiveDate| day.weekday() == end;
                let last = today.iter_days().take(7).find(is_end).unwrap_or(today);
                [last.pred_opt().unwrap_or(last), last]
            }
            Self::NextMonth => {
                let month = Period::of(today, PeriodUnit::Month);
                let next = month.next().unwrap_or(month);
                [next.first(), next.last()]
            }
        }
    }
}

/// The last day of the weekend where readers of a language mostly live.
const fn weekend_end(language: Language) -> Weekday {
    match language {
        Language::Arabic => Weekday::Sat,
        Language::English | Language::French => Weekday::Sun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_ranges() {
        let days = |range: QuickRange, today: &str, language| {
            let days = range.days(today.parse().unwrap(), language);
            days.map(|day| day.to_string())
        };
        for (range, today, language, expected) in [
            (
                QuickRange::Today,
                "2027-03-10",
                Language::English,
                ["2027-03-10", "2027-03-10"],
            ),
            (
                QuickRange::NextDays,
                "2027-12-28",
                Language::English,
                ["2027-12-28", "2028-01-03"],
            ),
            (
                QuickRange::NextMonth,
                "2027-12-28",
                Language::English,
                ["2028-01-01", "2028-01-31"],
            ),
            (
                QuickRange::Weekend,
                "2027-03-10",
                Language::French,
                ["2027-03-13", "2027-03-14"],
            ),
            // It is the present one until its last day.
            (
                QuickRange::Weekend,
                "2027-03-14",
                Language::English,
                ["2027-03-13", "2027-03-14"],
            ),
            (
                QuickRange::Weekend,
                "2027-03-14",
                Language::Arabic,
                ["2027-03-19", "2027-03-20"],
            ),
        ] {
            assert_eq!(days(range, today, language), expected, "{range:?} {today}");
            assert_eq!(QuickRange::named(range.name()), Some(range));
        }
        assert_eq!(QuickRange::named("year"), None);
    }
}
