//! Feeds of users, which a key opens.

use async_trait::async_trait;
use domain::{
    Id, Secret, Stored, User, UserId,
    time::{NaiveDate, Timestamp},
};

use crate::ports::StoreError;

/// The data of a secret feed. The store holds the hash of its key, not the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSecretFeed {
    /// The user whose events it shows.
    pub owner: UserId,
    /// Its name, in the words of the owner.
    pub name: String,
    /// The query of the list that it shows, as sent.
    pub query: String,
    /// The hash of its key.
    pub key_hash: Secret,
    /// The time of creation.
    pub created: Timestamp,
}

/// A stored secret feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretFeed {
    /// The ID.
    pub id: Id<SecretFeed>,
    /// The data.
    pub details: NewSecretFeed,
    /// The last day on which it was read, UTC.
    pub last_used: Option<NaiveDate>,
}

/// Stores secret feeds.
///
/// ```
/// use events_calendar_app::{
///     ports::{NewSecretFeed, Repositories, SecretFeed, SecretFeeds, Store},
///     test_support::{InMemoryStore, at, user},
/// };
/// use domain::Role;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let unit = store.begin().await?;
/// let ada = unit.users().insert(user("ada", Role::Author)).await?.unwrap();
/// let feeds: &dyn SecretFeeds = unit.secret_feeds();
/// let drafts = |key: &str| NewSecretFeed {
///     owner: ada.id,
///     name: "My drafts".to_owned(),
///     query: "status=draft".to_owned(),
///     key_hash: format!("hash of {key}").into(),
///     created: at("2030-01-01 00:00:00"),
/// };
/// let feed: SecretFeed = feeds.insert(drafts("one"), 1).await?.unwrap();
/// assert_eq!(feeds.insert(drafts("two"), 1).await?, None);
/// assert_eq!(feeds.find(feed.id).await?, Some(feed.clone()));
/// assert_eq!(feeds.list(Some(ada.id)).await?, [feed.clone()]);
///
/// let today = at("2030-01-02 00:00:00").civil().date();
/// feeds.set_last_used(feed.id, today).await?;
/// let (found, owner) = feeds.find_by_key("hash of one").await?.unwrap();
/// assert_eq!((found.last_used, owner.id), (Some(today), ada.id));
/// assert!(feeds.delete(feed.id).await?);
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait SecretFeeds: Send + Sync {
    /// Adds a feed; none if its owner has `limit` feeds already, also in units of work that run at the
    /// same time.
    ///
    /// # Errors
    ///
    /// If the store cannot answer; so for every method here.
    async fn insert(
        &self,
        feed: NewSecretFeed,
        limit: u64,
    ) -> Result<Option<SecretFeed>, StoreError>;

    /// The feed with an ID.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn find(&self, id: Id<SecretFeed>) -> Result<Option<SecretFeed>, StoreError>;

    /// The feed whose key has a hash, and its owner, in one statement.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn find_by_key(
        &self,
        hash: &str,
    ) -> Result<Option<(SecretFeed, Stored<User>)>, StoreError>;

    /// The feeds of a user, or of all, by ID.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn list(&self, owner: Option<UserId>) -> Result<Vec<SecretFeed>, StoreError>;

    /// Stores the day of the last use.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn set_last_used(&self, id: Id<SecretFeed>, day: NaiveDate) -> Result<(), StoreError>;

    /// Deletes a feed. Returns whether it existed.
    ///
    /// # Errors
    ///
    /// As for `insert`.
    async fn delete(&self, id: Id<SecretFeed>) -> Result<bool, StoreError>;
}
