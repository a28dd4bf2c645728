//! Instants, and the text form of wall clocks.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, Timelike};

/// An instant: whole seconds since 1970-01-01T00:00:00Z, within the years 1 to 9999 (UTC).
///
/// `Display` writes `YYYY-MM-DD HH:MM:SS` in UTC, and `FromStr` reads it.
///
/// ```
/// use events_calendar_domain::time::{InvalidTimestamp, Timestamp};
///
/// let nine = "2027-03-10 09:00:00".parse::<Timestamp>()?;
/// assert_eq!(nine.to_string(), "2027-03-10 09:00:00");
/// assert_eq!("2027-03-10".parse::<Timestamp>(), Err(InvalidTimestamp));
/// assert_eq!(InvalidTimestamp.to_string(), "must have the form YYYY-MM-DD HH:MM:SS");
/// # Ok::<(), InvalidTimestamp>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self(-62_135_596_800);
    /// 9999-12-31T23:59:59Z.
    pub const MAX: Self = Self(253_402_300_799);

    /// The instant `seconds` after the start of 1970; none outside the years 1 to 9999.
    ///
    /// ```
    /// use events_calendar_domain::time::Timestamp;
    ///
    /// assert!(Timestamp::from_seconds(1_804_669_200).is_some());
    /// assert!(Timestamp::from_seconds(i64::MAX).is_none());
    /// ```
    pub fn from_seconds(seconds: i64) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0)
            .contains(&seconds)
            .then_some(Self(seconds))
    }

    /// Seconds since the start of 1970, negative before it.
    ///
    /// ```
    /// use events_calendar_domain::time::Timestamp;
    ///
    /// assert_eq!(Timestamp::MAX.seconds(), 253_402_300_799);
    /// ```
    pub fn seconds(self) -> i64 {
        self.0
    }

    /// The instant `seconds` later (or earlier), limited to [`Self::MIN`] and [`Self::MAX`].
    ///
    /// ```
    /// use events_calendar_domain::time::Timestamp;
    ///
    /// assert_eq!(Timestamp::MIN.saturating_add(60).to_string(), "0001-01-01 00:01:00");
    /// assert_eq!(Timestamp::MAX.saturating_add(1), Timestamp::MAX);
    /// ```
    #[must_use]
    pub fn saturating_add(self, seconds: i64) -> Self {
        Self::saturating_from(self.0.saturating_add(seconds))
    }

    /// The wall clock in UTC.
    ///
    /// ```
    /// use events_calendar_domain::time::{Timestamp, parse_civil};
    ///
    /// assert_eq!(Some(Timestamp::MAX.civil()), parse_civil("9999-12-31 23:59:59"));
    /// ```
    pub fn civil(self) -> NaiveDateTime {
        // Cannot overflow: both types reach far beyond the year 9999.
        DateTime::UNIX_EPOCH.naive_utc() + TimeDelta::seconds(self.0)
    }

    /// As [`Self::from_seconds`], limited to [`Self::MIN`] and [`Self::MAX`].
    pub(super) fn saturating_from(seconds: i64) -> Self {
        Self(seconds.clamp(Self::MIN.0, Self::MAX.0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format_civil(self.civil()))
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        let civil = parse_civil(text).ok_or(InvalidTimestamp)?;
        Ok(Self(civil.and_utc().timestamp()))
    }
}

/// Error: the text is no instant as [`Timestamp`] displays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must have the form YYYY-MM-DD HH:MM:SS")]
pub struct InvalidTimestamp;

/// Writes a wall clock as `YYYY-MM-DD HH:MM:SS`, without fractions of a second.
///
/// The year has four digits, with leading zeros. Years outside 0 to 9999, which no [`Timestamp`]
/// has, are written in full.
///
/// ```
/// use events_calendar_domain::time::{NaiveDate, format_civil};
///
/// let nine = NaiveDate::from_ymd_opt(33, 4, 3).unwrap().and_hms_opt(9, 5, 0).unwrap();
/// assert_eq!(format_civil(nine), "0033-04-03 09:05:00");
/// ```
pub fn format_civil(t: NaiveDateTime) -> String {
    let mut text = String::with_capacity("YYYY-MM-DD HH:MM:SS".len());
    match u32::try_from(t.year()) {
        Ok(year @ 0..=9999) => {
            push_two_digits(&mut text, year / 100);
            push_two_digits(&mut text, year % 100);
        }
        _ => text.push_str(&t.year().to_string()),
    }
    let rest = [
        ('-', t.month()),
        ('-', t.day()),
        (' ', t.hour()),
        (':', t.minute()),
        (':', t.second()),
    ];
    for (separator, value) in rest {
        text.push(separator);
        push_two_digits(&mut text, value);
    }
    text
}

fn push_two_digits(text: &mut String, value: u32) {
    for digit in [value / 10, value % 10] {
        text.extend(char::from_digit(digit, 10));
    }
}

/// Parses the output of [`format_civil`]: exactly `YYYY-MM-DD HH:MM:SS`, years 1 to 9999.
///
/// For dates that people type, use [`parse_date`](super::parse_date).
///
/// ```
/// use events_calendar_domain::time::{format_civil, parse_civil};
///
/// let read = parse_civil("2027-03-10 09:00:00").unwrap();
/// assert_eq!(format_civil(read), "2027-03-10 09:00:00");
/// assert_eq!(parse_civil("2027-03-10"), None);
/// ```
pub fn parse_civil(text: &str) -> Option<NaiveDateTime> {
    let bytes: &[u8; 19] = text.as_bytes().try_into().ok()?;
    let separators = [(4, b'-'), (7, b'-'), (10, b' '), (13, b':'), (16, b':')];
    if separators
        .iter()
        .any(|&(at, separator)| bytes[at] != separator)
    {
        return None;
    }
    let number = |from: usize, to: usize| {
        bytes[from..to].iter().try_fold(0_u32, |sum, byte| {
            byte.is_ascii_digit()
                .then(|| sum * 10 + u32::from(byte - b'0'))
        })
    };
    let year = number(0, 4).filter(|&year| year > 0)?;
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, number(5, 7)?, number(8, 10)?)?.and_hms_opt(
        number(11, 13)?,
        number(14, 16)?,
        number(17, 19)?,
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bounds_are_the_years_1_and_9999() {
        assert_eq!(Timestamp::MIN.to_string(), "0001-01-01 00:00:00");
        assert_eq!(Timestamp::MAX.to_string(), "9999-12-31 23:59:59");
        assert_eq!(Timestamp::from_seconds(Timestamp::MIN.seconds() - 1), None);
        assert_eq!(Timestamp::from_seconds(Timestamp::MAX.seconds() + 1), None);
    }

    #[test]
    fn addition_stops_at_the_bounds() {
        assert_eq!(Timestamp::MIN.saturating_add(i64::MIN), Timestamp::MIN);
        assert_eq!(Timestamp::MAX.saturating_add(i64::MAX), Timestamp::MAX);
        assert_eq!(Timestamp::MIN.saturating_add(i64::MAX), Timestamp::MAX);
    }

    #[test]
    fn years_beyond_four_digits_are_written_in_full() {
        assert_eq!(
            format_civil(NaiveDate::from_ymd_opt(12_345, 1, 2).unwrap().into()),
            "12345-01-02 00:00:00"
        );
        assert_eq!(
            format_civil(NaiveDate::from_ymd_opt(-5, 1, 2).unwrap().into()),
            "-5-01-02 00:00:00"
        );
    }

    #[test]
    fn only_the_stored_form_is_read_back() {
        for text in [
            "",
            "2027-03-10T09:00:00",
            "2027-03-10 09:00:0",
            "2027-03-10 09:00:000",
            "2027-02-30 09:00:00",
            "2027-03-10 24:00:00",
            "2027-03-10 09:60:00",
            "2027-03-10 09:00:60",
            "0000-03-10 09:00:00",
            "+027-03-10 09:00:00",
            "2027-03-10 09:00: 1",
            "2027-03-1é 09:00:0",
        ] {
            assert_eq!(parse_civil(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn civil_text_goes_there_and_back(seconds in Timestamp::MIN.0..=Timestamp::MAX.0) {
            prop_assert_eq!(Timestamp(seconds).to_string().parse(), Ok(Timestamp(seconds)));
            let civil = Timestamp(seconds).civil();
            prop_assert_eq!(parse_civil(&format_civil(civil)), Some(civil));
            prop_assert_eq!(format_civil(civil), civil.format("%Y-%m-%d %H:%M:%S").to_string());
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".*") {
            let _ = parse_civil(&text);
        }
    }
}
