//! Connections to the database.

#[cfg(feature = "postgres")]
mod circuit_breaker;
mod driver;
mod name_cache;
mod prefetched;
mod read_pool;
mod reader;
mod stopper;
mod transaction;

use app::ports::StoreError;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, ExecResult, QueryResult,
    StatementBuilder,
};

#[cfg(feature = "postgres")]
pub(crate) use self::circuit_breaker::{CircuitBreaker, PROBE_TIMEOUT, probe};
pub(crate) use self::{
    name_cache::{NameCache, sort_by_id},
    prefetched::Prefetched,
    read_pool::{OnQuery, ReadPool},
    reader::{RUN, Reader},
    transaction::{begin_cancel_safe, begin_immediate, lift_timeout, wait_for_lock},
};
use crate::error::store_error;

/// A connection that repositories use, with errors of the store.
pub(crate) trait Connection: ConnectionTrait + Send + Sync + 'static {
    /// Runs a statement that returns no rows.
    fn run<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> impl Future<Output = Result<ExecResult, StoreError>> + Send {
        async { self.execute(statement).await.map_err(store_error) }
    }

    /// The first row that a statement returns.
    fn row<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> impl Future<Output = Result<Option<QueryResult>, StoreError>> + Send {
        async { self.query_one(statement).await.map_err(store_error) }
    }

    /// The rows that a statement returns.
    fn rows<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> impl Future<Output = Result<Vec<QueryResult>, StoreError>> + Send {
        async { self.query_all(statement).await.map_err(store_error) }
    }

    /// Queues a statement until the next query or commit, which reports its error.
    fn execute_deferred<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { self.run(statement).await.map(drop) }
    }

    /// The cache of records found by name, on a connection that is the only writer.
    fn name_cache(&self) -> Option<&NameCache> {
        None
    }
}

impl Connection for DatabaseConnection {}

impl Connection for DatabaseTransaction {}
