//! The settings of the site that administrators change while the service runs.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (integer, bytes) = match manager.get_database_backend() {
            DbBackend::Postgres => ("bigint", "bytea"),
            _ => ("integer", "blob"),
        };
        let statements = format!(
            "
    CREATE TABLE site_setting (
        name text NOT NULL PRIMARY KEY,
        value {bytes} NOT NULL,
        set_by_id {integer},
        set_utc {integer} NOT NULL,
        FOREIGN KEY (set_by_id) REFERENCES account (id) ON DELETE SET NULL
    );
    CREATE INDEX site_setting_set_by ON site_setting (set_by_id);"
        );
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}
