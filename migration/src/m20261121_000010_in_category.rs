//! Lists a category together with those below it, as if they were one.
//!
//! - `category_path` holds every pair of categories of which one lies above the other, and each with
//!   itself.
//! - `event_in_category` links an event with the categories that it carries and with all above these,
//!   each once. It takes over what lists ask of the links that `event_category` holds: the copies, the
//!   index and the counters.
//!
//! Triggers keep all of it right, whoever writes.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    m20261121_000006_lists::{self as lists, CATEGORIES, COPIES, Links},
    run,
};

#[path = "m20261121_000010_in_category/postgres.rs"]
pub(crate) mod postgres;
#[path = "m20261121_000010_in_category/sqlite.rs"]
mod sqlite;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The links of events with categories, those above included.
const IN_CATEGORY: Links = Links {
    table: "event_in_category",
    ..CATEGORIES
};

/// The copies that links with carried categories need no longer.
const FORMER_COPIES: [&str; 3] = ["start_utc", "end_utc", "listed"];

/// What is copied of an event.
const COPIED: &str = "event.start_utc, event.end_utc, event.published_utc, \
    event.listed AND event.password_hash IS NULL";

/// What such a link copies of one that its event has with a category below.
const COPIED_FROM_BELOW: &str = "link.start_utc, link.end_utc, link.published_utc, link.listed";

/// Joins the links that events have with the categories that they carry: to read them is quicker than
/// to read the events.
const FROM_BELOW: &str = "JOIN event_in_category AS link \
    ON link.event_id = carried.event_id AND link.term_id = carried.term_id";

/// The columns of a link.
const FILLED: &str = "event_id, term_id, start_utc, end_utc, published_utc, listed";

/// Whether the event of a link carries its category, or one below.
const IS_IN: &str = "EXISTS (SELECT 1 FROM event_category AS carried \
    JOIN category_path AS path ON path.below_id = carried.term_id \
    WHERE carried.event_id = event_in_category.event_id \
    AND path.above_id = event_in_category.term_id)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        let mut statements = tables(postgres);
        statements.extend(if postgres {
            postgres::drop_former()
        } else {
            sqlite::drop_former()
        });
        statements.push("DROP INDEX event_category_listed".to_owned());
        for column in FORMER_COPIES {
            statements.push(format!("ALTER TABLE event_category DROP COLUMN {column}"));
        }
        statements.extend(count(&IN_CATEGORY));
        statements.extend(if postgres {
            postgres::up()
        } else {
            sqlite::up()
        });
        run(manager, statements).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        let mut statements = if postgres {
            postgres::drop_all()
        } else {
            sqlite::drop_all()
        };
        for (column, kind) in COPIES {
            if FORMER_COPIES.contains(&column) {
                statements.push(format!(
                    "ALTER TABLE event_category ADD COLUMN {column} {kind}"
                ));
            }
        }
        statements.push(
            "UPDATE event_category SET start_utc = event.start_utc, end_utc = event.end_utc, \
             listed = event.listed AND event.password_hash IS NULL \
             FROM event WHERE event.id = event_category.event_id"
                .to_owned(),
        );
        statements.push(lists::index(CATEGORIES.table, CATEGORIES.column));
        statements.extend(count(&CATEGORIES));
        statements.extend(if postgres {
            postgres::down()
        } else {
            sqlite::down()
        });
        for table in [IN_CATEGORY.table, "category_path"] {
            statements.push(format!("DROP TABLE {table}"));
        }
        run(manager, statements).await
    }
}

/// Both tables, with what they hold of what is there.
fn tables(postgres: bool) -> Vec<String> {
    let rows = if postgres { "" } else { "WITHOUT ROWID" };
    let Links { table, column, .. } = IN_CATEGORY;
    let copies = COPIES.map(|(column, kind)| format!("{column} {kind}"));
    vec![
        format!(
            "CREATE TABLE category_path (above_id bigint NOT NULL, below_id bigint NOT NULL, \
             PRIMARY KEY (above_id, below_id)) {rows}"
        ),
        "CREATE INDEX category_path_below ON category_path (below_id, above_id)".to_owned(),
        "INSERT INTO category_path (above_id, below_id) WITH RECURSIVE path (above_id, below_id) AS \
         (SELECT id, id FROM category UNION \
         SELECT path.above_id, category.id FROM path \
         JOIN category ON category.parent_id = path.below_id) \
         SELECT above_id, below_id FROM path"
            .to_owned(),
        format!(
            "CREATE TABLE {table} (event_id bigint NOT NULL, {column} bigint NOT NULL, {}, \
             PRIMARY KEY (event_id, {column})) {rows}",
            copies.join(", ")
        ),
        format!(
            "INSERT INTO {table} ({FILLED}) SELECT event.id, above.above_id, {COPIED} FROM \
             (SELECT DISTINCT event_id, above_id FROM event_category \
             JOIN category_path ON below_id = term_id) AS above \
             JOIN event ON event.id = above.event_id ORDER BY 1, 2"
        ),
        lists::index(table, column),
    ]
}

/// Counts anew what these links count.
fn count(links: &Links) -> [String; 2] {
    [
        format!("DELETE FROM event_starts WHERE scope = {}", links.scope),
        lists::count_links(links),
    ]
}

/// Within a trigger: what is above a category that was added.
const PATHS_OF_ADDED: &str = "INSERT INTO category_path (above_id, below_id) \
    SELECT above_id, NEW.id FROM category_path WHERE below_id = NEW.parent_id \
    UNION SELECT NEW.id, NEW.id;";

/// Within a trigger: takes a branch from what is no longer above it, and puts it below what now is.
const PATHS_OF_MOVED: &str = "DELETE FROM category_path \
    WHERE below_id IN (SELECT below_id FROM category_path WHERE above_id = NEW.id) \
    AND above_id IN (SELECT above_id FROM category_path WHERE below_id = OLD.parent_id) \
    AND above_id NOT IN (SELECT above_id FROM category_path WHERE below_id = NEW.parent_id); \
    INSERT INTO category_path (above_id, below_id) \
    SELECT above.above_id, below.below_id FROM category_path AS above \
    CROSS JOIN category_path AS below \
    WHERE above.below_id = NEW.parent_id AND below.above_id = NEW.id ON CONFLICT DO NOTHING;";

/// Within a trigger: forgets a category; what was below it has been moved.
const PATHS_OF_REMOVED: &str =
    "DELETE FROM category_path WHERE below_id = OLD.id OR above_id = OLD.id;";
