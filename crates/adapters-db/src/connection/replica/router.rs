//! The choice between replica and primary for each read.

use std::sync::Arc;

use app::ports::StoreError;
use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement};

use super::status::ReplicaStatus;
use crate::{
    connection::Connection,
    error::{is_broken_off, store_error},
};

/// A connection that reads from a replica, and from the primary what the replica cannot answer.
#[derive(Debug)]
pub(crate) struct ReplicaRouter {
    pub(super) primary: Connection,
    pub(super) replica: Connection,
    pub(super) status: Arc<ReplicaStatus>,
}

impl ReplicaRouter {
    /// Runs a query on the replica; none if the primary is to run it.
    async fn try_replica<T>(
        &self,
        query: impl Future<Output = Result<T, DbErr>>,
    ) -> Option<Result<T, DbErr>> {
        if !self.status.answers() {
            return None;
        }
        match query.await {
            Ok(answer) => return Some(Ok(answer)),
            // The statement would take as long on the primary.
            Err(error) if is_broken_off(&error) => return Some(Err(error)),
            // Replay may have cancelled the statement, or the replica may lack a new table. Only if
            // the replica is unreachable does the next read skip it.
            Err(error) => {
                if matches!(store_error(error), StoreError::Unavailable(_)) {
                    self.status.failed();
                }
            }
        }
        None
    }
}

#[async_trait]
impl ConnectionTrait for ReplicaRouter {
    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Postgres
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.primary.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.primary.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let query = self.replica.query_one_raw(statement.clone());
        match self.try_replica(query).await {
            Some(answer) => answer,
            None => self.primary.query_one_raw(statement).await,
        }
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let query = self.replica.query_all_raw(statement.clone());
        match self.try_replica(query).await {
            Some(answer) => answer,
            None => self.primary.query_all_raw(statement).await,
        }
    }
}
