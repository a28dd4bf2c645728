//! The parts of a recurrence rule, and the error of a rule.

use super::{Rule, frequency::Frequency};

named_enum! {
    /// A part of a recurrence rule (RFC 5545, section 3.3.10; RFC 7529, section 4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Part, name {
        /// The unit that repeats.
        Frequency = "FREQ",
        /// Every how many units.
        Interval = "INTERVAL",
        /// The number of slots.
        Count = "COUNT",
        /// The last moment.
        Until = "UNTIL",
        /// Months.
        Months = "BYMONTH",
        /// Weeks of the year.
        Weeks = "BYWEEKNO",
        /// Days of the year.
        DaysOfYear = "BYYEARDAY",
        /// Days of the month.
        DaysOfMonth = "BYMONTHDAY",
        /// Weekdays.
        Days = "BYDAY",
        /// Hours of the day.
        Hours = "BYHOUR",
        /// Minutes of the hour.
        Minutes = "BYMINUTE",
        /// Seconds of the minute.
        Seconds = "BYSECOND",
        /// Positions among the slots of one interval.
        Positions = "BYSETPOS",
        /// The first day of the week.
        WeekStart = "WKST",
        /// The calendar system.
        Scale = "RSCALE",
        /// The treatment of days that do not exist.
        Skip = "SKIP",
    }
}

impl Part {
    /// The part as member of an object, such as `days_of_month`; none for parts that such an object
    /// does not have. The fields of [`RuleParts`](super::RuleParts) have the same names.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::Part;
    ///
    /// assert_eq!(Part::DaysOfMonth.member(), Some("days_of_month"));
    /// assert_eq!(Part::Scale.member(), None);
    /// assert_eq!(Part::of_member("week_start"), Some(Part::WeekStart));
    /// ```
    pub const fn member(self) -> Option<&'static str> {
        Some(match self {
            Self::Frequency => "frequency",
            Self::Interval => "interval",
            Self::Count => "count",
            Self::Until => "until",
            Self::Months => "months",
            Self::Weeks => "weeks",
            Self::DaysOfYear => "days_of_year",
            Self::DaysOfMonth => "days_of_month",
            Self::Days => "days",
            Self::Hours => "hours",
            Self::Minutes => "minutes",
            Self::Positions => "positions",
            Self::WeekStart => "week_start",
            Self::Seconds | Self::Scale | Self::Skip => return None,
        })
    }

    /// The part with a name as member of an object.
    pub fn of_member(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|part| part.member() == Some(name))
    }

    /// The values that the part takes, in words.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::Part;
    ///
    /// assert_eq!(Part::Interval.allowed(), "a whole number from 1 to 1000");
    /// ```
    pub const fn allowed(self) -> &'static str {
        match self {
            Self::Frequency => "DAILY, WEEKLY, MONTHLY or YEARLY",
            Self::Interval => "a whole number from 1 to 1000",
            Self::Count => "a whole number from 1 to 5000",
            Self::Until => "a day, a time, or a time in UTC with Z",
            Self::Months => "whole numbers from 1 to 12",
            Self::Weeks => "whole numbers from 1 to 53, or negative ones",
            Self::DaysOfYear | Self::Positions => "whole numbers from 1 to 366, or negative ones",
            Self::DaysOfMonth => "whole numbers from 1 to 31, or negative ones",
            Self::Days => {
                "MO, TU, WE, TH, FR, SA or SU, with a number from 1 to 5 in a month or from 1 to 53 in a year"
            }
            Self::Hours => "whole numbers from 0 to 23",
            Self::Minutes | Self::Seconds => "whole numbers from 0 to 59",
            Self::WeekStart => "MO, TU, WE, TH, FR, SA or SU",
            Self::Scale => "GREGORIAN",
            Self::Skip => "OMIT",
        }
    }
}

/// The reason why a text or [`RuleParts`](super::RuleParts) are not a [`Rule`].
///
/// ```
/// use events_calendar_domain::recurrence::{InvalidRule, Part, Rule};
///
/// assert_eq!("COUNT=3".parse::<Rule>(), Err(InvalidRule::Missing(Part::Frequency)));
/// let hourly = "FREQ=HOURLY".parse::<Rule>().unwrap_err();
/// assert_eq!(hourly.to_string(), "FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRule {
    /// The text is longer than [`Rule::MAX_CHARS`].
    #[error("the rule must have at most {max} characters, has {chars}", max = Rule::MAX_CHARS)]
    TooLong {
        /// Length, in Unicode scalar values.
        chars: usize,
    },
    /// No part has this name, or a part has none.
    #[error("{}", unknown_part(.name))]
    Unknown {
        /// The name, in upper case.
        name: String,
    },
    /// A required part is missing.
    #[error("{0} is missing")]
    Missing(Part),
    /// A part is there twice.
    #[error("{0} must be sent once")]
    Twice(Part),
    /// A part has a value that it does not take.
    #[error("{0} must be {allowed}", allowed = .0.allowed())]
    Value(Part),
    /// Two parts exclude each other.
    #[error("{0} must not be combined with {1}")]
    NotWith(Part, Part),
    /// The frequency excludes a part, or its numbers.
    #[error("{}", not_with_frequency(*.0, *.1))]
    NotWithFrequency(Part, Frequency),
    /// BYSETPOS has no other BY part beside it.
    #[error("BYSETPOS must be combined with another BY part")]
    PositionsAlone,
    /// BYHOUR and BYMINUTE give more times a day than
    /// [`Rule::MAX_TIMES_PER_DAY`].
    #[error("BYHOUR and BYMINUTE must give at most {max} times a day", max = Rule::MAX_TIMES_PER_DAY)]
    TooManyTimes,
    /// The last day cannot take the place of a missing day: see
    /// [`RuleParts::with_last_day`](super::RuleParts::with_last_day).
    #[error(
        "the last day can only replace one day from 29 to 31, of a month or of one month a year"
    )]
    NoMissingDay,
}

fn unknown_part(name: &str) -> String {
    if name.is_empty() {
        "a part of the rule is empty".to_owned()
    } else {
        format!("the rule has the unknown part {name}")
    }
}

/// Of BYDAY, the frequency excludes the numbers; of other parts, all values.
fn not_with_frequency(part: Part, frequency: Frequency) -> String {
    let frequency = frequency.name().to_ascii_uppercase();
    if part == Part::Days {
        format!("{part} must not have numbers with FREQ={frequency}")
    } else {
        format!("{part} must not be combined with FREQ={frequency}")
    }
}
