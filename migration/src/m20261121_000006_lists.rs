//! What keeps lists of events fast, however many there are.
//!
//! - Links between events and what they name hold copies of what lists ask of the event, so that an
//!   index of links alone answers them, in order.
//! - `event_starts` counts how many listed events start within stretches of time: all of them, and
//!   those of each category, tag, organizer and venue.
//! - Texts are found by the three letters in a row that they hold: a full-text index on SQLite, the
//!   extension `pg_trgm` on PostgreSQL, if it can be had.
//!
//! Triggers keep all of it right, whoever writes.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::run;

#[path = "m20261121_000006_lists/postgres.rs"]
pub(crate) mod postgres;
#[path = "m20261121_000006_lists/sqlite.rs"]
pub(crate) mod sqlite;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Counters of all listed events.
#[derive(Clone, Copy)]
pub(crate) struct OfAll {
    /// Their scope.
    pub(crate) scope: i64,
    /// Each stands for so long a stretch of time: a power of two, in seconds.
    pub(crate) shift: u32,
}

/// Each of these stands for about 18 hours.
pub(crate) const ALL: OfAll = OfAll {
    scope: 0,
    shift: 16,
};

/// Scope of the counters of venues.
const VENUES: i64 = 4;

/// Counters of fewer events stand for 2¹⁹ seconds, about six days.
pub(crate) const LONG_SHIFT: u32 = 19;

/// A table of links.
pub(crate) struct Links {
    pub(crate) table: &'static str,
    /// What the event is linked with.
    pub(crate) column: &'static str,
    /// The scope of its counters.
    pub(crate) scope: i64,
}

pub(crate) const CATEGORIES: Links = Links {
    table: "event_category",
    column: "term_id",
    scope: 1,
};

const LINKS: [Links; 3] = [
    CATEGORIES,
    Links {
        table: "event_tag",
        column: "term_id",
        scope: 2,
    },
    Links {
        table: "event_organizer",
        column: "place_id",
        scope: 3,
    },
];

/// Copies of the event's columns; `listed` also says that no password locks the event.
pub(crate) const COPIES: [(&str, &str); 4] = [
    ("start_utc", "bigint NOT NULL DEFAULT 0"),
    ("end_utc", "bigint NOT NULL DEFAULT 0"),
    ("published_utc", "bigint"),
    ("listed", "boolean NOT NULL DEFAULT FALSE"),
];

/// The class of how long an event lasts: 0 up to 4 hours, each further one six times as long, the
/// last without end. What goes on at a moment began, in each class, not long before it.
const SPAN: &str = "CASE WHEN end_utc - start_utc <= 14400 THEN 0 \
    WHEN end_utc - start_utc <= 86400 THEN 1 \
    WHEN end_utc - start_utc <= 518400 THEN 2 \
    WHEN end_utc - start_utc <= 3110400 THEN 3 \
    WHEN end_utc - start_utc <= 18662400 THEN 4 ELSE 5 END";

/// Indexes, and what they are made of. SQLite answers from an index alone only if it holds the columns
/// that say which rows it holds, too.
const INDEXES: [(&str, &str); 6] = [
    (
        "event_listed_start",
        "event (start_utc, id, end_utc, published_utc, listed) WHERE listed",
    ),
    (
        "event_listed_span",
        "event (span, start_utc, end_utc, id, published_utc, venue_id, password_hash, listed) \
         WHERE listed",
    ),
    (
        "event_listed_venue",
        "event (venue_id, start_utc, id, end_utc, published_utc, listed, password_hash) \
         WHERE listed AND password_hash IS NULL",
    ),
    // What is scheduled, with all that counts ask of it.
    (
        "event_scheduled",
        "event (published_utc, start_utc, end_utc, id, venue_id, listed, stage, password_hash)",
    ),
    (
        "venue_published",
        "venue (date_utc, id, published_utc, stage) WHERE stage = 'published'",
    ),
    (
        "organizer_published",
        "organizer (date_utc, id, published_utc, stage) WHERE stage = 'published'",
    ),
];

/// The indexes that some of these take the place of.
const FORMER_INDEXES: [&str; 2] = [
    "CREATE INDEX event_listed_start ON event (start_utc, id, end_utc, published_utc) WHERE listed",
    "CREATE INDEX event_scheduled ON event (published_utc)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let postgres = manager.get_database_backend() == DbBackend::Postgres;
        let mut statements = columns(postgres);
        statements.extend(backfill());
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
            postgres::down()
        } else {
            sqlite::down()
        };
        for (index, _) in INDEXES {
            statements.push(format!("DROP INDEX {index}"));
        }
        for Links { table, .. } in LINKS {
            statements.push(format!("DROP INDEX {table}_listed"));
            for (column, _) in COPIES {
                statements.push(format!("ALTER TABLE {table} DROP COLUMN {column}"));
            }
        }
        statements.push("ALTER TABLE event DROP COLUMN span".to_owned());
        statements.extend(FORMER_INDEXES.map(str::to_owned));
        statements.push("DROP TABLE event_starts".to_owned());
        run(manager, statements).await
    }
}

/// Columns, counters and indexes.
fn columns(postgres: bool) -> Vec<String> {
    let (span, rows) = if postgres {
        (format!("integer GENERATED ALWAYS AS ({SPAN}) STORED"), "")
    } else {
        // No index of SQLite alone answers what asks for a column that is worked out.
        ("integer NOT NULL DEFAULT 0".to_owned(), "WITHOUT ROWID")
    };
    let mut statements = vec![
        format!("ALTER TABLE event ADD COLUMN span {span}"),
        "DROP INDEX event_listed_start".to_owned(),
        "DROP INDEX event_scheduled".to_owned(),
    ];
    if !postgres {
        statements.push(format!(
            "UPDATE event SET span = {SPAN} WHERE span <> {SPAN}"
        ));
    }
    for (index, columns) in INDEXES {
        statements.push(format!("CREATE INDEX {index} ON {columns}"));
    }
    for Links { table, column, .. } in LINKS {
        for (copy, kind) in COPIES {
            statements.push(format!("ALTER TABLE {table} ADD COLUMN {copy} {kind}"));
        }
        statements.push(index(table, column));
    }
    // On PostgreSQL several shards, so that those who write at once need not wait for each other.
    statements.push(format!(
        "CREATE TABLE event_starts (scope bigint NOT NULL, scope_id bigint NOT NULL, \
         bucket bigint NOT NULL, shard bigint NOT NULL, starts bigint NOT NULL, \
         PRIMARY KEY (scope, scope_id, bucket, shard)) {rows}"
    ));
    statements
}

/// The index of a table of links that answers lists.
pub(crate) fn index(table: &str, column: &str) -> String {
    format!(
        "CREATE INDEX {table}_listed ON {table} \
         ({column}, start_utc, event_id, end_utc, published_utc, listed) WHERE listed"
    )
}

/// Counts the events that are there.
fn count(scope: i64, column: &str, from: &str) -> String {
    format!(
        "INSERT INTO event_starts (scope, scope_id, bucket, shard, starts) \
         SELECT {scope}, {column}, start_utc >> {LONG_SHIFT}, 0, COUNT(*) FROM {from} \
         GROUP BY {column}, start_utc >> {LONG_SHIFT}"
    )
}

/// Counts all listed events that are there.
pub(crate) fn count_all(OfAll { scope, shift }: OfAll) -> String {
    format!(
        "INSERT INTO event_starts (scope, scope_id, bucket, shard, starts) \
         SELECT {scope}, 0, start_utc >> {shift}, 0, COUNT(*) FROM event WHERE listed \
         GROUP BY start_utc >> {shift}"
    )
}

/// Counts the links that are there.
pub(crate) fn count_links(links: &Links) -> String {
    let Links {
        table,
        column,
        scope,
    } = links;
    count(*scope, column, &format!("{table} WHERE listed"))
}

/// Fills them from the events that are there.
fn backfill() -> Vec<String> {
    let mut statements = Vec::new();
    statements.push(count_all(ALL));
    statements.push(count(
        VENUES,
        "venue_id",
        "event WHERE listed AND password_hash IS NULL AND venue_id IS NOT NULL",
    ));
    for links in LINKS {
        let table = links.table;
        statements.push(format!(
            "UPDATE {table} SET start_utc = event.start_utc, end_utc = event.end_utc, \
             published_utc = event.published_utc, \
             listed = event.listed AND event.password_hash IS NULL \
             FROM event WHERE event.id = {table}.event_id"
        ));
        statements.push(count_links(&links));
    }
    statements
}

/// Within a trigger: copies an event that changed to its links.
pub(crate) fn copy(table: &str) -> String {
    format!(
        "UPDATE {table} SET start_utc = NEW.start_utc, end_utc = NEW.end_utc, \
         published_utc = NEW.published_utc, \
         listed = NEW.listed AND NEW.password_hash IS NULL WHERE event_id = NEW.id;"
    )
}
