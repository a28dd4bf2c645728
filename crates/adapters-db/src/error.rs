//! What the database says when it fails, and what that means to a use case.

use app::ports::StoreError;
use sea_orm::{DbErr, RuntimeErr, sqlx};

/// Codes after which doing the whole again may succeed: a unique key that somebody else took at the
/// same time, a record that somebody else deleted while a link to it was made, a deadlock, a
/// serialization failure (PostgreSQL; then SQLite's extended codes).
const CONFLICTS: [&str; 6] = ["23505", "23503", "40P01", "40001", "1555", "2067"];

/// Codes of PostgreSQL when it goes down, is not up yet, has too many connections, broke off a statement that
/// took too long, may only be read, or has no room left on the disk or in memory.
const UNAVAILABLE: [&str; 8] = [
    "57P01", "57P02", "57P03", "53300", "57014", "25006", "53100", "53200",
];

/// The same of SQLite, as its primary codes: busy, locked, out of memory, read-only, broken off, a disk that
/// fails or is full, a file that cannot be opened.
const UNAVAILABLE_SQLITE: [u32; 8] = [5, 6, 7, 8, 9, 10, 13, 14];

/// Whether the same may be done later.
fn is_unavailable(code: &str) -> bool {
    // Those of PostgreSQL have five characters; those of SQLite are numbers, the primary one in the last byte.
    match code.parse::<u32>() {
        Ok(number) if code.len() < 5 => UNAVAILABLE_SQLITE.contains(&(number & 0xff)),
        _ => UNAVAILABLE.contains(&code),
    }
}

/// The reason of a failure in the words of the database or the operating system, without the prefixes that the
/// libraries in between add.
pub(crate) fn reason(error: &DbErr) -> String {
    match error {
        DbErr::Custom(text) | DbErr::Migration(text) | DbErr::Type(text) => text.clone(),
        DbErr::Conn(cause) | DbErr::Exec(cause) | DbErr::Query(cause) => match cause {
            RuntimeErr::SqlxError(cause) => match &**cause {
                sqlx::Error::Database(cause) => cause.to_string(),
                sqlx::Error::Io(cause) => cause.to_string(),
                cause => cause.to_string(),
            },
            RuntimeErr::Internal(text) => text.clone(),
        },
        error => error.to_string(),
    }
}

/// Whether SQLite was kept from a lock by another connection.
#[cfg(feature = "sqlite")]
pub(crate) fn is_busy(error: &DbErr) -> bool {
    const BUSY: u32 = 5;
    matches!(
        error,
        DbErr::Conn(RuntimeErr::SqlxError(cause))
            | DbErr::Exec(RuntimeErr::SqlxError(cause))
            | DbErr::Query(RuntimeErr::SqlxError(cause))
            if cause
                .as_database_error()
                .and_then(sqlx::error::DatabaseError::code)
                .and_then(|code| code.parse::<u32>().ok())
                .is_some_and(|code| code & 0xff == BUSY)
    )
}

/// Sorts a failure.
pub(crate) fn store_error(error: DbErr) -> StoreError {
    let text = reason(&error);
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => StoreError::Unavailable(text),
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => {
            match &*cause {
                sqlx::Error::Database(cause) => {
                    let code = cause.code().unwrap_or_default();
                    if CONFLICTS.contains(&&*code) {
                        StoreError::Conflict
                    } else if is_unavailable(&code) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_no_prefix_of_a_library() {
        let io = std::io::Error::other("no such folder");
        let io = DbErr::Conn(RuntimeErr::SqlxError(sqlx::Error::Io(io).into()));
        assert_eq!(reason(&io), "no such folder");
        assert_eq!(reason(&DbErr::Custom("is full".to_owned())), "is full");
    }

    #[test]
    fn what_may_be_done_later_is_told_from_what_is_wrong() {
        // Busy, a snapshot that is too old, a full disk, fsync that failed, a file that was moved; a shutdown,
        // a standby, a full disk.
        for code in ["5", "517", "13", "1034", "1032", "57P01", "25006", "53100"] {
            assert!(is_unavailable(code), "{code}");
        }
        // A syntax error, a broken file, a rule of the schema; the same of PostgreSQL, and a code of it that
        // looks like a number.
        for code in ["1", "11", "275", "42601", "23514", "22005", ""] {
            assert!(!is_unavailable(code), "{code}");
        }
    }
}
