//! What reads.

use std::sync::Arc;

use async_trait::async_trait;
#[cfg(feature = "postgres")]
use sea_orm::DatabaseConnection;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement, sqlx};

#[cfg(feature = "postgres")]
use crate::outage::Outage;
use crate::{at_hand::AtHand, over::Connection};

/// Connections that read. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Reader {
    #[cfg(feature = "sqlite")]
    Sqlite(Arc<AtHand<sqlx::Sqlite>>),
    /// Those of a pool that reads alone, of a server that may be away.
    #[cfg(feature = "postgres")]
    Postgres(Arc<AtHand<sqlx::Postgres>>, Outage),
    /// Those of a pool that writes, too.
    #[cfg(feature = "postgres")]
    Pooled(DatabaseConnection, Outage),
}

/// Does the same whatever reads.
macro_rules! whatever {
    ($reader:expr, $one:ident => $done:expr) => {
        match $reader {
            #[cfg(feature = "sqlite")]
            Reader::Sqlite($one) => $done,
            #[cfg(feature = "postgres")]
            Reader::Postgres($one, _) => $done,
            #[cfg(feature = "postgres")]
            Reader::Pooled($one, _) => $done,
        }
    };
}

impl Reader {
    /// What the database answers; or that it is away, without waiting for long.
    pub(crate) async fn answer<T>(
        &self,
        asked: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => asked.await,
            #[cfg(feature = "postgres")]
            Self::Postgres(_, outage) | Self::Pooled(_, outage) => outage.answer(asked).await,
        }
    }

    /// Closes the connections, when those that are in use have come back.
    pub(crate) async fn close(self) -> Result<(), DbErr> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(at_hand) => at_hand.close().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(at_hand, _) => at_hand.close().await,
            #[cfg(feature = "postgres")]
            Self::Pooled(pool, _) => return pool.close().await,
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
        let asked = async { whatever!(self, one => one.execute_raw(statement).await) };
        self.answer(asked).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let asked = async { whatever!(self, one => one.execute_unprepared(sql).await) };
        self.answer(asked).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let asked = async { whatever!(self, one => one.query_one_raw(statement).await) };
        self.answer(asked).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let asked = async { whatever!(self, one => one.query_all_raw(statement).await) };
        self.answer(asked).await
    }
}
