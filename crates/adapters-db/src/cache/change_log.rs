//! The change log: the table `change`, which triggers fill for all processes.

use app::ports::StoreError;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, ExprTrait,
    IdenStatic, QueryFilter, QueryOrder, QueryResult, QuerySelect, Statement,
    sea_query::{Expr, Func},
};

use crate::{
    connection::{Connection, RUN},
    entity::{change_postgres, change_pruned, change_sqlite},
    error::store_error,
};

/// The maximum number of changes that are reported one by one.
const MOST: u16 = 1000;

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
    connection: Connection,
}

impl ChangeLog {
    pub(crate) fn new(connection: Connection) -> Self {
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
        if self.is_postgres() {
            let select = format!("SELECT pg_current_snapshot()::text AS snapshot, {RUN} AS run");
            let rows = self.rows(&select, Vec::new()).await?;
            let row = rows.first().ok_or_else(no_cursor)?;
            return Ok(Cursor::Snapshot {
                snapshot: get(row, "snapshot")?,
                run: get(row, "run")?,
            });
        }
        let last = Func::coalesce([change_sqlite::Column::N.max(), Expr::val(0)]);
        let end = change_sqlite::Entity::find()
            .select_only()
            .expr(last)
            .expr(Expr::cust(CONTENT))
            .into_tuple()
            .one(&self.connection)
            .await;
        let (last, content) = end.map_err(store_error)?.ok_or_else(no_cursor)?;
        Ok(Cursor::Number { last, content })
    }

    /// The changes after a number, if the log still holds all of them and the content is the same.
    async fn after(&self, last: i64, content: i64) -> Result<Option<Changes>, StoreError> {
        // The last known change is read, too. If the log no longer holds it, later changes may be
        // missing.
        let rows: Vec<(i64, String, i64, i64)> = change_sqlite::Entity::find()
            .expr(Expr::cust(CONTENT))
            // With a bound limit, SQLite would prepare the statement again each time.
            .filter(change_sqlite::Column::N.between(last, last + i64::from(MOST) + 1))
            .order_by_asc(change_sqlite::Column::N)
            .into_tuple()
            .all(&self.connection)
            .await
            .map_err(store_error)?;
        let mut expected = Ord::max(last, 1);
        let mut records = Vec::new();
        let is_known = !rows.is_empty();
        for (number, kind, id, now) in rows {
            if number != expected || now != content {
                return Ok(None);
            }
            if number > last {
                records.push((kind, id));
            }
            expected += 1;
        }
        let is_whole = records.len() <= usize::from(MOST) && is_known;
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
        use change_postgres::Column::{Kind, RecordId, Xid};
        let [kind, record_id, xid] = [Kind, RecordId, Xid].map(|column| column.as_str());
        let pruned = change_pruned::Column::Xid.as_str();
        let select = format!(
            "SELECT now.snapshot, now.run, now.is_whole, unseen.{kind}, unseen.{record_id} FROM (
                SELECT pg_current_snapshot()::text AS snapshot, {RUN} AS run,
                    (SELECT bool_and({pruned} <= pg_snapshot_xmin($1::pg_snapshot))
                        FROM change_pruned) AS is_whole
            ) AS now LEFT JOIN (
                SELECT {kind}, {record_id} FROM change
                WHERE {xid} >= pg_snapshot_xmin($1::pg_snapshot)
                    AND NOT pg_visible_in_snapshot({xid}, $1::pg_snapshot)
                GROUP BY {kind}, {record_id} LIMIT $2
            ) AS unseen ON true"
        );
        let limit = i64::from(MOST) + 1;
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
        if !is_same_run || is_whole != Some(true) || rows.len() > usize::from(MOST) {
            return Ok(None);
        }
        let mut records = Vec::new();
        for row in &rows {
            if let Some(kind) = get(row, kind)? {
                records.push((kind, get(row, record_id)?));
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
    transaction: &DatabaseTransaction,
) -> Result<(), StoreError> {
    if transaction.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let is_foreign = |column: Expr| {
        let next = Expr::cust("pg_snapshot_xmax(pg_current_snapshot())");
        column.gte(next)
    };
    let current = || Expr::cust("pg_current_xact_id()");
    let xid = || Expr::col(change_postgres::Column::Xid);
    change_postgres::Entity::delete_many()
        .filter(is_foreign(xid()))
        .filter(xid().ne(current()))
        .exec(transaction)
        .await
        .map_err(store_error)?;
    change_pruned::Entity::update_many()
        .col_expr(change_pruned::Column::Xid, current())
        .filter(is_foreign(Expr::col(change_pruned::Column::Xid)))
        .exec(transaction)
        .await
        .map_err(store_error)?;
    Ok(())
}

fn get<T: sea_orm::TryGetable>(row: &QueryResult, column: &str) -> Result<T, StoreError> {
    row.try_get("", column).map_err(store_error)
}

fn no_cursor() -> StoreError {
    StoreError::Internal("the database reports no cursor".to_owned())
}
