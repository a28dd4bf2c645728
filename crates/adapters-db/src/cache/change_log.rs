//! The change log: the table `change`, which triggers fill for all processes.

use app::ports::StoreError;
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement};

use crate::{connection::Reader, error::store_error};

/// The maximum number of changes that are reported one by one.
const MOST: usize = 1000;

/// A position in the change log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cursor {
    /// The number of the last change, on SQLite.
    Number {
        last: i64,
        /// The value of [`CONTENT`].
        content: i64,
    },
    /// A snapshot of PostgreSQL: the transactions that it sees.
    Snapshot {
        snapshot: String,
        /// The value of [`RUN`].
        run: String,
    },
}

/// Identifies one run of a PostgreSQL server. After a crash or a failover the server reuses the
/// numbers of lost transactions, so that snapshots of two runs cannot be compared. Every run begins
/// with a checkpoint or a timeline of its own.
pub(super) const RUN: &str = "(SELECT checkpoint_lsn::text FROM pg_control_checkpoint()) \
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)";

/// Identifies the content of an SQLite file. A restored backup that replaces the file while it is
/// open may use the same numbers for other changes.
///
/// # Source
///
/// "Pragma `schema_version`" of SQLite; its backup API raises it in the file that is written.
const CONTENT: &str = "(SELECT schema_version FROM pragma_schema_version)";

/// The changes since a cursor, and the next cursor.
#[derive(Debug)]
pub(crate) struct Changes {
    /// Tables and IDs; none if the changes are too many or unknown.
    pub(crate) records: Option<Vec<(String, i64)>>,
    pub(crate) cursor: Cursor,
}

/// Reads the change log.
#[derive(Clone, Debug)]
pub(crate) struct ChangeLog {
    connection: Reader,
}

impl ChangeLog {
    pub(crate) fn new(connection: Reader) -> Self {
        Self { connection }
    }

    /// All changes committed before the call, in one statement, or in two if they are many.
    pub(crate) async fn since(&self, cursor: Option<&Cursor>) -> Result<Changes, StoreError> {
        let changes = match cursor {
            Some(Cursor::Number { last, content }) => self.after(*last, *content).await?,
            Some(Cursor::Snapshot { snapshot, run }) => self.unseen_by(snapshot, run).await?,
            None => None,
        };
        match changes {
            Some(changes) => Ok(changes),
            None => Ok(Changes {
                records: None,
                cursor: self.end().await?,
            }),
        }
    }

    /// The cursor behind all committed changes.
    async fn end(&self) -> Result<Cursor, StoreError> {
        let is_postgres = self.is_postgres();
        let select = if is_postgres {
            format!("SELECT pg_current_snapshot()::text AS position, {RUN} AS run")
        } else {
            format!("SELECT COALESCE(MAX(n), 0) AS position, {CONTENT} AS content FROM change")
        };
        let rows = self.rows(&select, Vec::new()).await?;
        let row = rows.first().ok_or_else(no_cursor)?;
        if is_postgres {
            Ok(Cursor::Snapshot {
                snapshot: get(row, "position")?,
                run: get(row, "run")?,
            })
        } else {
            Ok(Cursor::Number {
                last: get(row, "position")?,
                content: get(row, "content")?,
            })
        }
    }

    /// The changes after a number, if the log still holds all of them and the content is the same.
    async fn after(&self, last: i64, content: i64) -> Result<Option<Changes>, StoreError> {
        // The last known change is read, too. If the log no longer holds it, later changes may be
        // missing.
        let select = format!(
            "SELECT n, kind, record_id, {CONTENT} AS content FROM change WHERE n >= $1 ORDER BY n LIMIT $2"
        );
        let limit = i64::try_from(MOST + 2).unwrap_or(i64::MAX);
        let rows = self.rows(&select, vec![last.into(), limit.into()]).await?;
        let mut expected = last.max(1);
        let mut records = Vec::new();
        for row in &rows {
            let (number, now): (i64, i64) = (get(row, "n")?, get(row, "content")?);
            if number != expected || now != content {
                return Ok(None);
            }
            if number > last {
                records.push((get(row, "kind")?, get(row, "record_id")?));
            }
            expected += 1;
        }
        let is_whole = records.len() <= MOST && !rows.is_empty();
        Ok(is_whole.then_some(Changes {
            records: Some(records),
            cursor: Cursor::Number {
                last: expected - 1,
                content,
            },
        }))
    }

    /// The changes of transactions that a snapshot does not see, if the log still holds all of them
    /// and the run is the same.
    async fn unseen_by(&self, snapshot: &str, run: &str) -> Result<Option<Changes>, StoreError> {
        let select = format!(
            "SELECT now.snapshot, now.run, now.is_whole, unseen.kind, unseen.record_id FROM (
                SELECT pg_current_snapshot()::text AS snapshot, {RUN} AS run,
                    (SELECT bool_and(xid <= pg_snapshot_xmin($1::pg_snapshot))
                        FROM change_pruned) AS is_whole
            ) AS now LEFT JOIN (
                SELECT kind, record_id FROM change
                WHERE xid >= pg_snapshot_xmin($1::pg_snapshot)
                    AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot)
                GROUP BY kind, record_id LIMIT $2
            ) AS unseen ON true"
        );
        let limit = i64::try_from(MOST + 1).unwrap_or(i64::MAX);
        let rows = self
            .rows(&select, vec![snapshot.into(), limit.into()])
            .await?;
        let first = rows.first().ok_or_else(no_cursor)?;
        let (now, is_whole): (String, Option<bool>) = (get(first, "run")?, get(first, "is_whole")?);
        let is_same_run = now == run;
        let cursor = Cursor::Snapshot {
            snapshot: get(first, "snapshot")?,
            run: now,
        };
        if !is_same_run || is_whole != Some(true) || rows.len() > MOST {
            return Ok(None);
        }
        let mut records = Vec::new();
        for row in &rows {
            if let Some(kind) = get(row, "kind")? {
                records.push((kind, get(row, "record_id")?));
            }
        }
        Ok(Some(Changes {
            records: Some(records),
            cursor,
        }))
    }

    fn is_postgres(&self) -> bool {
        self.connection.get_database_backend() == DbBackend::Postgres
    }

    async fn rows(
        &self,
        select: &str,
        values: Vec<sea_orm::Value>,
    ) -> Result<Vec<QueryResult>, StoreError> {
        let backend = self.connection.get_database_backend();
        let select = Statement::from_sql_and_values(backend, select, values);
        let rows = self.connection.query_all_raw(select).await;
        rows.map_err(store_error)
    }
}

/// Deletes changes with the transaction numbers of another server, which a restored copy of its
/// database holds.
pub(crate) async fn discard_foreign_entries(
    transaction: &impl ConnectionTrait,
) -> Result<(), StoreError> {
    if transaction.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    for statement in [
        "DELETE FROM change WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()) \
            AND xid <> pg_current_xact_id()",
        "UPDATE change_pruned SET xid = pg_current_xact_id() \
            WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())",
    ] {
        transaction
            .execute_unprepared(statement)
            .await
            .map_err(store_error)?;
    }
    Ok(())
}

fn get<T: sea_orm::TryGetable>(row: &QueryResult, column: &str) -> Result<T, StoreError> {
    row.try_get("", column).map_err(store_error)
}

fn no_cursor() -> StoreError {
    StoreError::Internal("the database reports no cursor".to_owned())
}
