//! Proposals of visitors: their senders, and the links by which they come back.

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
    CREATE TABLE proposal (
        event_id {integer} NOT NULL PRIMARY KEY,
        hash text NOT NULL UNIQUE,
        address text NOT NULL,
        network text NOT NULL,
        sender text NOT NULL,
        email text,
        place_text text NOT NULL,
        created_utc {integer} NOT NULL,
        closed_utc {integer},
        FOREIGN KEY (event_id) REFERENCES event (id) ON DELETE CASCADE
    );
    CREATE INDEX proposal_address ON proposal (address, created_utc);
    CREATE INDEX proposal_open ON proposal (network) WHERE closed_utc IS NULL;
    CREATE INDEX proposal_closed ON proposal (closed_utc) WHERE closed_utc IS NOT NULL;"
        );
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}
