//! Units of work as transactions.

use std::sync::Arc;

use app::ports::{Repositories, StoreError, UnitOfWork};
use async_trait::async_trait;
use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, TransactionOptions,
    TransactionTrait,
};

use crate::{
    error::store_error,
    over::{Over, repositories},
    version::Versions,
};

/// A transaction that writes.
pub(crate) async fn begin_immediate(
    connection: &DatabaseConnection,
) -> Result<DatabaseTransaction, DbErr> {
    // Immediate: a transaction that only later turns to writing can find that it came too late.
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

/// The same, for somebody who may stop waiting for it: a transaction that was begun for nobody is undone,
/// where the driver would leave it open on a connection that goes back to the pool.
pub(crate) async fn begin_for_somebody(
    connection: &DatabaseConnection,
) -> Result<DatabaseTransaction, DbErr> {
    let connection = connection.clone();
    let begun = tokio::spawn(async move { begin_immediate(&connection).await });
    begun
        .await
        .unwrap_or_else(|error| Err(DbErr::Custom(error.to_string())))
}

/// A unit of work whose writes are noted before anybody is told of them.
pub(crate) struct Noted {
    pub(crate) over: Over<DatabaseTransaction>,
    pub(crate) versions: Arc<Versions>,
}

impl Repositories for Noted {
    repositories!(self => &self.over);
}

#[async_trait]
impl UnitOfWork for Noted {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.over.connection.commit().await.map_err(store_error)?;
        self.versions.wrote().await;
        Ok(())
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.over.connection.rollback().await.map_err(store_error)
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        self.over.nested().await
    }
}

#[async_trait]
impl UnitOfWork for Over<DatabaseTransaction> {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.connection.commit().await.map_err(store_error)
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.connection.rollback().await.map_err(store_error)
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let connection = self.connection.begin().await.map_err(store_error)?;
        Ok(Box::new(Over::only(connection)))
    }
}
