//! The rows that were imported already.

use std::collections::HashSet;

use app::ports::{ImportLedger, StoreError};
use async_trait::async_trait;
use domain::EventId;
use sea_orm::{
    ExprTrait, QueryResult,
    sea_query::{Expr, Query},
};

use crate::{connection::Connection, error::store_error, session::Session};

#[async_trait]
impl<C: Connection> ImportLedger for Session<C> {
    async fn known(&self, digests: &[String]) -> Result<HashSet<(String, i64)>, StoreError> {
        if digests.is_empty() {
            return Ok(HashSet::new());
        }
        let select = Query::select()
            .columns(["digest", "ordinal"])
            .from("import_row")
            .and_where(Expr::col("digest").is_in(digests))
            .take();
        let rows = self.connection.rows(&select).await?;
        let row = |row: &QueryResult| {
            let digest = row.try_get("", "digest").map_err(store_error)?;
            Ok((digest, row.try_get("", "ordinal").map_err(store_error)?))
        };
        rows.iter().map(row).collect()
    }

    async fn record(&self, digest: &str, ordinal: i64, event: EventId) -> Result<(), StoreError> {
        let insert = Query::insert()
            .into_table("import_row")
            .columns(["digest", "ordinal", "event_id"])
            .values_panic([digest.into(), ordinal.into(), event.get().into()])
            // A returned row makes the statement run now: the import row must be new.
            .returning_col("ordinal")
            .take();
        self.connection.row(&insert).await?;
        Ok(())
    }
}
