//! The in-memory store of idempotency keys.

use async_trait::async_trait;
use domain::time::Timestamp;

use super::{session::Session, state::ClaimedKey};
use crate::ports::{IdempotencyKeys, StoreError, StoredAnswer};

#[async_trait]
impl IdempotencyKeys for Session {
    async fn claim(
        &self,
        key: &str,
        digest: &str,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<Option<StoredAnswer>, StoreError> {
        self.write(|state| {
            state.answers.retain(|_, claimed| claimed.expires > now);
            match state.answers.get(key) {
                None => {
                    let claimed = ClaimedKey {
                        digest: digest.to_owned(),
                        answer: None,
                        expires,
                    };
                    state.answers.insert(key.to_owned(), claimed);
                    Ok(None)
                }
                Some(claimed) => Ok(Some(StoredAnswer {
                    digest: claimed.digest.clone(),
                    answer: claimed.answer.clone().ok_or(StoreError::Conflict)?,
                })),
            }
        })
    }

    async fn store_answer(&self, key: &str, answer: &str) -> Result<(), StoreError> {
        self.write(|state| {
            if let Some(claimed) = state.answers.get_mut(key) {
                claimed.answer = Some(answer.to_owned());
            }
            Ok(())
        })
    }
}
