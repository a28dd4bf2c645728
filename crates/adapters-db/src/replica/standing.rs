//! How far a replica is, and whether it is asked.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use tokio::sync::Notify;

/// How far a replica is behind what this process wrote, and what others had written a moment ago.
#[derive(Debug)]
pub(crate) struct Standing {
    /// Counts how often the place changed that is read; odd while it is the replica.
    route: AtomicU64,
    known: Mutex<Known>,
    /// Something changed that the watch over the replica looks at.
    pub(super) changed: Notify,
}

/// Where to read, until that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route(u64);

impl Route {
    pub(crate) fn is_replica(self) -> bool {
        self.0 % 2 == 1
    }
}

#[derive(Debug)]
struct Known {
    /// Up to where the log holds what was acknowledged here, and what had been elsewhere when the primary was
    /// asked last.
    written: u64,
    /// Writes of which that is not known.
    somewhere: u64,
    /// Up to where the replica has replayed it; none while it does not answer.
    replayed: Option<u64>,
}

impl Known {
    fn is_current(&self) -> bool {
        self.somewhere == 0 && self.replayed >= Some(self.written)
    }
}

impl Standing {
    pub(super) fn new(written: u64) -> Self {
        Self {
            route: AtomicU64::new(0),
            known: Mutex::new(Known {
                written,
                somewhere: 0,
                replayed: None,
            }),
            changed: Notify::new(),
        }
    }

    pub(super) fn route(&self) -> Route {
        Route(self.route.load(Ordering::Acquire))
    }

    /// Whether the replica has all that is known to be acknowledged.
    pub(super) fn is_current(&self) -> bool {
        self.route().is_replica()
    }

    /// Something was written, up to a position of the log.
    pub(super) fn wrote(&self, position: u64) {
        self.settle(|known| known.written = known.written.max(position));
        self.changed.notify_one();
    }

    /// Something was written, up to where is not known.
    pub(super) fn wrote_somewhere(&self) {
        self.settle(|known| known.somewhere += 1);
        self.changed.notify_one();
    }

    /// Of how many writes the position is not known.
    pub(super) fn somewhere(&self) -> u64 {
        self.look(|known| known.somewhere)
    }

    /// So many of them lie before a position, and so does all that others were told by then.
    pub(super) fn found(&self, writes: u64, position: u64) {
        self.settle(|known| {
            known.somewhere -= writes.min(known.somewhere);
            known.written = known.written.max(position);
        });
    }

    /// The replica has replayed so much, or does not answer.
    pub(super) fn replayed(&self, position: Option<u64>) {
        self.settle(|known| known.replayed = position);
    }

    /// The replica failed: it is not asked before it answers again.
    pub(super) fn failed(&self) {
        self.replayed(None);
        self.changed.notify_one();
    }

    /// Whether the replica answers.
    pub(super) fn answers(&self) -> bool {
        self.look(|known| known.replayed.is_some())
    }

    /// What was written last.
    pub(super) fn written(&self) -> u64 {
        self.look(|known| known.written)
    }

    fn look<T>(&self, at: impl FnOnce(&Known) -> T) -> T {
        at(&self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn settle(&self, change: impl FnOnce(&mut Known)) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut known);
        // Nobody else changes it while `known` is locked.
        if known.is_current() != self.route().is_replica() {
            self.route.fetch_add(1, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replica_is_asked_while_it_has_what_was_written() {
        let standing = Standing::new(100);
        assert!(!standing.is_current(), "nothing is known of it");
        standing.replayed(Some(99));
        assert!(!standing.is_current());
        standing.replayed(Some(100));
        assert!(standing.is_current());
        standing.wrote(90);
        assert!(standing.is_current(), "that came before");
        standing.wrote(110);
        assert!(!standing.is_current());
        standing.replayed(Some(120));
        assert!(standing.is_current());
        standing.failed();
        assert!(!standing.is_current() && !standing.answers());
        standing.replayed(Some(120));
        assert!(standing.is_current());
    }

    #[test]
    fn a_write_of_which_the_position_is_not_known_holds_the_replica_back() {
        let standing = Standing::new(100);
        standing.replayed(Some(1000));
        standing.wrote_somewhere();
        let writes = standing.somewhere();
        standing.wrote_somewhere();
        standing.found(writes, 200);
        assert!(!standing.is_current(), "one came while it was asked");
        standing.found(standing.somewhere(), 1001);
        assert!(!standing.is_current());
        standing.replayed(Some(1001));
        assert!(standing.is_current());
    }

    #[test]
    fn no_route_comes_twice() {
        let standing = Standing::new(100);
        let mut seen = vec![standing.route()];
        for position in 101..110 {
            standing.replayed(Some(position - 1));
            seen.push(standing.route());
            standing.wrote(position);
            seen.push(standing.route());
        }
        for (place, route) in seen.iter().enumerate() {
            assert!(!seen[..place].contains(route));
            assert_eq!(route.is_replica(), place % 2 == 1);
        }
    }
}
