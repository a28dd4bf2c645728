//! A unit of work as a transaction.

use std::sync::Arc;

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{DatabaseTransaction, TransactionTrait};

use crate::{
    cache::DataVersionTracker,
    error::store_error,
    session::{MergeSignal, Session, repositories},
};

/// A unit of work that records a new data version before its caller gets the answer to the commit,
/// and then wakes the task that merges the search index.
pub(crate) struct TrackedTransaction {
    pub(crate) session: Session<DatabaseTransaction>,
    /// None in a nested unit, whose commit changes nothing yet.
    pub(crate) tracking: Option<(Arc<DataVersionTracker>, MergeSignal)>,
}

impl Repositories for TrackedTransaction {
    repositories!(self => &self.session);
}

#[async_trait]
impl UnitOfWork for TrackedTransaction {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.session
            .connection
            .commit()
            .await
            .map_err(store_error)?;
        if let Some((data_version, merge_signal)) = self.tracking {
            data_version.committed().await;
            merge_signal.send();
        }
        Ok(())
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.session
            .connection
            .rollback()
            .await
            .map_err(store_error)
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let nested = self.session.connection.begin().await;
        Ok(Box::new(Self {
            session: Session::new(nested.map_err(store_error)?),
            tracking: None,
        }))
    }
}
