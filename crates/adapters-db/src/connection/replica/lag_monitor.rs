//! The monitor of a replica: whether it is reachable, and how far it lags.

use std::{
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use sea_orm::DbErr;
use tokio::time::{sleep, timeout};

use super::{
    log_position::{identity, replayed, written},
    status::ReplicaStatus,
};
use crate::connection::Connection;

/// The interval of polls of a current or unreachable replica, and of the primary for the writes of
/// other processes.
const PAUSE: Duration = Duration::from_secs(1);

/// The interval of polls of a lagging replica doubles from `SOONEST` to `LATEST`.
const SOONEST: Duration = Duration::from_millis(1);
const LATEST: Duration = Duration::from_millis(32);

/// How long a poll may take.
const POLL_TIMEOUT: Duration = Duration::from_secs(2);

/// The lag after which the log gets a warning.
const LONG: Duration = Duration::from_secs(10);

/// Why a replica answers no reads.
#[derive(Debug, PartialEq, Eq)]
enum Problem {
    Away(String),
    Other,
    Lags,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Away(cause) => f.write_str(cause),
            Self::Other => f.write_str("it is not a replica of this database"),
            Self::Lags => write!(f, "it is more than {} s behind", LONG.as_secs()),
        }
    }
}

/// Starts the monitor, which ends when the store drops the status.
pub(super) fn start(status: &Arc<ReplicaStatus>, primary: Connection, replica: Connection) {
    let monitor = LagMonitor {
        status: Arc::downgrade(status),
        primary,
        replica,
        polled: None,
        logged: None,
        behind: None,
    };
    tokio::spawn(monitor.run());
}

struct LagMonitor {
    status: Weak<ReplicaStatus>,
    primary: Connection,
    replica: Connection,
    /// The last poll of the primary.
    polled: Option<Instant>,
    /// The problem that was logged last.
    logged: Option<Problem>,
    /// The position that the replica has not replayed, and the time of the first poll that found
    /// so.
    behind: Option<(Instant, u64)>,
}

impl LagMonitor {
    async fn run(mut self) {
        let mut soon = SOONEST;
        while let Some(status) = self.status.upgrade() {
            let problem = self.look(&status).await;
            let lags = status.answers() && !status.is_current();
            self.log(problem);
            if lags {
                drop(status);
                sleep(soon).await;
                soon = LATEST.min(soon * 2);
            } else {
                soon = SOONEST;
                // The status is held for at most `PAUSE`, so that the monitor ends soon after the
                // store.
                let _ = timeout(PAUSE, status.changed.notified()).await;
            }
        }
    }

    /// Polls the position of the replica.
    async fn look(&mut self, status: &ReplicaStatus) -> Option<Problem> {
        let writes = status.unknown_writes();
        let is_time = self.polled.is_none_or(|polled| polled.elapsed() >= PAUSE);
        if writes > 0 || is_time {
            self.polled = Some(Instant::now());
            // While the primary is unreachable nothing is written, and the replica may answer
            // reads.
            if let Ok(Ok(position)) = timeout(POLL_TIMEOUT, written(&self.primary)).await {
                status.found(writes, position);
            }
        }
        let polled = timeout(POLL_TIMEOUT, self.position(status.answers())).await;
        let position = polled.unwrap_or_else(|_| {
            let text = "it does not answer in time";
            Err(Problem::Away(text.to_owned()))
        });
        match position {
            Ok(position) => {
                status.replayed(Some(position));
                self.lag(status, position)
            }
            Err(problem) => {
                status.replayed(None);
                Some(problem)
            }
        }
    }

    async fn position(&self, is_known: bool) -> Result<u64, Problem> {
        let away = |error: DbErr| Problem::Away(error.to_string());
        // Another server may have replaced the replica while it was unreachable.
        if !is_known
            && identity(&self.replica).await.map_err(away)?
                != identity(&self.primary).await.map_err(away)?
        {
            return Err(Problem::Other);
        }
        let position = replayed(&self.replica).await.map_err(away)?;
        position.ok_or(Problem::Other)
    }

    fn lag(&mut self, status: &ReplicaStatus, position: u64) -> Option<Problem> {
        match self.behind {
            Some((since, written)) if position < written => {
                (since.elapsed() > LONG).then_some(Problem::Lags)
            }
            _ => {
                let written = status.written();
                self.behind = (position < written).then(|| (Instant::now(), written));
                None
            }
        }
    }

    /// Logs a new problem, or the end of one.
    fn log(&mut self, problem: Option<Problem>) {
        let kind = |problem: &Option<Problem>| problem.as_ref().map(std::mem::discriminant);
        if kind(&problem) == kind(&self.logged) {
            return;
        }
        if let Some(problem) = &problem {
            tracing::warn!(%problem, "the replica is not used: the primary answers instead");
        } else {
            tracing::info!("the replica is used again");
        }
        self.logged = problem;
    }
}
