//! News of the records: wakes the requests that wait for changes.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use app::{AppError, Calendar, calendar::NewsMark};
use domain::UserId;
use tokio::{sync::watch, time::sleep};

use crate::{error::ApiError, limits::network};

/// The time between two looks at the store while somebody waits.
const INTERVAL: Duration = Duration::from_millis(100);

/// Most requests that wait at one address.
const PER_ADDRESS: usize = 20;

/// Most requests of one user that wait.
const PER_USER: usize = 50;

/// Default of the most requests that wait.
pub const DEFAULT_MAX_WAITING: u32 = 1_000;

/// The news of a calendar. One task looks for them while somebody waits. Clones share it.
#[derive(Clone, Debug)]
pub struct News(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    calendar: Calendar,
    /// Counts the changes that were noticed.
    changes: watch::Sender<u64>,
    /// Whether the task runs.
    is_watched: tokio::sync::Mutex<bool>,
    /// Whether the server stops.
    stopping: watch::Sender<bool>,
    waiting: Mutex<Waiting>,
    in_all: usize,
}

/// The numbers of requests that wait.
#[derive(Debug, Default)]
struct Waiting {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
    by_user: HashMap<UserId, usize>,
}

/// A request that waits.
#[derive(Debug)]
pub struct Waiter {
    news: News,
    changes: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
    address: Option<IpAddr>,
    user: Option<UserId>,
}

impl News {
    /// The news of a calendar, for so many requests that wait.
    pub(crate) fn of(calendar: Calendar, in_all: u32) -> Self {
        Self(Arc::new(Shared {
            calendar,
            changes: watch::Sender::new(0),
            is_watched: tokio::sync::Mutex::default(),
            stopping: watch::Sender::new(false),
            waiting: Mutex::default(),
            in_all: in_all.try_into().unwrap_or(usize::MAX),
        }))
    }

    /// Ends all waits, now and later: the server stops.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    /// The number of requests that wait, streams among them.
    pub fn waiting(&self) -> usize {
        let waiting = self.0.waiting.lock();
        waiting.unwrap_or_else(PoisonError::into_inner).all
    }

    /// Begins to wait: every change after this call wakes the waiter.
    ///
    /// # Errors
    ///
    /// [`ApiError::Overloaded`] and [`ApiError::TooManyWaiting`] beyond the limits, and errors of the store.
    pub async fn subscribe(
        &self,
        address: Option<IpAddr>,
        user: Option<UserId>,
    ) -> Result<Waiter, ApiError> {
        let address = address.map(network);
        self.count(address, user)?;
        let waiter = Waiter {
            news: self.clone(),
            changes: self.0.changes.subscribe(),
            stopping: self.0.stopping.subscribe(),
            address,
            user,
        };
        let mut is_watched = self.0.is_watched.lock().await;
        if !*is_watched {
            let mark = self.0.calendar.news_mark().await?;
            tokio::spawn(self.clone().watch(mark));
            *is_watched = true;
        }
        Ok(waiter)
    }

    fn count(&self, address: Option<IpAddr>, user: Option<UserId>) -> Result<(), ApiError> {
        let waiting = self.0.waiting.lock();
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        let of_address = address.and_then(|address| waiting.by_address.get(&address));
        let of_user = user.and_then(|user| waiting.by_user.get(&user));
        if of_address.is_some_and(|number| *number >= PER_ADDRESS)
            || of_user.is_some_and(|number| *number >= PER_USER)
        {
            return Err(ApiError::TooManyWaiting);
        }
        if waiting.all >= self.0.in_all {
            return Err(ApiError::Overloaded);
        }
        waiting.all += 1;
        if let Some(address) = address {
            *waiting.by_address.entry(address).or_default() += 1;
        }
        if let Some(user) = user {
            *waiting.by_user.entry(user).or_default() += 1;
        }
        Ok(())
    }

    /// Looks for changes until nobody waits.
    async fn watch(self, mut mark: NewsMark) {
        loop {
            sleep(INTERVAL).await;
            let mut is_watched = self.0.is_watched.lock().await;
            if self.0.changes.receiver_count() == 0 {
                *is_watched = false;
                return;
            }
            drop(is_watched);
            match self.0.calendar.news_mark().await {
                Ok(now) if now == mark => {}
                Ok(now) => {
                    mark = now;
                    self.0.changes.send_modify(|changes| *changes += 1);
                }
                Err(error) => {
                    // Waiters meet the same failure, and report it.
                    log(&error);
                    self.0.changes.send_modify(|changes| *changes += 1);
                }
            }
        }
    }
}

fn log(error: &AppError) {
    tracing::debug!(%error, "cannot look for news");
}

impl Waiter {
    /// Waits for the next change. Returns false if the server stops.
    pub async fn changed(&mut self) -> bool {
        tokio::select! {
            biased;
            _ = self.stopping.wait_for(|stopping| *stopping) => false,
            changed = self.changes.changed() => changed.is_ok(),
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let waiting = &self.news.0.waiting;
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.all = waiting.all.saturating_sub(1);
        if let Some(address) = self.address {
            forget(&mut waiting.by_address, &address);
        }
        if let Some(user) = self.user {
            forget(&mut waiting.by_user, &user);
        }
    }
}

/// Counts one less.
fn forget<K: std::hash::Hash + Eq>(numbers: &mut HashMap<K, usize>, key: &K) {
    if let Some(number) = numbers.get_mut(key) {
        *number -= 1;
        if *number == 0 {
            numbers.remove(key);
        }
    }
}
