//! On SQLite, the full-text index tells listed events by their places in the table of texts: a search
//! within some weeks looks into the part of it that holds these weeks, and reads only texts that it finds.
//!
//! Texts stand in the order of stretches of six days, and within these close together: an index of numbers
//! that lie far from each other would be much larger, and slower to fill.
//!
//! PostgreSQL finds texts by indexes of its own.
//!
//! Triggers keep all of it right, whoever writes.

use sea_orm_migration::prelude::*;

use crate::{
    m20261121_000006_lists::sqlite::{WAITING, index_of_texts, search as former},
    m20261121_000009_texts::{self as texts, SECOND, on_sqlite},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Those that are there before and after, and differ.
const TRIGGERS: [&str; 5] = [
    "event_search_added",
    "event_search_removed",
    "event_search_translated",
    "event_search_retranslated",
    "event_search_untranslated",
];

/// Stretches of 2¹⁹ seconds, as those of counters.
const STRETCH: &str = "(start_utc >> 19)";

/// Full texts in all languages, also of what a password locks: whoever has it may search them.
const TEXTS: &str = "SELECT listed.place, event.search_text || COALESCE((SELECT char(10) || \
    group_concat(search_text, char(10)) FROM event_translation WHERE record_id = event.id), '') \
    FROM event_text AS listed JOIN event ON event.id = listed.event_id";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut statements = drop();
        statements.push("DROP TRIGGER event_search_changed".to_owned());
        statements.extend(texts::down());
        statements.extend(texts::up(STRETCH));
        statements.extend(up());
        on_sqlite(manager, statements).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut statements = drop();
        statements.extend(texts::down());
        statements.extend(texts::up(SECOND));
        statements.extend(former());
        on_sqlite(manager, statements).await
    }
}

fn drop() -> Vec<String> {
    let triggers = TRIGGERS.map(|name| format!("DROP TRIGGER {name}"));
    // What fills the index goes with the table of what waits for it.
    let tables = ["event_search_waiting", "event_search"].map(|name| format!("DROP TABLE {name}"));
    triggers.into_iter().chain(tables).collect()
}

fn up() -> Vec<String> {
    let waits = |name: &str, when: &str, places: &str| {
        format!(
            "CREATE TRIGGER {name} AFTER {when} \
             BEGIN INSERT OR IGNORE INTO event_search_waiting (place) {places}; END"
        )
    };
    let place_of =
        |row: &str| format!("SELECT place FROM event_text WHERE event_id = {row}.record_id");
    let [added, removed, translated, retranslated, untranslated] = TRIGGERS;
    vec![
        index_of_texts(),
        "CREATE TABLE event_search_waiting (place integer PRIMARY KEY NOT NULL)".to_owned(),
        format!("INSERT INTO event_search (rowid, folded) {TEXTS} ORDER BY listed.place"),
        // A text that changes is removed from its place, and put where it belongs.
        waits(added, "INSERT ON event_text", "VALUES (NEW.place)"),
        waits(removed, "DELETE ON event_text", "VALUES (OLD.place)"),
        waits(translated, "INSERT ON event_translation", &place_of("NEW")),
        waits(
            retranslated,
            "UPDATE ON event_translation",
            &place_of("NEW"),
        ),
        waits(
            untranslated,
            "DELETE ON event_translation",
            &place_of("OLD"),
        ),
        format!(
            "CREATE TRIGGER event_search_filled AFTER INSERT ON event_search_waiting \
             WHEN (SELECT COUNT(*) FROM event_search_waiting) >= {WAITING} BEGIN \
             DELETE FROM event_search WHERE rowid IN (SELECT place FROM event_search_waiting); \
             INSERT INTO event_search (rowid, folded) {TEXTS} \
             WHERE listed.place IN (SELECT place FROM event_search_waiting); \
             DELETE FROM event_search_waiting; END"
        ),
    ]
}
