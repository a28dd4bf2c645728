//! The index of public lists gets the columns with which views place events on their days.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A month of many events is read from the index alone.
        let statements = "
    DROP INDEX event_listed_start;
    CREATE INDEX event_listed_start ON event
        (start_utc, id, end_utc, published_utc, listed, time_zone, sticky, password_hash)
        WHERE listed;";
        manager
            .get_connection()
            .execute_unprepared(statements)
            .await?;
        Ok(())
    }
}
