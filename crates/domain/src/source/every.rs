//! The time between two runs of a source.

use std::{fmt, str::FromStr};

use crate::time::Timestamp;

/// The seconds of a day.
const DAY: u32 = 86_400;

/// The units of a text, with their seconds; the greatest first.
const UNITS: [(char, u32); 3] = [('d', DAY), ('h', 3600), ('m', 60)];

/// The time between two runs of a source: whole minutes, from 5 minutes to 7 days.
///
/// ```
/// use events_calendar_domain::source::{Every, InvalidEvery};
/// assert_eq!("90m".parse::<Every>()?.to_string(), "90m");
/// assert_eq!("48h".parse::<Every>()?.to_string(), "2d");
/// for refused in ["4m", "8d", "1", "1y", "-1h", "99999999999h", ""] {
///     assert_eq!(refused.parse::<Every>(), Err(InvalidEvery));
/// }
/// assert_eq!(Every::default().seconds(), 3600);
/// # Ok::<(), InvalidEvery>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Every(u32);

/// Error: the text is not a time between runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be from 5m to 7d, such as 30m, 6h or 1d")]
pub struct InvalidEvery;

impl Default for Every {
    /// An hour.
    fn default() -> Self {
        Self(3600)
    }
}

impl Every {
    /// The greatest time, in seconds.
    pub(super) const MAX_SECONDS: u32 = 7 * DAY;

    /// The time in seconds, if it is valid.
    ///
    /// ```
    /// use events_calendar_domain::source::Every;
    /// assert_eq!(Every::from_seconds(300).unwrap().to_string(), "5m");
    /// assert_eq!(Every::from_seconds(301), None);
    /// ```
    pub fn from_seconds(seconds: u32) -> Option<Self> {
        let is_valid = (300..=Self::MAX_SECONDS).contains(&seconds) && seconds.is_multiple_of(60);
        is_valid.then_some(Self(seconds))
    }

    /// The seconds.
    ///
    /// ```
    /// assert_eq!("5m".parse::<events_calendar_domain::source::Every>().unwrap().seconds(), 300);
    /// ```
    pub const fn seconds(self) -> u32 {
        self.0
    }

    /// The time of the run after one at `now`: later by the time between two runs, and twice as late after
    /// each further failure, up to a day. `jitter` moves it by thousandths of that time, so that sources
    /// that were added together are not read together.
    ///
    /// ```
    /// use events_calendar_domain::{source::Every, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let hour = Every::default();
    /// let after = |failures, jitter| hour.after(now, failures, jitter).seconds();
    /// assert_eq!([after(0, 0), after(1, 0), after(2, 0), after(9, 0)], [3600, 3600, 7200, 86_400]);
    /// assert_eq!([after(0, -100), after(0, 100)], [3240, 3960]);
    /// ```
    #[must_use]
    pub fn after(self, now: Timestamp, failures: u32, jitter: i16) -> Timestamp {
        let doubled = failures.saturating_sub(1).min(16);
        let most = i64::from(DAY.max(self.0));
        let delay = (i64::from(self.0) << doubled).min(most);
        now.saturating_add(delay + delay * i64::from(jitter) / 1000)
    }
}

impl fmt::Display for Every {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut units = UNITS.into_iter();
        let whole = units.find(|(_, seconds)| self.0.is_multiple_of(*seconds));
        let (unit, seconds) = whole.unwrap_or(('m', 60));
        write!(f, "{}{unit}", self.0 / seconds)
    }
}

impl FromStr for Every {
    type Err = InvalidEvery;

    fn from_str(text: &str) -> Result<Self, InvalidEvery> {
        let read = || {
            let text = text.trim();
            let (unit, seconds) = UNITS.into_iter().find(|(unit, _)| text.ends_with(*unit))?;
            let number = text.strip_suffix(unit)?;
            let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
            let number: u32 = is_number.then(|| number.parse().ok())??;
            Self::from_seconds(number.checked_mul(seconds)?)
        };
        read().ok_or(InvalidEvery)
    }
}
