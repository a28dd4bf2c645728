//! Work in units of work, which are repeated after conflicts.

use std::time::Duration;

use async_trait::async_trait;
use rand::RngExt as _;

use super::Calendar;
use crate::{
    error::AppError,
    ports::{StoreError, UnitOfWork},
};

/// Attempts of a unit of work that conflicts with concurrent transactions.
pub(super) const ATTEMPTS: u32 = 8;

/// The longest pause after the first attempt. Each further one may be twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(2);

/// Work in a unit of work, which can be repeated from its beginning after a conflict with another
/// transaction. It has no effects outside of the unit.
#[async_trait]
pub trait Work: Sync {
    /// The result.
    type Output: Send;

    /// Runs within a unit of work, which it neither commits nor rolls back.
    ///
    /// # Errors
    ///
    /// [`AppError`], which undoes the unit.
    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Self::Output, AppError>;
}

impl Calendar {
    /// Runs work in a unit of work, and repeats it after a conflict with a concurrent transaction, with a random pause
    /// before each further attempt.
    ///
    /// # Errors
    ///
    /// Errors of the work, and errors of the store.
    pub async fn in_unit<W: Work>(&self, work: &W) -> Result<W::Output, AppError> {
        let outcome = self.run_repeatedly(work).await;
        self.write_health.record(&outcome);
        outcome
    }

    /// Runs work in a unit of work, and undoes it.
    ///
    /// # Errors
    ///
    /// Errors of the work, and errors of the store.
    pub async fn rehearse<W: Work>(&self, work: &W) -> Result<W::Output, AppError> {
        let unit = self.store.begin().await?;
        let output = work.run(&*unit).await;
        unit.rollback().await?;
        output
    }

    async fn run_repeatedly<W: Work>(&self, work: &W) -> Result<W::Output, AppError> {
        let mut attempt = 1;
        loop {
            let unit = self.store.begin().await?;
            let outcome = match work.run(&*unit).await {
                Ok(output) => unit.commit().await.map(|()| output).map_err(AppError::from),
                Err(error) => {
                    // The cause is reported, not what followed from it.
                    if let Err(second) = unit.rollback().await {
                        tracing::warn!(error = %second, "a unit of work was not rolled back");
                    }
                    Err(error)
                }
            };
            match outcome {
                Err(AppError::Store(StoreError::Conflict)) if attempt < ATTEMPTS => {
                    pause(attempt).await;
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }
}

/// Waits before the next attempt, for a random part of the longest pause: units that conflicted do not
/// meet again.
async fn pause(attempt: u32) {
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
