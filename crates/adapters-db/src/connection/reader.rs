//! Connections that read.

use std::sync::Arc;

#[cfg(feature = "postgres")]
use app::ports::StoreError;
use async_trait::async_trait;
#[cfg(feature = "postgres")]
use sea_orm::DatabaseConnection;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement, sqlx};

#[cfg(feature = "postgres")]
use super::CircuitBreaker;
use super::ReadPool;
#[cfg(feature = "postgres")]
use crate::error::store_error;

/// Identifies one run of a PostgreSQL server. After a crash or a failover the server reuses the
/// numbers of lost transactions, so that snapshots of two runs cannot be compared. Every run begins
/// with a checkpoint or a timeline of its own.
pub(crate) const RUN: &str = "(SELECT checkpoint_lsn::text FROM pg_control_checkpoint()) \
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)";

/// Connections that read. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Reader {
    #[cfg(feature = "sqlite")]
    Sqlite(Arc<ReadPool<sqlx::Sqlite>>),
    /// A pool that only reads, of a server that may be unreachable.
    #[cfg(feature = "postgres")]
    Postgres(Arc<ReadPool<sqlx::Postgres>>, CircuitBreaker),
    /// A pool that also writes.
    #[cfg(feature = "postgres")]
    Pooled(DatabaseConnection, CircuitBreaker),
}

/// Runs the same expression on each kind of pool.
macro_rules! each {
    ($reader:expr, $pool:ident => $done:expr) => {
        match $reader {
            #[cfg(feature = "sqlite")]
            Reader::Sqlite($pool) => $done,
            #[cfg(feature = "postgres")]
            Reader::Postgres($pool, _) => $done,
            #[cfg(feature = "postgres")]
            Reader::Pooled($pool, _) => $done,
        }
    };
}

impl Reader {
    /// Runs a query; fails early if the server is unreachable.
    pub(crate) async fn guard<T>(
        &self,
        query: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => query.await,
            #[cfg(feature = "postgres")]
            Self::Postgres(_, breaker) | Self::Pooled(_, breaker) => breaker.guard(query).await,
        }
    }

    /// The transactions that a statement of PostgreSQL sees, and the run of the server. Two
    /// statements with equal states read the same data.
    #[cfg(feature = "postgres")]
    pub(crate) async fn state(&self) -> Result<Vec<u8>, StoreError> {
        let select = format!("SELECT pg_current_snapshot()::text || ' ' || {RUN} AS result");
        let select = Statement::from_string(DbBackend::Postgres, select);
        let row = self.query_one_raw(select).await.map_err(store_error)?;
        let row = row.ok_or_else(|| StoreError::Internal("there is no snapshot".to_owned()))?;
        let snapshot: String = row.try_get("", "result").map_err(store_error)?;
        Ok(snapshot.into_bytes())
    }

    /// Closes the connections, once those in use are returned.
    pub(crate) async fn close(self) -> Result<(), DbErr> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => pool.close().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(pool, _) => pool.close().await,
            #[cfg(feature = "postgres")]
            Self::Pooled(pool, _) => return pool.close().await,
        }
        Ok(())
    }
}

#[async_trait]
impl ConnectionTrait for Reader {
    fn get_database_backend(&self) -> DbBackend {
        each!(self, pool => pool.get_database_backend())
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.guard(async { each!(self, pool => pool.execute_raw(statement).await) })
            .await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.guard(async { each!(self, pool => pool.execute_unprepared(sql).await) })
            .await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.guard(async { each!(self, pool => pool.query_one_raw(statement).await) })
            .await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.guard(async { each!(self, pool => pool.query_all_raw(statement).await) })
            .await
    }
}
