//! Images. Events, venues and organizers have named theirs by `image_id` from the beginning.

use sea_orm_migration::{
    prelude::*,
    sea_orm::DbBackend,
    sea_query::{ColumnDef, TableCreateStatement},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Who shows an image: few do, and when it goes they must be found.
const INDEXES: [&str; 3] = [
    "CREATE INDEX event_image ON event (image_id) WHERE image_id IS NOT NULL",
    "CREATE INDEX venue_image ON venue (image_id) WHERE image_id IS NOT NULL",
    "CREATE INDEX organizer_image ON organizer (image_id) WHERE image_id IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        // Compared by their bytes, in whatever language the database is.
        let key = |mut column: ColumnDef| {
            if postgres {
                column.extra("COLLATE \"C\"");
            }
            column
        };
        manager.create_table(image(key)).await?;
        // Every name that files of an image ever had: what lies at an address never changes.
        let name = ColumnDef::new("name")
            .text()
            .not_null()
            .primary_key()
            .take();
        let names = Table::create().table("image_name").col(key(name)).take();
        manager.create_table(names).await?;
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for index in ["event_image", "venue_image", "organizer_image"] {
            let drop = format!("DROP INDEX {index}");
            manager.get_connection().execute_unprepared(&drop).await?;
        }
        for table in ["image_name", "image"] {
            let drop = Table::drop().table(Alias::new(table)).to_owned();
            manager.drop_table(drop).await?;
        }
        Ok(())
    }
}

fn image(key: impl Fn(ColumnDef) -> ColumnDef) -> TableCreateStatement {
    let integer = |name: &'static str| ColumnDef::new(name).big_integer().not_null().take();
    let text = |name: &'static str| ColumnDef::new(name).text().not_null().take();
    Table::create()
        .table("image")
        // IDs are never used again.
        .col(integer("id").auto_increment().primary_key().take())
        .col(integer("uploader_id"))
        .col(key(text("name").unique_key().take()))
        .col(text("format"))
        .col(integer("width"))
        .col(integer("height"))
        .col(integer("filesize"))
        // JSON: read and written as a whole, never searched.
        .col(text("sizes"))
        .col(integer("created_utc"))
        .col(key(ColumnDef::new("source").text().unique_key().take()))
        .foreign_key(
            &mut ForeignKey::create()
                .from("image", "uploader_id")
                .to("account", "id")
                .on_delete(ForeignKeyAction::Restrict)
                .take(),
        )
        .take()
}
