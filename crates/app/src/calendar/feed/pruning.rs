//! The age of the journal and of withdrawals.

use async_trait::async_trait;
use domain::{event::Withdrawal, time::Timestamp};

use crate::{
    calendar::{Calendar, Work},
    error::AppError,
    ports::UnitOfWork,
};

/// The number of entries that are deleted at once.
const BATCH: u64 = 10_000;

/// A day, in seconds.
const DAY: i64 = 86_400;

/// Deletes the withdrawals that no file shows any more.
struct Prune {
    shown_since: Timestamp,
}

#[async_trait]
impl Work for Prune {
    type Output = u64;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<u64, AppError> {
        Ok(unit.tombstones().prune(self.shown_since).await?)
    }
}

impl Calendar {
    /// Deletes the entries of the journal that are older than some days, 10,000 at once. The last
    /// entry stays. Returns how many were deleted.
    ///
    /// ```
    /// # use events_calendar_app::test_support::{InMemoryStore, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), events_calendar_app::AppError> {
    /// let calendar = calendar(InMemoryStore::new()).await;
    /// assert_eq!(calendar.prune_journal(30).await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn prune_journal(&self, days: u32) -> Result<u64, AppError> {
        let before = self.now().saturating_add(-DAY * i64::from(days));
        let mut deleted = 0;
        loop {
            let now = self.store.journal().prune(before, BATCH).await?;
            deleted += now;
            if now < BATCH {
                return Ok(deleted);
            }
        }
    }

    /// Deletes the withdrawals of events that calendar files do not show any more. Returns how many
    /// were deleted.
    ///
    /// ```
    /// # use events_calendar_app::test_support::{InMemoryStore, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), events_calendar_app::AppError> {
    /// let calendar = calendar(InMemoryStore::new()).await;
    /// assert_eq!(calendar.prune_withdrawals().await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn prune_withdrawals(&self) -> Result<u64, AppError> {
        let shown_since = Withdrawal::shown_since(&self.site.zone, self.now());
        self.perform(&Prune { shown_since }).await
    }
}
