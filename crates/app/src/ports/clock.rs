//! The clock.

use std::{
    sync::LazyLock,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use domain::time::Timestamp;

/// Reads the time.
///
/// ```
/// use std::time::Duration;
///
/// use events_calendar_app::ports::Clock;
/// use domain::time::Timestamp;
///
/// /// A clock that a program moves from tick to tick.
/// struct Ticks(i64);
///
/// impl Clock for Ticks {
///     fn now(&self) -> Timestamp {
///         Timestamp::MIN.saturating_add(self.0)
///     }
///
///     fn monotonic(&self) -> Duration {
///         Duration::from_secs(self.0.unsigned_abs())
///     }
/// }
/// assert_eq!(Ticks(60).now().to_string(), "0001-01-01 00:01:00");
/// assert_eq!(Ticks(60).monotonic().as_secs(), 60);
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
pub trait Clock: Send + Sync {
    /// The current time of day.
    fn now(&self) -> Timestamp;

    /// The time since an unspecified time in the past. It is monotonic: adjusting the time of day
    /// does not affect it.
    fn monotonic(&self) -> Duration;
}

/// The clock of the system.
///
/// ```
/// use events_calendar_app::ports::{Clock, SystemClock};
///
/// let before = SystemClock.monotonic();
/// assert!(SystemClock.monotonic() >= before);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

/// The time of the first call of [`SystemClock::monotonic`].
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(clippy::disallowed_methods, reason = "the implementation of the port")]
        let now = SystemTime::now();
        // A time before 1970 or after the year 9999 means that the clock was never set.
        let seconds = now
            .duration_since(UNIX_EPOCH)
            .map_or(0, |passed| passed.as_secs());
        i64::try_from(seconds)
            .ok()
            .and_then(Timestamp::from_seconds)
            .unwrap_or(Timestamp::MAX)
    }

    fn monotonic(&self) -> Duration {
        START.elapsed()
    }
}
