//! One transaction for many units of work: SQLite writes to the disk once for all of them.
//!
//! Units take turns. The first of a group is the transaction itself, each of the others a savepoint in
//! it. Who has ended waits until the group is committed: what one of them wrote is kept with what the
//! others wrote, or not at all, and nobody is told before the disk has it.

mod lent;
mod marks;

use std::time::{Duration, Instant};

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::DatabaseConnection;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use self::{lent::Lent, marks::Marks};
use crate::{
    error::store_error,
    over::{Over, repositories},
    unit::begin_immediate,
};

/// How many units share a transaction, at the most.
const UNITS: usize = 64;

/// How long a group takes in units: the first of it waits for the last.
const LONGEST: Duration = Duration::from_millis(50);

/// Gives out turns to write.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    turns: mpsc::UnboundedSender<Asked>,
    patience: Duration,
}

/// Waits for a turn.
type Asked = oneshot::Sender<Result<Turn, StoreError>>;

/// Waits for the end of a group.
type Told = oneshot::Sender<Result<(), StoreError>>;

/// A unit of work among others.
#[derive(Debug)]
pub(crate) struct Turn {
    // Before `ended`, so that the transaction is given back when the end is told.
    over: Over<Lent>,
    ended: oneshot::Sender<Ended>,
}

/// A unit has ended, and waits for its group.
#[derive(Debug)]
struct Ended {
    is_kept: bool,
    told: Told,
}

impl Writer {
    /// Starts to give out turns on a connection that nobody else writes over. Who waits longer than
    /// this for his turn gets none.
    pub(crate) fn start(connection: DatabaseConnection, patience: Duration) -> Self {
        let (turns, mut asked) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(first) = asked.recv().await {
                group(&connection, first, &mut asked).await;
            }
        });
        Self { turns, patience }
    }

    /// Waits for a turn.
    pub(crate) async fn begin(&self) -> Result<Turn, StoreError> {
        let (asked, granted) = oneshot::channel();
        self.turns.send(asked).map_err(|_| stopped())?;
        let Ok(granted) = timeout(self.patience, granted).await else {
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
    first: Asked,
    asked: &mut mpsc::UnboundedReceiver<Asked>,
) {
    if first.is_closed() {
        return;
    }
    let transaction = match begin_immediate(connection).await {
        Ok(transaction) => transaction,
        Err(error) => {
            // Who no longer waits needs not be told.
            let _ = first.send(Err(store_error(error)));
            return;
        }
    };
    let transaction = Lent::new(transaction);
    let began = Instant::now();
    let mut waiting = Vec::new();
    match lend(&transaction, first).await {
        Some(Ended {
            is_kept: true,
            told,
        }) => waiting.push(told),
        ended => {
            let undone = transaction.rollback().await;
            tell(ended.map(|ended| ended.told), &undone);
            return;
        }
    }
    let mut marks = Marks::default();
    while waiting.len() < UNITS
        && began.elapsed() < LONGEST
        && let Ok(next) = asked.try_recv()
    {
        if next.is_closed() {
            continue;
        }
        let mark = marks.set(&transaction);
        match lend(&transaction, next).await {
            Some(Ended {
                is_kept: true,
                told,
            }) => {
                waiting.push(told);
                marks.leave();
            }
            ended => {
                waiting.extend(ended.map(|ended| ended.told));
                if marks.undo(&transaction, mark).await.is_err() {
                    return lose(waiting);
                }
            }
        }
    }
    let committed = transaction.commit().await;
    tell(waiting, &committed);
}

/// Lends a transaction to who waits for a turn; answers when the unit has ended, and nothing if it was
/// dropped.
async fn lend(transaction: &Lent, to: Asked) -> Option<Ended> {
    let (ended, end) = oneshot::channel();
    let over = Over::only(transaction.clone());
    // If nobody waits any more, the turn is dropped.
    drop(to.send(Ok(Turn { over, ended })));
    end.await.ok()
}

/// Nothing of a group is kept.
fn lose(waiting: Vec<Told>) {
    let text = "what was written together with a write that failed is undone";
    tell(waiting, &Err(StoreError::Unavailable(text.to_owned())));
}

fn tell(waiting: impl IntoIterator<Item = Told>, outcome: &Result<(), StoreError>) {
    for told in waiting {
        // Clients that are gone do not listen.
        let _ = told.send(outcome.clone());
    }
}

impl Turn {
    /// Ends the turn and waits for the rest of the group.
    async fn end(self, is_kept: bool) -> Result<(), StoreError> {
        let Self { over, ended } = self;
        let done = if is_kept {
            over.connection.settle().await.map_err(store_error)
        } else {
            Ok(())
        };
        drop(over);
        let (told, outcome) = oneshot::channel();
        let is_kept = is_kept && done.is_ok();
        ended.send(Ended { is_kept, told }).map_err(|_| stopped())?;
        let told = outcome.await.map_err(|_| stopped())?;
        done.and(told)
    }
}

impl Repositories for Turn {
    repositories!(self => &self.over);
}

#[async_trait]
impl UnitOfWork for Turn {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.end(true).await
    }

    // What this unit saw of the others may be why it is undone: it waits until that is true.
    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.end(false).await
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(Box::new(self.over.connection.savepoint(0)))
    }
}

#[cfg(test)]
mod tests;
