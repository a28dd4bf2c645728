//! One transaction for many units of work: SQLite writes to the disk once for all of them.
//!
//! Units take turns. The first of a group is the transaction itself, each of the others a savepoint in
//! it. Who has ended waits until the group is committed: what one of them wrote is kept with what the
//! others wrote, or not at all, and nobody is reply before the disk has it.

mod savepoints;
mod shared_transaction;

use std::time::{Duration, Instant};

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::DatabaseConnection;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use self::{savepoints::Savepoints, shared_transaction::SharedTransaction};
use crate::{
    connection::begin_immediate,
    error::store_error,
    session::{Session, repositories},
};

/// How many units share a transaction, at the most.
const MAX_UNITS: usize = 64;

/// How long a group takes in units: the first of it waits for the last.
const MAX_DURATION: Duration = Duration::from_millis(50);

/// Gives out turns to write.
#[derive(Clone, Debug)]
pub(crate) struct GroupCommit {
    requests: mpsc::UnboundedSender<BeginRequest>,
    begin_timeout: Duration,
}

/// Waits for a turn.
type BeginRequest = oneshot::Sender<Result<WriteUnit, StoreError>>;

/// Waits for the end of a group.
type Reply = oneshot::Sender<Result<(), StoreError>>;

/// A unit of work among others.
#[derive(Debug)]
pub(crate) struct WriteUnit {
    // Before `ended`, so that the transaction is given back when the end is reply.
    session: Session<SharedTransaction>,
    ended: oneshot::Sender<Ended>,
}

/// A unit has ended, and waits for its group.
#[derive(Debug)]
struct Ended {
    commits: bool,
    reply: Reply,
}

impl GroupCommit {
    /// Starts to give out turns on a connection that nobody else writes over. Who waits longer than
    /// this for his turn gets none.
    pub(crate) fn start(connection: DatabaseConnection, begin_timeout: Duration) -> Self {
        let (requests, mut receiver) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(first) = receiver.recv().await {
                group(&connection, first, &mut receiver).await;
            }
        });
        Self {
            requests,
            begin_timeout,
        }
    }

    /// Waits for a turn.
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

/// Does the work of whoever waits, in one transaction.
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
            // Who no longer waits needs not be reply.
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
    reply_all(waiting, &committed);
}

/// Lends a transaction to who waits for a turn; answers when the unit has ended, and nothing if it was
/// dropped.
async fn run_unit(transaction: &SharedTransaction, to: BeginRequest) -> Option<Ended> {
    let (ended, end) = oneshot::channel();
    let session = Session::new(transaction.clone());
    // If nobody waits any more, the turn is dropped.
    drop(to.send(Ok(WriteUnit { session, ended })));
    end.await.ok()
}

/// Nothing of a group is kept.
fn fail_all(waiting: Vec<Reply>) {
    let text = "what was written together with a write that failed is undone";
    reply_all(waiting, &Err(StoreError::Unavailable(text.to_owned())));
}

fn reply_all(waiting: impl IntoIterator<Item = Reply>, outcome: &Result<(), StoreError>) {
    for reply in waiting {
        // Clients that are gone do not listen.
        let _ = reply.send(outcome.clone());
    }
}

impl WriteUnit {
    /// Ends the turn and waits for the rest of the group.
    async fn end(self, commits: bool) -> Result<(), StoreError> {
        let Self { session, ended } = self;
        let done = if commits {
            session.connection.flush().await.map_err(store_error)
        } else {
            Ok(())
        };
        drop(session);
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

    // What this unit saw of the others may be why it is undone: it waits until that is true.
    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.end(false).await
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(Box::new(self.session.connection.savepoint(0)))
    }
}

#[cfg(test)]
mod tests;
