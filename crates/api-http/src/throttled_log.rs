//! A throttle of log lines about frequent events.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The pause between two lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Counts frequent events, so that the log has at most one line a second about them.
#[derive(Debug)]
pub struct ThrottledLog(Mutex<Counted>);

#[derive(Debug)]
struct Counted {
    untold: u64,
    told: Option<Instant>,
}

impl ThrottledLog {
    /// A counter without events.
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

    /// Counts an event. When a line is due: the number of events since the last line.
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
