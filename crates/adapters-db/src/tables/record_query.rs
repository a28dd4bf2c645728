//! Records that are read in one statement, as one text: a list of lists of values in JSON.
//!
//! Each row that a driver hands over costs more than what the database does for it, on SQLite above
//! all, where rows come from another thread one by one.

use std::sync::{PoisonError, RwLock};

use app::ports::StoreError;
use domain::{Id, Stored};
use sea_orm::{
    DbBackend, QueryResult,
    sea_query::{Expr, Query, SelectStatement, SimpleExpr},
};

use super::{Table, translations};
use crate::{
    connection::Connection,
    error::{broken_row, store_error},
    session::Session,
    sql::{Cell, Json, Row},
};

/// Which rows are read of a table, and what of them.
pub(crate) struct RecordQuery {
    columns: Columns,
    values: Vec<SimpleExpr>,
    rows: SelectStatement,
    json: Json,
}

/// What is read of each record of a table. To put the text together takes longer than the statement may
/// take on SQLite, and it is always the same.
struct SelectTemplate {
    table: &'static str,
    backend: DbBackend,
    names: Vec<&'static str>,
    /// The values, in SQL.
    values: String,
}

/// Of all tables that were read. Each is made once and never given back: statements borrow its text.
static TEMPLATES: RwLock<Vec<&'static SelectTemplate>> = RwLock::new(Vec::new());

impl SelectTemplate {
    fn of<R: Table>(json: Json) -> &'static Self {
        let find = |all: &[&'static Self]| {
            let mut all = all.iter().copied();
            all.find(|whole| whole.table == R::TABLE && whole.backend == json.backend)
        };
        let known = find(&TEMPLATES.read().unwrap_or_else(PoisonError::into_inner));
        known.unwrap_or_else(|| {
            let mut all = TEMPLATES.write().unwrap_or_else(PoisonError::into_inner);
            // Somebody else may have been faster.
            find(&all).unwrap_or_else(|| {
                let new: &'static Self = Box::leak(Box::new(Self::new::<R>(json)));
                all.push(new);
                new
            })
        })
    }

    fn new<R: Table>(json: Json) -> Self {
        let mut names = Vec::new();
        let mut select = Query::select();
        let mut add = |name, value: SimpleExpr| {
            names.push(name);
            select.expr(value);
        };
        for column in ["id", "revision"].into_iter().chain(R::read_columns()) {
            add(column, Expr::col((R::TABLE, column)));
        }
        for column in R::real_columns() {
            add(column, json.real((R::TABLE, column)));
        }
        add(translations::COLUMN, translations::value::<R>(json));
        for (name, rows) in R::links(json) {
            add(name, rows.into());
        }
        let statement = json.backend.build(&select);
        debug_assert!(statement.values.is_none_or(|values| values.0.is_empty()));
        let values = statement.sql.trim_start_matches("SELECT ").to_owned();
        Self {
            table: R::TABLE,
            backend: json.backend,
            names,
            values,
        }
    }
}

/// What is read of a table.
pub(crate) struct Columns {
    table: &'static str,
    names: Vec<&'static str>,
}

impl RecordQuery {
    /// All records of a table, whole.
    pub(crate) fn of<R: Table>(json: Json) -> Self {
        let whole = SelectTemplate::of::<R>(json);
        Self {
            columns: Columns {
                table: R::TABLE,
                names: whole.names.clone(),
            },
            values: vec![Expr::cust(whole.values.as_str())],
            rows: Query::select().from(R::TABLE).take(),
            json,
        }
    }

    /// Reads a value, too, under a name.
    pub(crate) fn add(&mut self, name: &'static str, value: impl Into<SimpleExpr>) {
        self.columns.names.push(name);
        self.values.push(value.into());
    }

    /// The rows that are read, to be made fewer.
    pub(crate) fn rows(&mut self) -> &mut SelectStatement {
        &mut self.rows
    }

    /// The records of these IDs alone.
    pub(crate) fn only(mut self, ids: &[i64]) -> Self {
        let wanted = self.json.is_one_of((self.columns.table, "id"), ids);
        self.rows.and_where(wanted);
        self
    }

    /// A statement that answers one text, and how to read it.
    pub(crate) fn into_parts(mut self) -> (SelectStatement, Columns) {
        let text = self.json.table(self.values);
        (self.rows.expr(text).take(), self.columns)
    }
}

impl Columns {
    /// Reads the text that is the value of a column.
    pub(crate) fn read<T>(
        &self,
        result: &QueryResult,
        column: &str,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let text: Option<String> = result.try_get_by(column).map_err(store_error)?;
        let rows: Vec<Vec<Cell<'_>>> = match &text {
            Some(text) => serde_json::from_str(text)
                .map_err(|error| broken_row(self.table, "text of its rows", error))?,
            None => Vec::new(),
        };
        let rows = rows
            .iter()
            .map(|cells| Row::of_cells(self.table, &self.names, cells));
        rows.map(|row| read(&row)).collect()
    }
}

impl<C: Connection> Session<C> {
    /// What a selection holds, in no order.
    pub(crate) async fn load<T>(
        &self,
        selection: RecordQuery,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError> + Send,
    ) -> Result<Vec<T>, StoreError> {
        const TEXT: &str = "rows_read";
        let (select, columns) = selection.into_parts();
        let select = Query::select()
            .expr_as(SimpleExpr::from(select), TEXT)
            .take();
        match self.generic_plan().row(&select).await? {
            Some(row) => columns.read(&row, TEXT, read),
            None => Ok(Vec::new()),
        }
    }
}

/// The record of a row.
pub(crate) fn read_record<R: Table>(row: &Row<'_>) -> Result<Stored<R>, StoreError> {
    let (id, revision) = (Id::from_raw(row.get("id")?), row.get("revision")?);
    let mut content = R::read(row)?;
    *content.translations_mut() = translations::read::<R>(row)?;
    Ok(Stored {
        id,
        revision,
        content,
    })
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use sea_orm::{ConnectionTrait, Database};

    use super::*;

    #[tokio::test]
    async fn numbers_with_fractions_are_read_to_the_last_digit() {
        let connection = Database::connect("sqlite::memory:").await.unwrap();
        connection
            .execute_unprepared("CREATE TABLE place (latitude real)")
            .await
            .unwrap();
        // Any number between the poles, of every size: by a generator that takes each once.
        let mut state = 1_u64;
        let numbers: Vec<f64> = (0..20_000)
            .map(|number| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let part = f64::from(u32::try_from(state >> 32).unwrap()) / f64::from(u32::MAX);
                (part - 0.5) * 180.0 / 10_f64.powi(number % 12)
            })
            .collect();
        for numbers in numbers.chunks(1000) {
            let mut insert = Query::insert()
                .into_table("place")
                .columns(["latitude"])
                .take();
            for number in numbers {
                insert.values_panic([(*number).into()]);
            }
            connection.run(&insert).await.unwrap();
        }
        let json = Json {
            backend: connection.get_database_backend(),
        };
        let select = Query::select()
            .expr_as(
                json.table(vec![json.real(("place", "latitude"))]),
                "numbers",
            )
            .from("place")
            .take();
        let row = connection.row(&select).await.unwrap().unwrap();
        let columns = Columns {
            table: "place",
            names: vec!["latitude"],
        };
        let read = columns.read(&row, "numbers", |row| row.get::<f64>("latitude"));
        assert_eq!(read.unwrap(), numbers);
    }
}
