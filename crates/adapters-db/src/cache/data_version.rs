//! Numbers for the states of the data: two equal numbers mean that nothing was written between
//! them.

use std::{
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use app::ports::{DataVersion, StoreError};
use async_trait::async_trait;
#[cfg(feature = "postgres")]
use sea_orm::{ConnectionTrait, DbBackend, Statement};

#[cfg(feature = "postgres")]
use super::change_log::RUN;
#[cfg(feature = "postgres")]
use crate::{connection::Reader, error::store_error};

/// A description of the state of the data that changes with each commit.
#[async_trait]
pub(crate) trait StateSource: fmt::Debug + Send + Sync {
    /// The current state; none while it cannot be read.
    async fn state(&self) -> Result<Option<Vec<u8>>, StoreError>;

    /// Records a commit of this process, before its caller gets an answer.
    async fn committed(&self) {}
}

/// Gives each state of the data a number.
#[derive(Debug)]
pub(crate) struct DataVersionTracker {
    /// None if the database has no state that can be read cheaply.
    source: Option<Box<dyn StateSource>>,
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
    pub(crate) fn new(source: Option<Box<dyn StateSource>>, max_staleness: Duration) -> Self {
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
        if let Some(source) = &self.source {
            source.committed().await;
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

/// The transactions that a statement of PostgreSQL sees, and the run of the server. Two statements
/// with equal states read the same data.
#[cfg(feature = "postgres")]
#[async_trait]
impl StateSource for Reader {
    async fn state(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let select = format!("SELECT pg_current_snapshot()::text || ' ' || {RUN} AS result");
        let select = Statement::from_string(DbBackend::Postgres, select);
        let row = self.query_one_raw(select).await.map_err(store_error)?;
        let snapshot = row.map(|row| row.try_get::<String>("", "result"));
        let snapshot = snapshot.transpose().map_err(store_error)?;
        let snapshot =
            snapshot.ok_or_else(|| StoreError::Internal("there is no snapshot".to_owned()))?;
        Ok(Some(snapshot.into_bytes()))
    }
}
