//! The system clock.

use std::{
    sync::LazyLock,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use app::ports::Clock;
use domain::time::Timestamp;

/// The time of the first call of [`Clock::monotonic`].
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The system clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

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
