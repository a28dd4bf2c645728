//! Imported rows, and what the service itself remembers.

use std::collections::HashSet;

use app::ports::{ImportLedger, Settings, StoreError};
use async_trait::async_trait;
use domain::EventId;
use sea_orm::{
    ExprTrait, QueryResult,
    sea_query::{Expr, OnConflict, Query},
};

use crate::{
    error::store_error,
    over::{Connection, Over},
};

#[async_trait]
impl<C: Connection> ImportLedger for Over<C> {
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
            // So that the answer is waited for: the row must be new.
            .returning_col("ordinal")
            .take();
        self.connection.row(&insert).await?;
        Ok(())
    }
}

#[async_trait]
impl<C: Connection> Settings for Over<C> {
    async fn get_or_insert(&self, name: &str, value: &str) -> Result<String, StoreError> {
        let insert = Query::insert()
            .into_table("setting")
            .columns(["name", "value"])
            .values_panic([name.into(), value.into()])
            .on_conflict(OnConflict::column("name").do_nothing().to_owned())
            .take();
        self.connection.run(&insert).await?;
        let select = Query::select()
            .column("value")
            .from("setting")
            .and_where(Expr::col("name").eq(name))
            .take();
        let row = self.connection.row(&select).await?;
        let row =
            row.ok_or_else(|| StoreError::Internal(format!("the setting {name} is not there")))?;
        row.try_get("", "value").map_err(store_error)
    }
}
