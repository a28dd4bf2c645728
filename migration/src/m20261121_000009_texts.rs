//! On SQLite, the texts of listed events once more, in the order of starts: a search within some weeks
//! reads them one after the other, and nothing else.
//!
//! PostgreSQL keeps long texts in a table of their own anyway, and no table in an order.
//!
//! Triggers keep all of it right, whoever writes.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::run;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Rows stand in the order of their only key: the start of the event times this, and the number of
/// the event among those of its second.
const IN_A_SECOND: i64 = 1 << 24;

const TRIGGERS: [&str; 5] = [
    "event_text_added",
    "event_text_changed",
    "event_text_removed",
    "event_text_translated",
    "event_text_untranslated",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        on_sqlite(manager, up()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let triggers = TRIGGERS.map(|trigger| format!("DROP TRIGGER {trigger}"));
        let table = "DROP TABLE event_text".to_owned();
        on_sqlite(manager, triggers.into_iter().chain([table]).collect()).await
    }
}

/// Only SQLite keeps such a table.
async fn on_sqlite(manager: &SchemaManager<'_>, statements: Vec<String>) -> Result<(), DbErr> {
    match manager.get_database_backend() {
        DbBackend::Sqlite => run(manager, statements).await,
        _ => Ok(()),
    }
}

fn up() -> Vec<String> {
    const COLUMNS: &str =
        "place, event_id, start_utc, end_utc, published_utc, locked, translated, folded";
    /// What is copied to a row, or what it is made of.
    const COPIED: [&str; 7] = [
        "listed",
        "start_utc",
        "end_utc",
        "published_utc",
        "password_hash",
        "title_key",
        "search_text",
    ];
    // Of what a password locks, only the title is looked through.
    let copies = |row: &str| {
        format!(
            "{row}.id, {row}.start_utc, {row}.end_utc, {row}.published_utc, \
             {row}.password_hash IS NOT NULL, \
             EXISTS (SELECT 1 FROM event_translation WHERE record_id = {row}.id), \
             CASE WHEN {row}.password_hash IS NULL THEN {row}.search_text \
             ELSE {row}.title_key END"
        )
    };
    let first = format!("NEW.start_utc * {IN_A_SECOND}");
    let add = format!(
        "INSERT INTO event_text ({COLUMNS}) \
         SELECT COALESCE((SELECT MAX(place) + 1 FROM event_text \
         WHERE place BETWEEN {first} AND {first} + {IN_A_SECOND} - 1), {first}), {} \
         WHERE NEW.listed;",
        copies("NEW")
    );
    let remove = "DELETE FROM event_text WHERE event_id = OLD.id;";
    let all = |row: &str| COPIED.map(|column| format!("{row}.{column}")).join(", ");
    let [added, changed, removed, translated, untranslated] = TRIGGERS;
    vec![
        "CREATE TABLE event_text (
            place INTEGER PRIMARY KEY NOT NULL,
            event_id INTEGER NOT NULL,
            start_utc INTEGER NOT NULL,
            end_utc INTEGER NOT NULL,
            published_utc INTEGER,
            locked BOOLEAN NOT NULL,
            translated BOOLEAN NOT NULL,
            folded TEXT NOT NULL
        )"
        .to_owned(),
        format!(
            "INSERT INTO event_text ({COLUMNS}) SELECT start_utc * {IN_A_SECOND} - 1 \
             + row_number() OVER (PARTITION BY start_utc ORDER BY id), {} \
             FROM event WHERE listed ORDER BY 1",
            copies("event")
        ),
        "CREATE UNIQUE INDEX event_text_event ON event_text (event_id)".to_owned(),
        format!("CREATE TRIGGER {added} AFTER INSERT ON event WHEN NEW.listed BEGIN {add} END"),
        format!(
            "CREATE TRIGGER {changed} AFTER UPDATE OF {} ON event \
             WHEN (OLD.listed OR NEW.listed) AND ({}) IS NOT ({}) BEGIN {remove} {add} END",
            COPIED.join(", "),
            all("OLD"),
            all("NEW"),
        ),
        format!(
            "CREATE TRIGGER {removed} AFTER DELETE ON event WHEN OLD.listed BEGIN {remove} END"
        ),
        format!(
            "CREATE TRIGGER {translated} AFTER INSERT ON event_translation BEGIN \
             UPDATE event_text SET translated = TRUE \
             WHERE event_id = NEW.record_id AND NOT translated; END"
        ),
        format!(
            "CREATE TRIGGER {untranslated} AFTER DELETE ON event_translation BEGIN \
             UPDATE event_text SET translated = FALSE \
             WHERE event_id = OLD.record_id AND translated AND NOT EXISTS \
             (SELECT 1 FROM event_translation WHERE record_id = OLD.record_id); END"
        ),
    ]
}
