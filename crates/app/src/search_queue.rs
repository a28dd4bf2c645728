//! The queue of searches, which is fair among clients.
//!
//! A search is a list that may read many records; see [`Filter::scans`](domain::Filter::scans). At
//! most [`turns`] searches run at once, so that other lists keep processors and connections of the
//! database. One turn is always left for another client. A free turn goes to the waiting clients
//! in rotation, whatever the number of their searches.
//!
//! ```
//! use std::net::IpAddr;
//!
//! use events_calendar_app::search_queue::{Client, SearchQueue, Turn, turns};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! assert!(turns() >= 2, "one turn is left for another client");
//! let queue = SearchQueue::with_turns(2);
//! let client: Client = Some(IpAddr::from([192, 0, 2, 1]));
//! let turn: Turn = queue.turn(client).await?;
//! let other = queue.turn(Some(IpAddr::from([192, 0, 2, 2]))).await?;
//! assert_eq!(queue.waiting(), 0);
//! // The next search gets a turn when one of these ends.
//! drop(turn);
//! queue.turn(client).await?;
//! # Ok(())
//! # }
//! ```

use std::{
    collections::{HashMap, VecDeque},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::available_parallelism,
    time::Duration,
};

use tokio::{sync::oneshot, time::timeout};

use crate::error::AppError;

/// The network that counts as one client; all requests without one are one client.
pub type Client = Option<IpAddr>;

/// The maximum number of processors that searches use.
const MAX_PROCESSORS: usize = 4;

/// The longest time that a search waits for its turn.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// The maximum number of waiting searches.
const MAX_WAITING: usize = 256;

/// The maximum number of waiting searches of one client.
const MAX_WAITING_OF_CLIENT: usize = 64;

/// The number of searches that run at once: one for each second processor, so that other lists have
/// the rest, and one more, which is left for another client.
pub fn turns() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    (processors / 2).clamp(1, MAX_PROCESSORS) + 1
}

/// The queue of searches. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SearchQueue {
    state: Arc<Mutex<State>>,
    max_wait: Duration,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// The maximum number of turns that a client holds.
    share: usize,
    held: HashMap<Client, usize>,
    /// The waiting searches of each client. The first client that may hold another turn gets it.
    waiting: VecDeque<(Client, VecDeque<oneshot::Sender<Turn>>)>,
}

/// The turn of a search, which ends when it is dropped.
#[derive(Debug)]
#[must_use]
pub struct Turn {
    queue: SearchQueue,
    client: Client,
}

impl Default for SearchQueue {
    fn default() -> Self {
        Self::with_turns(turns())
    }
}

impl SearchQueue {
    /// A queue for at most `turns` searches at once, and at least one.
    pub fn with_turns(turns: usize) -> Self {
        let state = State {
            free: turns.max(1),
            share: turns.saturating_sub(1).max(1),
            held: HashMap::new(),
            waiting: VecDeque::new(),
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            max_wait: MAX_WAIT,
        }
    }

    /// Waits for the turn of a search. A caller that stops waiting leaves the queue.
    ///
    /// # Errors
    ///
    /// [`AppError::Overloaded`] after 3 s, and at once if too many searches are waiting.
    pub async fn turn(&self, client: Client) -> Result<Turn, AppError> {
        let waiting = {
            let mut state = self.state();
            if state.may_take(client) {
                state.take(client);
                return Ok(self.turn_of(client));
            }
            state.wait(client)?
        };
        match timeout(self.max_wait, waiting).await {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(_)) | Err(_) => Err(AppError::Overloaded),
        }
    }

    /// The number of searches that wait for their turn.
    pub fn waiting(&self) -> usize {
        let mut state = self.state();
        state.drop_abandoned();
        state.count()
    }

    fn turn_of(&self, client: Client) -> Turn {
        Turn {
            queue: self.clone(),
            client,
        }
    }

    /// Gives free turns to waiting searches.
    fn hand_out(&self) {
        loop {
            let next = self.state().next();
            let Some((client, search)) = next else {
                return;
            };
            // A search that has just been abandoned drops its turn, which is handed out again.
            drop(search.send(self.turn_of(client)));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn may_take(&self, client: Client) -> bool {
        let held = self.held.get(&client).copied().unwrap_or_default();
        self.free > 0 && held < self.share
    }

    fn take(&mut self, client: Client) {
        self.free -= 1;
        *self.held.entry(client).or_default() += 1;
    }

    fn give_back(&mut self, client: Client) {
        self.free += 1;
        if let Some(held) = self.held.get_mut(&client) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&client);
            }
        }
    }

    /// Adds a search to the queue. If the queue is full, the last search of the client with most of
    /// them leaves it for a client with fewer.
    fn wait(&mut self, client: Client) -> Result<oneshot::Receiver<Turn>, AppError> {
        self.drop_abandoned();
        let of_client = self.waiting.iter().find(|(one, _)| *one == client);
        let own = of_client.map_or(0, |(_, searches)| searches.len());
        if own >= MAX_WAITING_OF_CLIENT {
            return Err(AppError::Overloaded);
        }
        if self.count() >= MAX_WAITING {
            let lists = self.waiting.iter_mut().map(|(_, searches)| searches);
            let most = lists.max_by_key(|searches| searches.len());
            let most = most.filter(|searches| searches.len() > own + 1);
            most.ok_or(AppError::Overloaded)?.pop_back();
        }
        let (sender, receiver) = oneshot::channel();
        match self.waiting.iter_mut().find(|(one, _)| *one == client) {
            Some((_, searches)) => searches.push_back(sender),
            None => self.waiting.push_back((client, VecDeque::from([sender]))),
        }
        Ok(receiver)
    }

    /// Takes a turn for the next search; none without a free turn for a client that waits.
    fn next(&mut self) -> Option<(Client, oneshot::Sender<Turn>)> {
        self.drop_abandoned();
        let mut waiting = self.waiting.iter();
        let index = waiting.position(|(client, _)| self.may_take(*client))?;
        let (client, mut searches) = self.waiting.remove(index)?;
        let search = searches.pop_front()?;
        if !searches.is_empty() {
            self.waiting.push_back((client, searches));
        }
        self.take(client);
        Some((client, search))
    }

    fn drop_abandoned(&mut self) {
        for (_, searches) in &mut self.waiting {
            searches.retain(|search| !search.is_closed());
        }
        self.waiting.retain(|(_, searches)| !searches.is_empty());
    }

    fn count(&self) -> usize {
        self.waiting
            .iter()
            .map(|(_, searches)| searches.len())
            .sum()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.state().give_back(self.client);
        self.queue.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use futures_util::{FutureExt, future::BoxFuture};

    use super::*;

    type Waiting = BoxFuture<'static, Result<Turn, AppError>>;

    fn client(number: u8) -> Client {
        IpAddr::from([192, 0, 2, number]).into()
    }

    /// A search of a client, already in the queue.
    fn search(queue: &SearchQueue, number: u8) -> Waiting {
        let queue = queue.clone();
        let mut search = async move { queue.turn(client(number)).await }.boxed();
        assert!(poll(&mut search).is_none(), "{number} waits");
        search
    }

    fn poll(search: &mut Waiting) -> Option<Result<Turn, AppError>> {
        Pin::new(search).now_or_never()
    }

    fn now(queue: &SearchQueue, number: u8) -> Turn {
        queue.turn(client(number)).now_or_never().unwrap().unwrap()
    }

    #[tokio::test]
    async fn a_client_leaves_a_turn_to_others() {
        let queue = SearchQueue::with_turns(3);
        let first = now(&queue, 1);
        let _second = now(&queue, 1);
        let mut third = search(&queue, 1);
        let other = now(&queue, 2);
        drop(other);
        assert!(poll(&mut third).is_none(), "the free turn is for others");
        drop(first);
        assert!(poll(&mut third).unwrap().is_ok());
    }

    #[tokio::test]
    async fn a_client_with_many_searches_gets_one_turn_a_round() {
        let queue = SearchQueue::with_turns(2);
        let mut held = vec![now(&queue, 1), now(&queue, 2)];
        let mut waiting = Vec::new();
        for number in [3, 3, 3, 4, 3, 5] {
            waiting.push((number, search(&queue, number)));
        }
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(held.remove(0));
            let indexes = 0..waiting.len();
            let mut served =
                indexes.filter_map(|index| Some((index, poll(&mut waiting[index].1)?)));
            // Client 3 alone is left at last, and leaves a turn to others.
            if let Some((index, turn)) = served.next() {
                order.push(waiting.remove(index).0);
                held.push(turn.unwrap());
            }
        }
        assert_eq!(order, [3, 4, 5, 3, 3, 3]);
    }

    #[tokio::test]
    async fn an_abandoned_search_takes_no_turn() {
        let queue = SearchQueue::with_turns(2);
        let (_first, second) = (now(&queue, 1), now(&queue, 2));
        let abandoned = search(&queue, 3);
        let mut next = search(&queue, 4);
        assert_eq!(queue.waiting(), 2);
        drop(abandoned);
        assert_eq!(queue.waiting(), 1);
        // The turn of a search that is abandoned before it sees it goes to the next.
        let unseen = search(&queue, 5);
        drop(second);
        let turn = poll(&mut next).unwrap().unwrap();
        let mut last = search(&queue, 6);
        drop(turn);
        drop(unseen);
        assert!(poll(&mut last).unwrap().is_ok());
    }

    fn is_refused(queue: &SearchQueue, number: u8) -> bool {
        let refused = queue.turn(client(number)).now_or_never();
        matches!(refused, Some(Err(AppError::Overloaded)))
    }

    #[tokio::test]
    async fn a_full_queue_refuses() {
        let queue = SearchQueue::with_turns(1);
        let _turn = now(&queue, 0);
        let waiting: Vec<_> = (0..=u8::MAX).map(|number| search(&queue, number)).collect();
        assert_eq!((waiting.len(), queue.waiting()), (MAX_WAITING, MAX_WAITING));
        assert!(is_refused(&queue, 7));
    }

    #[tokio::test]
    async fn a_full_queue_makes_room_for_a_client_with_fewer_searches() {
        let queue = SearchQueue::with_turns(1);
        let _turn = now(&queue, 0);
        let mut waiting: Vec<_> = (0..64).map(|_| search(&queue, 1)).collect();
        assert!(is_refused(&queue, 1));
        for number in 2..=4 {
            waiting.extend((0..64).map(|_| search(&queue, number)));
        }
        let mut other = search(&queue, 5);
        assert!(poll(&mut other).is_none());
        assert_eq!(queue.waiting(), MAX_WAITING);
        let refused = waiting.iter_mut().filter_map(poll);
        assert_eq!(refused.filter(Result::is_err).count(), 1);
    }

    #[tokio::test]
    async fn a_search_that_waits_too_long_is_refused() {
        let queue = SearchQueue {
            max_wait: Duration::ZERO,
            ..SearchQueue::with_turns(1)
        };
        let turn = now(&queue, 1);
        let refused = queue.turn(client(2)).await;
        assert!(matches!(refused, Err(AppError::Overloaded)));
        drop(turn);
        assert!(queue.turn(client(2)).await.is_ok());
    }
}
