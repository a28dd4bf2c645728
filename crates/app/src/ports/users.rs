//! Users and their tokens.

use async_trait::async_trait;
use domain::{Id, Role, Stored, User, UserId, time::Timestamp};

use super::StoreError;

/// What a token may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenScope {
    /// Reading alone.
    Read,
    /// Reading and writing.
    Write,
}

impl TokenScope {
    /// Its name: `read` or `write`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// A token to be kept; of its text only the hash is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewToken {
    /// Whose.
    pub user: UserId,
    /// What it is for, in its owner's words.
    pub label: String,
    /// Hash of its text.
    pub hash: String,
    /// What it may be used for.
    pub scope: TokenScope,
    /// Since when.
    pub created: Timestamp,
    /// Until when.
    pub expires: Option<Timestamp>,
}

/// A token as kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its number.
    pub id: Id<Token>,
    /// What was kept.
    pub details: NewToken,
    /// Since when it is worthless.
    pub revoked: Option<Timestamp>,
}

/// Keeps users and their tokens.
#[async_trait]
pub trait UserRepository: Send + Sync {
    /// Adds a user; none if the name or the e-mail address is taken, in any letter case.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn insert(&self, user: User) -> Result<Option<Stored<User>>, StoreError>;

    /// The user of an ID.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn find(&self, id: UserId) -> Result<Option<Stored<User>>, StoreError>;

    /// The user of a name or an e-mail address, in any letter case.
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

    /// Keeps a user from logging in, or lets him again.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn set_disabled(&self, id: UserId, disabled: bool) -> Result<(), StoreError>;

    /// Adds a token.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn insert_token(&self, token: NewToken) -> Result<Token, StoreError>;

    /// The token of a hash with its user, in one statement.
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

    /// Makes a token worthless; tells whether it was there and worth something.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn revoke_token(&self, id: Id<Token>, now: Timestamp) -> Result<bool, StoreError>;
}
