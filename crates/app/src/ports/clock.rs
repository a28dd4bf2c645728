//! The clock.

use std::{
    sync::LazyLock,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use domain::time::Timestamp;

/// Reads the time.
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
/// use app::ports::{Clock, SystemClock};
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
