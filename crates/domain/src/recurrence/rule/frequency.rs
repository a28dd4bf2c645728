//! The unit of a rule, weekdays with numbers, and days that do not exist.

use std::{fmt, str::FromStr};

use chrono::Weekday;

use crate::UnknownName;

named_enum! {
    /// The unit of a recurrence rule.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Frequency, name {
        /// Days.
        Daily = "daily",
        /// Weeks.
        Weekly = "weekly",
        /// Months.
        Monthly = "monthly",
        /// Years.
        Yearly = "yearly",
    }
}

named_enum! {
    /// The substitute for a day that a month does not have.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum MissingDay, name {
        /// Nothing: the month is left out (RFC 7529, `SKIP=OMIT`).
        #[default]
        Skip = "skip",
        /// The last day of the month: see
        /// [`RuleParts::with_last_day`](super::RuleParts::with_last_day).
        Last = "last",
    }
}

/// A weekday; with a number, one of its days in a month or in a year (RFC 5545, section 3.3.10,
/// BYDAY). Negative numbers count from the end.
///
/// `FromStr` reads `MO`, `1MO`, `+1MO` and `-1MO` in any letter case; `Display` writes upper case.
///
/// ```
/// use events_calendar_domain::recurrence::{Weekday, WeekdayNumber};
///
/// let last_friday: WeekdayNumber = "-1fr".parse()?;
/// assert_eq!(last_friday, WeekdayNumber { number: Some(-1), weekday: Weekday::Fri });
/// assert_eq!(last_friday.to_string(), "-1FR");
/// assert_eq!(WeekdayNumber::from(Weekday::Mon).to_string(), "MO");
/// # Ok::<(), events_calendar_domain::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WeekdayNumber {
    /// The number; none for each of these weekdays.
    pub number: Option<i64>,
    /// The weekday.
    pub weekday: Weekday,
}

impl WeekdayNumber {
    /// The key of the canonical order: weekdays from Monday on; without a number first.
    pub(super) fn key(&self) -> (u32, Option<i64>) {
        (self.weekday.num_days_from_monday(), self.number)
    }
}

impl From<Weekday> for WeekdayNumber {
    fn from(weekday: Weekday) -> Self {
        Self {
            number: None,
            weekday,
        }
    }
}

impl FromStr for WeekdayNumber {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let at = text.len().checked_sub(2).ok_or(UnknownName)?;
        let (number, name) = text.split_at_checked(at).ok_or(UnknownName)?;
        let number = match number {
            "" => None,
            number => Some(number.parse().map_err(|_| UnknownName)?),
        };
        Ok(Self {
            number,
            weekday: weekday(name)?,
        })
    }
}

impl fmt::Display for WeekdayNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.number {
            write!(f, "{number}")?;
        }
        f.write_str(weekday_name(self.weekday))
    }
}

/// The weekday with a name of two letters, in any case.
pub(super) fn weekday(name: &str) -> Result<Weekday, UnknownName> {
    let mut all = WEEKDAYS.into_iter();
    all.find(|weekday| weekday_name(*weekday).eq_ignore_ascii_case(name))
        .ok_or(UnknownName)
}

/// The name of a weekday in RFC 5545.
pub(super) fn weekday_name(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Mon => "MO",
        Weekday::Tue => "TU",
        Weekday::Wed => "WE",
        Weekday::Thu => "TH",
        Weekday::Fri => "FR",
        Weekday::Sat => "SA",
        Weekday::Sun => "SU",
    }
}

/// All weekdays, from Monday on.
pub(in crate::recurrence) const WEEKDAYS: [Weekday; 7] = [
    Weekday::Mon,
    Weekday::Tue,
    Weekday::Wed,
    Weekday::Thu,
    Weekday::Fri,
    Weekday::Sat,
    Weekday::Sun,
];
