//! Transactions that write.

use std::sync::Arc;

use app::ports::StoreError;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
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

/// Lifts the statement timeout of a transaction whose work may take long. Only PostgreSQL has one.
pub(crate) async fn lift_timeout(transaction: &impl ConnectionTrait) -> Result<(), DbErr> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        let lift = "SET LOCAL statement_timeout = 0";
        transaction.execute_unprepared(lift).await?;
    }
    Ok(())
}

/// Takes an advisory lock until the end of a transaction, however long other processes hold it.
/// SQLite has only one writer and needs none.
pub(crate) async fn wait_for_lock(
    transaction: &impl ConnectionTrait,
    lock: i64,
) -> Result<(), DbErr> {
    lift_timeout(transaction).await?;
    if transaction.get_database_backend() == DbBackend::Postgres {
        let wait = "SELECT pg_advisory_xact_lock($1)";
        let wait = Statement::from_sql_and_values(DbBackend::Postgres, wait, [lock.into()]);
        transaction.execute_raw(wait).await?;
    }
    Ok(())
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

/// Takes a transaction from its last handle, to end it.
pub(crate) fn take_back(
    transaction: Arc<DatabaseTransaction>,
) -> Result<DatabaseTransaction, StoreError> {
    let text = "a unit of work that has ended holds the transaction";
    Arc::try_unwrap(transaction).map_err(|_| StoreError::Internal(text.to_owned()))
}
