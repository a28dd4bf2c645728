//! The watch over a replica: whether it answers, and how far it is.

use std::{
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use sea_orm::DbErr;
use tokio::time::{sleep, timeout};

use super::{Standing, identity, replayed, written};
use crate::reader::Reader;

/// How often a replica is asked that has everything, and one that does not answer; and the primary, up to
/// where others wrote.
const PAUSE: Duration = Duration::from_secs(1);

/// How often one is asked that lags: soon, then less and less often.
const SOONEST: Duration = Duration::from_millis(1);
const LATEST: Duration = Duration::from_millis(32);

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long a replica may lag before that is worth a word.
const LONG: Duration = Duration::from_secs(10);

/// Why a replica is not asked.
#[derive(Debug, PartialEq, Eq)]
enum Trouble {
    Away(String),
    Other,
    Lags,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Away(cause) => f.write_str(cause),
            Self::Other => f.write_str("it is not a replica of this database"),
            Self::Lags => write!(f, "it is more than {} s behind", LONG.as_secs()),
        }
    }
}

/// Watches for as long as somebody else holds the standing.
pub(super) fn start(standing: &Arc<Standing>, primary: Reader, replica: Reader) {
    let watch = Watch {
        standing: Arc::downgrade(standing),
        primary,
        replica,
        asked: None,
        told: None,
        behind: None,
    };
    tokio::spawn(watch.run());
}

struct Watch {
    standing: Weak<Standing>,
    primary: Reader,
    replica: Reader,
    /// When the primary was asked last.
    asked: Option<Instant>,
    /// What the log was told last.
    told: Option<Trouble>,
    /// Since when the replica has not had what was written then.
    behind: Option<(Instant, u64)>,
}

impl Watch {
    async fn run(mut self) {
        let mut soon = SOONEST;
        while let Some(standing) = self.standing.upgrade() {
            let trouble = self.look(&standing).await;
            let lags = standing.answers() && !standing.is_current();
            self.tell(trouble);
            if lags {
                drop(standing);
                sleep(soon).await;
                soon = LATEST.min(soon * 2);
            } else {
                soon = SOONEST;
                // Holding the standing no longer than that, so that the watch ends with the store.
                let _ = timeout(PAUSE, standing.changed.notified()).await;
            }
        }
    }

    /// Asks how far the replica is.
    async fn look(&mut self, standing: &Standing) -> Option<Trouble> {
        let writes = standing.somewhere();
        let is_time = self.asked.is_none_or(|asked| asked.elapsed() >= PAUSE);
        if writes > 0 || is_time {
            self.asked = Some(Instant::now());
            // While it is away, nobody writes, and the replica may go on.
            if let Ok(Ok(position)) = timeout(PATIENCE, written(&self.primary)).await {
                standing.found(writes, position);
            }
        }
        let asked = timeout(PATIENCE, self.position(standing.answers())).await;
        let position = asked.unwrap_or_else(|_| {
            let text = "it does not answer in time";
            Err(Trouble::Away(text.to_owned()))
        });
        match position {
            Ok(position) => {
                standing.replayed(Some(position));
                self.lag(standing, position)
            }
            Err(trouble) => {
                standing.replayed(None);
                Some(trouble)
            }
        }
    }

    async fn position(&self, is_known: bool) -> Result<u64, Trouble> {
        let away = |error: DbErr| Trouble::Away(error.to_string());
        // Another server may have taken its place while it was away.
        if !is_known
            && identity(&self.replica).await.map_err(away)?
                != identity(&self.primary).await.map_err(away)?
        {
            return Err(Trouble::Other);
        }
        let position = replayed(&self.replica).await.map_err(away)?;
        position.ok_or(Trouble::Other)
    }

    fn lag(&mut self, standing: &Standing, position: u64) -> Option<Trouble> {
        match self.behind {
            Some((since, written)) if position < written => {
                (since.elapsed() > LONG).then_some(Trouble::Lags)
            }
            _ => {
                let written = standing.written();
                self.behind = (position < written).then(|| (Instant::now(), written));
                None
            }
        }
    }

    /// Says what is new.
    fn tell(&mut self, trouble: Option<Trouble>) {
        let kind = |trouble: &Option<Trouble>| trouble.as_ref().map(std::mem::discriminant);
        if kind(&trouble) == kind(&self.told) {
            return;
        }
        if let Some(trouble) = &trouble {
            tracing::warn!(%trouble, "the replica is not used: the primary answers instead");
        } else {
            tracing::info!("the replica is used again");
        }
        self.told = trouble;
    }
}
