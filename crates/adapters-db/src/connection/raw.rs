//! Statements in SQL over any connection, with the errors of the store.

use app::ports::StoreError;
use sea_orm::{ConnectionTrait, QueryResult, Statement, TryGetableMany};

use crate::error::store_error;

/// The values of the first row that a statement returns, in the order of its columns.
pub(crate) async fn value<T: TryGetableMany>(
    connection: &impl ConnectionTrait,
    statement: Statement,
) -> Result<Option<T>, StoreError> {
    let row = connection.query_one_raw(statement).await;
    let value = row
        .map_err(store_error)?
        .map(|row| row.try_get_many_by_index());
    value.transpose().map_err(store_error)
}

/// The values of the rows that a statement returns, in the order of its columns.
pub(crate) async fn values<T: TryGetableMany>(
    connection: &impl ConnectionTrait,
    statement: Statement,
) -> Result<Vec<T>, StoreError> {
    let rows = connection.query_all_raw(statement).await;
    let rows = rows.map_err(store_error)?;
    let values = rows.iter().map(QueryResult::try_get_many_by_index);
    values.collect::<Result<_, _>>().map_err(store_error)
}

/// Runs a statement.
pub(crate) async fn run(
    connection: &impl ConnectionTrait,
    statement: Statement,
) -> Result<(), StoreError> {
    let done = connection.execute_raw(statement).await;
    done.map(drop).map_err(store_error)
}

/// Runs statements without values.
pub(crate) async fn run_all(
    connection: &impl ConnectionTrait,
    statements: &str,
) -> Result<(), StoreError> {
    let done = connection.execute_unprepared(statements).await;
    done.map(drop).map_err(store_error)
}
