//! A throttle of log lines about frequent events.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The minimum interval between two lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Counts frequent events, so that the log has at most one line a second about them.
#[derive(Debug)]
pub struct ThrottledLog(Mutex<Counted>);

#[derive(Debug)]
struct Counted {
    unreported: u64,
    last_line: Option<Instant>,
}

impl ThrottledLog {
    /// A counter without events.
    #[expect(
        clippy::new_without_default,
        reason = "each kind of event has its counter in a static"
    )]
    pub const fn new() -> Self {
        Self(Mutex::new(Counted {
            unreported: 0,
            last_line: None,
        }))
    }

    /// Counts an event. If a line is due, returns the number of events since the last line.
    pub fn count(&self) -> Option<u64> {
        self.count_at(Instant::now())
    }

    fn count_at(&self, now: Instant) -> Option<u64> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted.unreported += 1;
        let is_early = |last_line| now.saturating_duration_since(last_line) < PAUSE;
        if counted.last_line.is_some_and(is_early) {
            return None;
        }
        counted.last_line = Some(now);
        Some(std::mem::take(&mut counted.unreported))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_a_second_with_all_that_happened_since() {
        let log = ThrottledLog::new();
        let start = Instant::now();
        let counts = [0, 1, 999, 1000, 1001, 5000]
            .map(|millis| log.count_at(start + Duration::from_millis(millis)));
        assert_eq!(counts, [Some(1), None, None, Some(3), None, Some(2)]);
    }
}
