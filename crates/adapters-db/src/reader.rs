//! What reads.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement, sqlx,
};

use crate::{at_hand::AtHand, over::Connection};

/// Connections at hand, or those of a pool that others use too. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Reader {
    Pooled(DatabaseConnection),
    #[cfg(feature = "sqlite")]
    Sqlite(Arc<AtHand<sqlx::Sqlite>>),
    #[cfg(feature = "postgres")]
    Postgres(Arc<AtHand<sqlx::Postgres>>),
}

/// Does the same whatever reads.
macro_rules! whatever {
    ($reader:expr, $one:ident => $done:expr) => {
        match $reader {
            Reader::Pooled($one) => $done,
            #[cfg(feature = "sqlite")]
            Reader::Sqlite($one) => $done,
            #[cfg(feature = "postgres")]
            Reader::Postgres($one) => $done,
        }
    };
}

impl Reader {
    /// Closes the connections, when those that are in use have come back.
    pub(crate) async fn close(self) -> Result<(), DbErr> {
        match self {
            Self::Pooled(pool) => return pool.close().await,
            #[cfg(feature = "sqlite")]
            Self::Sqlite(at_hand) => at_hand.close().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(at_hand) => at_hand.close().await,
        }
        Ok(())
    }
}

impl Connection for Reader {}

#[async_trait]
impl ConnectionTrait for Reader {
    fn get_database_backend(&self) -> DbBackend {
        whatever!(self, one => one.get_database_backend())
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        whatever!(self, one => one.execute_raw(statement).await)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        whatever!(self, one => one.execute_unprepared(sql).await)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        whatever!(self, one => one.query_one_raw(statement).await)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        whatever!(self, one => one.query_all_raw(statement).await)
    }
}
