//! Runs statements on the connections of each database driver.

use std::time::Duration;

use sea_orm::{
    DbBackend, ExecResult, QueryResult, Statement, Values,
    sqlx::{self, Database},
};
use sea_query_sqlx::SqlxValues;

use super::stopper::Stopper;

/// The driver of a database.
pub(crate) trait Driver: Database {
    const BACKEND: DbBackend;

    /// How long an idle connection counts as alive without a ping; none if it cannot die.
    const UNCHECKED_IDLE: Option<Duration>;

    /// Prepares a connection whose statements are stopped.
    fn stopper(
        connection: &mut Self::Connection,
    ) -> impl Future<Output = Result<Stopper, sqlx::Error>> + Send;

    fn execute(
        connection: &mut Self::Connection,
        statement: Statement,
    ) -> impl Future<Output = Result<ExecResult, sqlx::Error>> + Send;

    fn first(
        connection: &mut Self::Connection,
        statement: Statement,
    ) -> impl Future<Output = Result<Option<QueryResult>, sqlx::Error>> + Send;

    fn all(
        connection: &mut Self::Connection,
        statement: Statement,
    ) -> impl Future<Output = Result<Vec<QueryResult>, sqlx::Error>> + Send;
}

/// Converts a statement to a query of the driver. Its SQL comes from sea-query or is a constant.
macro_rules! driver_query {
    ($statement:ident) => {{
        let values = $statement.values.unwrap_or_else(|| Values(Vec::new()));
        let text = sqlx::AssertSqlSafe($statement.sql);
        sqlx::query_with(text, SqlxValues(values))
    }};
}

/// Implements [`Driver`] by the same code for each driver's own types.
macro_rules! driver {
    ($database:ty, $backend:expr, $unchecked_idle:expr, $stopper:path) => {
        impl Driver for $database {
            const BACKEND: DbBackend = $backend;
            const UNCHECKED_IDLE: Option<Duration> = $unchecked_idle;

            async fn stopper(connection: &mut Self::Connection) -> Result<Stopper, sqlx::Error> {
                $stopper(connection).await
            }

            async fn execute(
                connection: &mut Self::Connection,
                statement: Statement,
            ) -> Result<ExecResult, sqlx::Error> {
                driver_query!(statement)
                    .execute(connection)
                    .await
                    .map(Into::into)
            }

            async fn first(
                connection: &mut Self::Connection,
                statement: Statement,
            ) -> Result<Option<QueryResult>, sqlx::Error> {
                let row = driver_query!(statement).fetch_optional(connection).await?;
                Ok(row.map(Into::into))
            }

            async fn all(
                connection: &mut Self::Connection,
                statement: Statement,
            ) -> Result<Vec<QueryResult>, sqlx::Error> {
                let rows = driver_query!(statement).fetch_all(connection).await?;
                Ok(rows.into_iter().map(Into::into).collect())
            }
        }
    };
}

#[cfg(feature = "sqlite")]
driver!(
    sqlx::Sqlite,
    DbBackend::Sqlite,
    None,
    super::stopper::interrupt
);
#[cfg(feature = "postgres")]
driver!(
    sqlx::Postgres,
    DbBackend::Postgres,
    Some(super::circuit_breaker::UNCHECKED_IDLE),
    super::stopper::disconnect
);
