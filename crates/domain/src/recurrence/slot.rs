//! Slots: the names of occurrences within their series.

use std::{fmt, str::FromStr};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::date_value::DateValue;
use crate::time::{EventTime, InvalidDate};

/// The wall clock, in the zone of the series, at which a recurrence puts an occurrence. It names
/// the occurrence (RECURRENCE-ID), whatever time that one is moved to.
///
/// The slots of an all-day series are at 00:00:00. `Display` and `FromStr` have the form
/// `YYYY-MM-DDTHH:MM:SS`.
///
/// ```
/// use events_calendar_domain::recurrence::Slot;
/// use events_calendar_domain::time::parse_civil;
///
/// let slot = Slot::new(parse_civil("2027-03-16 19:00:00").unwrap());
/// assert_eq!(slot.to_string(), "2027-03-16T19:00:00");
/// assert_eq!("2027-03-16T19:00:00".parse(), Ok(slot));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(NaiveDateTime);

impl Slot {
    /// A slot before those of every recurrence.
    pub const MIN: Self = Self(NaiveDate::MIN.and_time(NaiveTime::MIN));

    /// A slot after those of every recurrence.
    pub(super) const MAX: Self = Self(NaiveDateTime::MAX);

    /// The slot at a wall clock.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::Slot;
    /// use events_calendar_domain::time::parse_civil;
    ///
    /// let wall_clock = parse_civil("2027-03-16 19:00:00").unwrap();
    /// assert_eq!(Slot::new(wall_clock).local(), wall_clock);
    /// assert!(Slot::MIN < Slot::new(wall_clock));
    /// ```
    pub fn new(local: NaiveDateTime) -> Self {
        Self(local)
    }

    /// The slot of a whole day.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::Slot;
    /// use events_calendar_domain::time::NaiveDate;
    ///
    /// let day = NaiveDate::from_ymd_opt(2027, 3, 16).unwrap();
    /// assert_eq!(Slot::of_day(day).to_string(), "2027-03-16T00:00:00");
    /// ```
    pub fn of_day(day: NaiveDate) -> Self {
        Self(day.and_time(NaiveTime::MIN))
    }

    /// The wall clock.
    pub fn local(self) -> NaiveDateTime {
        self.0
    }

    /// The day of the wall clock.
    ///
    /// ```
    /// use events_calendar_domain::recurrence::Slot;
    ///
    /// let slot: Slot = "2027-03-16T19:00:00".parse()?;
    /// assert_eq!(Slot::of_day(slot.day()).to_string(), "2027-03-16T00:00:00");
    /// # Ok::<(), events_calendar_domain::time::InvalidDate>(())
    /// ```
    pub fn day(self) -> NaiveDate {
        self.0.date()
    }

    /// The slot at a wall clock, or of its whole day.
    pub(super) fn at(local: NaiveDateTime, all_day: bool) -> Self {
        if all_day {
            Self::of_day(local.date())
        } else {
            Self(local)
        }
    }

    /// The slot at the wall clock that a time shows.
    pub(super) fn shown_by(time: &EventTime) -> Self {
        Self::at(time.start().local, time.all_day())
    }

    /// The slot at a distance, limited to the range of the type.
    pub(super) fn plus(self, distance: TimeDelta) -> Self {
        let limit = if distance < TimeDelta::zero() {
            NaiveDateTime::MIN
        } else {
            NaiveDateTime::MAX
        };
        Self(self.0.checked_add_signed(distance).unwrap_or(limit))
    }
}

impl FromStr for Slot {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        match text.parse()? {
            DateValue::Local(local) => Ok(Self(local)),
            DateValue::Day(_) | DateValue::Instant(_) => Err(InvalidDate::Unreadable),
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        DateValue::Local(self.0).fmt(f)
    }
}
