//! The remarks with which editors return events to their authors.

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
    CREATE TABLE event_remark (
        event_id {integer} NOT NULL PRIMARY KEY,
        remark text NOT NULL,
        author_id {integer},
        at_utc {integer} NOT NULL,
        FOREIGN KEY (event_id) REFERENCES event (id) ON DELETE CASCADE,
        FOREIGN KEY (author_id) REFERENCES account (id) ON DELETE SET NULL
    );
    CREATE INDEX event_remark_author ON event_remark (author_id);"
        );
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}
