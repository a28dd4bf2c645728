//! Idempotency keys and the answers stored under them.

use async_trait::async_trait;
use domain::time::Timestamp;

use super::StoreError;

/// The answer stored under an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    /// Hash of the request.
    pub digest: String,
    /// The answer.
    pub answer: String,
}

/// Stores the answers to creations for a limited time, each under a unique key.
///
/// ```
/// use events_calendar_app::{
///     ports::{IdempotencyKeys, Repositories, Store, StoredAnswer},
///     test_support::{InMemoryStore, at},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let unit = store.begin().await?;
/// let keys: &dyn IdempotencyKeys = unit.idempotency();
/// let (now, tomorrow) = (at("2030-01-01 00:00:00"), at("2030-01-02 00:00:00"));
/// let first = keys.claim("key", "digest", now, tomorrow).await?;
/// assert_eq!(first, None);
/// keys.store_answer("key", "created").await?;
/// let second = keys.claim("key", "digest", now, tomorrow).await?;
/// let stored = StoredAnswer { digest: "digest".to_owned(), answer: "created".to_owned() };
/// assert_eq!(second, Some(stored));
/// # Ok(())
/// # }
/// ```
#[cfg_attr(any(test, feature = "test-support"), mockall::automock)]
#[async_trait]
pub trait IdempotencyKeys: Send + Sync {
    /// Claims a key until `expires` for the request with this digest; if the key is taken, returns
    /// the answer stored under it. If another unit of work has claimed the key, the call MUST wait
    /// until that unit ends. A key that expired by `now` is free; each call removes some expired
    /// keys.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn claim(
        &self,
        key: &str,
        digest: &str,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<Option<StoredAnswer>, StoreError>;

    /// Stores the answer under a key that this unit of work claimed.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn store_answer(&self, key: &str, answer: &str) -> Result<(), StoreError>;
}
