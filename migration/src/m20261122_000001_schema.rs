//! The whole schema.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{indexes, tables, triggers};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        let triggers = if postgres {
            triggers::postgres::create()
        } else {
            triggers::sqlite::create()
        };
        let connection = manager.get_connection();
        for statements in [
            tables::create(postgres),
            indexes::create(postgres),
            triggers,
        ] {
            connection.execute_unprepared(&statements).await?;
        }
        Ok(())
    }
}
