//! An index with the events of a venue in the order of lists, down to the ID: PostgreSQL, which may choose it
//! for a list, need not put them in order. An index of SQLite ends with the ID anyway.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::run;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        index(manager, "venue_id, start_utc, id").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        index(manager, "venue_id, start_utc").await
    }
}

/// Makes the index anew, of these columns.
async fn index(manager: &SchemaManager<'_>, columns: &str) -> Result<(), DbErr> {
    if manager.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let create = format!("CREATE INDEX event_venue ON event ({columns})");
    run(manager, vec!["DROP INDEX event_venue".to_owned(), create]).await
}
