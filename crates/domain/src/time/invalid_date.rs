//! The error of all date parsers.

/// The reason why a text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDate {
    /// The text is blank.
    #[error("must not be empty")]
    Empty,
    /// The text has none of the forms that [`parse_date`](super::parse_date) lists.
    #[error("is not a date in a known form")]
    Unreadable,
    /// The text is a number that is signed or has fewer than nine digits.
    #[error("is a number, but not a Unix time of nine or more digits")]
    NotUnixTime,
    /// The calendar does not have the month or the day, such as 30 February.
    #[error("is a day that does not exist")]
    ImpossibleDay,
    /// The hour, minute, second or offset is out of range, such as 25:00.
    #[error("is a time of day that does not exist")]
    ImpossibleTime,
    /// The date is outside the years 1 to 9999, in UTC or in the zone.
    #[error("must lie within the years 1 to 9999")]
    OutOfRange,
}
