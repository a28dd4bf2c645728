//! A clock that stops.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use domain::time::Timestamp;

use super::at;
use crate::ports::Clock;

/// The time at which [`FixedClock::default`] is stopped.
pub const START: &str = "2030-01-01 00:00:00";

/// A stopped clock, which a test moves. Clones share the time.
///
/// ```
/// use std::time::Duration;
///
/// use events_calendar_app::{ports::Clock, test_support::{FixedClock, START, at}};
///
/// let clock = FixedClock::default();
/// assert_eq!(clock.now(), at(START));
/// clock.advance_seconds(90);
/// assert_eq!(clock.now(), at("2030-01-01 00:01:30"));
/// clock.set("2031-02-03 04:05:06");
/// assert_eq!(clock.now(), FixedClock::at("2031-02-03 04:05:06").now());
/// assert_eq!(clock.monotonic(), Duration::from_secs(90));
/// ```
#[derive(Clone, Debug)]
pub struct FixedClock(Arc<Shown>);

#[derive(Debug)]
struct Shown {
    /// Time of day, in Unix seconds.
    now: AtomicI64,
    /// Seconds of the monotonic clock.
    monotonic_seconds: AtomicU64,
}

impl FixedClock {
    /// A clock stopped at this time, `YYYY-MM-DD HH:MM:SS` in UTC.
    pub fn at(time: &str) -> Self {
        Self(Arc::new(Shown {
            now: AtomicI64::new(at(time).seconds()),
            monotonic_seconds: AtomicU64::new(0),
        }))
    }

    /// Sets the time of day; the monotonic clock stays.
    pub fn set(&self, time: &str) {
        self.0.now.store(at(time).seconds(), Ordering::SeqCst);
    }

    /// Advances both clocks by `seconds`. A negative number sets the time of day back.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.now.fetch_add(seconds, Ordering::SeqCst);
        let passed = u64::try_from(seconds).unwrap_or_default();
        self.0.monotonic_seconds.fetch_add(passed, Ordering::SeqCst);
    }
}

impl Default for FixedClock {
    fn default() -> Self {
        Self::at(START)
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.0.now.load(Ordering::SeqCst)).unwrap()
    }

    fn monotonic(&self) -> Duration {
        Duration::from_secs(self.0.monotonic_seconds.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_moves_only_when_told() {
        let clock = FixedClock::default();
        let same = clock.clone();
        assert_eq!(clock.now(), at(START));
        clock.advance_seconds(90);
        assert_eq!(same.now(), at("2030-01-01 00:01:30"));
        same.set("2031-02-03 04:05:06");
        assert_eq!(clock.now().to_string(), "2031-02-03 04:05:06");
        same.advance_seconds(-90);
        assert_eq!(clock.monotonic(), Duration::from_secs(90));
    }
}
