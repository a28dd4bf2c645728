//! The last verification of each event, and the indexes of the events of an author that are to be verified.

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
        let statements = format!(
            "
    CREATE TABLE event_verification (
        event_id {integer} NOT NULL PRIMARY KEY,
        verified_utc {integer} NOT NULL,
        FOREIGN KEY (event_id) REFERENCES event (id) ON DELETE CASCADE
    );
    CREATE INDEX event_of_author_start ON event (author_id, start_utc, modified_utc)
        WHERE repetition IS NULL AND series_id IS NULL;
    CREATE INDEX event_of_author_series ON event (author_id, modified_utc)
        WHERE repetition IS NOT NULL AND series_id IS NULL;"
        );
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}
