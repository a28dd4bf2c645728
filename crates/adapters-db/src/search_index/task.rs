//! The task that keeps the search index up to date.

use std::time::Duration;

use app::ports::StoreError;
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, Statement};
use tokio::time::sleep;

use super::{MERGE_LOCK, merge::merge};
use crate::{
    connection::{begin_immediate, lift_timeout, raw},
    error::store_error,
    session::MergeSignal,
};

/// The maximum number of texts in a merge. On SQLite, other writes wait for it.
const TEXTS: u64 = 1024;

/// The time after a failed merge, or that of another process, until the next one.
const RETRY: Duration = Duration::from_secs(5);

/// Starts the task that merges queued texts, and returns the signal that wakes it. It merges `pause`
/// after the signal, so that one merge serves many writes.
pub(crate) fn start_merging(connection: DatabaseConnection, pause: Duration) -> MergeSignal {
    let (signal, mut woken) = MergeSignal::channel();
    tokio::spawn(async move {
        while woken.recv().await.is_some() {
            sleep(pause).await;
            loop {
                match merge_queue(&connection).await {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(error) => tracing::debug!(cause = %error, "the search index waits"),
                }
                sleep(RETRY).await;
                if woken.is_closed() {
                    return;
                }
            }
        }
    });
    signal
}

/// Merges the queue, part by part, until it is empty. False if another process is merging.
pub(crate) async fn merge_queue(connection: &DatabaseConnection) -> Result<bool, StoreError> {
    loop {
        let transaction = begin_immediate(connection).await.map_err(store_error)?;
        lift_timeout(&transaction).await.map_err(store_error)?;
        if !try_lock(&transaction).await? {
            return Ok(false);
        }
        if merge(&transaction, TEXTS).await? == 0 {
            transaction.rollback().await.map_err(store_error)?;
            return Ok(true);
        }
        transaction.commit().await.map_err(store_error)?;
    }
}

/// Takes the lock of merges until the end of a transaction, unless another process holds it. SQLite
/// has only one writer and needs none.
async fn try_lock(transaction: &DatabaseTransaction) -> Result<bool, StoreError> {
    if transaction.get_database_backend() != DbBackend::Postgres {
        return Ok(true);
    }
    let lock = "SELECT pg_try_advisory_xact_lock($1)";
    let lock = Statement::from_sql_and_values(DbBackend::Postgres, lock, [MERGE_LOCK.into()]);
    Ok(raw::value(transaction, lock).await? == Some(true))
}
