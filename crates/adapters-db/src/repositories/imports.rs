//! The import ledger: the rows that were imported.

use std::collections::HashSet;

use app::ports::{ImportLedger, StoreError};
use async_trait::async_trait;
use domain::EventId;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use crate::{connection::Connection, entity::import_row, error::store_error, session::Session};

#[async_trait]
impl<C: Connection> ImportLedger for Session<C> {
    async fn known(&self, digests: &[String]) -> Result<HashSet<(String, i64)>, StoreError> {
        if digests.is_empty() {
            return Ok(HashSet::new());
        }
        let rows = import_row::Entity::find()
            .filter(import_row::Column::Digest.is_in(digests))
            .all(&self.connection)
            .await
            .map_err(store_error)?;
        Ok(rows
            .into_iter()
            .map(|row| (row.digest, row.ordinal))
            .collect())
    }

    async fn record(&self, digest: &str, ordinal: i64, event: EventId) -> Result<(), StoreError> {
        let row = import_row::ActiveModel {
            digest: Set(digest.to_owned()),
            ordinal: Set(ordinal),
            event_id: Set(event.get()),
        };
        // The returned row makes the statement run now: the import row must be new.
        row.insert(&self.connection).await.map_err(store_error)?;
        Ok(())
    }
}
