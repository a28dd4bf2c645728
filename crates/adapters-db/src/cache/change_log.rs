//! The change log: the table `change`, which triggers fill for all processes.

use app::ports::StoreError;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, ExprTrait,
    IdenStatic, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Statement,
    sea_query::{Expr, Func},
};

use crate::{
    connection::{Connection, RUN, raw},
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

/// Snapshot, run and whether the log is whole, and a change that a former snapshot does not see.
type Unseen = (String, String, Option<bool>, Option<String>, Option<i64>);

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
            let select = Statement::from_string(DbBackend::Postgres, select);
            let end = raw::value(&self.connection, select).await?;
            let (snapshot, run) = end.ok_or_else(no_cursor)?;
            return Ok(Cursor::Snapshot { snapshot, run });
        }
        let last = Func::coalesce([change_sqlite::Column::N.max(), Expr::val(0)]);
        let end = change_sqlite::Entity::find()
            .select_only()
            .expr(last)
            .expr(Expr::cust(CONTENT));
        let end = self.connection.value(&end.into_query()).await?;
        let (last, content) = end.ok_or_else(no_cursor)?;
        Ok(Cursor::Number { last, content })
    }

    /// The changes after a number, if the log still holds all of them and the content is the same.
    async fn after(&self, last: i64, content: i64) -> Result<Option<Changes>, StoreError> {
        // The last known change is read, too. If the log no longer holds it, later changes may be
        // missing.
        let rows = change_sqlite::Entity::find()
            .expr(Expr::cust(CONTENT))
            // With a bound limit, SQLite would prepare the statement again each time.
            .filter(change_sqlite::Column::N.between(last, last + i64::from(MOST) + 1))
            .order_by_asc(change_sqlite::Column::N);
        let rows: Vec<(i64, String, i64, i64)> = self.connection.values(&rows.into_query()).await?;
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
        let values = [snapshot.into(), limit.into()];
        let select = Statement::from_sql_and_values(DbBackend::Postgres, select, values);
        let rows: Vec<Unseen> = raw::values(&self.connection, select).await?;
        let (snapshot, now, is_whole, ..) = rows.first().cloned().ok_or_else(no_cursor)?;
        if now != run || is_whole != Some(true) || rows.len() > usize::from(MOST) {
            return Ok(None);
        }
        let records = rows.into_iter();
        let records = records.filter_map(|(.., kind, id)| kind.zip(id));
        Ok(Some(Changes {
            records: Some(records.collect()),
            cursor: Cursor::Snapshot { snapshot, run: now },
        }))
    }

    fn is_postgres(&self) -> bool {
        self.connection.get_database_backend() == DbBackend::Postgres
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

fn no_cursor() -> StoreError {
    StoreError::Internal("the database reports no cursor".to_owned())
}
