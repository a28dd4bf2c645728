//! Rows of several tables, written in as few statements as a database takes.

use app::ports::StoreError;
use sea_orm::{
    Value,
    sea_query::{Expr, InsertStatement, Query},
};

use crate::{connection::Connection, error::store_error, session::Session};

/// A column and what shall stand in it.
pub(crate) type ColumnValue = (&'static str, Value);

/// A text column that is empty where there is nothing.
pub(crate) fn text(name: &'static str, value: impl AsRef<str>) -> ColumnValue {
    (name, value.as_ref().into())
}

/// A text column that is null where there is nothing.
pub(crate) fn optional_text(name: &'static str, value: Option<impl AsRef<str>>) -> ColumnValue {
    (name, value.map(|value| value.as_ref().to_owned()).into())
}

/// Values of one statement: SQLite takes 32,766, PostgreSQL twice as many.
const MOST_VALUES: usize = 32_000;

/// Rows that are to be inserted, table by table in the order in which they were first named.
#[derive(Debug, Default)]
pub(crate) struct InsertBatch {
    tables: Vec<TableBatch>,
}

/// Rows of one table, all with the same columns.
#[derive(Debug)]
struct TableBatch {
    table: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

impl InsertBatch {
    /// Adds a row. All rows of a table name the same columns in the same order.
    pub(crate) fn push(&mut self, table: &'static str, row: impl IntoIterator<Item = ColumnValue>) {
        let (columns, row): (Vec<_>, Vec<_>) = row.into_iter().unzip();
        let known = self.tables.iter_mut().find(|rows| rows.table == table);
        if let Some(known) = known {
            debug_assert_eq!(known.columns, columns, "{table}");
            known.rows.push(row);
        } else {
            self.tables.push(TableBatch {
                table,
                columns,
                rows: vec![row],
            });
        }
    }

    /// Inserts all of them.
    pub(crate) async fn insert<C: Connection>(
        self,
        session: &Session<C>,
    ) -> Result<(), StoreError> {
        for table in self.tables {
            for insert in table.statements() {
                session.connection.execute_deferred(&insert).await?;
            }
        }
        Ok(())
    }

    /// Inserts rows that a database numbers, all of one table; answers their IDs in their order.
    pub(crate) async fn insert_numbered<C: Connection>(
        self,
        session: &Session<C>,
    ) -> Result<Vec<i64>, StoreError> {
        let mut ids = Vec::new();
        for table in self.tables {
            for mut insert in table.statements() {
                let rows = session.connection.rows(insert.returning_col("id")).await?;
                // Rows are numbered in their order, but need not be answered in it.
                let mut part = rows
                    .iter()
                    .map(|row| row.try_get("", "id").map_err(store_error))
                    .collect::<Result<Vec<i64>, _>>()?;
                part.sort_unstable();
                ids.extend(part);
            }
        }
        Ok(ids)
    }
}

impl TableBatch {
    fn statements(self) -> impl Iterator<Item = InsertStatement> {
        let Self {
            table,
            columns,
            rows,
        } = self;
        let at_once = (MOST_VALUES / columns.len().max(1)).max(1);
        let mut rows = rows.into_iter().peekable();
        std::iter::from_fn(move || {
            rows.peek()?;
            let mut insert = Query::insert()
                .into_table(table)
                .columns(columns.iter().copied())
                .take();
            for row in rows.by_ref().take(at_once) {
                insert.values_panic(row.into_iter().map(Expr::value));
            }
            Some(insert)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_are_several_statements() {
        let mut rows = InsertBatch::default();
        for number in 0..20_000_i64 {
            rows.push("link", [("a", number.into()), ("b", number.into())]);
        }
        rows.push("other", [("c", 1_i64.into())]);
        let statements = |rows: TableBatch| rows.statements().count();
        let counts: Vec<usize> = rows.tables.into_iter().map(statements).collect();
        assert_eq!(counts, [2, 1]);
    }
}
