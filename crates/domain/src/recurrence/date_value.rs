//! Dates of recurrences: days, wall clocks and instants.

use std::{fmt, str::FromStr};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use crate::time::{InvalidDate, Timestamp, Zone, is_day, read_date};

/// A date of UNTIL, RDATE, EXDATE or RECURRENCE-ID: a day, a wall clock, or an instant (RFC 5545,
/// sections 3.3.4 and 3.3.5).
///
/// `FromStr` reads the basic and the extended form of ISO 8601: `20270316`, `20270316T190000`,
/// `20270316T180000Z`; `2027-03-16`, `2027-03-16T19:00:00`, `2027-03-16T18:00:00Z`. `Display` writes
/// the extended form, [`Self::basic`] the basic one.
///
/// ```
/// use events_calendar_domain::recurrence::DateValue;
/// use events_calendar_domain::time::NaiveDate;
///
/// let day: DateValue = "20270316".parse()?;
/// assert_eq!(day, DateValue::Day(NaiveDate::from_ymd_opt(2027, 3, 16).unwrap()));
/// assert_eq!(day.to_string(), "2027-03-16");
/// assert_eq!("2027-03-16T18:00:00Z".parse::<DateValue>()?.basic(), "20270316T180000Z");
/// # Ok::<(), events_calendar_domain::time::InvalidDate>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateValue {
    /// A day.
    Day(NaiveDate),
    /// A wall clock, whole seconds.
    Local(NaiveDateTime),
    /// An instant.
    Instant(Timestamp),
}

impl DateValue {
    /// Parses a date in one of the forms of `FromStr`, or of
    /// [`parse_date`](crate::time::parse_date). A calendar date without a time of day is a day.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::DateValue;
    /// use events_calendar_domain::time::{Timestamp, Zone};
    ///
    /// let read = |text| DateValue::read(text, &Zone::utc(), Timestamp::MIN);
    /// assert_eq!(read("2027-03-20 15:00")?.to_string(), "2027-03-20T15:00:00");
    /// assert_eq!(read("3/20/2027")?.to_string(), "2027-03-20");
    /// assert_eq!(read("2027-03-20T15:00:00+02:00")?.to_string(), "2027-03-20T13:00:00Z");
    /// # Ok::<(), events_calendar_domain::time::InvalidDate>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`parse_date`](crate::time::parse_date).
    pub fn read(text: &str, zone: &Zone, now: Timestamp) -> Result<Self, InvalidDate> {
        if let Ok(value) = text.trim().parse() {
            return Ok(value);
        }
        let sent = read_date(text, zone, now)?;
        Ok(match sent.wall() {
            None => Self::Instant(sent.moment().utc),
            Some(wall) if is_day(text) => Self::Day(wall.date()),
            Some(wall) => Self::Local(wall),
        })
    }

    /// The form of iCalendar: `20270316`, `20270316T190000` or `20270316T180000Z`.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::DateValue;
    ///
    /// let wall_clock: DateValue = "2027-03-16T19:00:00".parse()?;
    /// assert_eq!(wall_clock.basic(), "20270316T190000");
    /// # Ok::<(), events_calendar_domain::time::InvalidDate>(())
    /// ```
    pub fn basic(&self) -> String {
        let mut text = self.to_string();
        text.retain(|c| !matches!(c, '-' | ':'));
        text
    }
}

impl FromStr for DateValue {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let (wall, is_utc) = match text.strip_suffix(['Z', 'z']) {
            Some(wall) => (wall, true),
            None => (text, false),
        };
        let (day, time) = match wall.split_once(['T', 't']) {
            Some((day, time)) => (day, Some(time)),
            None => (wall, None),
        };
        let [year, month, of_month] = numbers(day, "-", [4, 2, 2])?;
        if year == 0 {
            return Err(InvalidDate::OutOfRange);
        }
        let year = i32::try_from(year).map_err(|_| InvalidDate::OutOfRange)?;
        let day = NaiveDate::from_ymd_opt(year, month, of_month);
        let day = day.ok_or(InvalidDate::ImpossibleDay)?;
        let Some(time) = time else {
            return if is_utc {
                Err(InvalidDate::Unreadable)
            } else {
                Ok(Self::Day(day))
            };
        };
        let [hour, minute, second] = numbers(time, ":", [2, 2, 2])?;
        let time = NaiveTime::from_hms_opt(hour, minute, second);
        let wall = day.and_time(time.ok_or(InvalidDate::ImpossibleTime)?);
        if !is_utc {
            return Ok(Self::Local(wall));
        }
        let instant = Timestamp::from_seconds(wall.and_utc().timestamp());
        instant.map(Self::Instant).ok_or(InvalidDate::OutOfRange)
    }
}

/// Parses three numbers of fixed widths, with or without separators.
fn numbers(text: &str, separator: &str, widths: [usize; 3]) -> Result<[u32; 3], InvalidDate> {
    let is_extended = text.contains(separator);
    let mut rest = text;
    let mut numbers = [0; 3];
    for (index, (number, width)) in numbers.iter_mut().zip(widths).enumerate() {
        if is_extended && index > 0 {
            rest = rest
                .strip_prefix(separator)
                .ok_or(InvalidDate::Unreadable)?;
        }
        let (digits, after) = rest
            .split_at_checked(width)
            .ok_or(InvalidDate::Unreadable)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(InvalidDate::Unreadable);
        }
        *number = digits.parse().map_err(|_| InvalidDate::Unreadable)?;
        rest = after;
    }
    match rest {
        "" => Ok(numbers),
        _ => Err(InvalidDate::Unreadable),
    }
}

impl fmt::Display for DateValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => write!(f, "{}", day.format("%Y-%m-%d")),
            Self::Local(wall) => write!(f, "{}", wall.format("%Y-%m-%dT%H:%M:%S")),
            Self::Instant(instant) => write!(f, "{}Z", Self::Local(instant.civil())),
        }
    }
}
