//! Stops statements that run too long, or whose caller is gone.

use std::time::Duration;
#[cfg(feature = "sqlite")]
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use sea_orm::sqlx::{self, Database, pool::PoolConnection};

/// Stops the statements of one connection.
pub(crate) trait Stopper<D: Database>: Sized + Send + Sync {
    /// Prepares a connection. A statement is stopped after `limit` at the latest.
    fn attach(
        connection: &mut D::Connection,
        limit: Duration,
    ) -> impl Future<Output = Result<Self, sqlx::Error>> + Send;

    /// Called before each statement.
    fn begin(&self);

    /// Stops the statement that runs. Its connection goes back to the driver's pool afterwards.
    fn stop(&self, connection: &mut PoolConnection<D>);
}

/// The time at which SQLite interrupts the statement of a connection.
#[cfg(feature = "sqlite")]
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    at: Arc<Mutex<Instant>>,
    limit: Duration,
}

#[cfg(feature = "sqlite")]
impl Deadline {
    fn set(&self, at: Instant) {
        *self.at.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }

    fn has_passed(&self) -> bool {
        *self.at.lock().unwrap_or_else(PoisonError::into_inner) <= Instant::now()
    }
}

#[cfg(feature = "sqlite")]
impl Stopper<sqlx::Sqlite> for Deadline {
    async fn attach(
        connection: &mut sqlx::SqliteConnection,
        limit: Duration,
    ) -> Result<Self, sqlx::Error> {
        /// The number of virtual machine steps between two checks of the time.
        const STEPS: i32 = 1000;

        let deadline = Self {
            at: Arc::new(Mutex::new(Instant::now() + limit)),
            limit,
        };
        let watched = deadline.clone();
        let mut handle = connection.lock_handle().await?;
        handle.set_progress_handler(STEPS, move || !watched.has_passed());
        Ok(deadline)
    }

    fn begin(&self) {
        // A call into the connection would take longer than many statements.
        self.set(Instant::now() + self.limit);
    }

    fn stop(&self, _connection: &mut PoolConnection<sqlx::Sqlite>) {
        self.set(Instant::now());
    }
}

/// Closes the connection: PostgreSQL then cancels its statement. The setting `statement_timeout` of
/// the connection limits the time.
#[cfg(feature = "postgres")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disconnect;

#[cfg(feature = "postgres")]
impl Stopper<sqlx::Postgres> for Disconnect {
    async fn attach(
        connection: &mut sqlx::PgConnection,
        _limit: Duration,
    ) -> Result<Self, sqlx::Error> {
        /// The server looks every 100 ms whether the connection of a running statement is closed.
        const CHECK: &str = "SET client_connection_check_interval = 100";

        match sqlx::Executor::execute(connection, CHECK).await {
            // A server on Windows cannot look. There the statement runs on until its time limit.
            Ok(_) | Err(sqlx::Error::Database(_)) => Ok(Self),
            Err(error) => Err(error),
        }
    }

    fn begin(&self) {}

    fn stop(&self, connection: &mut PoolConnection<sqlx::Postgres>) {
        connection.close_on_drop();
    }
}
