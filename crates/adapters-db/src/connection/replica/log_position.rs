//! Positions in the write-ahead log of PostgreSQL servers.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

use crate::connection::Connection;

/// The end of the primary's log. With asynchronous commit, a commit is acknowledged before its log
/// is on disk, so that the flushed position would not do.
pub(super) async fn written(primary: &Connection) -> Result<u64, DbErr> {
    let select = "SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS result";
    let position = position(primary, select).await?;
    position.ok_or_else(|| DbErr::Custom("the primary has no log".to_owned()))
}

/// The position that a replica has replayed; none if the server is no replica.
pub(super) async fn replayed(replica: &Connection) -> Result<Option<u64>, DbErr> {
    let select = "SELECT (pg_last_wal_replay_lsn() - '0/0')::text AS result \
         WHERE pg_is_in_recovery()";
    position(replica, select).await
}

/// Identifies a database; a replica has the identity of its primary.
pub(super) async fn identity(connection: &Connection) -> Result<Option<String>, DbErr> {
    let select = "SELECT system_identifier || '/' || current_database() AS result \
         FROM pg_control_system()";
    value(connection, select).await
}

async fn position(connection: &Connection, select: &str) -> Result<Option<u64>, DbErr> {
    let value = value(connection, select).await?;
    value
        .map(|text| text.parse())
        .transpose()
        .map_err(|_| DbErr::Custom("a position in the log is no number".to_owned()))
}

/// The text that a statement returns.
async fn value(connection: &Connection, select: &str) -> Result<Option<String>, DbErr> {
    let select = Statement::from_string(DbBackend::Postgres, select);
    let row = connection.query_one_raw(select).await?;
    row.map_or(Ok(None), |row| row.try_get("", "result"))
}
