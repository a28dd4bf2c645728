//! Group commit: SQLite syncs to the disk once for many units of work.
//!
//! The units of a group run one after the other in one transaction. The first unit is the
//! transaction itself, each other one a savepoint in it. A unit that has ended waits for the commit
//! of its group, so that its caller gets an answer when the data are on disk. If the commit fails,
//! it fails for all units.

mod nested_unit;
mod savepoints;

use std::time::{Duration, Instant};

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use metrics::histogram;
use sea_orm::DatabaseConnection;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use self::{nested_unit::NestedUnit, savepoints::Savepoints};
use crate::{
    connection::{Connection, SharedTransaction, begin_immediate},
    error::store_error,
    session::{MergeSignal, Session, repositories},
};

/// The maximum number of units in a group.
const MAX_UNITS: usize = 64;

/// The time after which a group admits no more units, as the first unit waits for the last.
const MAX_DURATION: Duration = Duration::from_millis(50);

/// Queues units of work and runs them in groups.
#[derive(Clone, Debug)]
pub(crate) struct GroupCommit {
    requests: mpsc::UnboundedSender<BeginRequest>,
    begin_timeout: Duration,
}

/// The channel on which a caller waits for its unit of work.
type BeginRequest = oneshot::Sender<Result<WriteUnit, StoreError>>;

/// The channel on which a unit waits for the commit of its group.
type Reply = oneshot::Sender<Result<(), StoreError>>;

/// A unit of work in a group.
#[derive(Debug)]
pub(crate) struct WriteUnit {
    // Both are dropped before `ended` is sent, so that the group holds the only handle of the
    // transaction.
    session: Session,
    transaction: SharedTransaction,
    ended: oneshot::Sender<Ended>,
}

/// The end of a unit that waits for its group.
#[derive(Debug)]
struct Ended {
    commits: bool,
    reply: Reply,
}

impl GroupCommit {
    /// Starts the task that runs groups over the only connection that writes, and sends
    /// `merge_signal` after each of them. A caller that waits longer than `begin_timeout` for its unit gets an
    /// error.
    pub(crate) fn start(
        connection: DatabaseConnection,
        merge_signal: MergeSignal,
        begin_timeout: Duration,
    ) -> Self {
        let (requests, mut receiver) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(first) = receiver.recv().await {
                group(&connection, first, &mut receiver).await;
                merge_signal.send();
            }
        });
        Self {
            requests,
            begin_timeout,
        }
    }

    /// Waits for the turn of a new unit of work.
    pub(crate) async fn begin(&self) -> Result<WriteUnit, StoreError> {
        let (request, granted) = oneshot::channel();
        self.requests.send(request).map_err(|_| stopped())?;
        let Ok(granted) = timeout(self.begin_timeout, granted).await else {
            let text = "too many writes wait for their turn";
            return Err(StoreError::Unavailable(text.to_owned()));
        };
        granted.map_err(|_| stopped())?
    }
}

fn stopped() -> StoreError {
    StoreError::Unavailable("the database is closed for writing".to_owned())
}

/// Runs the waiting units in one transaction.
async fn group(
    connection: &DatabaseConnection,
    first: BeginRequest,
    receiver: &mut mpsc::UnboundedReceiver<BeginRequest>,
) {
    if first.is_closed() {
        return;
    }
    let transaction = match begin_immediate(connection).await {
        Ok(transaction) => transaction,
        Err(error) => {
            // A caller that was cancelled gets no answer.
            let _ = first.send(Err(store_error(error)));
            return;
        }
    };
    let transaction = SharedTransaction::new(transaction);
    let began = Instant::now();
    let mut waiting = Vec::new();
    match run_unit(&transaction, first).await {
        Some(Ended {
            commits: true,
            reply,
        }) => waiting.push(reply),
        ended => {
            let undone = transaction.rollback().await;
            reply_all(ended.map(|ended| ended.reply), &undone);
            return;
        }
    }
    let mut savepoints = Savepoints::default();
    while waiting.len() < MAX_UNITS
        && began.elapsed() < MAX_DURATION
        && let Ok(next) = receiver.try_recv()
    {
        if next.is_closed() {
            continue;
        }
        let mark = savepoints.set(&transaction);
        match run_unit(&transaction, next).await {
            Some(Ended {
                commits: true,
                reply,
            }) => {
                waiting.push(reply);
                savepoints.leave();
            }
            ended => {
                waiting.extend(ended.map(|ended| ended.reply));
                if savepoints.undo(&transaction, mark).await.is_err() {
                    return fail_all(waiting);
                }
            }
        }
    }
    let committed = transaction.commit().await;
    #[expect(clippy::cast_precision_loss, reason = "there are few units in a group")]
    histogram!("events_calendar_db_group_commit_units").record(waiting.len() as f64);
    histogram!("events_calendar_db_group_commit_duration_seconds").record(began.elapsed());
    reply_all(waiting, &committed);
}

/// Hands the transaction to a caller, and waits for the end of its unit. None if the unit was
/// dropped.
async fn run_unit(transaction: &SharedTransaction, to: BeginRequest) -> Option<Ended> {
    let (ended, end) = oneshot::channel();
    let unit = WriteUnit {
        session: Session::new(Connection::Shared(transaction.clone())),
        transaction: transaction.clone(),
        ended,
    };
    // If the caller was cancelled, the unit is dropped.
    drop(to.send(Ok(unit)));
    end.await.ok()
}

/// Reports to all units of a group that the group is undone.
fn fail_all(waiting: Vec<Reply>) {
    let text = "a write of the same group failed, and the group is undone";
    reply_all(waiting, &Err(StoreError::Unavailable(text.to_owned())));
}

fn reply_all(waiting: impl IntoIterator<Item = Reply>, outcome: &Result<(), StoreError>) {
    for reply in waiting {
        // A caller that was cancelled gets no answer.
        let _ = reply.send(outcome.clone());
    }
}

impl WriteUnit {
    /// Ends the unit and waits for the commit of its group.
    async fn end(self, commits: bool) -> Result<(), StoreError> {
        let Self {
            session,
            transaction,
            ended,
        } = self;
        let done = if commits {
            transaction.flush().await.map_err(store_error)
        } else {
            Ok(())
        };
        drop((session, transaction));
        let (reply, outcome) = oneshot::channel();
        let commits = commits && done.is_ok();
        ended
            .send(Ended { commits, reply })
            .map_err(|_| stopped())?;
        let reply = outcome.await.map_err(|_| stopped())?;
        done.and(reply)
    }
}

impl Repositories for WriteUnit {
    repositories!(self => &self.session);
}

#[async_trait]
impl UnitOfWork for WriteUnit {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.end(true).await
    }

    // A unit may roll back because of data that it read from earlier units. It waits until the
    // earlier units are committed.
    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.end(false).await
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(Box::new(NestedUnit::begin(&self.transaction, 0)))
    }
}

#[cfg(test)]
mod tests;
