//! A clock that stands still.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use domain::time::Timestamp;

use super::at;
use crate::ports::Clock;

/// When tests happen, unless they say otherwise.
pub const START: &str = "2030-01-01 00:00:00";

/// A clock that stands still until a test moves it. Clones show the same time.
#[derive(Clone, Debug)]
pub struct FixedClock(Arc<AtomicI64>);

impl FixedClock {
    /// A clock that stands at this time, `YYYY-MM-DD HH:MM:SS` in UTC.
    pub fn at(time: &str) -> Self {
        Self(Arc::new(AtomicI64::new(at(time).seconds())))
    }

    /// Moves it to another time.
    pub fn set(&self, time: &str) {
        self.0.store(at(time).seconds(), Ordering::SeqCst);
    }

    /// Moves it forward, or back with a negative number.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Default for FixedClock {
    fn default() -> Self {
        Self::at(START)
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.0.load(Ordering::SeqCst)).unwrap()
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
    }
}
