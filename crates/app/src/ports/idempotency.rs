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
