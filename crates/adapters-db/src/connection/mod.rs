//! Connections to the database.

#[cfg(feature = "postgres")]
mod circuit_breaker;
mod driver;
mod name_cache;
mod prefetched;
pub(crate) mod raw;
mod read_pool;
#[cfg(feature = "postgres")]
mod replica;
#[cfg(feature = "sqlite")]
mod shared_transaction;
mod stopper;
mod write_transaction;

use std::{sync::Arc, time::Instant};

use app::ports::StoreError;
use async_trait::async_trait;
use metrics::{counter, histogram};
#[cfg(feature = "postgres")]
use sea_orm::DatabaseConnection;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, QueryTrait,
    Statement, StatementBuilder, TryGetableMany, sqlx,
};

#[cfg(feature = "postgres")]
use self::replica::ReplicaRouter;
#[cfg(feature = "postgres")]
pub use self::replica::ReplicaState;
#[cfg(feature = "sqlite")]
pub(crate) use self::shared_transaction::{SharedTransaction, StatementIndex};
#[cfg(feature = "postgres")]
pub(crate) use self::{
    circuit_breaker::{CircuitBreaker, PROBE_TIMEOUT, probe},
    replica::{Pools, Replica},
};
pub(crate) use self::{
    name_cache::{NameCache, sort_by_id},
    prefetched::Prefetched,
    read_pool::{OnQuery, ReadPool},
    write_transaction::{
        begin_cancel_safe, begin_immediate, lift_timeout, take_back, wait_for_lock,
    },
};
#[cfg(feature = "sqlite")]
use crate::ablation::Mechanism;
use crate::error::store_error;

/// Identifies one run of a PostgreSQL server. After a crash or a failover the server reuses the
/// numbers of lost transactions, so that snapshots of two runs cannot be compared. Every run begins
/// with a checkpoint or a timeline of its own.
pub(crate) const RUN: &str = "(SELECT checkpoint_lsn::text FROM pg_control_checkpoint()) \
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)";

/// A pool or a transaction that repositories use. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Connection {
    /// A pool that only reads a file.
    #[cfg(feature = "sqlite")]
    Sqlite(Arc<ReadPool<sqlx::Sqlite>>),
    /// A pool that only reads, of a server that may be unreachable.
    #[cfg(feature = "postgres")]
    Postgres(Arc<ReadPool<sqlx::Postgres>>, CircuitBreaker),
    /// A pool that also writes.
    #[cfg(feature = "postgres")]
    Pooled(DatabaseConnection, CircuitBreaker),
    /// A replica and its primary.
    #[cfg(feature = "postgres")]
    Replica(Arc<ReplicaRouter>),
    /// The transaction of one unit of work, or of a snapshot.
    Transaction(Arc<DatabaseTransaction>),
    /// The transaction of a group of units of work.
    #[cfg(feature = "sqlite")]
    Shared(SharedTransaction),
}

/// Runs the same expression on each kind of connection.
macro_rules! each {
    ($connection:expr, $one:ident => $done:expr) => {
        match $connection {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite($one) => $done,
            #[cfg(feature = "postgres")]
            Connection::Postgres($one, _) => $done,
            #[cfg(feature = "postgres")]
            Connection::Pooled($one, _) => $done,
            #[cfg(feature = "postgres")]
            Connection::Replica($one) => $done,
            Connection::Transaction($one) => $done,
            #[cfg(feature = "sqlite")]
            Connection::Shared($one) => $done,
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

    /// The values of the first row that a statement returns, in the order of its columns.
    pub(crate) async fn value<T: TryGetableMany>(
        &self,
        statement: &impl StatementBuilder,
    ) -> Result<Option<T>, StoreError> {
        raw::value(self, self.get_database_backend().build(statement)).await
    }

    /// The values of the rows that a statement returns, in the order of its columns.
    pub(crate) async fn values<T: TryGetableMany>(
        &self,
        statement: &impl StatementBuilder,
    ) -> Result<Vec<T>, StoreError> {
        raw::values(self, self.get_database_backend().build(statement)).await
    }

    /// Runs a change of the rows of an entity; returns the number of changed rows.
    pub(crate) async fn change(
        &self,
        change: impl QueryTrait<QueryStatement: Send> + Send,
    ) -> Result<u64, StoreError> {
        let done = self.run(&change.into_query()).await?;
        Ok(done.rows_affected())
    }

    /// Queues a statement until the next query or commit, which reports its error. Only the
    /// transaction of a group has a queue; the others run the statement at once.
    pub(crate) async fn execute_deferred<S: StatementBuilder + Sync>(
        &self,
        statement: &S,
    ) -> Result<(), StoreError> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Shared(transaction) if !Mechanism::DeferredStatements.is_left_out() => {
                transaction.defer(statement.build(&DbBackend::Sqlite));
                Ok(())
            }
            _ => self.run(statement).await.map(drop),
        }
    }

    /// The cache of records found by name, on a connection that is the only writer.
    pub(crate) fn name_cache(&self) -> Option<&NameCache> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Shared(transaction) if !Mechanism::NameCache.is_left_out() => {
                Some(transaction.name_cache())
            }
            _ => None,
        }
    }

    /// Runs a query; fails early if the server is unreachable.
    pub(crate) async fn guard<T>(
        &self,
        query: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let started = Instant::now();
        let done = match self {
            #[cfg(feature = "postgres")]
            Self::Postgres(_, breaker) | Self::Pooled(_, breaker) => breaker.guard(query).await,
            _ => query.await,
        };
        let pool = self.pool();
        histogram!("events_calendar_db_statement_duration_seconds", "pool" => pool)
            .record(started.elapsed());
        if done.is_err() {
            counter!("events_calendar_db_statement_errors_total", "pool" => pool).increment(1);
        }
        done
    }

    /// The name of the pool in metrics.
    const fn pool(&self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => "read",
            #[cfg(feature = "postgres")]
            Self::Postgres(..) => "read",
            #[cfg(feature = "postgres")]
            Self::Pooled(..) => "write",
            #[cfg(feature = "postgres")]
            Self::Replica(_) => "replica",
            #[cfg(feature = "sqlite")]
            Self::Shared(_) => "transaction",
            Self::Transaction(_) => "transaction",
        }
    }

    /// The open and the idle connections of a pool; `None` for a transaction.
    pub(crate) fn connections(&self) -> Option<[usize; 2]> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => Some(pool.connections()),
            #[cfg(feature = "postgres")]
            Self::Postgres(pool, _) => Some(pool.connections()),
            _ => None,
        }
    }

    /// The transactions that a statement of PostgreSQL sees, and the run of the server. Two
    /// statements with equal states read the same data.
    #[cfg(feature = "postgres")]
    pub(crate) async fn state(&self) -> Result<Vec<u8>, StoreError> {
        let select = format!("SELECT pg_current_snapshot()::text || ' ' || {RUN} AS result");
        let select = Statement::from_string(DbBackend::Postgres, select);
        let snapshot: Option<String> = raw::value(self, select).await?;
        let none = || StoreError::Internal("there is no snapshot".to_owned());
        Ok(snapshot.ok_or_else(none)?.into_bytes())
    }

    /// Closes a pool, once its connections in use are returned.
    pub(crate) async fn close(self) -> Result<(), DbErr> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => pool.close().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(pool, _) => pool.close().await,
            #[cfg(feature = "postgres")]
            Self::Pooled(pool, _) => return pool.close().await,
            _ => {}
        }
        Ok(())
    }
}

#[async_trait]
impl ConnectionTrait for Connection {
    fn get_database_backend(&self) -> DbBackend {
        each!(self, one => one.get_database_backend())
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.guard(async { each!(self, one => one.execute_raw(statement).await) })
            .await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.guard(async { each!(self, one => one.execute_unprepared(sql).await) })
            .await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.guard(async { each!(self, one => one.query_one_raw(statement).await) })
            .await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.guard(async { each!(self, one => one.query_all_raw(statement).await) })
            .await
    }
}
