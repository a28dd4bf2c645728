//! What may happen often, told seldom.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// How long nothing more of the same is told.
const PAUSE: Duration = Duration::from_secs(1);

/// Counts what may happen often, so that the log tells of it once a second at the most.
#[derive(Debug)]
pub struct ThrottledLog(Mutex<Counted>);

#[derive(Debug)]
struct Counted {
    untold: u64,
    told: Option<Instant>,
}

impl ThrottledLog {
    /// Nothing happened yet.
    #[expect(
        clippy::new_without_default,
        reason = "there is one for each thing that happens, and it is a static"
    )]
    pub const fn new() -> Self {
        Self(Mutex::new(Counted {
            untold: 0,
            told: None,
        }))
    }

    /// Counts one more. If it is time to tell of it: how often it happened since that was done last.
    pub fn count(&self) -> Option<u64> {
        self.count_at(Instant::now())
    }

    fn count_at(&self, now: Instant) -> Option<u64> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted.untold += 1;
        let is_early = |told| now.saturating_duration_since(told) < PAUSE;
        if counted.told.is_some_and(is_early) {
            return None;
        }
        counted.told = Some(now);
        Some(std::mem::take(&mut counted.untold))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_a_second_with_all_that_happened_since() {
        let tally = ThrottledLog::new();
        let start = Instant::now();
        let told = [0, 1, 999, 1000, 1001, 5000]
            .map(|millis| tally.count_at(start + Duration::from_millis(millis)));
        assert_eq!(told, [Some(1), None, None, Some(3), None, Some(2)]);
    }
}
