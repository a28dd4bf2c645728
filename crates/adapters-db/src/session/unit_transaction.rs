//! Transactions, and a unit of work as one.

use std::sync::Arc;

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{DatabaseConnection, DatabaseTransaction, TransactionTrait};

use crate::{
    cache::DataVersionTracker,
    connection::{Connection, begin_immediate, lift_timeout, take_back, wait_for_lock},
    error::store_error,
    session::{MergeSignal, Session, repositories},
};

/// A transaction, and the session that runs its statements.
#[derive(Debug)]
pub(crate) struct OpenTransaction {
    // Dropped before `transaction` is taken back, as the session holds another handle of it.
    pub(crate) session: Session,
    transaction: Arc<DatabaseTransaction>,
}

impl OpenTransaction {
    pub(crate) fn new(transaction: DatabaseTransaction) -> Self {
        let transaction = Arc::new(transaction);
        Self {
            session: Session::new(Connection::Transaction(Arc::clone(&transaction))),
            transaction,
        }
    }

    /// Begins a transaction that writes, and whose statements may take long.
    pub(crate) async fn begin(connection: &DatabaseConnection) -> Result<Self, StoreError> {
        let transaction = begin_immediate(connection).await.map_err(store_error)?;
        let transaction = Self::new(transaction);
        transaction.lift_timeout().await?;
        Ok(transaction)
    }

    /// Lifts the time limit of the statements.
    pub(crate) async fn lift_timeout(&self) -> Result<(), StoreError> {
        let lifted = lift_timeout(&self.session.connection).await;
        lifted.map_err(store_error)
    }

    /// Takes an advisory lock until the end, however long other processes hold it.
    pub(crate) async fn wait_for_lock(&self, lock: i64) -> Result<(), StoreError> {
        let locked = wait_for_lock(&self.session.connection, lock).await;
        locked.map_err(store_error)
    }

    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        drop(self.session);
        let transaction = take_back(self.transaction)?;
        transaction.commit().await.map_err(store_error)
    }

    pub(crate) async fn rollback(self) -> Result<(), StoreError> {
        drop(self.session);
        let transaction = take_back(self.transaction)?;
        transaction.rollback().await.map_err(store_error)
    }
}

/// A unit of work that records a new data version before its caller gets the answer to the commit,
/// and then wakes the task that merges the search index.
pub(crate) struct TrackedTransaction {
    open: OpenTransaction,
    /// None in a nested unit, whose commit changes nothing yet.
    tracking: Option<(Arc<DataVersionTracker>, MergeSignal)>,
}

impl TrackedTransaction {
    pub(crate) fn new(
        transaction: DatabaseTransaction,
        tracking: Option<(Arc<DataVersionTracker>, MergeSignal)>,
    ) -> Self {
        Self {
            open: OpenTransaction::new(transaction),
            tracking,
        }
    }
}

impl Repositories for TrackedTransaction {
    repositories!(self => &self.open.session);
}

#[async_trait]
impl UnitOfWork for TrackedTransaction {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.open.commit().await?;
        if let Some((data_version, merge_signal)) = self.tracking {
            data_version.committed().await;
            merge_signal.send();
        }
        Ok(())
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.open.rollback().await
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let nested = self.open.transaction.begin().await.map_err(store_error)?;
        Ok(Box::new(Self::new(nested, None)))
    }
}
