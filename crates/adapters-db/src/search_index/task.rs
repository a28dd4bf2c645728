//! The task that keeps the search index up to date.

use std::time::Duration;

use app::ports::StoreError;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use tokio::time::sleep;

use super::{MERGE_LOCK, merge::merge};
use crate::{connection::begin_immediate, error::store_error, session::MergeSignal};

/// The maximum number of texts in a merge. On SQLite, other writes wait for it.
const TEXTS: u64 = 512;

/// The time between a failed merge and the next one.
const RETRY: Duration = Duration::from_secs(5);

/// Starts the task that merges queued texts, and returns the signal that wakes it. It merges `pause`
/// after the signal, so that one merge serves many writes.
pub(crate) fn start_merging(connection: DatabaseConnection, pause: Duration) -> MergeSignal {
    let (signal, mut woken) = MergeSignal::channel();
    tokio::spawn(async move {
        while woken.recv().await.is_some() {
            sleep(pause).await;
            while let Err(error) = merge_queue(&connection).await {
                tracing::debug!(cause = %error, "the search index waits");
                sleep(RETRY).await;
                if woken.is_closed() {
                    return;
                }
            }
        }
    });
    signal
}

/// Merges the queue, part by part, until it is empty or another process merges it.
pub(crate) async fn merge_queue(connection: &DatabaseConnection) -> Result<(), StoreError> {
    loop {
        let transaction = begin_immediate(connection).await.map_err(store_error)?;
        if transaction.get_database_backend() == DbBackend::Postgres {
            let lock = "SELECT pg_try_advisory_xact_lock($1)";
            let values = [MERGE_LOCK.into()];
            let lock = Statement::from_sql_and_values(DbBackend::Postgres, lock, values);
            let row = transaction.query_one_raw(lock).await.map_err(store_error)?;
            let is_taken = row.map(|row| row.try_get_by_index(0)).transpose();
            if is_taken.map_err(store_error)? != Some(true) {
                return Ok(());
            }
        }
        if merge(&transaction, TEXTS).await? == 0 {
            return transaction.rollback().await.map_err(store_error);
        }
        transaction.commit().await.map_err(store_error)?;
    }
}
