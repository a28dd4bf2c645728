//! Texts of records in other languages than that of their originals.

use sea_orm_migration::{
    prelude::*,
    sea_orm::DbBackend,
    sea_query::{ColumnDef, TableCreateStatement},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The kinds of record, each with the columns of its translations beside those that all have.
const KINDS: [(&str, &[&str]); 5] = [
    ("event", &["former_slug", "excerpt", "search_text"]),
    (
        "venue",
        &[
            "former_slug",
            "excerpt",
            "address",
            "city",
            "country",
            "province",
            "state",
            "stateprovince",
        ],
    ),
    ("organizer", &["former_slug", "excerpt"]),
    ("category", &[]),
    ("tag", &[]),
];

/// The kinds whose folded fields stand in a table of their own, one a row.
const PLACES: [&str; 2] = ["venue", "organizer"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        for (kind, columns) in KINDS {
            manager
                .create_table(translation(kind, columns, postgres))
                .await?;
            // As on the originals: hashes on PostgreSQL, which takes no long text into a B-tree.
            let index = if postgres { "USING hash" } else { "" };
            let index = format!(
                "CREATE INDEX {kind}_translation_key ON {kind}_translation {index} (title_key)"
            );
            manager.get_connection().execute_unprepared(&index).await?;
            // Most records have no translation: none are looked for then.
            let translated = ColumnDef::new("translated")
                .boolean()
                .not_null()
                .default(false)
                .take();
            manager
                .alter_table(Table::alter().table(kind).add_column(translated).take())
                .await?;
        }
        for place in PLACES {
            manager.create_table(folded_fields(place, postgres)).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for place in PLACES {
            let table = format!("{place}_translation_text");
            manager
                .drop_table(Table::drop().table(Alias::new(table)).take())
                .await?;
        }
        for (kind, _) in KINDS {
            let table = format!("{kind}_translation");
            manager
                .drop_table(Table::drop().table(Alias::new(table)).take())
                .await?;
            manager
                .alter_table(Table::alter().table(kind).drop_column("translated").take())
                .await?;
        }
        Ok(())
    }
}

/// A text that is compared and ordered by its bytes, in whatever language the database is.
fn key(name: &'static str, postgres: bool) -> ColumnDef {
    let mut column = ColumnDef::new(name).text().take();
    if postgres {
        column.extra("COLLATE \"C\"");
    }
    column
}

/// A row for each language of each record, with null where the original is shown.
fn translation(
    kind: &'static str,
    columns: &[&'static str],
    postgres: bool,
) -> TableCreateStatement {
    let table = format!("{kind}_translation");
    let mut create = Table::create()
        .table(Alias::new(&table))
        .col(ColumnDef::new("record_id").big_integer().not_null())
        .col(ColumnDef::new("language").text().not_null())
        .col(ColumnDef::new("title").text())
        // Folded, of the title that is shown: that of the original if it is not translated.
        .col(key("title_key", postgres).not_null().take())
        .col(key("slug", postgres))
        .col(key("description", postgres))
        .primary_key(Index::create().col("record_id").col("language"))
        .foreign_key(&mut reference(&table, "record_id", kind))
        .take();
    for column in columns {
        create.col(key(column, postgres));
    }
    create
}

/// The folded fields of a place as they are shown in another language.
fn folded_fields(place: &'static str, postgres: bool) -> TableCreateStatement {
    let table = format!("{place}_translation_text");
    Table::create()
        .table(Alias::new(&table))
        .col(ColumnDef::new("place_id").big_integer().not_null())
        .col(ColumnDef::new("language").text().not_null())
        .col(ColumnDef::new("position").big_integer().not_null())
        .col(key("folded", postgres).not_null().take())
        .primary_key(
            Index::create()
                .col("place_id")
                .col("language")
                .col("position"),
        )
        .foreign_key(&mut reference(&table, "place_id", place))
        .take()
}

fn reference(table: &str, column: &'static str, record: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(Alias::new(table), column)
        .to(record, "id")
        .on_delete(ForeignKeyAction::Cascade)
        .take()
}
