//! Slugs that published records gave up: pages redirect from them. Unique within a kind; a row names the last
//! record that gave up the slug.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend, sea_query::ColumnDef};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "former_slug";

/// The rows of a record are deleted with it, and found by this.
const INDEX: &str = "former_slug_record";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut slug = ColumnDef::new("slug").text().not_null().take();
        if manager.get_database_backend() == DbBackend::Postgres {
            // Compared by its bytes, as in the table of present slugs.
            slug.extra("COLLATE \"C\"");
        }
        let table = Table::create()
            .table(TABLE)
            .col(ColumnDef::new("kind").text().not_null())
            .col(slug)
            .col(ColumnDef::new("record_id").big_integer().not_null())
            .col(ColumnDef::new("language").text().not_null())
            .primary_key(Index::create().col("kind").col("slug"))
            .to_owned();
        manager.create_table(table).await?;
        let index = Index::create()
            .name(INDEX)
            .table(TABLE)
            .col("kind")
            .col("record_id")
            .to_owned();
        manager.create_index(index).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_table(Table::drop().table(TABLE).to_owned())
            .await
    }
}
