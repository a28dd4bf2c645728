//! The slot of a record that a source has for one occurrence of a series here.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let statement = "ALTER TABLE import_source ADD COLUMN slot text";
        manager
            .get_connection()
            .execute_unprepared(statement)
            .await?;
        Ok(())
    }
}
