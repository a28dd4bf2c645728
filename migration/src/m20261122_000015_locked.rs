//! Finds the events that a password locks.

use sea_orm_migration::prelude::*;

use crate::run;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let index = "CREATE INDEX event_locked ON event (id) WHERE password_hash IS NOT NULL";
        run(manager, vec![index.to_owned()]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, vec!["DROP INDEX event_locked".to_owned()]).await
    }
}
