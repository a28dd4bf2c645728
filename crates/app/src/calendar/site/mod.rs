//! The settings of the site that people see, changed by administrators while the service runs.

use async_trait::async_trait;
use domain::{
    FieldName, UserId,
    audit::{AuditAction, AuditedKind},
    policy::{Caller, Capability},
    time::Timestamp,
};

use super::{Calendar, Work, require};
use crate::{
    audit,
    error::AppError,
    ports::{SiteChange, StoredSite, UnitOfWork},
};

struct ChangeSite<'a> {
    expected: i64,
    changes: &'a [SiteChange],
    by: UserId,
    at: Timestamp,
}

#[async_trait]
impl Work for ChangeSite<'_> {
    type Output = ();

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<(), AppError> {
        let (settings, changes) = (unit.settings(), self.changes);
        let stored = settings.change_site(self.expected, changes, self.by, self.at);
        if !stored.await? {
            return Err(AppError::PreconditionFailed);
        }
        let names: Vec<_> = changes.iter().map(|one| one.setting().name()).collect();
        let changes = vec![audit::value(FieldName::Fields, None, Some(names.join(",")))];
        let (of, by) = ((AuditedKind::Site, 0), Some(self.by));
        audit::note(by, of, AuditAction::Update, changes, self.at, unit).await?;
        Ok(())
    }
}

impl Calendar {
    /// The stored settings of the site that people see, for the service itself: its pages show their values to everybody.
    ///
    /// ```
    /// use events_calendar_app::{AppError, ports::SiteChange};
    /// use domain::site::{SiteSetting, SiteValue};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let administrator = add_user(&store, "ben", Role::Administrator).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let named = [SiteChange::Set(SiteValue::Name("Springfield".parse()?))];
    /// let refused = calendar.change_site(editor, 0, &named).await;
    /// assert!(matches!(refused, Err(AppError::Forbidden)));
    ///
    /// calendar.change_site(administrator, 0, &named).await?;
    /// assert_eq!(calendar.site_revision().await?, 1);
    /// assert!(calendar.stored_site().await?.values.contains_key(&SiteSetting::Name));
    /// assert!(calendar.site_settings(editor).await.is_err());
    ///
    /// // A change of the former state is refused: the caller has not seen the other one.
    /// let unnamed = [SiteChange::Unset(SiteSetting::Name)];
    /// let late = calendar.change_site(administrator, 0, &unnamed).await;
    /// assert!(matches!(late, Err(AppError::PreconditionFailed)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn stored_site(&self) -> Result<StoredSite, AppError> {
        Ok(self.store.settings().site().await?)
    }

    /// The number of changes of these settings so far.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn site_revision(&self) -> Result<i64, AppError> {
        Ok(self.store.settings().site_revision().await?)
    }

    /// The stored settings of the site, for an administrator.
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`] or [`AppError::Forbidden`] for others, or if the store cannot answer.
    pub async fn site_settings(&self, caller: Caller) -> Result<StoredSite, AppError> {
        require(caller, Capability::ChangeSite)?;
        self.stored_site().await
    }

    /// Changes settings of the site that have the revision `expected`.
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: no right to change the site, another revision.
    #[tracing::instrument(name = "app.change_site", skip_all)]
    pub async fn change_site(
        &self,
        caller: Caller,
        expected: i64,
        changes: &[SiteChange],
    ) -> Result<(), AppError> {
        require(caller, Capability::ChangeSite)?;
        let by = caller.user().ok_or(AppError::Unauthenticated)?;
        let at = self.now();
        let change = ChangeSite {
            expected,
            changes,
            by,
            at,
        };
        self.in_unit(&change).await
    }
}
