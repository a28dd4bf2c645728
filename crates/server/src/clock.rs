//! The clock of the machine.

use std::{
    sync::LazyLock,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use app::ports::Clock;
use domain::time::Timestamp;

/// When the first one asked how much time has passed.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the clock that all others ask"
        )]
        let now = SystemTime::now();
        // A clock that stands before 1970 was never set; one after the year 9999 is as wrong.
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
