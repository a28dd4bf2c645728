//! Events that were moved to another start.
//!
//! - `event.previous_start_utc`: the start before the last move.
//! - `event.moved_utc`: the instant of that move.
//!
//! Both are null for an event that was not moved.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let integer = match manager.get_database_backend() {
            DbBackend::Postgres => "bigint",
            _ => "integer",
        };
        for column in ["previous_start_utc", "moved_utc"] {
            let statement = format!("ALTER TABLE event ADD COLUMN {column} {integer}");
            let connection = manager.get_connection();
            connection.execute_unprepared(&statement).await?;
        }
        Ok(())
    }
}
