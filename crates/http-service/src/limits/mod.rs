//! Limits of concurrent requests, list rows and uploads. The submodules hold the other limits.

mod budget;
mod client_address;
mod client_windows;
pub(crate) mod in_flight;
mod login_throttle;
mod observed_body;
mod password_throttle;
mod uncounted_waits;

pub use budget::{Budget, Full, Reservation};
pub use client_address::{Proxies, network};
pub use in_flight::{InFlight, is_full};
pub use login_throttle::{LoginAttemptKey, LoginThrottle};
pub(crate) use observed_body::observe;
pub use password_throttle::PasswordThrottle;
pub use uncounted_waits::Patience;

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

use crate::error::ApiError;

/// Limits of requests.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of requests in progress. A longer queue would only delay all of them.
    pub requests: usize,
    /// The time limit of a request, without the time in which its client sends the body.
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

/// The limit of requests in progress.
#[derive(Clone, Debug)]
pub struct ConcurrencyLimit(Arc<Semaphore>);

impl ConcurrencyLimit {
    pub(crate) fn new(limits: Limits) -> Self {
        Self(Arc::new(Semaphore::new(limits.requests)))
    }

    /// A permit for a request whose body has arrived: a slow body takes none.
    ///
    /// # Errors
    ///
    /// [`ApiError::Overloaded`] if there is none.
    pub fn try_acquire(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let permit = Arc::clone(&self.0).try_acquire_owned();
        permit.map_err(|_| ApiError::Overloaded)
    }
}

/// The maximum number of uploads in progress. More would exhaust the memory budget of image
/// processing.
pub(crate) const UPLOADS: usize = 4;

/// The maximum number of list rows that one client reads at once. A longer list is read alone.
const ROWS: u32 = 64;

/// The longest wait of a list for the other lists of its client.
const LIST_WAIT: Duration = Duration::from_secs(3);

/// The number of semaphores. Clients whose addresses have the same hash share one.
const CLIENTS: usize = 1024;

/// Permits of list rows. The memory of a list is unknown before it is read, but each row is
/// bounded: a client reads at most 64 rows at once, in all its lists.
#[derive(Clone, Debug)]
pub struct ListLimit {
    semaphores: Arc<[Semaphore]>,
    hasher: RandomState,
}

impl Default for ListLimit {
    fn default() -> Self {
        let semaphores = std::iter::repeat_with(|| Semaphore::new(ROWS as usize));
        Self {
            semaphores: semaphores.take(CLIENTS).collect(),
            hasher: RandomState::new(),
        }
    }
}

impl ListLimit {
    /// Waits for permits of `records` rows.
    ///
    /// # Errors
    ///
    /// [`ApiError::Overloaded`] after three seconds: a request that waits holds a permit that
    /// others need.
    pub async fn acquire(
        &self,
        client: Option<IpAddr>,
        records: usize,
    ) -> Result<SemaphorePermit<'_>, ApiError> {
        let hash = self.hasher.hash_one(client.map(network));
        let index = usize::try_from(hash % self.semaphores.len() as u64).unwrap_or_default();
        let permits = self.semaphores.get(index).ok_or(ApiError::Overloaded)?;
        let rows = u32::try_from(records).map_or(ROWS, |records| records.clamp(1, ROWS));
        let permit = timeout(LIST_WAIT, permits.acquire_many(rows)).await;
        permit.ok().and_then(Result::ok).ok_or(ApiError::Overloaded)
    }
}
