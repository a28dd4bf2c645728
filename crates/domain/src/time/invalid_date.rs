//! The error of every reader of dates.

/// Why a text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDate {
    /// Nothing but blanks.
    #[error("must not be empty")]
    Empty,
    /// In none of the forms that [`parse_date`] lists.
    #[error("is not a date in a known form")]
    Unreadable,
    /// A number that is signed or has fewer than nine digits.
    #[error("is a number, but not a Unix time of nine or more digits")]
    NotUnixTime,
    /// A month or a day that the calendar does not have, as 30 February.
    #[error("is a day that does not exist")]
    ImpossibleDay,
    /// An hour, a minute, a second or an offset that no clock has, as 25:00.
    #[error("is a time of day that does not exist")]
    ImpossibleTime,
    /// Outside the years 1 to 9999, in UTC or in the zone.
    #[error("must lie within the years 1 to 9999")]
    OutOfRange,
}
