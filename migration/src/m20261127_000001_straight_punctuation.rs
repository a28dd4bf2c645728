//! Folded texts have straight quotes, apostrophes, hyphens and dashes.
//!
//! Texts that were folded before keep the shapes of their punctuation. The rows that have such a
//! character are folded again. Triggers put events whose text changes into the queue of the search
//! index.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Each straight character, and the characters that become it.
const SHAPES: [(&str, &str); 3] = [
    ("''", "‘’‚‛‹›′‵\u{2b9}\u{2bb}\u{2bc}\u{2bd}"),
    ("\"", "“”„‟«»〝〞〟"),
    (
        "-",
        "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{2043}\u{58a}\u{5be}\u{1806}\
         \u{2e3a}\u{2e3b}\u{2e40}",
    ),
];

/// Characters that are removed: soft hyphens and no-break marks without width.
const REMOVED: &str = "\u{ad}\u{2060}\u{feff}";

/// The columns of folded texts.
const COLUMNS: [(&str, &str); 16] = [
    ("event", "title_key"),
    ("event", "search_text"),
    ("event_translation", "title_key"),
    ("event_translation", "search_text"),
    ("venue", "title_key"),
    ("venue_translation", "title_key"),
    ("venue_text", "folded"),
    ("venue_translation_text", "folded"),
    ("organizer", "title_key"),
    ("organizer_translation", "title_key"),
    ("organizer_text", "folded"),
    ("organizer_translation_text", "folded"),
    ("category", "name_key"),
    ("category_translation", "title_key"),
    ("tag", "name_key"),
    ("tag_translation", "title_key"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let is_postgres = manager.get_database_backend() == DbBackend::Postgres;
        let update = if is_postgres { postgres } else { sqlite };
        for (table, column) in COLUMNS {
            let statement = update(table, column);
            manager
                .get_connection()
                .execute_unprepared(&statement)
                .await?;
        }
        Ok(())
    }
}

/// All characters that change.
fn changing() -> String {
    SHAPES.map(|(_, shapes)| shapes).concat() + REMOVED
}

fn sqlite(table: &str, column: &str) -> String {
    let removed = REMOVED.chars().map(|c| (c, ""));
    let straightened = SHAPES
        .iter()
        .flat_map(|(straight, shapes)| shapes.chars().map(|c| (c, *straight)));
    let folded = straightened
        .chain(removed)
        .fold(column.to_owned(), |text, (c, straight)| {
            format!("replace({text}, '{c}', '{straight}')")
        });
    let changing = changing();
    // Most texts are ASCII; their lengths are compared faster than they are searched.
    format!(
        "UPDATE {table} SET {column} = {folded}
        WHERE length(CAST({column} AS blob)) > length({column}) AND {column} GLOB '*[{changing}]*'"
    )
}

fn postgres(table: &str, column: &str) -> String {
    let straightened: String = SHAPES
        .iter()
        .map(|(straight, shapes)| straight.repeat(shapes.chars().count()))
        .collect();
    let changing = changing();
    format!(
        "UPDATE {table} SET {column} = translate({column}, '{changing}', '{straightened}')
        WHERE octet_length({column}) > length({column}) AND {column} ~ '[{changing}]'"
    )
}
