//! Responses in progress, which equal requests share.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use app::search_queue::Client;
use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};

use crate::response::BufferedResponse;

/// The work on a response.
pub(super) type Work = BoxFuture<'static, Outcome>;

/// The outcome of a coalesced request, which every waiter gets.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// A response for all of them.
    Shared(Arc<BufferedResponse>),
    /// The response 503 for the client that began the work, perhaps by a limit of this client.
    Refused(Arc<BufferedResponse>, Client),
    /// Another response, which only the request that began the work may receive.
    Unshared,
}

/// The responses in progress by a key, which consists of address and epoch.
///
/// All requests of one address and epoch get the same response, and the work on it goes on while
/// one of them waits. It is dropped, which stops the statements of the store, once none waits. A
/// request never joins work that began before a write that was acknowledged before the request: the
/// write has changed the epoch.
#[derive(Debug)]
pub(super) struct InProgress<K>(Arc<Mutex<State<K>>>);

#[derive(Debug)]
struct State<K> {
    /// The work, with its number.
    work: HashMap<K, (u64, WeakShared<Work>)>,
    /// The number of the last work.
    begun: u64,
}

impl<K> Default for InProgress<K> {
    fn default() -> Self {
        let state = State {
            work: HashMap::new(),
            begun: 0,
        };
        Self(Arc::new(Mutex::new(state)))
    }
}

impl<K: Clone + Eq + Hash + Send + 'static> InProgress<K> {
    /// Joins the work on the response of a key. `begin` makes the work if there is none.
    pub(super) fn join(&self, key: &K, begin: impl FnOnce() -> Work) -> Shared<Work> {
        let mut state = self.state();
        let joined = state.work.get(key);
        if let Some(work) = joined.and_then(|(_, work)| work.upgrade()) {
            return work;
        }
        state.begun += 1;
        let number = state.begun;
        let entry = Entry {
            state: Arc::clone(&self.0),
            key: key.clone(),
            number,
        };
        let work = begin();
        let work = async move {
            let _until_dropped = entry;
            work.await
        };
        let work = work.boxed().shared();
        if let Some(work) = work.downgrade() {
            state.work.insert(key.clone(), (number, work));
        }
        work
    }

    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes work from the table when it ends or is dropped.
struct Entry<K: Eq + Hash> {
    state: Arc<Mutex<State<K>>>,
    key: K,
    number: u64,
}

impl<K: Eq + Hash> Drop for Entry<K> {
    fn drop(&mut self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let work = state.work.get(&self.key);
        // Other work may have replaced it meanwhile.
        if work.is_some_and(|(number, _)| *number == self.number) {
            state.work.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::Bytes, http::Response};
    use tokio::sync::oneshot;

    use super::*;

    fn response() -> Arc<BufferedResponse> {
        let (parts, ()) = Response::new(()).into_parts();
        Arc::new(BufferedResponse::new(parts, Bytes::new(), None))
    }

    /// Work that ends when the sender sends a response, and is dropped with the receiver.
    fn work() -> (oneshot::Sender<Arc<BufferedResponse>>, Work) {
        let (sender, receiver) = oneshot::channel();
        let outcome = |sent: Result<_, _>| sent.map_or(Outcome::Unshared, Outcome::Shared);
        (sender, receiver.map(outcome).boxed())
    }

    fn no_work() -> Work {
        unreachable!("there is work to join")
    }

    #[tokio::test]
    async fn equal_requests_share_the_work_until_it_ends() {
        let in_progress = InProgress::default();
        let (sender, first) = work();
        let first = in_progress.join(&"a", || first);
        let second = in_progress.join(&"a", no_work);
        let (_other, other) = work();
        let other = in_progress.join(&"b", || other);
        // The work goes on without the request that began it.
        drop(first);
        let sent = response();
        sender.send(Arc::clone(&sent)).unwrap();
        assert!(matches!(second.await, Outcome::Shared(response) if Arc::ptr_eq(&response, &sent)));
        assert!(other.now_or_never().is_none());
        assert!(in_progress.state().work.is_empty());
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_is_dropped() {
        let in_progress = InProgress::default();
        let (sender, first) = work();
        let first = in_progress.join(&"a", || first);
        let second = in_progress.join(&"a", no_work);
        drop(first);
        assert!(!sender.is_closed());
        drop(second);
        assert!(sender.is_closed());
        assert!(in_progress.state().work.is_empty());
    }
}
