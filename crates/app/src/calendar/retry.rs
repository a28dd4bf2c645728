//! The repetition of units of work after conflicts.

use std::time::Duration;

use rand::RngExt as _;

/// Attempts of a unit of work that conflicts with concurrent transactions.
pub(super) const ATTEMPTS: u32 = 8;

/// The longest pause after the first attempt. Each further one may be twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(2);

/// Waits before the next attempt, for a random part of the longest pause: units that conflicted do not
/// meet again.
pub(super) async fn pause(attempt: u32) {
    let part = rand::rng().random_range(0.0..=1.0);
    tokio::time::sleep(longest_pause(attempt).mul_f64(part)).await;
}

/// The longest pause after an attempt, from 1.
fn longest_pause(attempt: u32) -> Duration {
    FIRST_PAUSE * 2_u32.pow(attempt.saturating_sub(1).min(ATTEMPTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_and_end_within_a_second() {
        assert_eq!(longest_pause(1), FIRST_PAUSE);
        assert_eq!(longest_pause(4), FIRST_PAUSE * 8);
        let all: Duration = (1..ATTEMPTS).map(longest_pause).sum();
        assert!(all < Duration::from_secs(1));
    }
}
