//! A unit of work as a transaction.

use std::sync::Arc;

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{DatabaseTransaction, TransactionTrait};

use crate::{
    cache::DataVersionTracker,
    error::store_error,
    session::{Session, repositories},
};

/// A unit of work that records a new data version before its caller gets the answer to the commit.
pub(crate) struct TrackedTransaction {
    pub(crate) session: Session<DatabaseTransaction>,
    pub(crate) data_version: Arc<DataVersionTracker>,
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
        self.data_version.committed().await;
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
        self.session.nested().await
    }
}

#[async_trait]
impl UnitOfWork for Session<DatabaseTransaction> {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.connection.commit().await.map_err(store_error)
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.connection.rollback().await.map_err(store_error)
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let connection = self.connection.begin().await.map_err(store_error)?;
        Ok(Box::new(Session::new(connection)))
    }
}
