//! The index from which SQLite counts events by venue and by cost.
//!
//! The rows of events hold long texts before these columns. The index is by `id + 0`, as SQLite prefers the
//! rows to any index by `id`.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            return Ok(());
        }
        let statement = "
    CREATE INDEX event_tallied ON event
        (id + 0, venue_id, is_free, published_utc, listed, password_hash)
        WHERE listed AND password_hash IS NULL;";
        manager
            .get_connection()
            .execute_unprepared(statement)
            .await?;
        Ok(())
    }
}
