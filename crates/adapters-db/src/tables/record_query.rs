//! A query that reads records as one text: a JSON array of arrays.
//!
//! Each row that a driver returns costs more than the database's work for it, above all on SQLite,
//! where rows come from another thread one by one.

use std::sync::OnceLock;

use app::ports::StoreError;
use domain::{Id, Kind, Stored};
use sea_orm::{
    ColumnTrait, ColumnType, DbBackend, EntityTrait, ExprTrait, IdenStatic, Iterable, QueryResult,
    sea_query::{Expr, Query, SelectStatement, SimpleExpr, UnionType},
};

use super::{Table, translations};
use crate::{
    entity::{RecordColumn, TranslationColumn, category, event, venue},
    error::{broken_row, store_error},
    session::Session,
    sql::{Cell, Json, Row},
};

/// A query of records: its columns and rows.
pub(crate) struct RecordQuery {
    columns: Columns,
    values: Vec<SimpleExpr>,
    rows: SelectStatement,
    json: Json,
}

/// The extent in which records are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// With all columns, and the rows that link records with others.
    Whole,
    /// Without long texts and linked rows, which take most of the time of the database.
    Outline,
}

/// The columns of a kind of record in SQL. The text never changes, and building it may take longer
/// than the statement on SQLite.
struct SelectTemplate {
    names: Vec<&'static str>,
    /// The values, as SQL.
    values: String,
}

/// The templates of all kinds, on SQLite and on PostgreSQL, in each extent, each built when it is first needed.
static TEMPLATES: [[[OnceLock<SelectTemplate>; 2]; 2]; Kind::ALL.len()] =
    [const { [const { [const { OnceLock::new() }; 2] }; 2] }; Kind::ALL.len()];

impl SelectTemplate {
    fn of<R: Table>(json: Json, extent: Extent) -> &'static Self {
        let backend = usize::from(json.backend == DbBackend::Postgres);
        let template = &TEMPLATES[R::KIND as usize][backend][extent as usize];
        template.get_or_init(|| Self::new::<R>(json, extent))
    }

    fn new<R: Table>(json: Json, extent: Extent) -> Self {
        let mut names = Vec::new();
        let mut select = Query::select();
        let mut add = |name, value: SimpleExpr| {
            names.push(name);
            select.expr(value);
        };
        let is_outline = extent == Extent::Outline;
        for (name, value) in (R::tables().read_columns)(json) {
            let is_left_out = is_outline && is_long_text(name);
            add(name, if is_left_out { Expr::cust("''") } else { value });
        }
        add(translations::COLUMN, translations::value::<R>(json));
        for (name, rows) in R::links(json) {
            let rows = if is_outline {
                Expr::cust("'[]'")
            } else {
                rows.into()
            };
            add(name, rows);
        }
        let statement = json.backend.build(&select);
        debug_assert!(statement.values.is_none_or(|values| values.0.is_empty()));
        let values = statement.sql.trim_start_matches("SELECT ").to_owned();
        Self { names, values }
    }
}

/// Whether a column has a text of many lines.
fn is_long_text(name: &str) -> bool {
    [
        event::Column::Description.as_str(),
        event::Column::Excerpt.as_str(),
    ]
    .contains(&name)
}

/// The columns of a table that are read with a record.
pub(super) fn read_columns<E: EntityTrait>(json: Json) -> Vec<(&'static str, SimpleExpr)> {
    let value = |column: E::Column| {
        let qualified = column.as_column_ref();
        let value = match column.def().get_column_type() {
            ColumnType::Double => json.real(qualified),
            _ => Expr::col(qualified),
        };
        (column.as_str(), value)
    };
    E::Column::iter().filter(is_read).map(value).collect()
}

/// Whether records are read with a column. Some columns are only for searches, sorting and
/// counters.
fn is_read(column: &impl ColumnTrait) -> bool {
    is_read_with_record(column.as_str())
}

/// As [`is_read`], by the name of the column.
pub(crate) fn is_read_with_record(column: &str) -> bool {
    let unread = [
        event::Column::TitleKey.as_str(),
        event::Column::Listed.as_str(),
        event::Column::SearchText.as_str(),
        event::Column::Translated.as_str(),
        event::Column::Span.as_str(),
        event::Column::SeriesId.as_str(),
        event::Column::KeptUntilUtc.as_str(),
        event::Column::IsFree.as_str(),
        venue::Column::DirectionX.as_str(),
        venue::Column::DirectionY.as_str(),
        venue::Column::DirectionZ.as_str(),
        category::Column::NameKey.as_str(),
        category::Column::CreationKey.as_str(),
        category::Column::EventCount.as_str(),
    ];
    !unread.contains(&column)
}

/// The name of the column with the result of a query that runs alone.
pub(crate) const ROWS_READ: &str = "rows_read";

/// The columns of a record query.
pub(crate) struct Columns {
    table: &'static str,
    names: Vec<&'static str>,
}

impl RecordQuery {
    /// A query of all records of a kind, with all columns.
    pub(crate) fn of<R: Table>(json: Json) -> Self {
        Self::in_extent::<R>(json, Extent::Whole)
    }

    /// A query of all records of a kind, in an extent.
    pub(crate) fn in_extent<R: Table>(json: Json, extent: Extent) -> Self {
        let template = SelectTemplate::of::<R>(json, extent);
        Self {
            columns: Columns {
                table: R::table(),
                names: template.names.clone(),
            },
            values: vec![Expr::cust(template.values.as_str())],
            rows: Query::select().from(R::table()).take(),
            json,
        }
    }

    /// A query of the records with one of these folded titles or names in any language.
    pub(crate) fn named<R: Table>(json: Json, names: &[String]) -> Self {
        let translated = Query::select()
            .column(TranslationColumn::RecordId)
            .from(R::translations_table())
            .and_where(json.is_one_of_texts(TranslationColumn::TitleKey, names))
            .take();
        // Each part uses an index; with an `OR`, PostgreSQL would scan the table.
        let ids = Query::select()
            .column(RecordColumn::Id)
            .from(R::table())
            .and_where(json.is_one_of_texts(R::name_key(), names))
            .union(UnionType::Distinct, translated)
            .take();
        let mut wanted = Self::of::<R>(json);
        let has_name = Expr::col((R::table(), RecordColumn::Id)).in_subquery(ids);
        wanted.rows.and_where(has_name);
        wanted
    }

    /// Adds a value under a name.
    pub(crate) fn add(&mut self, name: &'static str, value: impl Into<SimpleExpr>) {
        self.columns.names.push(name);
        self.values.push(value.into());
    }

    /// The rows, to be filtered.
    pub(crate) fn rows(&mut self) -> &mut SelectStatement {
        &mut self.rows
    }

    /// Restricts the query to some IDs.
    pub(crate) fn only(mut self, ids: &[i64]) -> Self {
        let wanted = self
            .json
            .is_one_of((self.columns.table, RecordColumn::Id), ids);
        self.rows.and_where(wanted);
        self
    }

    /// The statement that returns one text, and the reader of that text.
    pub(crate) fn into_parts(mut self) -> (SelectStatement, Columns) {
        let text = self.json.table(self.values);
        (self.rows.expr(text).take(), self.columns)
    }
}

impl Columns {
    /// Reads the text in a column of a result.
    pub(crate) fn read<T>(
        &self,
        result: &QueryResult,
        column: &str,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let text: Option<String> = result.try_get_by(column).map_err(store_error)?;
        match text {
            Some(text) => self.read_text(&text, read),
            None => Ok(Vec::new()),
        }
    }

    /// Reads the text of rows.
    fn read_text<T>(
        &self,
        text: &str,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows: Vec<Vec<Cell<'_>>> = serde_json::from_str(text)
            .map_err(|error| broken_row(self.table, "text of its rows", error))?;
        let rows = rows
            .iter()
            .map(|cells| Row::new(self.table, &self.names, cells));
        rows.map(|row| read(&row)).collect()
    }
}

impl Session {
    /// A record as a text, with the names of its columns.
    pub(crate) async fn record_text<R: Table>(
        &self,
        id: Id<R>,
    ) -> Result<Option<String>, StoreError> {
        let query = RecordQuery::of::<R>(self.json()).only(&[id.get()]);
        let (select, columns) = query.into_parts();
        let select = Query::select()
            .expr_as(SimpleExpr::from(select), ROWS_READ)
            .take();
        let Some(row) = self.connection.row(&select).await? else {
            return Ok(None);
        };
        let rows: Option<String> = row.try_get_by(ROWS_READ).map_err(store_error)?;
        let rows = rows.filter(|rows| rows != "[]");
        Ok(rows.map(|rows| format!("{}\n{rows}", columns.names.join(" "))))
    }

    /// The record of a text of [`Self::record_text`]; `None` if records have other columns now.
    pub(crate) fn of_record_text<R: Table>(
        &self,
        text: &str,
    ) -> Result<Option<Stored<R>>, StoreError> {
        let (_, columns) = RecordQuery::of::<R>(self.json()).into_parts();
        let kept = text.split_once('\n');
        let Some((_, rows)) = kept.filter(|(names, _)| *names == columns.names.join(" ")) else {
            return Ok(None);
        };
        let records = columns.read_text(rows, read_record::<R>)?;
        Ok(records.into_iter().next())
    }

    /// Loads the records of a query, in no order.
    pub(crate) async fn load<T>(
        &self,
        query: RecordQuery,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError> + Send,
    ) -> Result<Vec<T>, StoreError> {
        let (select, columns) = query.into_parts();
        let select = Query::select()
            .expr_as(SimpleExpr::from(select), ROWS_READ)
            .take();
        match self.generic_plan().row(&select).await? {
            Some(row) => columns.read(&row, ROWS_READ, read),
            None => Ok(Vec::new()),
        }
    }
}

/// Reads the record of a row.
pub(crate) fn read_record<R: Table>(row: &Row<'_>) -> Result<Stored<R>, StoreError> {
    let mut stored = Stored {
        id: row.get(RecordColumn::Id)?,
        revision: row.get(RecordColumn::Revision)?,
        content: R::read(row)?,
    };
    *stored.content.translations_mut() = translations::read::<R>(row)?;
    Ok(stored)
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
        // Latitudes of all magnitudes, from a fixed pseudo-random sequence.
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
            connection.execute(&insert).await.unwrap();
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
        let row = connection.query_one(&select).await.unwrap().unwrap();
        let columns = Columns {
            table: "place",
            names: vec!["latitude"],
        };
        let read = columns.read(&row, "numbers", |row| row.get::<f64>("latitude"));
        assert_eq!(read.unwrap(), numbers);
    }
}
