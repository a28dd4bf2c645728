//! Positions in the write-ahead log of PostgreSQL servers.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

/// Up to where a primary has written its log. Not only what is on its disk: it may be set to tell of a
/// commit before that.
pub(super) async fn written(primary: &impl ConnectionTrait) -> Result<u64, DbErr> {
    let select = "SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS value";
    let position = position(primary, select).await?;
    position.ok_or_else(|| DbErr::Custom("the primary has no log".to_owned()))
}

/// Up to where a replica has replayed the log of its primary; none if it is no replica.
pub(super) async fn replayed(replica: &impl ConnectionTrait) -> Result<Option<u64>, DbErr> {
    let select = "SELECT (pg_last_wal_replay_lsn() - '0/0')::text AS value \
         WHERE pg_is_in_recovery()";
    position(replica, select).await
}

/// Which database this is; of a replica, which one it is a replica of.
pub(super) async fn identity(connection: &impl ConnectionTrait) -> Result<Option<String>, DbErr> {
    let select = "SELECT system_identifier || '/' || current_database() AS value \
         FROM pg_control_system()";
    value(connection, select).await
}

async fn position(connection: &impl ConnectionTrait, select: &str) -> Result<Option<u64>, DbErr> {
    let value = value(connection, select).await?;
    value
        .map(|text| text.parse())
        .transpose()
        .map_err(|_| DbErr::Custom("a position in the log is no number".to_owned()))
}

/// The text that a statement answers, if it does.
async fn value(connection: &impl ConnectionTrait, select: &str) -> Result<Option<String>, DbErr> {
    let select = Statement::from_string(DbBackend::Postgres, select);
    let row = connection.query_one_raw(select).await?;
    row.map_or(Ok(None), |row| row.try_get("", "value"))
}
