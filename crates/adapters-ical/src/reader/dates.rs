//! Dates and durations, as properties have them.

use chrono::{Days, NaiveDate, NaiveDateTime, TimeDelta};
use domain::{recurrence::DateValue, time::Timestamp};
use interchange::FindingCode;

/// A date as read, and whether its time of day was adjusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReadDate {
    pub(super) value: DateValue,
    pub(super) is_adjusted: bool,
}

impl ReadDate {
    /// Parses a day, a wall clock or an instant. 24:00:00 is the next midnight, a 60th second the 59th.
    pub(super) fn parse(text: &str) -> Result<Self, FindingCode> {
        let text = text.trim();
        if let Ok(value) = text.parse() {
            return Ok(Self {
                value,
                is_adjusted: false,
            });
        }
        Self::adjusted(text).ok_or(FindingCode::BadDate)
    }

    fn adjusted(text: &str) -> Option<Self> {
        let basic: String = text.chars().filter(|c| !matches!(c, '-' | ':')).collect();
        let (day, time) = basic.split_once(['T', 't'])?;
        let (time, zulu) = match time.strip_suffix(['Z', 'z']) {
            Some(time) => (time, "Z"),
            None => (time, ""),
        };
        let value = match (time.get(..2)?, time.get(2..4)?, time.get(4..)?) {
            ("24", "00", "00") => {
                let DateValue::Day(day) = day.parse().ok()? else {
                    return None;
                };
                let next = day.checked_add_days(Days::new(1))?.format("%Y%m%d");
                format!("{next}T000000{zulu}")
            }
            (hour, minute, "60") => format!("{day}T{hour}{minute}59{zulu}"),
            // Some programs leave the seconds out.
            (hour, minute, "") => format!("{day}T{hour}{minute}00{zulu}"),
            _ => return None,
        };
        Some(Self {
            value: value.parse().ok()?,
            is_adjusted: true,
        })
    }
}

/// A duration: whole days by the calendar, and elapsed seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Duration {
    pub(super) days: i64,
    pub(super) seconds: i64,
    /// Whether a unit stands on the wrong side of the T, as in `P3600S` and `PT1D`, or there is none, or there
    /// are blanks.
    pub(super) is_adjusted: bool,
}

impl Duration {
    /// Parses a duration such as `P1D`, `P2W` or `PT1H30M` (RFC 5545, section 3.3.6). `PT` is no time at all.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let sent = text.trim();
        let text = sent.replace(' ', "").to_ascii_uppercase();
        let has_blanks = text.len() < sent.len();
        let (sign, rest) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(&text)),
        };
        let mut rest = rest.strip_prefix('P')?;
        let mut duration = Self {
            days: 0,
            seconds: 0,
            is_adjusted: has_blanks || matches!(rest, "" | "T"),
        };
        let mut in_time = false;
        while !rest.is_empty() {
            if let Some(time) = rest.strip_prefix('T') {
                (rest, in_time) = (time, true);
                continue;
            }
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let number: i64 = rest
                .get(..digits)?
                .parse()
                .ok()
                .filter(|n| *n < 1_000_000_000)?;
            let unit = rest[digits..].chars().next()?;
            match unit {
                'W' => duration.days += number * 7,
                'D' => duration.days += number,
                'H' => duration.seconds += number * 3600,
                'M' => duration.seconds += number * 60,
                'S' => duration.seconds += number,
                _ => return None,
            }
            duration.is_adjusted |= in_time == matches!(unit, 'W' | 'D');
            rest = &rest[digits + 1..];
        }
        (duration.days, duration.seconds) = (duration.days * sign, duration.seconds * sign);
        Some(duration)
    }

    /// The wall clock after its whole days.
    pub(super) fn days_after(self, start: NaiveDateTime) -> Option<NaiveDateTime> {
        start.checked_add_signed(TimeDelta::try_days(self.days)?)
    }

    /// The instant after its seconds.
    pub(super) fn seconds_after(self, start: Timestamp) -> Option<Timestamp> {
        Timestamp::from_seconds(start.seconds().checked_add(self.seconds)?)
    }

    /// The last day of whole days that begin with a day.
    pub(super) fn last_day(self, first: NaiveDate) -> Option<NaiveDate> {
        let days = self.days.checked_add(self.seconds / 86_400)?;
        first.checked_add_signed(TimeDelta::try_days(days.max(1) - 1)?)
    }

    /// Whether it is shorter than nothing.
    pub(super) fn is_negative(self) -> bool {
        self.days < 0 || self.seconds < 0
    }
}
