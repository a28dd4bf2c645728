//! The languages of the calendar's texts.

use crate::time::DateOrder;

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
}
