//! Cheaper counting of the events of categories and tags on PostgreSQL.
//!
//! Each event updates the rows of its terms, and thereby leaves a dead version of each. Every lookup
//! reads the dead versions in a page, until PostgreSQL prunes the page. It does so when the page is
//! fuller than the fill factor.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

const POSTGRES: &str = "
    ALTER TABLE category SET (fillfactor = 50);
    ALTER TABLE tag SET (fillfactor = 50);";

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            manager
                .get_connection()
                .execute_unprepared(POSTGRES)
                .await?;
        }
        Ok(())
    }
}
