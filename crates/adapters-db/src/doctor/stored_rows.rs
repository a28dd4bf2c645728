//! Rows of any table, as they are stored.

use std::collections::BTreeMap;

use app::ports::StoreError;
use sea_orm::{
    ColumnType, ConnectionTrait as _, DbErr, QueryResult,
    sea_query::{Alias, Expr, Query},
};
use serde_json::Value as Json;

use super::Work;
use crate::{entity::entity_columns, error::store_error};

/// The rows of records, each as the values of some columns in JSON, by the ID of the record.
pub(super) type RowsById = BTreeMap<i64, Vec<Vec<Json>>>;

impl Work<'_> {
    /// Reads columns of the rows of some records. `key` is the column with the ID of the record.
    pub(super) async fn rows_of(
        &self,
        table: &str,
        key: &str,
        ids: &[i64],
        columns: &[String],
    ) -> Result<RowsById, StoreError> {
        let backend = self.session.connection.get_database_backend();
        let all = entity_columns(backend).into_iter();
        let kinds: BTreeMap<&str, ColumnType> = all
            .filter(|one| one.table == table)
            .map(|one| (one.column, one.kind))
            .collect();
        let select = Query::select()
            .expr_as(Expr::col(Alias::new(key)), Alias::new("key_of_record"))
            .columns(columns.iter().map(Alias::new))
            .from(Alias::new(table))
            .and_where(self.session.json().is_one_of(Alias::new(key), ids))
            .take();
        let mut rows = RowsById::new();
        for row in self.session.connection.rows(&select).await? {
            let id: i64 = row.try_get("", "key_of_record").map_err(store_error)?;
            let cells = columns
                .iter()
                .map(|column| cell(&row, column, kinds.get(column.as_str())));
            let cells = cells.collect::<Result<_, _>>().map_err(store_error)?;
            rows.entry(id).or_default().push(cells);
        }
        Ok(rows)
    }
}

fn cell(row: &QueryResult, column: &str, kind: Option<&ColumnType>) -> Result<Json, DbErr> {
    Ok(match kind {
        Some(ColumnType::Boolean) => row.try_get::<Option<bool>>("", column)?.into(),
        Some(ColumnType::Integer) => row.try_get::<Option<i32>>("", column)?.into(),
        Some(ColumnType::BigInteger) => row.try_get::<Option<i64>>("", column)?.into(),
        Some(ColumnType::Double) => row.try_get::<Option<f64>>("", column)?.into(),
        _ => row.try_get::<Option<String>>("", column)?.into(),
    })
}

/// A value in a report.
pub(super) fn shown(value: &Json) -> String {
    /// Longer texts are cut.
    const MAX_CHARS: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
