//! How far a replica has replayed the log, and whether it answers reads.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use tokio::sync::Notify;

/// The state of a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplicaState {
    /// It does not answer, or is no replica of the database.
    Away,
    /// The bytes of the log of the primary that it has not replayed; 0 while it is current.
    Behind(u64),
}

/// The positions that the primary has written and the replica has replayed.
#[derive(Debug)]
pub(crate) struct ReplicaStatus {
    /// The number of changes of the route; odd while the replica answers reads.
    route: AtomicU64,
    positions: Mutex<Positions>,
    /// Wakes the monitor after a change.
    pub(super) changed: Notify,
}

/// The server that answers reads, until the next change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route(u64);

impl Route {
    pub(crate) fn is_replica(self) -> bool {
        self.0 % 2 == 1
    }
}

#[derive(Debug)]
struct Positions {
    /// The end of the log that holds all commits of this process, and the commits of other
    /// processes until the last poll of the primary.
    written: u64,
    /// The number of commits with an unknown position.
    unknown_writes: u64,
    /// The position that the replica has replayed; none while it is unreachable.
    replayed: Option<u64>,
}

impl Positions {
    fn is_current(&self) -> bool {
        self.unknown_writes == 0 && self.replayed >= Some(self.written)
    }
}

impl ReplicaStatus {
    pub(super) fn new(written: u64) -> Self {
        Self {
            route: AtomicU64::new(0),
            positions: Mutex::new(Positions {
                written,
                unknown_writes: 0,
                replayed: None,
            }),
            changed: Notify::new(),
        }
    }

    pub(super) fn route(&self) -> Route {
        Route(self.route.load(Ordering::Acquire))
    }

    /// Whether the replica has replayed all that is known to be acknowledged.
    pub(super) fn is_current(&self) -> bool {
        self.route().is_replica()
    }

    /// Records a commit of this process at a position.
    pub(super) fn wrote(&self, position: u64) {
        self.update(|positions| positions.written = positions.written.max(position));
        self.changed.notify_one();
    }

    /// Records a commit of this process at an unknown position.
    pub(super) fn wrote_at_unknown_position(&self) {
        self.update(|positions| positions.unknown_writes += 1);
        self.changed.notify_one();
    }

    /// The number of commits with an unknown position.
    pub(super) fn unknown_writes(&self) -> u64 {
        self.read(|positions| positions.unknown_writes)
    }

    /// Records that `writes` commits with an unknown position, and the commits of other processes
    /// until now, lie before a position.
    pub(super) fn found(&self, writes: u64, position: u64) {
        self.update(|positions| {
            positions.unknown_writes -= writes.min(positions.unknown_writes);
            positions.written = positions.written.max(position);
        });
    }

    /// Records the position that the replica has replayed; none if it is unreachable.
    pub(super) fn replayed(&self, position: Option<u64>) {
        self.update(|positions| positions.replayed = position);
    }

    /// Records a failure: the replica answers no read before the next successful poll.
    pub(super) fn failed(&self) {
        self.replayed(None);
        self.changed.notify_one();
    }

    /// Whether the replica is reachable.
    pub(super) fn answers(&self) -> bool {
        self.read(|positions| positions.replayed.is_some())
    }

    /// The position that the replica must reach.
    pub(super) fn written(&self) -> u64 {
        self.read(|positions| positions.written)
    }

    /// The bytes of the log that the replica has not replayed; `None` while it is unreachable.
    pub(super) fn bytes_behind(&self) -> Option<u64> {
        self.read(|at| Some(at.written.saturating_sub(at.replayed?)))
    }

    fn read<T>(&self, at: impl FnOnce(&Positions) -> T) -> T {
        at(&self
            .positions
            .lock()
            .unwrap_or_else(PoisonError::into_inner))
    }

    fn update(&self, change: impl FnOnce(&mut Positions)) {
        let mut positions = self
            .positions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        change(&mut positions);
        // `positions` is locked, so that no other thread changes the route.
        if positions.is_current() != self.route().is_replica() {
            self.route.fetch_add(1, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replica_is_asked_while_it_has_what_was_written() {
        let status = ReplicaStatus::new(100);
        assert!(!status.is_current(), "no position is known");
        status.replayed(Some(99));
        assert!(!status.is_current());
        status.replayed(Some(100));
        assert!(status.is_current());
        status.wrote(90);
        assert!(status.is_current(), "the replica is past that position");
        assert_eq!(status.bytes_behind(), Some(0));
        status.wrote(110);
        assert!(!status.is_current());
        assert_eq!(status.bytes_behind(), Some(10));
        status.replayed(Some(120));
        assert!(status.is_current());
        status.failed();
        assert!(!status.is_current() && !status.answers());
        assert_eq!(status.bytes_behind(), None);
        status.replayed(Some(120));
        assert!(status.is_current());
    }

    #[test]
    fn a_write_of_which_the_position_is_not_known_holds_the_replica_back() {
        let status = ReplicaStatus::new(100);
        status.replayed(Some(1000));
        status.wrote_at_unknown_position();
        let writes = status.unknown_writes();
        status.wrote_at_unknown_position();
        status.found(writes, 200);
        assert!(!status.is_current(), "one came during the poll");
        status.found(status.unknown_writes(), 1001);
        assert!(!status.is_current());
        status.replayed(Some(1001));
        assert!(status.is_current());
    }

    #[test]
    fn no_route_comes_twice() {
        let status = ReplicaStatus::new(100);
        let mut seen = vec![status.route()];
        for position in 101..110 {
            status.replayed(Some(position - 1));
            seen.push(status.route());
            status.wrote(position);
            seen.push(status.route());
        }
        for (index, route) in seen.iter().enumerate() {
            assert!(!seen[..index].contains(route));
            assert_eq!(route.is_replica(), index % 2 == 1);
        }
    }
}
