//! Rows of one table that change together, updated in one statement.

use app::ports::StoreError;
use sea_orm::{
    DynIden, ExprTrait, Value,
    sea_query::{Expr, Func, IntoIden, Query, TableRef},
};
use serde_json::{Map, Value as Json};

use super::{insert_batch::json, set};
use crate::{entity::RecordColumn, session::Session, sql::ColumnValue};

/// The alias of the rows, which are one parameter.
const ROWS: &str = "row";

/// A row before and after a change.
#[derive(Debug)]
struct Changed {
    id: i64,
    revision: i64,
    before: Vec<Value>,
    after: Vec<Value>,
}

/// Rows of a table with revisions that change together.
#[derive(Debug, Default)]
pub(crate) struct UpdateBatch {
    columns: Vec<DynIden>,
    rows: Vec<Changed>,
}

impl UpdateBatch {
    /// Adds a row, with the revision before the change. All rows have the same columns in the same
    /// order, before and after.
    pub(crate) fn push(
        &mut self,
        (id, revision): (i64, i64),
        before: impl IntoIterator<Item = ColumnValue>,
        after: impl IntoIterator<Item = ColumnValue>,
    ) {
        let (columns, after): (Vec<_>, Vec<_>) = after.into_iter().unzip();
        debug_assert!(self.rows.is_empty() || self.columns == columns);
        self.columns = columns;
        self.rows.push(Changed {
            id,
            revision,
            before: before.into_iter().map(|(_, value)| value).collect(),
            after,
        });
    }

    /// Updates the columns that differ in some row, and the revisions. [`StoreError::Conflict`] if a row
    /// has another revision by now.
    pub(crate) async fn run(
        self,
        table: &'static str,
        session: &Session,
    ) -> Result<(), StoreError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let differs = |at: &usize| {
            let mut rows = self.rows.iter();
            rows.any(|row| row.before.get(*at) != row.after.get(*at))
        };
        let changed: Vec<_> = (0..self.columns.len()).filter(differs).collect();
        let object = |row: &Changed| {
            let key = [
                set(RecordColumn::Id, row.id),
                set(RecordColumn::Revision, row.revision),
            ];
            let cells = changed.iter().filter_map(|at| {
                let name = self.columns.get(*at)?.clone();
                Some((name, row.after.get(*at)?.clone()))
            });
            let cells = key.into_iter().chain(cells);
            let cells = cells.map(|(name, value)| Ok((name.to_string(), json(&value)?)));
            cells.collect::<Result<Map<_, _>, StoreError>>()
        };
        let objects = self.rows.iter().map(object);
        let objects: Vec<_> = objects.collect::<Result<_, _>>()?;
        let objects = Expr::val(Json::from_iter(objects).to_string());
        let is_postgres = session.is_postgres();
        let rows = if is_postgres {
            Func::cust("json_populate_recordset")
                .arg(Expr::cust(format!("NULL::{table}")))
                .arg(objects.cast_as("json"))
        } else {
            Func::cust("json_each").arg(objects)
        };
        let new = |column: DynIden| {
            if is_postgres {
                Expr::col((ROWS, column))
            } else {
                Expr::cust(format!("\"{ROWS}\".value ->> '{column}'"))
            }
        };
        let old = |column: RecordColumn| Expr::col((table, column));
        let [id, revision] = [RecordColumn::Id, RecordColumn::Revision];
        let values = changed.iter().filter_map(|at| self.columns.get(*at));
        let update = Query::update()
            .table(table)
            .from(TableRef::FunctionCall(rows, ROWS.into_iden()))
            .values(values.map(|column| (column.clone(), new(column.clone()))))
            .value(revision, old(revision).add(1_i64))
            .and_where(old(id).eq(new(id.into_iden())))
            .and_where(old(revision).eq(new(revision.into_iden())))
            .take();
        let updated = session.connection.run(&update).await?.rows_affected();
        if updated < self.rows.len() as u64 {
            return Err(StoreError::Conflict);
        }
        Ok(())
    }
}
