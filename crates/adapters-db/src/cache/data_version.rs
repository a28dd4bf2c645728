//! Numbers for the states of the data: two equal numbers mean that nothing was written between
//! them.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use app::ports::{DataVersion, StoreError};

#[cfg(all(feature = "sqlite", unix))]
use super::WalIndex;
#[cfg(feature = "postgres")]
use crate::connection::{Connection, Replica};

/// Where the state of the data is read: a description that changes with each commit.
#[derive(Debug)]
pub(crate) enum StateSource {
    /// The write-ahead log of an SQLite file.
    #[cfg(all(feature = "sqlite", unix))]
    WalIndex(WalIndex),
    /// The snapshots of a PostgreSQL server.
    #[cfg(feature = "postgres")]
    Server(Connection),
    /// A replica and its primary.
    #[cfg(feature = "postgres")]
    Replica(Box<Replica>),
}

impl StateSource {
    /// The current state; none while it cannot be read.
    async fn state(&self) -> Result<Option<Vec<u8>>, StoreError> {
        // `match self` does not compile in a build without variants (SQLite, not on Unix): a
        // reference to an empty enum needs a pattern, the empty enum itself needs none.
        match *self {
            #[cfg(all(feature = "sqlite", unix))]
            Self::WalIndex(ref index) => Ok(index.read().map(Vec::from)),
            #[cfg(feature = "postgres")]
            Self::Server(ref server) => server.state().await.map(Some),
            #[cfg(feature = "postgres")]
            Self::Replica(ref replica) => replica.state().await.map(Some),
        }
    }
}

/// Gives each state of the data a number.
#[derive(Debug)]
pub(crate) struct DataVersionTracker {
    /// None if the database has no state that can be read cheaply.
    source: Option<StateSource>,
    /// The last state that was read, and its number.
    last: Mutex<(Vec<u8>, u64)>,
    /// The maximum age of a state that is reported without reading it again.
    max_staleness: Duration,
    /// The number of commits of this process.
    own: AtomicU64,
    /// The last version, when it was read, and after how many commits of this process.
    seen: Mutex<Option<(DataVersion, Instant, u64)>>,
}

impl DataVersionTracker {
    pub(crate) fn new(source: Option<StateSource>, max_staleness: Duration) -> Self {
        Self {
            source,
            last: Mutex::default(),
            max_staleness,
            own: AtomicU64::new(0),
            seen: Mutex::default(),
        }
    }

    /// Records a commit of this process, before its caller gets an answer.
    pub(crate) async fn committed(&self) {
        #[cfg(feature = "postgres")]
        if let Some(StateSource::Replica(replica)) = &self.source {
            replica.committed().await;
        }
        self.own.fetch_add(1, Ordering::Release);
    }

    /// The version of the current state, or of one that is recent enough and holds all commits of
    /// this process.
    pub(crate) async fn current(&self) -> Result<Option<DataVersion>, StoreError> {
        if self.max_staleness.is_zero() {
            return self.read().await;
        }
        // A commit during the read may be missing from it.
        let (began, own) = (Instant::now(), self.own.load(Ordering::Acquire));
        let seen = *self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((version, then, after)) = seen
            && after == own
            && began.duration_since(then) < self.max_staleness
        {
            return Ok(Some(version));
        }
        let version = self.read().await?;
        let seen = version.map(|version| (version, began, own));
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
        Ok(version)
    }

    async fn read(&self) -> Result<Option<DataVersion>, StoreError> {
        let Some(source) = &self.source else {
            return Ok(None);
        };
        let Some(state) = source.state().await? else {
            return Ok(None);
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, number) = &mut *last;
        if *known != state {
            // Two concurrent reads may finish in the other order: then one state gets two numbers,
            // which costs cache hits. No number ever means two states.
            *known = state;
            *number += 1;
        }
        Ok(Some(DataVersion::new(*number)))
    }
}
