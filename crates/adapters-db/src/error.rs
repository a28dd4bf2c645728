//! What the database says when it fails, and what that means to a use case.

use app::ports::StoreError;
use sea_orm::{DbErr, RuntimeErr, sqlx};

/// Codes after which doing the whole again may succeed: a unique key that somebody else took at the
/// same time, a record that somebody else deleted while a link to it was made, a deadlock, a
/// serialization failure (PostgreSQL; then SQLite's extended codes).
const CONFLICTS: [&str; 6] = ["23505", "23503", "40P01", "40001", "1555", "2067"];

/// Codes of a database that is busy, going down, has too many connections, or broke off a statement
/// that took too long.
const UNAVAILABLE: [&str; 10] = [
    "57P01", "57P02", "57P03", "53300", "57014", "5", "9", "261", "517", "773",
];

/// Sorts a failure.
pub(crate) fn store_error(error: DbErr) -> StoreError {
    let text = error.to_string();
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => StoreError::Unavailable(text),
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            match &*cause {
                sqlx::Error::Database(cause) => {
                    let code = cause.code().unwrap_or_default();
                    if CONFLICTS.contains(&&*code) {
                        StoreError::Conflict
                    } else if UNAVAILABLE.contains(&&*code) {
                        StoreError::Unavailable(text)
                    } else {
                        StoreError::Internal(text)
                    }
                }
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed => StoreError::Unavailable(text),
                _ => StoreError::Internal(text),
            }
        }
        _ => StoreError::Internal(text),
    }
}

/// Whether a statement of PostgreSQL took longer than it may.
#[cfg(feature = "postgres")]
pub(crate) fn is_broken_off(error: &DbErr) -> bool {
    matches!(
        error,
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause))
            if cause.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref() == Some("57014")
    )
}

/// A row that breaks a rule of the domain: never mended in silence.
pub(crate) fn broken_row(table: &str, column: &str, cause: impl std::fmt::Display) -> StoreError {
    StoreError::Internal(format!("the row of {table} has a bad {column}: {cause}"))
}
