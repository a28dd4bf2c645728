//! User accounts, tokens, and authentication by credentials.

mod administration;
mod users;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use domain::{
    FieldName, Id, Role, Secret, Stored, User, UserId, UserName,
    audit::{AuditAction, AuditChannel, AuditedKind},
    policy::Caller,
    time::{NaiveDate, Timestamp},
};

use crate::{
    audit::{self, Actor},
    error::{AppError, CredentialKind},
    hashing,
    ports::{Clock, NewToken, SecretFeed, Store, StoreError, Token, TokenRights},
    sign_in::SignIn,
};

pub use administration::{KeptUser, UserKeeping};

/// The credentials of a request.
#[derive(Clone, Debug)]
pub enum Credentials {
    /// A user name or an e-mail address, with a token as the password.
    Basic {
        /// Name or e-mail address.
        login: String,
        /// The token; blanks in it are ignored.
        password: Secret,
    },
    /// A token alone.
    Bearer {
        /// The token.
        token: Secret,
    },
    /// Credentials of another scheme, or malformed ones.
    Unreadable,
}

/// The caller of a request, its name, and the scope of its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The caller.
    pub caller: Caller,
    /// The name of the user, for logs.
    pub name: Option<UserName>,
    /// Whether it may write; a token with the scope `read` may not.
    pub may_write: bool,
}

impl Identity {
    /// A caller without credentials.
    pub const ANONYMOUS: Self = Self {
        caller: Caller::Anonymous,
        name: None,
        may_write: true,
    };
}

/// Users and tokens. Cheap to clone.
///
/// ```
/// use std::sync::Arc;
///
/// use events_calendar_app::{
///     auth::{AccountError, Accounts, Credentials, FreshToken, Identity},
///     ports::{Clock, TokenScope},
///     test_support::{FixedClock, InMemoryStore},
/// };
/// use domain::{Role, policy::Caller};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let accounts = Accounts::new(Arc::new(InMemoryStore::new()), Arc::new(FixedClock::default()));
/// // A new calendar has an administrator, whose token is shown once.
/// assert!(accounts.ensure_administrator().await?.is_some());
/// assert!(accounts.ensure_administrator().await?.is_none());
///
/// let ada = accounts.add_user("ada", Role::Author, Some("ada@cal.example")).await?;
/// let taken = accounts.add_user("ADA", Role::Author, None).await;
/// assert!(matches!(taken, Err(AccountError::Taken(_))));
/// accounts.set_role("ada", Role::Editor).await?;
/// assert_eq!(accounts.user("ada@cal.example").await?.role, Role::Editor);
/// assert_eq!(accounts.users().await?.len(), 2);
/// assert_eq!(accounts.names().await?[&ada.id].as_str(), "ada");
///
/// // The text of a token authenticates; the store holds its hash.
/// let FreshToken { token, text } = accounts.create_token(ada.id, "laptop", TokenScope::Read, None).await?;
/// let bearer = Credentials::Bearer { token: text.clone() };
/// let identity: Identity = accounts.authenticate(Some(&bearer)).await?;
/// assert_eq!(identity.caller, Caller::of(ada.id, Role::Editor));
/// assert!(!identity.may_write);
/// let basic = Credentials::Basic { login: "ada".to_owned(), password: text };
/// assert_eq!(accounts.authenticate(Some(&basic)).await?, identity);
/// assert_eq!(accounts.authenticate(None).await?, Identity::ANONYMOUS);
/// assert_eq!(accounts.me(identity.caller).await?.unwrap().id, ada.id);
///
/// let today = FixedClock::default().now().civil().date();
/// assert_eq!(accounts.tokens(Some(ada.id)).await?[0].last_used, Some(today));
/// assert!(accounts.revoke_token(token.id).await?);
/// assert!(accounts.secret_feeds(Some(ada.id)).await?.is_empty());
/// assert!(!accounts.revoke_secret_feed(domain::Id::from_raw(7)).await?);
/// accounts.set_disabled("ada", true).await?;
/// assert!(accounts.authenticate(Some(&basic)).await.is_err());
/// accounts.set_email("ada", None).await?;
/// assert!(accounts.user("ada@cal.example").await.is_err());
/// accounts.rename_user("ada", "lovelace").await?;
/// assert_eq!(accounts.replace_user("lovelace", "admin").await?, 0, "there were no records");
/// assert_eq!(accounts.users().await?.len(), 1);
/// assert!(accounts.remove_user("lovelace").await.is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Accounts {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    uses: Arc<TokenUses>,
    sign_in: SignIn,
}

/// The day on which the use of each token was last recorded by this program.
type TokenUses = Mutex<HashMap<Id<Token>, NaiveDate>>;

impl std::fmt::Debug for Accounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Accounts(…)")
    }
}

/// A new token with its text. The store keeps only the hash of the text.
#[derive(Debug)]
pub struct FreshToken {
    /// The token as stored.
    pub token: Token,
    /// Its text.
    pub text: Secret,
}

/// The reason why an account was not created or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccountError {
    /// Another user has the name or the e-mail address.
    #[error("another user has the name `{0}` or the e-mail address")]
    Taken(String),
    /// A user name is empty, too long, or contains blanks, colons or control characters.
    #[error("`{0}` cannot be a user's name: 1 to 60 characters, without blanks and colons")]
    InvalidName(String),
    /// An e-mail address is malformed.
    #[error("`{0}` is not an e-mail address")]
    InvalidEmail(String),
    /// There is no such user.
    #[error("there is no user `{0}`")]
    UnknownUser(String),
    /// Records name the user, as their author or uploader.
    #[error(
        "`{0}` has records: `user disable` ends the login and leaves them as they are, \
         `user remove --give-to` gives them to another user"
    )]
    HasRecords(String),
    /// The user who shall get the records is the one who is removed, or has a role below author.
    #[error(
        "`{0}` cannot get the records: the role must be author or above, and the user another one"
    )]
    KeepsNoRecords(String),
    /// The user is the last active administrator.
    #[error("`{0}` is the last active administrator: give another user that role first")]
    LastAdministrator(String),
    /// The caller keeps no users.
    #[error("administrators alone keep users")]
    Forbidden,
    /// Administrators do not disable themselves.
    #[error("nobody disables the own account")]
    OwnAccount,
    /// Nobody may sign in as the user, to whom proposals of visitors belong.
    #[error("nobody may sign in as `{0}`: proposals of visitors belong to this user")]
    Reserved(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Accounts {
    /// Accounts in a store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self {
            sign_in: SignIn::new(Arc::clone(&store), Arc::clone(&clock)),
            store,
            clock,
            uses: Arc::default(),
        }
    }

    /// Sign-ins of the same users by password.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use events_calendar_app::{auth::Accounts, test_support::{FixedClock, InMemoryStore}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let accounts = Accounts::new(Arc::new(InMemoryStore::new()), Arc::new(FixedClock::default()));
    /// assert!(accounts.sign_in().sign_in("ada", "correct horse").await.is_err());
    /// # }
    /// ```
    pub fn sign_in(&self) -> &SignIn {
        &self.sign_in
    }

    /// Authenticates a request by its credentials.
    ///
    /// # Errors
    ///
    /// [`AppError::BadCredentials`] if the request has invalid credentials, whichever part of them
    /// is wrong.
    pub async fn authenticate(
        &self,
        credentials: Option<&Credentials>,
    ) -> Result<Identity, AppError> {
        let (kind, text) = match credentials {
            None => return Ok(Identity::ANONYMOUS),
            Some(Credentials::Unreadable) => {
                return Err(AppError::BadCredentials(CredentialKind::Basic));
            }
            Some(Credentials::Basic { password, .. }) => (CredentialKind::Basic, password),
            Some(Credentials::Bearer { token }) => (CredentialKind::Bearer, token),
        };
        let text: String = text
            .expose()
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect();
        let now = self.clock.now();
        // One look-up by hash, whether the name exists or not: neither the answer nor its duration
        // reveals it.
        let found = self
            .store
            .users()
            .find_token(&hashing::sha256_hex(&text))
            .await?;
        let valid = found.filter(|(token, user)| {
            let named = match credentials {
                Some(Credentials::Basic { login, .. }) => user.has_login(login),
                _ => true,
            };
            named && !user.disabled && !user.is_reserved() && is_valid(token, now)
        });
        let Some((token, user)) = valid else {
            return Err(AppError::BadCredentials(kind));
        };
        self.record_use(&token, now.civil().date()).await;
        let (name, token_id) = (user.name.clone(), token.id.to_string());
        Actor::identify(user.id, Some(name), AuditChannel::Token, Some(token_id));
        Ok(Identity {
            name: Some(user.name.clone()),
            caller: token.details.rights.caller(&user),
            may_write: token.details.rights.may_write(),
        })
    }

    /// Records the day of a request with a token, once a day. If the store fails, it is not tried
    /// again on that day: requests do not depend on it.
    async fn record_use(&self, token: &Token, today: NaiveDate) {
        let is_recorded = token.last_used == Some(today) || {
            let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
            uses.insert(token.id, today) == Some(today)
        };
        if is_recorded {
            return;
        }
        let recorded = async {
            let unit = self.store.begin().await?;
            unit.users().set_token_used(token.id, today).await?;
            unit.commit().await
        };
        if let Err(error) = recorded.await {
            tracing::warn!(%error, token.id = %token.id, "the use of a token is not recorded");
        }
    }

    /// The user behind a caller; none for an anonymous caller.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn me(&self, caller: Caller) -> Result<Option<Stored<User>>, AppError> {
        match caller.user() {
            None => Ok(None),
            Some(id) => Ok(self.store.users().find(id).await?),
        }
    }

    /// The user with a name or an e-mail address.
    ///
    /// # Errors
    ///
    /// [`AccountError::UnknownUser`], or if the store fails.
    pub async fn user(&self, login: &str) -> Result<Stored<User>, AccountError> {
        let user = self.store.users().find_by_login(login).await?;
        user.ok_or_else(|| AccountError::UnknownUser(login.to_owned()))
    }

    /// The identity of a user whom a program signed in by itself, by name or e-mail address; none if there
    /// is no such user, or if the user is disabled.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use events_calendar_app::{auth::Accounts, test_support::{FixedClock, InMemoryStore}};
    /// use domain::Role;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let accounts = Accounts::new(Arc::new(InMemoryStore::new()), Arc::new(FixedClock::default()));
    /// let ada = accounts.add_user("ada", Role::Editor, None).await?;
    /// let identity = accounts.identity("ada").await?.unwrap();
    /// assert_eq!(identity.caller.user(), Some(ada.id));
    /// assert_eq!(accounts.identity("bob").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn identity(&self, login: &str) -> Result<Option<Identity>, AccountError> {
        let user = self.store.users().find_by_login(login).await?;
        let identity = |user: Stored<User>| Identity {
            caller: Caller::of(user.id, user.role),
            name: Some(user.content.name),
            may_write: true,
        };
        let user = user.filter(|user| !user.disabled && !user.is_reserved());
        Ok(user.map(identity))
    }

    /// All users, by ID.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn users(&self) -> Result<Vec<Stored<User>>, AccountError> {
        Ok(self.store.users().list().await?)
    }

    /// The names of all users, by ID.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn names(&self) -> Result<HashMap<UserId, UserName>, AppError> {
        let users = self.store.users().list().await?.into_iter();
        Ok(users.map(|user| (user.id, user.content.name)).collect())
    }

    /// Creates a token.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn create_token(
        &self,
        user: UserId,
        label: &str,
        rights: impl Into<TokenRights>,
        expires: Option<Timestamp>,
    ) -> Result<FreshToken, AccountError> {
        let rights = rights.into();
        let owner = self.store.users().find(user).await?;
        if let Some(owner) = owner.filter(|owner| owner.is_reserved()) {
            return Err(AccountError::Reserved(owner.name.to_string()));
        }
        let text = hashing::random_hex();
        let token = NewToken {
            user,
            label: label.to_owned(),
            hash: hashing::sha256_hex(&text).into(),
            rights,
            created: self.clock.now(),
            expires,
        };
        let unit = self.store.begin().await?;
        let token = unit.users().insert_token(token).await?;
        let added = [
            audit::value(FieldName::User, None, Some(user.to_string())),
            audit::value(FieldName::Name, None, Some(label.to_owned())),
            audit::value(FieldName::Scope, None, Some(rights.to_string())),
        ];
        let (of, now) = ((AuditedKind::Token, token.id.get()), self.clock.now());
        audit::note(None, of, AuditAction::Create, added.into(), now, &*unit).await?;
        unit.commit().await?;
        Ok(FreshToken {
            token,
            text: text.into(),
        })
    }

    /// The tokens of a user, or of all, by ID.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn tokens(&self, user: Option<UserId>) -> Result<Vec<Token>, AccountError> {
        Ok(self.store.users().list_tokens(user).await?)
    }

    /// Revokes a token. Returns whether the token was valid.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn revoke_token(&self, id: Id<Token>) -> Result<bool, AccountError> {
        let unit = self.store.begin().await?;
        let now = self.clock.now();
        let revoked = unit.users().revoke_token(id, now).await?;
        if revoked {
            let ended = vec![audit::value(
                FieldName::Disabled,
                None,
                Some(true.to_string()),
            )];
            let of = (AuditedKind::Token, id.get());
            audit::note(None, of, AuditAction::Update, ended, now, &*unit).await?;
        }
        unit.commit().await?;
        Ok(revoked)
    }

    /// The secret feeds of a user, or of all, by ID.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn secret_feeds(
        &self,
        owner: Option<UserId>,
    ) -> Result<Vec<SecretFeed>, AccountError> {
        Ok(self.store.secret_feeds().list(owner).await?)
    }

    /// Revokes a secret feed: its key opens nothing any more. Returns whether the feed existed.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn revoke_secret_feed(&self, id: Id<SecretFeed>) -> Result<bool, AccountError> {
        let unit = self.store.begin().await?;
        let revoked = unit.secret_feeds().delete(id).await?;
        if revoked {
            let ended = vec![audit::value(
                FieldName::Disabled,
                None,
                Some(true.to_string()),
            )];
            let (of, now) = ((AuditedKind::Feed, id.get()), self.clock.now());
            audit::note(None, of, AuditAction::Delete, ended, now, &*unit).await?;
        }
        unit.commit().await?;
        Ok(revoked)
    }

    /// Creates the first administrator, called `admin`, with a token, if there is no user.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub async fn ensure_administrator(&self) -> Result<Option<FreshToken>, AccountError> {
        if !self.store.users().list().await?.is_empty() {
            return Ok(None);
        }
        match self.add_user("admin", Role::Administrator, None).await {
            Ok(admin) => self
                .create_token(admin.id, "first start", TokenRights::default(), None)
                .await
                .map(Some),
            // Another server started at the same time and created it first.
            Err(AccountError::Taken(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn is_valid(token: &Token, now: Timestamp) -> bool {
    token.revoked.is_none() && token.details.expires.is_none_or(|end| now < end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{FixedClock, InMemoryStore};

    #[tokio::test]
    async fn the_use_of_a_token_is_recorded_once_a_day() {
        let store = Arc::new(InMemoryStore::new());
        let clock = Arc::new(FixedClock::default());
        let accounts = Accounts::new(store.clone(), clock.clone());
        let token = accounts.ensure_administrator().await.unwrap().unwrap();
        let bearer = Credentials::Bearer { token: token.text };
        let last_used = async || accounts.tokens(None).await.unwrap()[0].last_used;
        assert_eq!(last_used().await, None);
        for days in [0, 0, 1] {
            clock.advance_seconds(24 * 3600 * days);
            accounts.authenticate(Some(&bearer)).await.unwrap();
            assert_eq!(last_used().await, Some(clock.now().civil().date()));
        }
        // This program wrote today, and does not write again.
        let other = "2001-02-03".parse().unwrap();
        let unit = store.begin().await.unwrap();
        unit.users()
            .set_token_used(token.token.id, other)
            .await
            .unwrap();
        unit.commit().await.unwrap();
        accounts.authenticate(Some(&bearer)).await.unwrap();
        assert_eq!(last_used().await, Some(other));
    }

    #[tokio::test]
    async fn one_administrator_stays() {
        let store = Arc::new(InMemoryStore::new());
        let accounts = Accounts::new(store, Arc::new(FixedClock::default()));
        accounts.add_user("eve", Role::Editor, None).await.unwrap();
        accounts.set_role("eve", Role::Author).await.unwrap();
        for name in ["ada", "bob"] {
            let added = accounts.add_user(name, Role::Administrator, None).await;
            added.unwrap();
        }
        accounts.set_disabled("bob", true).await.unwrap();
        let disabled = accounts.set_disabled("ada", true).await;
        let demoted = accounts.set_role("ada", Role::Editor).await;
        for refused in [disabled, demoted] {
            assert!(matches!(refused, Err(AccountError::LastAdministrator(name)) if name == "ada"));
        }
        let ada = accounts.user("ada").await.unwrap();
        assert_eq!((ada.role, ada.disabled), (Role::Administrator, false));
        accounts.set_disabled("bob", false).await.unwrap();
        accounts.set_disabled("ada", true).await.unwrap();
    }
}
