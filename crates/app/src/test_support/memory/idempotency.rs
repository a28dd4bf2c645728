//! Answers that are given again.

use async_trait::async_trait;
use domain::time::Timestamp;

use super::session::Session;
use crate::ports::{IdempotencyKeys, StoreError, StoredAnswer};

/// What was asked under a key, what was answered, and until when that is kept.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    digest: String,
    answer: Option<String>,
    expires: Timestamp,
}

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
            state.answers.retain(|_, taken| taken.expires > now);
            match state.answers.get(key) {
                None => {
                    let taken = Taken {
                        digest: digest.to_owned(),
                        answer: None,
                        expires,
                    };
                    state.answers.insert(key.to_owned(), taken);
                    Ok(None)
                }
                Some(taken) => Ok(Some(StoredAnswer {
                    digest: taken.digest.clone(),
                    answer: taken.answer.clone().ok_or(StoreError::Conflict)?,
                })),
            }
        })
    }

    async fn store_answer(&self, key: &str, answer: &str) -> Result<(), StoreError> {
        self.write(|state| {
            if let Some(taken) = state.answers.get_mut(key) {
                taken.answer = Some(answer.to_owned());
            }
            Ok(())
        })
    }
}
