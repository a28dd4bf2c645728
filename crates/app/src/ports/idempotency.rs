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

/// Keeps answers to creations for some time, each under a key that is given once.
#[async_trait]
pub trait IdempotencyKeys: Send + Sync {
    /// Takes a key until `expires`, for what has this digest; if somebody took it before, what is kept
    /// under it. One that another unit of work took MUST be waited for: until that unit ends, nobody
    /// knows. A key that expired by `now` is free, and some such are removed.
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
