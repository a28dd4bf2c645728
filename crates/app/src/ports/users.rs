//! Users and their tokens.

use std::{fmt, str::FromStr};

use async_trait::async_trait;
use domain::{
    EmailAddress, Id, Role, Secret, Stored, UnknownName, User, UserId, UserName,
    policy::{Caller, Collections},
    time::{NaiveDate, Timestamp},
};

use super::StoreError;

/// The scope of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenScope {
    /// Reading only.
    Read,
    /// Reading and writing, as an editor at most.
    Write,
    /// All rights of the user.
    Admin,
}

impl TokenScope {
    /// All scopes.
    ///
    /// ```
    /// use events_calendar_app::ports::TokenScope;
    /// assert_eq!(TokenScope::ALL.map(TokenScope::name), ["read", "write", "admin"]);
    /// assert_eq!("read".parse(), Ok(TokenScope::Read));
    /// ```
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    /// The name: `read`, `write` or `admin`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for TokenScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TokenScope {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name() == text).ok_or(UnknownName)
    }
}

/// The rights of its user that a token has.
///
/// ```
/// use events_calendar_app::{ports::{TokenRights, TokenScope}, test_support::user};
/// use domain::{Role, Stored, UserId, policy::{Caller, Collection, Collections}};
///
/// let ada = UserId::from_raw(1);
/// let ada = Stored { id: ada, revision: 1, content: user("ada", Role::Administrator) };
/// let write = TokenRights::from(TokenScope::Write);
/// assert_eq!(write.caller(&ada), Caller::of(ada.id, Role::Editor));
/// assert_eq!(TokenRights::default().caller(&ada), Caller::of(ada.id, Role::Administrator));
///
/// let events = [Collection::Events].into_iter().collect();
/// let limited = TokenRights { collections: events, ..write };
/// assert_eq!(limited.caller(&ada), Caller::of(ada.id, Role::Editor).limited_to(events));
/// assert_eq!((write.to_string(), limited.to_string()), ("write".to_owned(), "write in events".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenRights {
    /// The scope.
    pub scope: TokenScope,
    /// The collections; outside of them the token reads as an anonymous caller, and writes nothing.
    pub collections: Collections,
}

impl TokenRights {
    /// Whether requests with the token may write.
    pub fn may_write(self) -> bool {
        self.scope >= TokenScope::Write
    }

    /// The caller of a request with the token of a user.
    pub fn caller(self, user: &Stored<User>) -> Caller {
        let role = match self.scope {
            TokenScope::Write => user.role.min(Role::Editor),
            TokenScope::Read | TokenScope::Admin => user.role,
        };
        Caller::of(user.id, role).limited_to(self.collections)
    }
}

/// All rights of the user.
impl Default for TokenRights {
    fn default() -> Self {
        TokenScope::Admin.into()
    }
}

/// A scope in all collections.
impl From<TokenScope> for TokenRights {
    fn from(scope: TokenScope) -> Self {
        Self {
            scope,
            collections: Collections::ALL,
        }
    }
}

impl fmt::Display for TokenRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scope, collections } = self;
        match *collections {
            Collections::ALL => write!(f, "{scope}"),
            some => write!(f, "{scope} in {some}"),
        }
    }
}

/// The data of a token. The store holds the hash of its text, not the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewToken {
    /// The owner.
    pub user: UserId,
    /// The purpose, in the owner's words.
    pub label: String,
    /// The hash of its text.
    pub hash: Secret,
    /// Its rights.
    pub rights: TokenRights,
    /// The time of creation.
    pub created: Timestamp,
    /// The time of expiry.
    pub expires: Option<Timestamp>,
}

/// A stored token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The ID.
    pub id: Id<Token>,
    /// The data.
    pub details: NewToken,
    /// The time of revocation.
    pub revoked: Option<Timestamp>,
    /// The day, in UTC, of the last request with it.
    pub last_used: Option<NaiveDate>,
}

/// Stores users and their tokens.
///
/// ```
/// use events_calendar_app::{
///     ports::{NewToken, Repositories, Store, Token, TokenScope, UserRepository},
///     test_support::{InMemoryStore, at, user},
/// };
/// use domain::{Role, UserId};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let unit = store.begin().await?;
/// let users: &dyn UserRepository = unit.users();
/// let ada = users.insert(user("ada", Role::Author)).await?.unwrap();
/// assert_eq!(users.insert(user("ADA", Role::Author)).await?, None);
/// let bob = domain::Stored { id: UserId::from_raw(7), revision: 1, content: user("bob", Role::Author) };
/// assert!(users.insert_at(bob.clone()).await?);
/// assert!(!users.insert_at(bob.clone()).await?);
/// users.set_role(ada.id, Role::Editor).await?;
/// users.set_disabled(ada.id, true).await?;
/// let found = users.find_by_login("Ada").await?.unwrap();
/// assert_eq!((found.role, found.disabled), (Role::Editor, true));
/// assert_eq!(users.find(ada.id).await?, Some(found.clone()));
/// assert_eq!(users.list().await?, [found, bob.clone()]);
///
/// let now = at("2030-01-01 00:00:00");
/// let token: Token = users
///     .insert_token(NewToken {
///         user: ada.id,
///         label: "laptop".to_owned(),
///         hash: "hash of the text".to_owned().into(),
///         rights: TokenScope::Read.into(),
///         created: now,
///         expires: None,
///     })
///     .await?;
/// assert_eq!(token.details.rights.scope.name(), "read");
/// let (found, owner) = users.find_token("hash of the text").await?.unwrap();
/// assert_eq!((&found, owner.id), (&token, ada.id));
/// users.set_token_used(token.id, now.civil().date()).await?;
/// assert_eq!(users.list_tokens(None).await?[0].last_used, Some(now.civil().date()));
/// assert!(users.revoke_token(token.id, now).await?);
/// assert_eq!(users.list_tokens(Some(ada.id)).await?[0].revoked, Some(now));
/// assert!(users.set_email(ada.id, Some("ada@cal.example".parse()?)).await?);
/// assert!(!users.set_email(bob.id, Some("ADA@cal.example".parse()?)).await?);
/// assert!(users.set_name(bob.id, "rob".parse()?).await?);
/// assert!(!users.set_name(bob.id, "Ada@cal.example".parse()?).await?);
/// assert_eq!(users.give_records(bob.id, ada.id).await?, 0);
/// assert!(users.remove(ada.id).await?);
/// assert_eq!(users.find(ada.id).await?, None);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait UserRepository: Send + Sync {
    /// Adds a user; none if the name or the e-mail address is taken, in any letter case.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn insert(&self, user: User) -> Result<Option<Stored<User>>, StoreError>;

    /// Adds a user with a positive ID. Later users get greater IDs. Returns whether it was added: false
    /// if the ID, the name or the e-mail address is taken.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn insert_at(&self, user: Stored<User>) -> Result<bool, StoreError>;

    /// The user with an ID.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn find(&self, id: UserId) -> Result<Option<Stored<User>>, StoreError>;

    /// The user with a name or an e-mail address, in any letter case.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn find_by_login(&self, login: &str) -> Result<Option<Stored<User>>, StoreError>;

    /// All users, by ID.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn list(&self) -> Result<Vec<Stored<User>>, StoreError>;

    /// Gives a user another role.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn set_role(&self, id: UserId, role: Role) -> Result<(), StoreError>;

    /// Disables a user, or enables the user again.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn set_disabled(&self, id: UserId, disabled: bool) -> Result<(), StoreError>;

    /// Gives a user another e-mail address, or none. Returns whether it was free: false if the address
    /// is a name or an address of another user, in any letter case.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn set_email(&self, id: UserId, email: Option<EmailAddress>) -> Result<bool, StoreError>;

    /// Gives a user another name. Returns whether it was free: false if the name is a name or an address of another user, in any
    /// letter case.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn set_name(&self, id: UserId, name: UserName) -> Result<bool, StoreError>;

    /// Makes another user the author of all events, venues and organizers of a user, the uploader of the images, and the user of the
    /// sources. Returns the number of these.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn give_records(&self, from: UserId, to: UserId) -> Result<u64, StoreError>;

    /// Deletes a user with the tokens and secret feeds of the user. Returns false, and deletes nothing,
    /// if an event, a venue, an organizer or an image names the user.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn remove(&self, id: UserId) -> Result<bool, StoreError>;

    /// Adds a token.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn insert_token(&self, token: NewToken) -> Result<Token, StoreError>;

    /// The token with a hash, and its user, in one statement.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn find_token(&self, hash: &str) -> Result<Option<(Token, Stored<User>)>, StoreError>;

    /// The tokens of a user, or of all, by ID.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn list_tokens(&self, user: Option<UserId>) -> Result<Vec<Token>, StoreError>;

    /// Revokes a token. Returns whether the token existed and was valid.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn revoke_token(&self, id: Id<Token>, now: Timestamp) -> Result<bool, StoreError>;

    /// Stores the day of the last request with a token.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn set_token_used(&self, id: Id<Token>, day: NaiveDate) -> Result<(), StoreError>;
}
