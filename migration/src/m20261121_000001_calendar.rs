//! The calendar: accounts, events, venues, organizers, categories, tags, and the links between them.

use sea_orm_migration::{
    prelude::*,
    sea_orm::DbBackend,
    sea_query::{ColumnDef, TableCreateStatement},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Tables in an order in which each only refers to those before it.
const TABLES: [&str; 15] = [
    "account",
    "account_token",
    "setting",
    "slug",
    "venue",
    "venue_text",
    "organizer",
    "organizer_text",
    "category",
    "tag",
    "event",
    "event_category",
    "event_tag",
    "event_organizer",
    "import_row",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let columns = Columns {
            postgres: manager.get_database_backend() == DbBackend::Postgres,
        };
        for table in tables(&columns) {
            manager.create_table(table).await?;
        }
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        for (table, column) in NAMES {
            let kind = if columns.postgres { "USING hash" } else { "" };
            let index = format!("CREATE INDEX {table}_{column} ON {table} {kind} ({column})");
            manager.get_connection().execute_unprepared(&index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES.iter().rev() {
            manager
                .drop_table(Table::drop().table(Alias::new(*table)).to_owned())
                .await?;
        }
        Ok(())
    }
}

/// What both databases read alike.
const INDEXES: [&str; 13] = [
    // Lists of what is public, by start; what is due by the clock is told from the index alone.
    "CREATE INDEX event_listed_start ON event (start_utc, id, end_utc, published_utc) WHERE listed",
    "CREATE INDEX event_start ON event (start_utc, id)",
    "CREATE INDEX event_scheduled ON event (published_utc)",
    "CREATE INDEX event_author ON event (author_id)",
    "CREATE INDEX event_venue ON event (venue_id, start_utc)",
    "CREATE INDEX event_parent ON event (parent_id)",
    "CREATE INDEX event_category_term ON event_category (term_id, event_id)",
    "CREATE INDEX event_tag_term ON event_tag (term_id, event_id)",
    "CREATE INDEX event_organizer_place ON event_organizer (place_id, event_id)",
    "CREATE INDEX venue_date ON venue (date_utc, id)",
    "CREATE INDEX organizer_date ON organizer (date_utc, id)",
    "CREATE INDEX category_parent ON category (parent_id)",
    "CREATE INDEX slug_record ON slug (kind, record_id)",
];

/// Tables and their columns with folded names, which are looked up in whole. They may be longer than
/// PostgreSQL takes into a B-tree: there, hashes of them are indexed.
const NAMES: [(&str, &str); 5] = [
    ("event", "title_key"),
    ("venue", "title_key"),
    ("organizer", "title_key"),
    ("category", "name_key"),
    ("tag", "name_key"),
];

/// Definitions of columns that the tables share.
struct Columns {
    postgres: bool,
}

impl Columns {
    /// IDs count from 1 and are never used again, also after the last record was deleted.
    fn id() -> ColumnDef {
        ColumnDef::new("id")
            .big_integer()
            .not_null()
            .auto_increment()
            .primary_key()
            .take()
    }

    fn integer(name: &'static str) -> ColumnDef {
        ColumnDef::new(name).big_integer().not_null().take()
    }

    fn optional_integer(name: &'static str) -> ColumnDef {
        ColumnDef::new(name).big_integer().take()
    }

    fn flag(name: &'static str) -> ColumnDef {
        ColumnDef::new(name).boolean().not_null().take()
    }

    fn text(name: &'static str) -> ColumnDef {
        ColumnDef::new(name).text().not_null().take()
    }

    fn optional_text(name: &'static str) -> ColumnDef {
        ColumnDef::new(name).text().take()
    }

    /// A text that is compared and ordered by its bytes, in whatever language the database is.
    fn key(&self, name: &'static str) -> ColumnDef {
        self.by_bytes(Self::text(name))
    }

    fn optional_key(&self, name: &'static str) -> ColumnDef {
        self.by_bytes(Self::optional_text(name))
    }

    fn by_bytes(&self, mut column: ColumnDef) -> ColumnDef {
        if self.postgres {
            column.extra("COLLATE \"C\"");
        }
        column
    }

    /// What events, venues and organizers share.
    fn entry(&self, table: &'static str) -> TableCreateStatement {
        Table::create()
            .table(table)
            .col(Self::id())
            .col(Self::integer("revision"))
            .col(Self::integer("author_id"))
            .col(Self::text("stage"))
            .col(Self::integer("date_utc"))
            .col(Self::flag("date_is_chosen"))
            .col(Self::optional_integer("published_utc"))
            .col(Self::integer("modified_utc"))
            .col(Self::text("language"))
            .col(Self::text("title"))
            .col(self.key("title_key"))
            .col(self.optional_key("slug"))
            .col(self.optional_key("former_slug"))
            .col(Self::text("description"))
            .col(Self::text("excerpt"))
            .col(Self::optional_integer("image_id"))
            .foreign_key(&mut reference(
                table,
                "author_id",
                "account",
                ForeignKeyAction::Restrict,
            ))
            .take()
    }

    /// The folded fields of an entry, one a row: a search looks into each by itself.
    fn folded_fields(&self, table: &'static str, place: &'static str) -> TableCreateStatement {
        Table::create()
            .table(table)
            .col(Self::integer("place_id"))
            .col(Self::integer("position"))
            .col(self.key("folded"))
            .primary_key(Index::create().col("place_id").col("position"))
            .foreign_key(&mut reference(
                table,
                "place_id",
                place,
                ForeignKeyAction::Cascade,
            ))
            .take()
    }

    /// What categories and tags share.
    fn term(&self, table: &'static str) -> TableCreateStatement {
        Table::create()
            .table(table)
            .col(Self::id())
            .col(Self::integer("revision"))
            .col(Self::text("language"))
            .col(Self::text("name"))
            .col(self.key("name_key"))
            .col(self.key("slug"))
            .col(self.key("description"))
            // Filled by creations without a slug of their own, with a hash of the name: two at once
            // cannot have one name.
            .col(self.optional_key("creation_key").unique_key().take())
            // Published events without a password that carry it, also those not yet due.
            .col(Self::integer("event_count").default(0).take())
            .take()
    }

    /// Which events carry which terms, or name which places.
    fn link(
        table: &'static str,
        column: &'static str,
        target: &'static str,
    ) -> TableCreateStatement {
        Table::create()
            .table(table)
            .col(Self::integer("event_id"))
            .col(Self::integer("position"))
            .col(Self::integer(column))
            .primary_key(Index::create().col("event_id").col(column))
            .foreign_key(&mut reference(
                table,
                "event_id",
                "event",
                ForeignKeyAction::Cascade,
            ))
            .foreign_key(&mut reference(
                table,
                column,
                target,
                ForeignKeyAction::Cascade,
            ))
            .take()
    }
}

fn reference(
    from: &'static str,
    column: &'static str,
    to: &'static str,
    on_delete: ForeignKeyAction,
) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(from, column)
        .to(to, "id")
        .on_delete(on_delete)
        .take()
}

fn tables(c: &Columns) -> Vec<TableCreateStatement> {
    let mut tables = accounts(c);
    tables.extend(places(c));
    tables.push(
        c.term("category")
            .col(Columns::optional_integer("parent_id"))
            .foreign_key(&mut reference(
                "category",
                "parent_id",
                "category",
                ForeignKeyAction::Restrict,
            ))
            .take(),
    );
    tables.push(c.term("tag"));
    tables.push(event(c));
    tables.push(Columns::link("event_category", "term_id", "category"));
    tables.push(Columns::link("event_tag", "term_id", "tag"));
    tables.push(Columns::link("event_organizer", "place_id", "organizer"));
    tables.push(
        Table::create()
            .table("import_row")
            .col(Columns::text("digest"))
            .col(Columns::integer("ordinal"))
            .col(Columns::integer("event_id"))
            .primary_key(Index::create().col("digest").col("ordinal"))
            .take(),
    );
    tables
}

fn accounts(c: &Columns) -> Vec<TableCreateStatement> {
    let account = Table::create()
        .table("account")
        .col(Columns::id())
        .col(Columns::text("name"))
        .col(c.key("name_key").unique_key().take())
        .col(Columns::optional_text("email"))
        .col(c.optional_key("email_key").unique_key().take())
        .col(Columns::text("role"))
        .col(Columns::flag("disabled"))
        .take();
    let token = Table::create()
        .table("account_token")
        .col(Columns::id())
        .col(Columns::integer("account_id"))
        .col(Columns::text("label"))
        .col(c.key("hash").unique_key().take())
        .col(Columns::text("scope"))
        .col(Columns::integer("created_utc"))
        .col(Columns::optional_integer("expires_utc"))
        .col(Columns::optional_integer("revoked_utc"))
        .foreign_key(&mut reference(
            "account_token",
            "account_id",
            "account",
            ForeignKeyAction::Cascade,
        ))
        .take();
    let setting = Table::create()
        .table("setting")
        .col(Columns::text("name").primary_key().take())
        .col(Columns::text("value"))
        .take();
    // Every slug that is taken, in whichever language: unique within a kind.
    let slug = Table::create()
        .table("slug")
        .col(Columns::text("kind"))
        .col(c.key("slug"))
        .col(Columns::integer("record_id"))
        .primary_key(Index::create().col("kind").col("slug"))
        .take();
    vec![account, token, setting, slug]
}

fn places(c: &Columns) -> Vec<TableCreateStatement> {
    let venue = c
        .entry("venue")
        .col(Columns::text("address"))
        .col(Columns::text("city"))
        .col(Columns::text("country"))
        .col(Columns::text("province"))
        .col(Columns::text("state"))
        .col(Columns::text("stateprovince"))
        .col(Columns::text("zip"))
        .col(Columns::text("phone"))
        .col(Columns::optional_text("website"))
        .col(Columns::flag("show_map"))
        .col(Columns::flag("show_map_link"))
        .col(ColumnDef::new("latitude").double())
        .col(ColumnDef::new("longitude").double())
        .take();
    let organizer = c
        .entry("organizer")
        .col(Columns::text("phone"))
        .col(Columns::optional_text("website"))
        .col(Columns::text("email"))
        .take();
    vec![
        venue,
        c.folded_fields("venue_text", "venue"),
        organizer,
        c.folded_fields("organizer_text", "organizer"),
    ]
}

fn event(c: &Columns) -> TableCreateStatement {
    c.entry("event")
        .col(Columns::text("uid").unique_key().take())
        .col(Columns::integer("sequence"))
        // Published and not hidden: what lists for everybody are made of.
        .col(Columns::flag("listed"))
        .col(Columns::text("start_local"))
        .col(Columns::text("end_local"))
        .col(Columns::integer("start_utc"))
        .col(Columns::integer("end_utc"))
        .col(Columns::text("time_zone"))
        .col(Columns::flag("all_day"))
        .col(Columns::text("cost"))
        .col(Columns::optional_text("currency"))
        .col(Columns::optional_text("website"))
        .col(Columns::flag("show_map"))
        .col(Columns::flag("show_map_link"))
        .col(Columns::flag("hide_from_listings"))
        .col(Columns::flag("sticky"))
        .col(Columns::flag("featured"))
        .col(Columns::optional_integer("venue_id"))
        .col(Columns::optional_integer("parent_id"))
        .col(Columns::optional_text("password_hash"))
        // Folded title, excerpt and description, a line each.
        .col(c.key("search_text"))
        .foreign_key(&mut reference(
            "event",
            "venue_id",
            "venue",
            ForeignKeyAction::SetNull,
        ))
        .foreign_key(&mut reference(
            "event",
            "parent_id",
            "event",
            ForeignKeyAction::SetNull,
        ))
        .take()
}
