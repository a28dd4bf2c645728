//! The age of the journal.

use super::Calendar;
use crate::error::AppError;

/// The number of entries that are deleted at once.
const BATCH: u64 = 10_000;

/// A day, in seconds.
const DAY: i64 = 86_400;

impl Calendar {
    /// Deletes the entries of the journal that are older than some days, 10,000 at once. The last
    /// entry stays. Returns how many were deleted.
    ///
    /// ```
    /// # use app::test_support::{InMemoryStore, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), app::AppError> {
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
}
