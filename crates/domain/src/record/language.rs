//! The languages of the calendar's texts.

use crate::time::{DateOrder, Weekday};

named_enum! {
    /// A language of stored and displayed texts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Language, code {
        /// Arabic, `ar`, written from right to left.
        Arabic = "ar",
        /// English, `en`.
        #[default]
        English = "en",
        /// French, `fr`.
        French = "fr",
    }
}

impl Language {
    /// The usual order of day and month in dates of three numbers.
    ///
    /// ```
    /// use events_calendar_domain::{Language, time::DateOrder};
    ///
    /// assert_eq!(Language::English.date_order(), DateOrder::MonthFirst);
    /// assert_eq!(Language::French.date_order(), DateOrder::DayFirst);
    /// ```
    pub const fn date_order(self) -> DateOrder {
        match self {
            Self::English => DateOrder::MonthFirst,
            Self::French | Self::Arabic => DateOrder::DayFirst,
        }
    }

    /// The first day of the week where the language is spoken.
    ///
    /// ```
    /// use events_calendar_domain::{Language, time::Weekday};
    ///
    /// assert_eq!(Language::Arabic.week_start(), Weekday::Sat);
    /// assert_eq!(Language::French.week_start(), Weekday::Mon);
    /// ```
    pub const fn week_start(self) -> Weekday {
        match self {
            Self::Arabic => Weekday::Sat,
            Self::English | Self::French => Weekday::Mon,
        }
    }
}
