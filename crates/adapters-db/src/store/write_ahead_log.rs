//! The end of a write-ahead log, before another file takes the place of an SQLite file.

use std::{path::Path, time::Duration};

use sea_orm::sqlx::{
    self, ConnectOptions as _, Connection as _,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};

/// Why the write-ahead log of a file could not be ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EndOfLogError {
    /// Another process has the file open: a server runs.
    #[error("another process uses it")]
    InUse,
    /// The file is damaged, or no SQLite file.
    #[error("it is no sound SQLite file")]
    Damaged,
    /// The file cannot be opened or written.
    #[error("{0}")]
    Failed(String),
}

/// Writes what the write-ahead log of an SQLite file holds into the file, and removes the log. The file holds
/// everything then, and another file can take its place.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// events_calendar_adapters_db::end_write_ahead_log("calendar.db".as_ref()).await?;
/// std::fs::rename("restored.db", "calendar.db")?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If another process has the file open, or if the file is damaged or cannot be written. The file and its log
/// are as before then.
pub async fn end_write_ahead_log(file: &Path) -> Result<(), EndOfLogError> {
    // SQLite leaves this mode only while no other connection has the file open.
    let options = SqliteConnectOptions::new()
        .filename(file)
        .busy_timeout(Duration::ZERO)
        .journal_mode(SqliteJournalMode::Delete);
    let connection = options
        .connect()
        .await
        .map_err(|error| end_of_log(&error))?;
    connection.close().await.map_err(|error| end_of_log(&error))
}

/// SQLite's primary code is in the last byte of the code.
fn end_of_log(error: &sqlx::Error) -> EndOfLogError {
    const BUSY: u32 = 5;
    const CORRUPT: u32 = 11;
    const NO_DATABASE: u32 = 26;
    let Some(database) = error.as_database_error() else {
        return EndOfLogError::Failed(error.to_string());
    };
    let code = database.code().and_then(|code| code.parse::<u32>().ok());
    match code.map(|code| code & 0xff) {
        Some(BUSY) => EndOfLogError::InUse,
        Some(CORRUPT | NO_DATABASE) => EndOfLogError::Damaged,
        _ => EndOfLogError::Failed(database.to_string()),
    }
}
