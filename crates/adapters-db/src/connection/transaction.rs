//! Transactions that write.

use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, TransactionOptions,
    TransactionTrait,
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
pub(crate) async fn begin_cancel_safe(
    connection: &DatabaseConnection,
) -> Result<DatabaseTransaction, DbErr> {
    let connection = connection.clone();
    let begun = tokio::spawn(async move { begin_immediate(&connection).await });
    begun
        .await
        .unwrap_or_else(|error| Err(DbErr::Custom(error.to_string())))
}
