//! Stops statements that run too long, or whose caller is gone.

#[cfg(feature = "sqlite")]
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use sea_orm::sqlx::{self, Database, pool::PoolConnection};

#[cfg(feature = "sqlite")]
use crate::low_priority;

/// Stops the statements of one connection.
pub(crate) trait Stopper<D: Database>: Sized + Send + Sync {
    /// Prepares a connection.
    fn attach(
        connection: &mut D::Connection,
    ) -> impl Future<Output = Result<Self, sqlx::Error>> + Send;

    /// Called before each statement, with the time at which it is stopped at the latest.
    fn begin(&self, deadline: Instant);

    /// Stops the statement that runs. Its connection goes back to the driver's pool afterwards.
    fn stop(&self, connection: &mut PoolConnection<D>);
}

/// The time at which SQLite interrupts the statement of a connection.
#[cfg(feature = "sqlite")]
#[derive(Clone, Debug)]
pub(crate) struct Deadline(Arc<Mutex<Instant>>);

#[cfg(feature = "sqlite")]
impl Deadline {
    fn has_passed(&self) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) <= Instant::now()
    }
}

#[cfg(feature = "sqlite")]
impl Stopper<sqlx::Sqlite> for Deadline {
    async fn attach(connection: &mut sqlx::SqliteConnection) -> Result<Self, sqlx::Error> {
        /// The number of virtual machine steps between two checks of the time.
        const STEPS: i32 = 1000;

        let deadline = Self(Arc::new(Mutex::new(Instant::now())));
        let watched = deadline.clone();
        let mut handle = connection.lock_handle().await?;
        handle.set_progress_handler(STEPS, move || {
            // SQLite calls this on the thread of the connection.
            low_priority::lower_once();
            !watched.has_passed()
        });
        Ok(deadline)
    }

    fn begin(&self, deadline: Instant) {
        // A call into the connection would take longer than many statements.
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    }

    fn stop(&self, _connection: &mut PoolConnection<sqlx::Sqlite>) {
        self.begin(Instant::now());
    }
}

/// Closes the connection: PostgreSQL then cancels its statement. The setting `statement_timeout` of
/// the connection limits the time.
#[cfg(feature = "postgres")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disconnect;

#[cfg(feature = "postgres")]
impl Stopper<sqlx::Postgres> for Disconnect {
    async fn attach(connection: &mut sqlx::PgConnection) -> Result<Self, sqlx::Error> {
        /// The server looks every 100 ms whether the connection of a running statement is closed.
        const CHECK: &str = "SET client_connection_check_interval = 100";

        match sqlx::Executor::execute(connection, CHECK).await {
            // A server on Windows cannot look. There the statement runs on until its time limit.
            Ok(_) | Err(sqlx::Error::Database(_)) => Ok(Self),
            Err(error) => Err(error),
        }
    }

    fn begin(&self, _deadline: Instant) {}

    fn stop(&self, connection: &mut PoolConnection<sqlx::Postgres>) {
        connection.close_on_drop();
    }
}
