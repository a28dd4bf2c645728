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

use std::sync::Arc;

use app::ports::StoreError;
use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement,
    StatementBuilder,
};

#[cfg(feature = "postgres")]
pub(crate) use self::circuit_breaker::{CircuitBreaker, PROBE_TIMEOUT, probe};
pub(crate) use self::{
    name_cache::{NameCache, sort_by_id},
    prefetched::Prefetched,
    read_pool::{OnQuery, ReadPool},
    reader::{RUN, Reader},
    transaction::{begin_cancel_safe, begin_immediate, lift_timeout, take_back, wait_for_lock},
};
use crate::error::store_error;
#[cfg(feature = "sqlite")]
use crate::group_commit::SharedTransaction;
#[cfg(feature = "postgres")]
use crate::replica::ReplicaRouter;

/// A connection that repositories use, with errors of the store. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Connection {
    /// Connections that read.
    Pool(Reader),
    /// Connections to a replica and to its primary.
    #[cfg(feature = "postgres")]
    Replica(ReplicaRouter),
    /// A transaction of one unit of work.
    Transaction(Arc<DatabaseTransaction>),
    /// A transaction of a group of units of work.
    #[cfg(feature = "sqlite")]
    Group(SharedTransaction),
}

/// Runs the same expression on each kind of connection.
macro_rules! each {
    ($connection:expr, $one:ident => $done:expr) => {
        match $connection {
            Connection::Pool($one) => $done,
            #[cfg(feature = "postgres")]
            Connection::Replica($one) => $done,
            Connection::Transaction($one) => $done,
            #[cfg(feature = "sqlite")]
            Connection::Group($one) => $done,
        }
    };
}

impl Connection {
    /// Runs a statement that returns no rows.
    pub(crate) async fn run<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> Result<ExecResult, StoreError> {
        self.execute(statement).await.map_err(store_error)
    }

    /// The first row that a statement returns.
    pub(crate) async fn row<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> Result<Option<QueryResult>, StoreError> {
        self.query_one(statement).await.map_err(store_error)
    }

    /// The rows that a statement returns.
    pub(crate) async fn rows<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> Result<Vec<QueryResult>, StoreError> {
        self.query_all(statement).await.map_err(store_error)
    }

    /// Queues a statement until the next query or commit, which reports its error. Only the
    /// transaction of a group has a queue; the others run the statement at once.
    pub(crate) async fn execute_deferred<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> Result<(), StoreError> {
        #[cfg(feature = "sqlite")]
        if let Self::Group(transaction) = self {
            transaction.defer(statement.build(&DbBackend::Sqlite));
            return Ok(());
        }
        self.run(statement).await.map(drop)
    }

    /// The cache of records found by name, on a connection that is the only writer.
    pub(crate) fn name_cache(&self) -> Option<&NameCache> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Group(transaction) => Some(transaction.name_cache()),
            _ => None,
        }
    }

    /// Runs a query of the same server; fails early if the server is known to be unreachable.
    pub(crate) async fn guard<T>(
        &self,
        query: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        match self {
            Self::Pool(reader) => reader.guard(query).await,
            _ => query.await,
        }
    }

    /// Closes a pool, once its connections in use are returned.
    pub(crate) async fn close(self) -> Result<(), DbErr> {
        match self {
            Self::Pool(reader) => reader.close().await,
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl ConnectionTrait for Connection {
    fn get_database_backend(&self) -> DbBackend {
        each!(self, one => one.get_database_backend())
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        each!(self, one => one.execute_raw(statement).await)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        each!(self, one => one.execute_unprepared(sql).await)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        each!(self, one => one.query_one_raw(statement).await)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        each!(self, one => one.query_all_raw(statement).await)
    }
}
