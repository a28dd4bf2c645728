//! Bounds on work: how much at once, and how long a request may take.

pub(crate) mod budget;
pub(crate) mod client_address;
pub(crate) mod client_windows;
pub(crate) mod in_flight;
pub(crate) mod login_throttle;
pub(crate) mod password_throttle;

use std::{
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    sync::Arc,
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit},
    time::timeout,
};

use crate::{error::ApiError, limits::client_address::network};

/// Bounds on work.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests that are worked on at once. A queue of more would only make all of them late.
    pub requests: usize,
    /// How long a request may take, without the time in which its client is sending its body.
    pub duration: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: 512,
            duration: Duration::from_secs(15),
        }
    }
}

/// ConcurrencyLimit for requests.
#[derive(Clone, Debug)]
pub(crate) struct ConcurrencyLimit(Arc<Semaphore>);

impl ConcurrencyLimit {
    pub(crate) fn new(limits: Limits) -> Self {
        Self(Arc::new(Semaphore::new(limits.requests)))
    }

    /// A place for a request whose body is there: slow bodies take none.
    pub(crate) fn try_acquire(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let place = Arc::clone(&self.0).try_acquire_owned();
        place.map_err(|_| ApiError::Overloaded)
    }
}

/// Uploads that are looked into at once.
const UPLOADS: usize = 4;

/// Turns of uploads: of a few that were looked into together, none would find room to work.
#[derive(Clone, Debug)]
pub(crate) struct Uploads(Arc<Semaphore>);

impl Default for Uploads {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(UPLOADS)))
    }
}

impl Uploads {
    /// A turn for an upload that is there. None if there are no more turns, which does not happen.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.0.acquire().await.ok()
    }
}

/// Records of lists that are read for one client at once. A longer list is read alone.
const ROWS: u32 = 64;

/// How long a list waits for the other lists of its client.
const LIST_WAIT: Duration = Duration::from_secs(3);

/// Counters of clients. Clients whose addresses have the same hash share one.
const CLIENTS: usize = 1024;

/// Turns of lists. The memory of a list is not known before it was read, but each of
/// its records is bounded: so a client reads so many records at once, in whichever lists, and waits
/// with the others.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    turns: Arc<[Semaphore]>,
    hasher: RandomState,
}

impl Default for Lists {
    fn default() -> Self {
        let turns = std::iter::repeat_with(|| Semaphore::new(ROWS as usize));
        Self {
            turns: turns.take(CLIENTS).collect(),
            hasher: RandomState::new(),
        }
    }
}

impl Lists {
    /// A turn for a list of so many records.
    ///
    /// # Errors
    ///
    /// [`ApiError::Overloaded`] if the other lists of the client take longer than [`LIST_WAIT`]: a request that
    /// waits holds a place that others need.
    pub(crate) async fn turn(
        &self,
        client: Option<IpAddr>,
        records: u32,
    ) -> Result<SemaphorePermit<'_>, ApiError> {
        let hash = self.hasher.hash_one(client.map(network));
        let index = usize::try_from(hash % self.turns.len() as u64).unwrap_or_default();
        let turns = self.turns.get(index).ok_or(ApiError::Overloaded)?;
        let turn = timeout(LIST_WAIT, turns.acquire_many(records.clamp(1, ROWS))).await;
        turn.ok().and_then(Result::ok).ok_or(ApiError::Overloaded)
    }
}
