//! One transaction for many units of work: SQLite writes to the disk once for all of them.
//!
//! Units take turns. The first of a group is the transaction itself, the others are savepoints in it.
//! Who has ended waits until the group is committed: what one of them wrote is kept with what the
//! others wrote, or not at all, and nobody is told before the disk has it.

use std::time::{Duration, Instant};

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, TransactionTrait};
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use crate::{
    error::store_error,
    store::{Over, begin_immediate, repositories},
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
    // Before `ended`, so that a unit that is dropped is undone before the next begins.
    over: Over<DatabaseTransaction>,
    is_first: bool,
    ended: oneshot::Sender<Ended>,
}

/// A unit has ended, and waits for its group.
#[derive(Debug)]
struct Ended {
    /// The transaction, back from the first unit.
    transaction: Option<DatabaseTransaction>,
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
        match timeout(self.patience, granted).await {
            Ok(granted) => granted.map_err(|_| stopped())?,
            Err(_) => {
                let text = "too many writes wait for their turn";
                Err(StoreError::Unavailable(text.to_owned()))
            }
        }
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
    let began = Instant::now();
    let Some(Ended {
        transaction: Some(transaction),
        told,
    }) = lend(transaction, true, first).await
    else {
        return;
    };
    let mut waiting = vec![told];
    while waiting.len() < UNITS
        && began.elapsed() < LONGEST
        && let Ok(next) = asked.try_recv()
    {
        if next.is_closed() {
            continue;
        }
        let ended = match transaction.begin().await {
            Ok(savepoint) => lend(savepoint, false, next).await,
            Err(error) => {
                let _ = next.send(Err(store_error(error)));
                None
            }
        };
        match ended {
            Some(ended) => waiting.push(ended.told),
            None if is_lost(&transaction).await => {
                let text = "the database undid what was written together with a failed write";
                tell(waiting, &Err(StoreError::Unavailable(text.to_owned())));
                return;
            }
            None => {}
        }
    }
    let committed = transaction.commit().await.map_err(store_error);
    tell(waiting, &committed);
}

/// Gives a transaction, or a savepoint, to who waits for a turn; answers when the unit has ended, and
/// nothing if it was dropped or failed.
async fn lend(connection: DatabaseTransaction, is_first: bool, to: Asked) -> Option<Ended> {
    let (ended, end) = oneshot::channel();
    let over = Over::only(connection);
    let turn = Turn {
        over,
        is_first,
        ended,
    };
    // If nobody waits any more, the turn is dropped.
    drop(to.send(Ok(turn)));
    end.await.ok()
}

/// Whether SQLite has ended a transaction by itself, as it does when the disk is full: only then
/// another one can begin.
async fn is_lost(transaction: &DatabaseTransaction) -> bool {
    transaction.execute_unprepared("BEGIN").await.is_ok()
}

fn tell(waiting: Vec<Told>, outcome: &Result<(), StoreError>) {
    for told in waiting {
        // Clients that are gone do not listen.
        let _ = told.send(outcome.clone());
    }
}

impl Turn {
    /// Ends the turn and waits for the rest of the group.
    async fn end(
        ended: oneshot::Sender<Ended>,
        transaction: Option<DatabaseTransaction>,
    ) -> Result<(), StoreError> {
        let (told, outcome) = oneshot::channel();
        ended
            .send(Ended { transaction, told })
            .map_err(|_| stopped())?;
        outcome.await.map_err(|_| stopped())?
    }
}

impl Repositories for Turn {
    repositories!(self => &self.over);
}

#[async_trait]
impl UnitOfWork for Turn {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self {
            ended,
            over,
            is_first,
        } = *self;
        let transaction = if is_first {
            Some(over.connection)
        } else {
            over.connection.commit().await.map_err(store_error)?;
            None
        };
        Self::end(ended, transaction).await
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        let Self {
            ended,
            over,
            is_first,
        } = *self;
        over.connection.rollback().await.map_err(store_error)?;
        if is_first {
            return Ok(());
        }
        // What this unit saw of the others may be why it is undone: that must be true.
        Self::end(ended, None).await
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        self.over.nested().await
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}

#[cfg(test)]
mod tests;
