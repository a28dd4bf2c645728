//! Users as administrators keep them.

use domain::{
    Role, Stored, User, UserId,
    policy::{Caller, Capability},
    time::Timestamp,
};

use super::{AccountError, Accounts};
use crate::{
    error::AppError,
    sign_in::{FreshInvitation, INVITATION_SECONDS},
};

/// The users of a calendar, kept by an administrator.
///
/// ```
/// use std::sync::Arc;
///
/// use events_calendar_app::{
///     auth::{AccountError, Accounts, KeptUser, UserKeeping},
///     test_support::{FixedClock, InMemoryStore},
/// };
/// use domain::{Role, policy::Caller};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let accounts = Accounts::new(Arc::new(InMemoryStore::new()), Arc::new(FixedClock::default()));
/// let ada = accounts.add_user("ada", Role::Administrator, None).await?;
/// let ada = Caller::of(ada.id, Role::Administrator);
///
/// let keeping: UserKeeping<'_> = accounts.kept_by(ada)?;
/// let bob = keeping.add("bob", Role::Author, Some("bob@cal.example")).await?;
/// let link = keeping.invite(bob.id).await?;
/// assert!(accounts.sign_in().invited(link.text.expose()).await?.is_some());
/// keeping.set_role(bob.id, Role::Editor).await?;
/// keeping.set_disabled(bob.id, true).await?;
/// assert_eq!(keeping.end_sessions(bob.id).await?, 0);
///
/// let users: Vec<KeptUser> = keeping.users(0, 50).await?;
/// assert_eq!((users[1].user.role, users[1].user.disabled, users[1].last_session), (Role::Editor, true, None));
///
/// // The last administrator stays, and nobody shuts the own account.
/// let own = keeping.set_disabled(ada.user().unwrap(), true).await;
/// assert!(matches!(own, Err(AccountError::OwnAccount)));
/// let last = keeping.set_role(ada.user().unwrap(), Role::Editor).await;
/// assert!(matches!(last, Err(AccountError::LastAdministrator(_))));
///
/// let bob = Caller::of(bob.id, Role::Editor);
/// assert!(matches!(accounts.kept_by(bob), Err(AccountError::Forbidden)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct UserKeeping<'a> {
    accounts: &'a Accounts,
    caller: Caller,
}

/// A user in the list of an administrator.
#[derive(Clone, Debug)]
pub struct KeptUser {
    /// The user.
    pub user: Stored<User>,
    /// The beginning of the newest session that has not ended.
    pub last_session: Option<Timestamp>,
}

impl Accounts {
    /// The users as this caller keeps them.
    ///
    /// # Errors
    ///
    /// [`AccountError::Forbidden`] unless the caller is an administrator.
    pub fn kept_by(&self, caller: Caller) -> Result<UserKeeping<'_>, AccountError> {
        if !caller.can(Capability::ManageUsers) {
            return Err(AccountError::Forbidden);
        }
        Ok(UserKeeping {
            accounts: self,
            caller,
        })
    }
}

impl UserKeeping<'_> {
    /// Users by ID, those after the first `offset`, at most `limit`.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn users(&self, offset: usize, limit: usize) -> Result<Vec<KeptUser>, AccountError> {
        let users = self.accounts.users().await?;
        let mut kept = Vec::new();
        for user in users.into_iter().skip(offset).take(limit) {
            let sessions = self.accounts.store.sign_ins().sessions(user.id).await?;
            let now = self.accounts.clock.now();
            let open = sessions.iter().filter(|session| now < session.expires);
            kept.push(KeptUser {
                last_session: open.map(|session| session.created).max(),
                user,
            });
        }
        Ok(kept)
    }

    /// The user with an ID.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], or if the store fails.
    pub async fn user(&self, id: UserId) -> Result<Stored<User>, AccountError> {
        let user = self.accounts.store.users().find(id).await?;
        user.ok_or_else(|| AccountError::UnknownUser(id.to_string()))
    }

    /// Adds a user.
    ///
    /// # Errors
    ///
    /// As for [`Accounts::add_user`].
    pub async fn add(
        &self,
        name: &str,
        role: Role,
        email: Option<&str>,
    ) -> Result<Stored<User>, AccountError> {
        self.accounts.add_user(name, role, email).await
    }

    /// Gives a user another e-mail address, or none.
    ///
    /// # Errors
    ///
    /// As for [`Accounts::set_email`].
    pub async fn set_email(&self, id: UserId, email: Option<&str>) -> Result<(), AccountError> {
        let user = self.user(id).await?;
        self.accounts.set_email(user.name.as_str(), email).await
    }

    /// Gives a user another role.
    ///
    /// # Errors
    ///
    /// As for [`Accounts::set_role`].
    pub async fn set_role(&self, id: UserId, role: Role) -> Result<(), AccountError> {
        let user = self.user(id).await?;
        self.accounts.set_role(user.name.as_str(), role).await
    }

    /// Disables a user, which ends all sessions of the user, or enables the user again.
    ///
    /// # Errors
    ///
    /// [`AccountError::OwnAccount`] for the caller; else as for [`Accounts::set_disabled`].
    pub async fn set_disabled(&self, id: UserId, disabled: bool) -> Result<(), AccountError> {
        if disabled && self.caller.user() == Some(id) {
            return Err(AccountError::OwnAccount);
        }
        let user = self.user(id).await?;
        self.accounts
            .set_disabled(user.name.as_str(), disabled)
            .await
    }

    /// Invites a user to choose a password, for 7 days. A former invitation of the user is void.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], or if the store fails.
    pub async fn invite(&self, id: UserId) -> Result<FreshInvitation, AccountError> {
        let user = self.user(id).await?;
        let invitation = self
            .accounts
            .sign_in
            .invite(&user, INVITATION_SECONDS)
            .await;
        invitation.map_err(of_store)
    }

    /// Ends the sessions of a user. Returns their number.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], or if the store fails.
    pub async fn end_sessions(&self, id: UserId) -> Result<u64, AccountError> {
        let user = self.user(id).await?;
        let ended = self.accounts.sign_in.end_sessions(user.id, None).await;
        ended.map_err(of_store)
    }
}

/// Sign-ins that the store alone can refuse.
fn of_store(error: AppError) -> AccountError {
    match error {
        AppError::Store(error) => error.into(),
        error => crate::ports::StoreError::Internal(error.to_string()).into(),
    }
}
