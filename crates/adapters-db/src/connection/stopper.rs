//! Stops statements that run too long, or whose caller is gone.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use sea_orm::sqlx::{self, Database, pool::PoolConnection};

#[cfg(feature = "sqlite")]
use crate::low_priority;

/// Stops the statements of one connection.
#[derive(Clone, Debug)]
pub(crate) enum Stopper {
    /// SQLite interrupts the statement at this time.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code))]
    Interrupt(Arc<Mutex<Instant>>),
    /// The connection is closed: PostgreSQL then cancels its statement. The setting
    /// `statement_timeout` of the connection limits the time.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code))]
    Disconnect,
}

impl Stopper {
    /// Called before each statement, with the time at which it is stopped at the latest.
    pub(crate) fn begin(&self, deadline: Instant) {
        if let Self::Interrupt(at) = self {
            // A call into the connection would take longer than many statements.
            *at.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
        }
    }

    /// Stops the statement that runs. Its connection goes back to the driver's pool afterwards.
    pub(crate) fn stop<D: Database>(&self, connection: &mut PoolConnection<D>) {
        match self {
            Self::Interrupt(_) => self.begin(Instant::now()),
            Self::Disconnect => connection.close_on_drop(),
        }
    }
}

/// Prepares a connection to SQLite.
#[cfg(feature = "sqlite")]
pub(crate) async fn interrupt(
    connection: &mut sqlx::SqliteConnection,
) -> Result<Stopper, sqlx::Error> {
    /// The number of virtual machine steps between two checks of the time.
    const STEPS: i32 = 1000;

    let deadline = Arc::new(Mutex::new(Instant::now()));
    let watched = Arc::clone(&deadline);
    let mut handle = connection.lock_handle().await?;
    handle.set_progress_handler(STEPS, move || {
        // SQLite calls this on the thread of the connection.
        low_priority::lower_once();
        *watched.lock().unwrap_or_else(PoisonError::into_inner) > Instant::now()
    });
    Ok(Stopper::Interrupt(deadline))
}

/// Prepares a connection to PostgreSQL.
#[cfg(feature = "postgres")]
pub(crate) async fn disconnect(
    connection: &mut sqlx::PgConnection,
) -> Result<Stopper, sqlx::Error> {
    /// The server looks every 100 ms whether the connection of a running statement is closed.
    const CHECK: &str = "SET client_connection_check_interval = 100";

    match sqlx::Executor::execute(connection, CHECK).await {
        // A server on Windows cannot look. There the statement runs on until its time limit.
        Ok(_) | Err(sqlx::Error::Database(_)) => Ok(Stopper::Disconnect),
        Err(error) => Err(error),
    }
}
