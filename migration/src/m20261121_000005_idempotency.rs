//! First answers to creations, kept under the key that the client gave them.

use sea_orm_migration::{prelude::*, sea_query::ColumnDef};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "idempotency_key";

/// Expired rows are found by it.
const INDEX: &str = "idempotency_key_expires";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table(TABLE)
            // Hash of user, method, path and key.
            .col(ColumnDef::new("scope").text().not_null().primary_key())
            // Hash of what was asked.
            .col(ColumnDef::new("digest").text().not_null())
            // Null until the unit of work that took the key ends.
            .col(ColumnDef::new("answer").text())
            .col(ColumnDef::new("expires").big_integer().not_null())
            .to_owned();
        manager.create_table(table).await?;
        let index = Index::create()
            .name(INDEX)
            .table(TABLE)
            .col("expires")
            .to_owned();
        manager.create_index(index).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_table(Table::drop().table(TABLE).to_owned())
            .await
    }
}
