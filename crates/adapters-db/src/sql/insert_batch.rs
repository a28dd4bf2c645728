//! Rows of several tables, inserted in as few statements as the database allows.

use std::collections::{BTreeMap, BTreeSet};

use app::ports::StoreError;
use sea_orm::{
    DynIden, EntityName, EntityTrait, ExprTrait, IdenStatic, Iterable, ModelTrait, Value,
    sea_query::{Expr, Func, InsertStatement, IntoIden, IntoTableRef, Query, SelectStatement},
};
use serde_json::{Map, Value as Json};

use super::write_batch;
use crate::{entity::RecordColumn, session::Session};

/// A column and its new value.
pub(crate) type ColumnValue = (DynIden, Value);

/// A column with a new value.
pub(crate) fn set(column: impl IntoIden, value: impl Into<Value>) -> ColumnValue {
    (column.into_iden(), value.into())
}

/// The maximum number of values in a statement. SQLite allows 32,766, PostgreSQL 65,535.
const MOST_VALUES: usize = 32_000;

/// Rows to insert, by table, in the order in which the tables were first pushed.
#[derive(Debug, Default)]
pub(crate) struct InsertBatch {
    tables: Vec<TableBatch>,
}

/// Rows of one table, all with the same columns.
#[derive(Debug, PartialEq)]
struct TableBatch {
    table: DynIden,
    columns: Vec<DynIden>,
    rows: Vec<Vec<Value>>,
}

impl InsertBatch {
    /// Adds a row. All rows of a table have the same columns in the same order.
    pub(crate) fn push(
        &mut self,
        table: impl IntoIden,
        row: impl IntoIterator<Item = ColumnValue>,
    ) {
        let table = table.into_iden();
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

    /// Adds the row of an entity, with all columns.
    pub(crate) fn push_model<M: ModelTrait>(&mut self, model: &M) {
        let columns = <M::Entity as EntityTrait>::Column::iter();
        let row = columns.map(|column| set(column.as_str(), model.get(column)));
        self.push(M::Entity::default().table_name(), row);
    }

    /// The rows of one table alone.
    pub(crate) fn only(mut self, table: &str) -> Self {
        self.tables.retain(|rows| rows.table.to_string() == table);
        self
    }

    /// The rows of each table, with its name and the names of their columns.
    pub(crate) fn rows_by_table(
        &self,
    ) -> impl Iterator<Item = (String, Vec<String>, &[Vec<Value>])> {
        self.tables.iter().map(|rows| {
            let columns = rows.columns.iter().map(DynIden::to_string).collect();
            (rows.table.to_string(), columns, rows.rows.as_slice())
        })
    }

    /// Inserts a record, whose row is the first one, and the rows that belong to it. On PostgreSQL
    /// this is one statement: a round trip takes longer than most insertions.
    pub(crate) async fn insert_record(self, session: &Session) -> Result<(), StoreError> {
        if !session.is_postgres() {
            return self.insert(session).await;
        }
        let mut tables = self.tables.into_iter();
        let Some(record) = tables.next() else {
            return Ok(());
        };
        let mut inserts: Vec<_> = record.statements().collect();
        for (before, table) in tables.enumerate() {
            inserts.push(table.insert_json(write_batch::has_run(before))?);
        }
        match write_batch::inserts(inserts) {
            Some(insert) => session.connection.execute_deferred(&insert).await,
            None => Ok(()),
        }
    }

    /// Inserts all rows.
    pub(crate) async fn insert(self, session: &Session) -> Result<(), StoreError> {
        for table in self.tables {
            for insert in table.statements() {
                session.connection.execute_deferred(&insert).await?;
            }
        }
        Ok(())
    }

    /// Replaces the rows of records in each table where those of a record differ from `before`. The
    /// first column of each row is the ID of the record.
    pub(crate) async fn replace(self, before: Self, session: &Session) -> Result<(), StoreError> {
        let mut before = before.tables;
        let mut changed = Self::default();
        for mut table in self.tables {
            let old = before.iter().position(|old| old.table == table.table);
            match old.map(|index| before.remove(index)) {
                Some(old) if old == table => continue,
                Some(mut old) => {
                    old.leave_what_differs(&mut table);
                    old.delete(session).await?;
                }
                None => {}
            }
            changed.tables.push(table);
        }
        for old in before {
            old.delete(session).await?;
        }
        changed.insert(session).await
    }

    /// Inserts rows of one table that numbers them; returns their IDs in the order of the rows.
    pub(crate) async fn insert_numbered(self, session: &Session) -> Result<Vec<i64>, StoreError> {
        let mut ids = Vec::new();
        for table in self.tables {
            for mut insert in table.statements() {
                let part = insert.returning_col(RecordColumn::Id);
                // IDs ascend in the order of the rows, but the database may return them in another
                // order.
                let mut part: Vec<i64> = session.connection.values(part).await?;
                part.sort_unstable();
                ids.extend(part);
            }
        }
        Ok(ids)
    }
}

impl TableBatch {
    /// The rows of each record.
    fn by_record(&self) -> BTreeMap<Option<i64>, Vec<&Vec<Value>>> {
        let mut rows: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for row in &self.rows {
            rows.entry(record_of(row)).or_default().push(row);
        }
        rows
    }

    /// Removes from both the rows of records that have the same ones in the other.
    fn leave_what_differs(&mut self, other: &mut Self) {
        let (own, others) = (self.by_record(), other.by_record());
        let same = own.iter().filter(|(id, rows)| others.get(id) == Some(rows));
        let same: BTreeSet<_> = same.map(|(id, _)| *id).collect();
        for table in [self, other] {
            table.rows.retain(|row| !same.contains(&record_of(row)));
        }
    }

    /// Deletes the rows of the records of which there are rows here.
    async fn delete(&self, session: &Session) -> Result<(), StoreError> {
        let ids: BTreeSet<i64> = self.rows.iter().filter_map(|row| record_of(row)).collect();
        let ids: Vec<i64> = ids.into_iter().collect();
        let Some(column) = self.columns.first().cloned() else {
            return Ok(());
        };
        let is_of_record = match *ids {
            [] => return Ok(()),
            [id] => Expr::col(column).eq(id),
            _ => session.json().is_one_of(column, &ids),
        };
        let delete = Query::delete()
            .from_table(self.table.clone())
            .and_where(is_of_record)
            .take();
        session.connection.execute_deferred(&delete).await
    }

    /// The statement that inserts all rows on PostgreSQL. They are one parameter, so that the SQL
    /// text, and with it the cached plan, is the same for any number of rows.
    fn insert_json(self, condition: Expr) -> Result<InsertStatement, StoreError> {
        const ROWS: &str = "row";
        let Self {
            table,
            columns,
            rows,
        } = self;
        let names: Vec<_> = columns.iter().map(DynIden::to_string).collect();
        let object = |row: &Vec<Value>| {
            let cells = names.iter().zip(row);
            let cells = cells.map(|(name, value)| Ok((name.clone(), json(value)?)));
            cells.collect::<Result<Map<_, _>, StoreError>>()
        };
        let objects = rows.iter().map(object).collect::<Result<Vec<_>, _>>()?;
        let objects = Expr::val(serde_json::json!(objects).to_string());
        let rows = Func::cust("json_populate_recordset")
            .arg(Expr::cust(format!("NULL::{table}")))
            .arg(objects.cast_as("json"));
        let select = Query::select()
            .columns(columns.iter().map(|column| (ROWS, column.clone())))
            .from_function(rows, ROWS)
            .and_where(condition)
            .take();
        insert_selected(table, columns, select)
    }

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
                .into_table(table.clone())
                .columns(columns.clone())
                .take();
            for row in rows.by_ref().take(at_once) {
                insert.values_panic(row.into_iter().map(Expr::value));
            }
            Some(insert)
        })
    }
}

/// The insertion of the rows that a query selects into columns of a table.
pub(crate) fn insert_selected<C: IntoIden>(
    table: impl IntoTableRef,
    columns: impl IntoIterator<Item = C>,
    rows: SelectStatement,
) -> Result<InsertStatement, StoreError> {
    let mut insert = Query::insert().into_table(table).columns(columns).take();
    let insert = insert.select_from(rows);
    let insert = insert.map_err(|error| StoreError::Internal(error.to_string()))?;
    Ok(insert.take())
}

/// The ID of the record to which a row belongs: its first value.
fn record_of(row: &[Value]) -> Option<i64> {
    match row.first() {
        Some(Value::BigInt(id)) => *id,
        _ => None,
    }
}

/// A value of a row in JSON.
pub(crate) fn json(value: &Value) -> Result<Json, StoreError> {
    Ok(match value {
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => (*value).into(),
        Value::BigInt(value) => (*value).into(),
        Value::Double(value) => (*value).into(),
        Value::String(value) => value.clone().into(),
        other => return Err(StoreError::Internal(format!("{other:?} in a row"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_are_several_statements() {
        let mut rows = InsertBatch::default();
        for number in 0..20_000_i64 {
            rows.push("link", [set("a", number), set("b", number)]);
        }
        rows.push("other", [set("c", 1_i64)]);
        let statements = |rows: TableBatch| rows.statements().count();
        let counts: Vec<usize> = rows.tables.into_iter().map(statements).collect();
        assert_eq!(counts, [2, 1]);
    }
}
