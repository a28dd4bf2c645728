//! The scope `admin` of tokens, and the collections to which a token is limited.
//!
//! Tokens with the scope `write` had all rights of their users, and keep them.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const STATEMENTS: &str = "
    ALTER TABLE account_token ADD COLUMN collections text NOT NULL DEFAULT 'all';
    UPDATE account_token SET scope = 'admin' WHERE scope = 'write';";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .get_connection()
            .execute_unprepared(STATEMENTS)
            .await?;
        Ok(())
    }
}
