//! The errors of a database, and their meaning for a use case.

use std::{borrow::Cow, fmt::Display};

use app::ports::StoreError;
use sea_orm::{ColumnTrait, DbErr, Iden, RuntimeErr, sqlx};

/// Codes after which a retry may succeed: a unique key taken by a concurrent writer, a linked
/// record deleted meanwhile, a deadlock, a serialization failure (PostgreSQL, then SQLite's
/// extended codes).
const CONFLICTS: [&str; 6] = ["23505", "23503", "40P01", "40001", "1555", "2067"];

/// PostgreSQL's codes of shutdown and start-up, too many connections, a cancelled statement, a
/// read-only server, a full disk and lack of memory.
const UNAVAILABLE: [&str; 8] = [
    "57P01", "57P02", "57P03", "53300", "57014", "25006", "53100", "53200",
];

/// SQLite's primary codes: busy, locked, out of memory, read-only, interrupted, I/O error, disk
/// full, cannot open.
const UNAVAILABLE_SQLITE: [u32; 8] = [5, 6, 7, 8, 9, 10, 13, 14];

/// Whether a retry may succeed later.
fn is_unavailable(code: &str) -> bool {
    // PostgreSQL's codes have five characters. SQLite's are numbers with the primary code in the
    // last byte.
    match code.parse::<u32>() {
        Ok(number) if code.len() < 5 => UNAVAILABLE_SQLITE.contains(&(number & 0xff)),
        _ => UNAVAILABLE.contains(&code),
    }
}

/// The error message of the database or the operating system, without the prefixes of the libraries
/// in between.
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

/// The code that the database gives an error.
fn code(error: &DbErr) -> Option<Cow<'_, str>> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(cause))
        | DbErr::Exec(RuntimeErr::SqlxError(cause))
        | DbErr::Query(RuntimeErr::SqlxError(cause)) => cause.as_database_error()?.code(),
        _ => None,
    }
}

/// Whether the server has closed the connection: it stops, or has restarted.
pub(crate) fn is_lost(error: &sqlx::Error) -> bool {
    const SHUTDOWNS: [&str; 2] = ["57P01", "57P02"];
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    matches!(error, sqlx::Error::Io(_)) || code.is_some_and(|code| SHUTDOWNS.contains(&&*code))
}

/// Whether another connection holds a lock that SQLite needs.
#[cfg(feature = "sqlite")]
pub(crate) fn is_busy(error: &DbErr) -> bool {
    const BUSY: u32 = 5;
    code(error).is_some_and(|code| code.parse().is_ok_and(|code: u32| code & 0xff == BUSY))
}

/// Maps an error of the database to one of the store.
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

/// Whether PostgreSQL cancelled a statement at its timeout.
#[cfg(feature = "postgres")]
pub(crate) fn is_broken_off(error: &DbErr) -> bool {
    !matches!(error, DbErr::Conn(_)) && code(error).as_deref() == Some("57014")
}

/// An error for a row that breaks a rule of the domain. Such a row is never repaired silently.
pub(crate) fn broken_row(table: &str, column: impl Iden + Copy, cause: impl Display) -> StoreError {
    let column = column.unquoted();
    StoreError::Internal(format!("the row of {table} has a bad {column}: {cause}"))
}

/// The same error for a column of an entity.
pub(crate) fn broken_column(column: impl ColumnTrait, cause: impl Display) -> StoreError {
    broken_row(&column.entity_name().to_string(), column, cause)
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
        // Busy, stale snapshot, disk full, failed fsync, moved file; shutdown, standby, disk full.
        for code in ["5", "517", "13", "1034", "1032", "57P01", "25006", "53100"] {
            assert!(is_unavailable(code), "{code}");
        }
        // Syntax error, corrupt file, constraint; the same of PostgreSQL, and a code of it that
        // looks like a number.
        for code in ["1", "11", "275", "42601", "23514", "22005", ""] {
            assert!(!is_unavailable(code), "{code}");
        }
    }
}
