//! Cancelled events.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let statement = "ALTER TABLE event ADD COLUMN cancelled boolean NOT NULL DEFAULT FALSE";
        manager
            .get_connection()
            .execute_unprepared(statement)
            .await?;
        Ok(())
    }
}
