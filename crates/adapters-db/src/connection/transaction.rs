//! Begins transactions that write.

use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, TransactionOptions,
    TransactionTrait,
};

/// Begins a transaction that writes.
pub(crate) async fn begin_immediate(
    connection: &DatabaseConnection,
) -> Result<DatabaseTransaction, DbErr> {
    // A deferred transaction could fail at its first write with a stale snapshot.
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

/// Begins a transaction that writes, in a task of its own. If its caller is cancelled, the task
/// rolls the transaction back; the driver would return the connection to the pool with the
/// transaction open.
pub(crate) async fn begin_cancel_safe(
    connection: &DatabaseConnection,
) -> Result<DatabaseTransaction, DbErr> {
    let connection = connection.clone();
    let begun = tokio::spawn(async move { begin_immediate(&connection).await });
    begun
        .await
        .unwrap_or_else(|error| Err(DbErr::Custom(error.to_string())))
}
