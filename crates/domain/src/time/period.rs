//! Months, weeks and days of the calendar.

use std::iter::successors;

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

/// How long a [`Period`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeriodUnit {
    /// A calendar month.
    Month,
    /// Seven days, the first of which is this weekday.
    Week(Weekday),
    /// One day.
    Day,
}

/// A month, a week or a day, within the years 1 to 9999.
///
/// ```
/// use events_calendar_domain::time::{NaiveDate, Period, PeriodUnit, Weekday};
///
/// let date = |text: &str| text.parse::<NaiveDate>().unwrap();
/// let month = Period::of(date("2027-02-10"), PeriodUnit::Month);
/// assert_eq!((month.first(), month.last()), (date("2027-02-01"), date("2027-02-28")));
/// assert_eq!(month.next().unwrap().first(), date("2027-03-01"));
/// assert_eq!(month.unit(), PeriodUnit::Month);
///
/// // The weeks that hold a day of the month, from Saturday to Friday.
/// let weeks: Vec<_> = month.weeks(Weekday::Sat).map(|week| week.first()).collect();
/// assert_eq!((weeks[0], weeks.len()), (date("2027-01-30"), 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    unit: PeriodUnit,
    first: NaiveDate,
}

impl Period {
    /// The period that holds a date.
    pub fn of(date: NaiveDate, unit: PeriodUnit) -> Self {
        let days_before = match unit {
            PeriodUnit::Month => date.day0(),
            PeriodUnit::Week(begins) => date.weekday().days_since(begins),
            PeriodUnit::Day => 0,
        };
        let first = date.checked_sub_days(Days::new(days_before.into()));
        Self {
            unit,
            first: first.unwrap_or(date),
        }
    }

    /// How long it is.
    pub fn unit(self) -> PeriodUnit {
        self.unit
    }

    /// Its first day.
    pub fn first(self) -> NaiveDate {
        self.first
    }

    /// Its last day.
    pub fn last(self) -> NaiveDate {
        let first = self.first;
        let last = match self.unit {
            PeriodUnit::Month => first
                .checked_add_months(Months::new(1))
                .and_then(|next| next.pred_opt()),
            PeriodUnit::Week(_) => first.checked_add_days(Days::new(6)),
            PeriodUnit::Day => Some(first),
        };
        last.unwrap_or(first)
    }

    /// Whether a day is one of its days.
    ///
    /// ```
    /// use events_calendar_domain::time::{NaiveDate, Period, PeriodUnit, Weekday};
    /// let monday: NaiveDate = "2027-02-08".parse().unwrap();
    /// let week = Period::of(monday, PeriodUnit::Week(Weekday::Mon));
    /// assert!(week.holds(week.last()) && !week.holds(monday.pred_opt().unwrap()));
    /// ```
    pub fn holds(self, day: NaiveDate) -> bool {
        (self.first..=self.last()).contains(&day)
    }

    /// The period after it; none after the year 9999.
    pub fn next(self) -> Option<Self> {
        self.last().succ_opt().and_then(|day| self.at(day))
    }

    /// The period before it; none before the year 1.
    pub fn previous(self) -> Option<Self> {
        self.first.pred_opt().and_then(|day| self.at(day))
    }

    /// The period of the same length that holds a day.
    fn at(self, day: NaiveDate) -> Option<Self> {
        (1..=9999)
            .contains(&day.year())
            .then(|| Self::of(day, self.unit))
    }

    /// The weeks that hold at least one of its days.
    pub fn weeks(self, begins: Weekday) -> impl Iterator<Item = Self> {
        let first = Self::of(self.first, PeriodUnit::Week(begins));
        let last = self.last();
        successors(Some(first), |week| week.next()).take_while(move |week| week.first <= last)
    }

    /// Its days in order.
    ///
    /// ```
    /// use events_calendar_domain::time::{NaiveDate, Period, PeriodUnit};
    /// let leap: NaiveDate = "2028-02-29".parse().unwrap();
    /// assert_eq!(Period::of(leap, PeriodUnit::Month).days().last(), Some(leap));
    /// ```
    pub fn days(self) -> impl Iterator<Item = NaiveDate> {
        let last = self.last();
        self.first.iter_days().take_while(move |day| *day <= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn neighbours_leave_no_gap() {
        for unit in [
            PeriodUnit::Month,
            PeriodUnit::Week(Weekday::Sat),
            PeriodUnit::Day,
        ] {
            let mut period = Period::of(day("2027-12-15"), unit);
            for _ in 0..400 {
                let next = period.next().unwrap();
                assert_eq!(period.last().succ_opt(), Some(next.first()));
                assert_eq!(next.previous(), Some(period));
                assert_eq!(Period::of(next.last(), unit), next);
                period = next;
            }
        }
    }

    #[test]
    fn a_week_begins_on_the_day_that_it_is_told() {
        for (begins, first) in [
            (Weekday::Sat, "2026-11-21"),
            (Weekday::Sun, "2026-11-22"),
            (Weekday::Mon, "2026-11-23"),
            (Weekday::Wed, "2026-11-25"),
            (Weekday::Thu, "2026-11-19"),
        ] {
            let week = Period::of(day("2026-11-25"), PeriodUnit::Week(begins));
            assert_eq!(week.first(), day(first));
            assert_eq!(week.days().count(), 7);
        }
    }

    #[test]
    fn the_weeks_of_a_month_are_four_to_six() {
        for (month, begins, weeks) in [
            ("2027-02-01", Weekday::Mon, 4),
            ("2027-02-01", Weekday::Sat, 5),
            ("2026-08-01", Weekday::Mon, 6),
        ] {
            let month = Period::of(day(month), PeriodUnit::Month);
            assert_eq!(month.weeks(begins).count(), weeks);
        }
    }

    #[test]
    fn the_calendar_ends() {
        let last = Period::of(day("9999-12-31"), PeriodUnit::Month);
        assert_eq!(last.last(), day("9999-12-31"));
        assert_eq!(last.next(), None);
        let first = Period::of(day("0001-01-01"), PeriodUnit::Day);
        assert_eq!(first.previous(), None);
    }
}
