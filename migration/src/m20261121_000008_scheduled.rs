//! Finds, for a category or tag, the events that it counts and that are not yet due, by an index of its
//! links alone.
//!
//! The copy of an event's publication in its links is there only while the event counts for its terms
//! once it is due: it is published, and no password locks it. What lists ask of it is that, too.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::run;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Tables of links between events and what they name, each with the column of that.
const LINKS: [(&str, &str); 3] = [
    ("event_category", "term_id"),
    ("event_tag", "term_id"),
    ("event_organizer", "place_id"),
];

/// What was copied before.
const FORMER: &str = "published_utc";

/// What is copied of an event.
pub(crate) const COPIED: &str =
    "CASE WHEN stage = 'published' AND password_hash IS NULL THEN published_utc END";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        remake(manager, COPIED, "(term_id, published_utc, event_id)").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        remake(manager, FORMER, "(term_id, event_id)").await
    }
}

/// Makes copies, what keeps them right, and the indexes by term anew.
async fn remake(manager: &SchemaManager<'_>, published: &str, index: &str) -> Result<(), DbErr> {
    let mut statements = Vec::new();
    for (table, _) in LINKS {
        statements.push(format!(
            "UPDATE {table} SET published_utc = (SELECT {published} FROM event \
             WHERE event.id = {table}.event_id) WHERE event_id IN (SELECT id FROM event \
             WHERE published_utc IS NOT NULL AND (stage <> 'published' OR password_hash IS NOT NULL))"
        ));
    }
    for table in ["event_category", "event_tag"] {
        statements.push(format!("DROP INDEX {table}_term"));
        statements.push(format!("CREATE INDEX {table}_term ON {table} {index}"));
    }
    if manager.get_database_backend() == DbBackend::Postgres {
        statements.extend(postgres(published));
    } else {
        statements.extend(sqlite(published));
    }
    run(manager, statements).await
}

/// The copied publication of the row of a trigger: its columns are named one by one.
fn of_new(published: &str) -> String {
    let columns = ["stage", "password_hash", "published_utc"];
    columns.iter().fold(published.to_owned(), |text, column| {
        text.replace(column, &format!("NEW.{column}"))
    })
}

/// Within a trigger of SQLite: copies an event that changed to its links.
pub(crate) fn copy(table: &str, published: &str) -> String {
    format!(
        "UPDATE {table} SET start_utc = NEW.start_utc, end_utc = NEW.end_utc, \
         published_utc = {}, listed = NEW.listed AND NEW.password_hash IS NULL \
         WHERE event_id = NEW.id;",
        of_new(published)
    )
}

/// The trigger of SQLite that does so for all links.
pub(crate) fn links_changed(copies: &[String]) -> String {
    format!(
        "CREATE TRIGGER event_links_changed AFTER UPDATE OF \
         listed, start_utc, end_utc, published_utc, password_hash, stage ON event \
         BEGIN {} END",
        copies.concat()
    )
}

/// Within a trigger: copies the publication alone.
pub(crate) fn copy_published(table: &str, differs: &str) -> String {
    let new = of_new(COPIED);
    format!(
        "UPDATE {table} SET published_utc = {new} \
         WHERE event_id = NEW.id AND published_utc {differs} {new};"
    )
}

pub(crate) fn sqlite(published: &str) -> Vec<String> {
    let copies = LINKS.map(|(table, _)| copy(table, published));
    let mut statements = vec![
        "DROP TRIGGER event_links_changed".to_owned(),
        links_changed(&copies),
    ];
    for (table, column) in LINKS {
        statements.push(format!("DROP TRIGGER {table}_added"));
        // What comes of this is counted by the trigger of changes.
        statements.push(format!(
            "CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN UPDATE {table} \
             SET (start_utc, end_utc, published_utc, listed) = \
             (SELECT start_utc, end_utc, {published}, listed AND password_hash IS NULL \
             FROM event WHERE id = NEW.event_id) \
             WHERE event_id = NEW.event_id AND {column} = NEW.{column}; END"
        ));
    }
    statements
}

pub(crate) fn function(name: &str, body: &str, answer: &str) -> String {
    format!(
        "CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN {body} RETURN {answer}; END $$"
    )
}

/// What fills the copies of a new link.
pub(crate) fn filled(table: &str, published: &str) -> String {
    let copy = format!(
        "SELECT start_utc, end_utc, {published}, listed AND password_hash IS NULL \
         INTO NEW.start_utc, NEW.end_utc, NEW.published_utc, NEW.listed \
         FROM event WHERE id = NEW.event_id;"
    );
    function(&format!("{table}_filled"), &copy, "NEW")
}

fn postgres(published: &str) -> Vec<String> {
    let mut statements = LINKS.map(|(table, _)| filled(table, published)).to_vec();
    if published == FORMER {
        statements.push("DROP FUNCTION event_published CASCADE".to_owned());
        return statements;
    }
    let copies = LINKS.map(|(table, _)| copy_published(table, "IS DISTINCT FROM"));
    statements.push(function("event_published", &copies.concat(), "NULL"));
    // After `event_changed`, which copies the rest: triggers run by their names.
    let columns = [
        "listed",
        "start_utc",
        "end_utc",
        "published_utc",
        "venue_id",
        "password_hash",
        "stage",
    ];
    let differ = columns.map(|column| format!("OLD.{column} IS DISTINCT FROM NEW.{column}"));
    statements.push(format!(
        "CREATE TRIGGER event_published AFTER UPDATE ON event FOR EACH ROW WHEN ({}) \
         EXECUTE FUNCTION event_published()",
        differ.join(" OR ")
    ));
    statements
}
