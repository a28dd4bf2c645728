//! Checks of a caller's rights before a request is carried out.

use domain::policy::{Caller, Capability, Visibility};

use super::{Calendar, find, require};
use crate::{error::AppError, request::RecordKey, resource::Resource};

impl Calendar {
    /// Checks that the caller may read the settings of the site.
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthenticated`] or [`AppError::Forbidden`] if not.
    pub fn authorize_settings(&self, caller: Caller) -> Result<(), AppError> {
        require(caller, Capability::ReadSettings)
    }

    /// Whether the caller may change and delete a record, as far as the caller may know. For a
    /// record that does not exist or is not readable for the caller, only the role decides.
    pub async fn may_change<R: Resource>(&self, caller: Caller, key: &RecordKey<R>) -> bool {
        if !caller.can(Capability::Write(R::KIND)) || caller.can(Capability::EditOthers) {
            return caller.can(Capability::Write(R::KIND));
        }
        let visibility = Visibility::new(caller, self.clock.now());
        match find(self.store.repositories(), key).await {
            Ok(record) if record.check_readable(&visibility).is_ok() => record.may_edit(caller),
            Ok(_) | Err(_) => true,
        }
    }
}
