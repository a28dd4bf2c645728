//! Idempotent creations: one execution for each key, however often the request is sent.

use async_trait::async_trait;
use domain::{
    Secret,
    policy::{Caller, Collections},
};

use super::Work;
use crate::{error::AppError, hashing, ports::UnitOfWork, request::Request};

/// Time to live of a stored answer, in seconds: one day.
const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// An idempotency key of a client, with the request that it identifies.
///
/// Keys of different users are independent, and those of tokens that are limited to different collections.
///
/// ```
/// use events_calendar_app::calendar::IdempotencyKey;
///
/// let key = IdempotencyKey::new("POST /venues", "a key of the client", b"the request".to_vec());
/// assert!(!format!("{key:?}").contains("the request"));
/// ```
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    scope: String,
    /// The request, which may contain a password.
    asked: Secret<Vec<u8>>,
}

impl IdempotencyKey {
    /// A key that a client sent with a request to `route`, such as a method and a path.
    pub fn new(route: &str, key: &str, asked: Vec<u8>) -> Self {
        Self {
            scope: format!("{route}\n{key}"),
            asked: asked.into(),
        }
    }

    /// The hash of caller and scope, under which the answer is stored.
    fn kept_under(&self, caller: Caller) -> String {
        let user = match caller {
            Caller::Anonymous => "0".to_owned(),
            Caller::User {
                id, collections, ..
            } if collections != Collections::ALL => format!("{id} {collections}"),
            Caller::User { id, .. } => id.to_string(),
        };
        hashing::sha256_hex(&format!("{user}\n{}", self.scope))
    }
}

/// The result of an idempotent creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Idempotent<T> {
    /// The work was executed.
    Executed(T),
    /// The work was executed before; its stored answer.
    Replayed(String),
}

/// Work that runs once per idempotency key, and stores its answer under the key.
pub(crate) struct IdempotentWork<'a, W: Work> {
    pub(crate) work: W,
    pub(crate) key: &'a IdempotencyKey,
    pub(crate) request: Request<'a>,
    /// Makes the answer to store.
    pub(crate) answer: &'a (dyn Fn(&W::Output) -> String + Sync),
}

#[async_trait]
impl<W: Work> Work for IdempotentWork<'_, W> {
    type Output = Idempotent<W::Output>;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<Idempotent<W::Output>, AppError> {
        let Request {
            caller,
            now,
            hash_key,
            ..
        } = self.request;
        let key = self.key.kept_under(caller);
        let digest = hash_key.digest(self.key.asked.expose());
        let keys = unit.idempotency();
        let expires = now.saturating_add(KEPT_SECONDS);
        match keys.claim(&key, &digest, now, expires).await? {
            Some(stored) if stored.digest == digest => Ok(Idempotent::Replayed(stored.answer)),
            Some(_) => Err(AppError::KeyReused),
            None => {
                let output = self.work.run(unit).await?;
                let answer = (self.answer)(&output);
                keys.store_answer(&key, &answer).await?;
                Ok(Idempotent::Executed(output))
            }
        }
    }
}
