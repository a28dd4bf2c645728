//! A unit of work as a transaction.

use std::sync::Arc;

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{DatabaseTransaction, TransactionTrait};

use crate::{
    cache::DataVersionTracker,
    connection::{Connection, take_back},
    error::store_error,
    session::{MergeSignal, Session, repositories},
};

/// A unit of work that records a new data version before its caller gets the answer to the commit,
/// and then wakes the task that merges the search index.
pub(crate) struct TrackedTransaction {
    // Dropped before `transaction` is taken back, as the session holds another handle of it.
    session: Session,
    transaction: Arc<DatabaseTransaction>,
    /// None in a nested unit, whose commit changes nothing yet.
    tracking: Option<(Arc<DataVersionTracker>, MergeSignal)>,
}

impl TrackedTransaction {
    pub(crate) fn new(
        transaction: DatabaseTransaction,
        tracking: Option<(Arc<DataVersionTracker>, MergeSignal)>,
    ) -> Self {
        let transaction = Arc::new(transaction);
        Self {
            session: Session::new(Connection::Transaction(Arc::clone(&transaction))),
            transaction,
            tracking,
        }
    }
}

impl Repositories for TrackedTransaction {
    repositories!(self => &self.session);
}

#[async_trait]
impl UnitOfWork for TrackedTransaction {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        drop(self.session);
        let transaction = take_back(self.transaction)?;
        transaction.commit().await.map_err(store_error)?;
        if let Some((data_version, merge_signal)) = self.tracking {
            data_version.committed().await;
            merge_signal.send();
        }
        Ok(())
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        drop(self.session);
        let transaction = take_back(self.transaction)?;
        transaction.rollback().await.map_err(store_error)
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let nested = self.transaction.begin().await.map_err(store_error)?;
        Ok(Box::new(Self::new(nested, None)))
    }
}
