//! The audit trail: reading and pruning.

use async_trait::async_trait;
use domain::{
    audit::AuditFilter,
    page::{Page, PageRequest},
    policy::{Caller, Capability},
    time::Timestamp,
};

use super::{Calendar, OLD_AT_ONCE, Work, require};
use crate::{
    error::AppError,
    ports::{AuditEntry, UnitOfWork},
};

/// Deletes entries.
struct Prune {
    before: Timestamp,
}

#[async_trait]
impl Work for Prune {
    type Output = u64;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<u64, AppError> {
        Ok(unit.audit().prune(self.before, OLD_AT_ONCE).await?)
    }
}

impl Calendar {
    /// A page of the trail, the newest entry first.
    ///
    /// ```
    /// use events_calendar_app::{AppError, test_support::{InMemoryStore, add_user, calendar}};
    /// use domain::{Role, audit::AuditFilter, page::PageRequest};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), AppError> {
    /// let store = InMemoryStore::new();
    /// let editor = add_user(&store, "ada", Role::Editor).await;
    /// let calendar = calendar(store).await;
    /// let refused = calendar.audit(editor, AuditFilter::default(), PageRequest::new(1, 10, 100)).await;
    /// assert!(matches!(refused, Err(AppError::Forbidden)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`] and [`AppError::Forbidden`] for callers who are no administrators.
    pub async fn audit(
        &self,
        caller: Caller,
        filter: AuditFilter,
        page: PageRequest,
    ) -> Result<Page<AuditEntry>, AppError> {
        require(caller, Capability::ReadAudit)?;
        Ok(self.store.audit().page(&filter, page).await?)
    }

    /// Deletes the entries of the trail that are older than some days, 10,000 at once. Returns how many were deleted.
    ///
    /// ```
    /// # use events_calendar_app::test_support::{InMemoryStore, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), events_calendar_app::AppError> {
    /// let calendar = calendar(InMemoryStore::new()).await;
    /// assert_eq!(calendar.prune_audit(365).await?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn prune_audit(&self, days: u32) -> Result<u64, AppError> {
        let delete = |before| async move { self.in_unit(&Prune { before }).await };
        self.delete_old(days, delete).await
    }
}
