//! The age and the length of the journal, and the age of tombstones.

use async_trait::async_trait;
use domain::{event::Tombstone, time::Timestamp};

use crate::{
    calendar::{Calendar, OLD_AT_ONCE, Work},
    error::AppError,
    ports::UnitOfWork,
};

/// The number of entries that are kept, at most.
const MOST_ENTRIES: u64 = 2_000_000;

/// Deletes the tombstones that no file shows any more.
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
    /// Deletes the entries of the journal that are older than some days, and those before the last two million,
    /// 10,000 at once. The last entry stays. Returns how many were deleted.
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
        self.prune_entries(days, MOST_ENTRIES).await
    }

    async fn prune_entries(&self, days: u32, most: u64) -> Result<u64, AppError> {
        let journal = self.store.journal();
        let delete = |before| async move { Ok(journal.prune(before, most, OLD_AT_ONCE).await?) };
        self.delete_old(days, delete).await
    }

    /// Deletes the tombstones of events that calendar files do not show any more. Returns how many
    /// were deleted.
    ///
    /// ```
    /// # use events_calendar_app::test_support::{InMemoryStore, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), events_calendar_app::AppError> {
    /// let calendar = calendar(InMemoryStore::new()).await;
    /// assert_eq!(calendar.prune_tombstones().await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn prune_tombstones(&self) -> Result<u64, AppError> {
        let shown_since = Tombstone::shown_since(&self.site.zone, self.now());
        self.in_unit(&Prune { shown_since }).await
    }
}

#[cfg(test)]
mod tests {
    use domain::policy::Caller;

    use super::*;
    use crate::{
        calendar::ListChanges,
        error::TokenExpiry,
        ports::Store as _,
        test_support::{FixedClock, InMemoryStore, calendar, in_unit, tag},
    };

    /// A journal of more entries than are kept loses the oldest, however young they are. A token before them has
    /// expired.
    #[tokio::test]
    async fn a_long_journal_is_shortened() {
        let store = InMemoryStore::new();
        // Entries have the time of the system.
        let calendar = calendar(store.clone())
            .clock(FixedClock::at("2020-01-01 00:00:00"))
            .await;
        let mut tokens = Vec::new();
        for name in ["One", "Two", "Three", "Four"] {
            in_unit(&store, async |unit| tag(name).insert(unit).await).await;
            let all = ListChanges::default();
            let found = calendar.find_changes(Caller::Anonymous, &all).await;
            tokens.push(found.unwrap().present());
        }
        let end = store.journal().end().await.unwrap();
        assert_eq!(calendar.prune_entries(30, 4).await.unwrap(), 0);
        assert_eq!(calendar.prune_entries(30, 2).await.unwrap(), 2);
        assert_eq!(calendar.prune_entries(30, 2).await.unwrap(), 0);
        assert_eq!(store.journal().end().await.unwrap(), end);
        for (token, is_good) in tokens.into_iter().zip([false, false, true, true]) {
            let since = ListChanges {
                sync_token: Some(token),
                ..ListChanges::default()
            };
            let delta = calendar.changes(Caller::Anonymous, &since).await;
            match delta {
                Ok(_) => assert!(is_good),
                Err(AppError::TokenExpired(expiry)) => {
                    assert!(!is_good && expiry == TokenExpiry::TooOld);
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}
