//! The monitor over a replica: whether it answers, and how far it is.

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
use crate::connection::Reader;

/// How often a replica is polled that has everything, and one that does not answer; and the primary, up to
/// where others wrote.
const PAUSE: Duration = Duration::from_secs(1);

/// How often one is polled that lags: soon, then less and less often.
const SOONEST: Duration = Duration::from_millis(1);
const LATEST: Duration = Duration::from_millis(32);

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long a replica may lag before that is worth a word.
const LONG: Duration = Duration::from_secs(10);

/// Why a replica is not polled.
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

/// Watches for as long as somebody else holds the status.
pub(super) fn start(status: &Arc<ReplicaStatus>, primary: Reader, replica: Reader) {
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
    primary: Reader,
    replica: Reader,
    /// When the primary was polled last.
    polled: Option<Instant>,
    /// What the log was logged last.
    logged: Option<Problem>,
    /// Since when the replica has not had what was written then.
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
                // Holding the status no longer than that, so that the monitor ends with the store.
                let _ = timeout(PAUSE, status.changed.notified()).await;
            }
        }
    }

    /// Asks how far the replica is.
    async fn look(&mut self, status: &ReplicaStatus) -> Option<Problem> {
        let writes = status.unknown_writes();
        let is_time = self.polled.is_none_or(|polled| polled.elapsed() >= PAUSE);
        if writes > 0 || is_time {
            self.polled = Some(Instant::now());
            // While it is away, nobody writes, and the replica may go on.
            if let Ok(Ok(position)) = timeout(PATIENCE, written(&self.primary)).await {
                status.found(writes, position);
            }
        }
        let polled = timeout(PATIENCE, self.position(status.answers())).await;
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
        // Another server may have taken its place while it was away.
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

    /// Says what is new.
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
