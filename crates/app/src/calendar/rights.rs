//! Checks of a caller's rights before a request is carried out.

use domain::policy::{Caller, Capability, Visibility};

use super::{Calendar, find, require};
use crate::{error::AppError, request::RecordKey, resource::Resource};

impl Calendar {
    /// Checks that the caller may read the settings of the site.
    ///
    /// ```
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// assert!(calendar.authorize_settings(editor).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`] or [`AppError::Forbidden`] if not.
    pub fn authorize_settings(&self, caller: Caller) -> Result<(), AppError> {
        require(caller, Capability::ReadSettings)
    }

    /// Whether the caller may change and delete a record, as far as the caller may know. For a
    /// record that does not exist or is not readable for the caller, only the role decides.
    ///
    /// ```
    /// use events_calendar_app::write::NewVenue;
    /// use domain::{Venue, policy::Caller};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).build()).await?.entry.id;
    /// assert!(calendar.may_change::<Venue>(editor, &mill.into()).await);
    /// assert!(!calendar.may_change::<Venue>(Caller::Anonymous, &mill.into()).await);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn may_change<R: Resource>(&self, caller: Caller, key: &RecordKey<R>) -> bool {
        let edits_all = caller.can_in(R::KIND, Capability::EditOthers);
        if !caller.can(Capability::Write(R::KIND)) || edits_all {
            return caller.can(Capability::Write(R::KIND));
        }
        let visibility = Visibility::new(caller, self.clock.now());
        match find(self.store.repositories(), key).await {
            Ok(record) if record.check_readable(&visibility).is_ok() => record.may_edit(caller),
            Ok(_) | Err(_) => true,
        }
    }
}
