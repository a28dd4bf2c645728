//! Users are added, changed and removed.

use domain::{EmailAddress, FieldName, Role, Stored, User, UserId, UserName};

use super::{AccountError, Accounts};
use crate::{audit, ports::UnitOfWork};

impl Accounts {
    /// Adds a user.
    ///
    /// # Errors
    ///
    /// [`AccountError::InvalidName`], [`AccountError::InvalidEmail`], [`AccountError::Taken`],
    /// [`AccountError::Reserved`], or if the store fails.
    pub async fn add_user(
        &self,
        name: &str,
        role: Role,
        email: Option<&str>,
    ) -> Result<Stored<User>, AccountError> {
        let user = User {
            name: user_name(name)?,
            email: email_address(email)?,
            role,
            disabled: false,
        };
        if user.is_reserved() {
            return Err(AccountError::Reserved(name.to_owned()));
        }
        let unit = self.store.begin().await?;
        let added = unit.users().insert(user).await?;
        if let Some(added) = &added {
            audit::of_user(None, Some(added), Vec::new(), self.clock.now(), &*unit).await?;
        }
        unit.commit().await?;
        added.ok_or_else(|| AccountError::Taken(name.to_owned()))
    }

    /// Gives a user another role.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], [`AccountError::LastAdministrator`], or if the store fails.
    pub async fn set_role(&self, login: &str, role: Role) -> Result<(), AccountError> {
        let user = self.user(login).await?;
        let unit = self.store.begin().await?;
        unit.users().set_role(user.id, role).await?;
        let after = changed(&user, |user| user.role = role);
        self.note(&user, &after, &*unit).await?;
        commit_change(unit, &user).await
    }

    /// Disables a user, or enables the user again.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], [`AccountError::LastAdministrator`], or if the store fails.
    pub async fn set_disabled(&self, login: &str, disabled: bool) -> Result<(), AccountError> {
        let user = self.user(login).await?;
        let unit = self.store.begin().await?;
        unit.users().set_disabled(user.id, disabled).await?;
        let after = changed(&user, |user| user.disabled = disabled);
        self.note(&user, &after, &*unit).await?;
        if disabled {
            unit.sign_ins().end_sessions(user.id, None).await?;
        }
        commit_change(unit, &user).await
    }

    /// Gives a user another e-mail address, or none.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], [`AccountError::InvalidEmail`], [`AccountError::Taken`], or if
    /// the store fails.
    pub async fn set_email(&self, login: &str, email: Option<&str>) -> Result<(), AccountError> {
        let user = self.user(login).await?;
        let address = email_address(email)?;
        let unit = self.store.begin().await?;
        let after = changed(&user, |user| user.email.clone_from(&address));
        let is_free = unit.users().set_email(user.id, address).await?;
        if is_free {
            self.note(&user, &after, &*unit).await?;
        }
        unit.commit().await?;
        let taken = || AccountError::Taken(email.unwrap_or_default().to_owned());
        is_free.then_some(()).ok_or_else(taken)
    }

    /// Gives a user another name, with which the user logs in from then on.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], [`AccountError::InvalidName`], [`AccountError::Taken`], [`AccountError::Reserved`], or if the
    /// store fails.
    pub async fn rename_user(&self, login: &str, name: &str) -> Result<(), AccountError> {
        let user = self.user(login).await?;
        let new = user_name(name)?;
        let renamed = User {
            name: new.clone(),
            ..user.content.clone()
        };
        if user.is_reserved() || renamed.is_reserved() {
            return Err(AccountError::Reserved(name.to_owned()));
        }
        let unit = self.store.begin().await?;
        let is_free = unit.users().set_name(user.id, new).await?;
        if is_free {
            let after = changed(&user, |user| *user = renamed);
            self.note(&user, &after, &*unit).await?;
        }
        unit.commit().await?;
        is_free
            .then_some(())
            .ok_or_else(|| AccountError::Taken(name.to_owned()))
    }

    /// Removes a user as [`remove_user`](Self::remove_user) does; the records of the user belong to another one from then on. Returns
    /// their number.
    ///
    /// # Errors
    ///
    /// As for `remove_user`, and [`AccountError::KeepsNoRecords`].
    pub async fn replace_user(&self, login: &str, successor: &str) -> Result<u64, AccountError> {
        let user = self.user(login).await?;
        let successor = self.user(successor).await?;
        if successor.id == user.id || successor.role < Role::Author || successor.is_reserved() {
            return Err(AccountError::KeepsNoRecords(successor.name.to_string()));
        }
        self.remove(&user, Some(successor.id)).await
    }

    /// Removes a user with all tokens and secret feeds of the user.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], [`AccountError::HasRecords`],
    /// [`AccountError::LastAdministrator`], or if the store fails.
    pub async fn remove_user(&self, login: &str) -> Result<(), AccountError> {
        let user = self.user(login).await?;
        self.remove(&user, None).await.map(drop)
    }

    /// Removes a user, after a successor got the records. Returns their number.
    async fn remove(
        &self,
        user: &Stored<User>,
        successor: Option<UserId>,
    ) -> Result<u64, AccountError> {
        let unit = self.store.begin().await?;
        let given = match successor {
            Some(successor) => unit.users().give_records(user.id, successor).await?,
            None => 0,
        };
        if !unit.users().remove(user.id).await? {
            unit.rollback().await?;
            return Err(AccountError::HasRecords(user.name.to_string()));
        }
        let given_to = successor.map(|successor| {
            let from = Some(user.id.to_string());
            audit::value(FieldName::Author, from, Some(successor.to_string()))
        });
        let given_to = given_to.into_iter().collect();
        audit::of_user(Some(user), None, given_to, self.clock.now(), &*unit).await?;
        commit_change(unit, user).await?;
        Ok(given)
    }

    /// Adds the entry of a change of a user, unless nothing changed.
    async fn note(
        &self,
        before: &Stored<User>,
        after: &Stored<User>,
        unit: &dyn UnitOfWork,
    ) -> Result<(), AccountError> {
        let now = self.clock.now();
        audit::of_user(Some(before), Some(after), Vec::new(), now, unit).await?;
        Ok(())
    }
}

/// A user after a change.
fn changed(before: &Stored<User>, change: impl FnOnce(&mut User)) -> Stored<User> {
    let mut after = before.clone();
    change(&mut after.content);
    after
}

/// Commits a change of a user, unless the user was the last active administrator. On PostgreSQL, neither
/// of two changes at the same moment sees the other.
async fn commit_change(unit: Box<dyn UnitOfWork>, before: &User) -> Result<(), AccountError> {
    if before.is_active_administrator() {
        let users = unit.users().list().await?;
        if !users.iter().any(|user| user.is_active_administrator()) {
            unit.rollback().await?;
            return Err(AccountError::LastAdministrator(before.name.to_string()));
        }
    }
    Ok(unit.commit().await?)
}

/// Parses the e-mail address of a user.
fn email_address(text: Option<&str>) -> Result<Option<EmailAddress>, AccountError> {
    let parse = |text: &str| {
        let invalid = |_| AccountError::InvalidEmail(text.to_owned());
        text.parse().map_err(invalid)
    };
    text.map(parse).transpose()
}

/// Parses the name of a user.
fn user_name(text: &str) -> Result<UserName, AccountError> {
    let invalid = |_| AccountError::InvalidName(text.to_owned());
    text.parse().map_err(invalid)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::test_support::{FixedClock, InMemoryStore};

    #[tokio::test]
    async fn an_address_has_the_form_of_one() {
        let store = Arc::new(InMemoryStore::new());
        let accounts = Accounts::new(store, Arc::new(FixedClock::default()));
        let refused = accounts.add_user("ann", Role::Author, Some("ann@")).await;
        assert!(matches!(refused, Err(AccountError::InvalidEmail(_))));
        let good = Some("ann@example.org");
        accounts.add_user("ann", Role::Author, good).await.unwrap();
        let named_so = accounts
            .add_user("ann@example.org", Role::Author, None)
            .await;
        assert!(matches!(named_so, Err(AccountError::Taken(_))));
    }

    #[tokio::test]
    async fn an_address_is_changed_and_a_user_removed() {
        let store = Arc::new(InMemoryStore::new());
        let accounts = Accounts::new(store, Arc::new(FixedClock::default()));
        accounts.ensure_administrator().await.unwrap();
        for name in ["ann", "ben"] {
            accounts.add_user(name, Role::Author, None).await.unwrap();
        }
        let set = async |address| accounts.set_email("ann", address).await;
        assert!(matches!(
            set(Some("ann@")).await,
            Err(AccountError::InvalidEmail(_))
        ));
        set(Some("ann@example.org")).await.unwrap();
        // The own address, in other letters.
        set(Some("Ann@example.org")).await.unwrap();
        let taken = accounts.set_email("ben", Some("ANN@example.org")).await;
        assert!(matches!(taken, Err(AccountError::Taken(_))));
        set(None).await.unwrap();
        assert!(accounts.user("ann@example.org").await.is_err());

        let taken = accounts.rename_user("ann", "BEN").await;
        assert!(matches!(taken, Err(AccountError::Taken(_))));
        let invalid = accounts.rename_user("ann", "a b").await;
        assert!(matches!(invalid, Err(AccountError::InvalidName(_))));
        accounts.rename_user("ann", "Ann").await.unwrap();
        assert_eq!(accounts.user("ann").await.unwrap().name.as_str(), "Ann");
        let same = accounts.replace_user("ann", "ann").await;
        assert!(matches!(same, Err(AccountError::KeepsNoRecords(_))));

        accounts.remove_user("ann").await.unwrap();
        assert!(accounts.user("ann").await.is_err());
        let last = accounts.replace_user("admin", "ben").await;
        assert!(matches!(last, Err(AccountError::LastAdministrator(_))));
        let last = accounts.remove_user("admin").await;
        assert!(matches!(last, Err(AccountError::LastAdministrator(_))));
        assert!(accounts.user("admin").await.is_ok());
    }
}
