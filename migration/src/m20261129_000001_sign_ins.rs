//! Passwords of users, invitations to choose one, and sessions of browsers.

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
    CREATE TABLE account_password (
        account_id {integer} NOT NULL PRIMARY KEY,
        hash text NOT NULL,
        set_utc {integer} NOT NULL,
        FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
    );
    CREATE TABLE account_invitation (
        account_id {integer} NOT NULL PRIMARY KEY,
        hash text NOT NULL UNIQUE,
        expires_utc {integer} NOT NULL,
        FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
    );
    CREATE TABLE browser_session (
        hash text NOT NULL PRIMARY KEY,
        account_id {integer} NOT NULL,
        data text NOT NULL,
        created_utc {integer} NOT NULL,
        expires_utc {integer} NOT NULL,
        FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
    );
    CREATE INDEX browser_session_account ON browser_session (account_id, created_utc);
    CREATE INDEX browser_session_expires ON browser_session (expires_utc);"
        );
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}
