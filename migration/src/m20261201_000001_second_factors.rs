//! The second factors of sign-ins.

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
        let statement = format!(
            "
    CREATE TABLE account_second_factor (
        account_id {integer} NOT NULL PRIMARY KEY,
        secret text NOT NULL,
        last_step {integer} NOT NULL,
        recovery_codes text NOT NULL,
        FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
    )"
        );
        let connection = manager.get_connection();
        connection.execute_unprepared(&statement).await?;
        Ok(())
    }
}
