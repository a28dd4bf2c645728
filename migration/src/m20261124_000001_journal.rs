//! The journal: one entry for each change of an event, a venue, an organizer, a category or a tag,
//! with its audience before and after.
//!
//! - `n`: the number. On SQLite, with one writer at a time, numbers follow the order of commits. On
//!   PostgreSQL they would not: an entry is inserted with a negative number, which falls with each
//!   entry, and the first reader after the commit gives it the next positive one. `journal_end` has
//!   the last of these.
//! - `nonce`: a random number, by which a place in the journal is told from the same place in the
//!   journal of another history.
//! - `at_utc`: when the change was made, by the clock of the database.
//! - `was_…`, `is_…`: the audience. A record without a stage does not exist.
//! - `is_public`: the record was public before or is public after, due or not.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let is_postgres = manager.get_database_backend() == DbBackend::Postgres;
        let statements = if is_postgres {
            [
                table("bigint"),
                POSTGRES.to_owned(),
                triggers(&POSTGRES_DIALECT),
            ]
            .concat()
        } else {
            [table("integer"), triggers(&SQLITE_DIALECT)].concat()
        };
        let connection = manager.get_connection();
        connection.execute_unprepared(&statements).await?;
        Ok(())
    }
}

fn table(integer: &str) -> String {
    format!(
        "
    CREATE TABLE journal (
        n {integer} NOT NULL PRIMARY KEY,
        nonce {integer} NOT NULL,
        at_utc {integer} NOT NULL,
        kind text NOT NULL,
        record_id {integer} NOT NULL,
        was_stage text,
        was_due {integer},
        was_author {integer},
        was_hidden boolean NOT NULL,
        is_stage text,
        is_due {integer},
        is_author {integer},
        is_hidden boolean NOT NULL,
        is_public boolean NOT NULL
    );
    CREATE INDEX journal_record ON journal (kind, record_id, n);
    CREATE INDEX journal_public ON journal (n) WHERE is_public;
    CREATE INDEX venue_due ON venue (published_utc) WHERE stage = 'published';
    CREATE INDEX organizer_due ON organizer (published_utc) WHERE stage = 'published';"
    )
}

/// The objects of PostgreSQL that number entries after their commit.
const POSTGRES: &str = "
    CREATE SEQUENCE journal_inserted;
    CREATE TABLE journal_end (n bigint NOT NULL PRIMARY KEY);
    INSERT INTO journal_end (n) VALUES (0);
    CREATE FUNCTION journal_number_entries() RETURNS void LANGUAGE plpgsql AS $$ DECLARE
        last bigint;
        numbered bigint;
    BEGIN
        -- Entries are read after the lock: the statement sees all commits before it.
        SELECT n INTO last FROM journal_end FOR UPDATE;
        UPDATE journal SET n = last + place FROM (
            SELECT n AS inserted, row_number() OVER (ORDER BY n DESC) AS place
            FROM journal WHERE n < 0
        ) AS waiting WHERE journal.n = waiting.inserted;
        GET DIAGNOSTICS numbered = ROW_COUNT;
        UPDATE journal_end SET n = last + numbered;
        -- A number that is lost in a crash is given again, to the same entry.
        PERFORM set_config('synchronous_commit', 'off', true);
    END $$;";

/// The statement that numbers committed entries, on PostgreSQL.
pub const NUMBER_ENTRIES: &str = "SELECT journal_number_entries()";

/// A kind of record: its name, and whether it has a stage and can be hidden.
pub(crate) type Kind = (&'static str, bool, bool);

pub(crate) const EVENT: Kind = ("event", true, true);
pub(crate) const VENUE: Kind = ("venue", true, false);
pub(crate) const ORGANIZER: Kind = ("organizer", true, false);
pub(crate) const CATEGORY: Kind = ("category", false, false);
pub(crate) const TAG: Kind = ("tag", false, false);

/// The columns of an entry. The first three are its number, its nonce and its time.
pub(crate) const COLUMNS: &str =
    "n, nonce, at_utc, kind, record_id, was_stage, was_due, was_author,
        was_hidden, is_stage, is_due, is_author, is_hidden, is_public";

/// The values of an audience: stage, publication, author, whether the record is hidden, and whether it
/// is public. `row` is the name of the row; none for a record that does not exist.
pub(crate) fn audience(row: Option<&str>, (_, staged, hides): Kind) -> [String; 5] {
    let Some(row) = row else {
        return ["NULL", "NULL", "NULL", "FALSE", "FALSE"].map(str::to_owned);
    };
    let [stage, due, author] = if staged {
        ["stage", "published_utc", "author_id"].map(|column| format!("{row}.{column}"))
    } else {
        ["'published'", "NULL", "NULL"].map(str::to_owned)
    };
    let hidden = if hides {
        format!("{row}.hide_from_listings")
    } else {
        "FALSE".to_owned()
    };
    let public = format!("({stage} = 'published' AND NOT {hidden})");
    [stage, due, author, hidden, public]
}

/// The statement that adds an entry for a row. `own` are the values of its number, nonce and time.
fn entry(kind: Kind, rows: [Option<&str>; 2], own: &str) -> String {
    let id = rows[1].or(rows[0]).unwrap_or("NEW");
    let [was, is] = rows.map(|row| audience(row, kind));
    let (was_values, is_values) = (was[..4].join(", "), is[..4].join(", "));
    format!(
        "INSERT INTO journal ({COLUMNS})
        VALUES ({own}, '{}', {id}.id, {was_values}, {is_values}, {} OR {});",
        kind.0, was[4], is[4]
    )
}

/// The differences between the databases.
struct Dialect {
    /// The number, the nonce and the time of a new entry.
    own: &'static str,
    /// Writes a trigger of a table, with its event, its condition, and its statement.
    trigger: fn(&str, [&str; 3], &str) -> String,
}

const SQLITE_DIALECT: Dialect = Dialect {
    own: "(SELECT COALESCE(MAX(n), 0) + 1 FROM journal), random() & 0x7fffffff, unixepoch()",
    trigger: |table, [name, event, condition], statement| {
        let when = match condition {
            "" => String::new(),
            condition => format!("WHEN {condition}"),
        };
        format!(
            "
    CREATE TRIGGER journal_{table}_{name} AFTER {event} ON {table} {when} BEGIN {statement} END;"
        )
    },
};

const POSTGRES_DIALECT: Dialect = Dialect {
    own: "-nextval('journal_inserted'), (random() * 2147483647)::bigint,
        extract(epoch FROM now())::bigint",
    trigger: |table, [name, event, condition], statement| {
        let when = match condition {
            "" => String::new(),
            condition => format!("WHEN ({condition})"),
        };
        format!(
            "
    CREATE FUNCTION journal_{table}_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        {statement} RETURN NULL; END $$;
    CREATE TRIGGER journal_{table}_{name} AFTER {event} ON {table} FOR EACH ROW {when}
        EXECUTE FUNCTION journal_{table}_{name}();"
        )
    },
};

/// The triggers of all kinds. The revision of a record grows with each change of what it shows;
/// counters are no such change.
fn triggers(Dialect { own, trigger }: &Dialect) -> String {
    let (old, new) = (Some("OLD"), Some("NEW"));
    let of_kind = |kind: Kind| {
        let [added, changed, removed] =
            [[None, new], [old, new], [old, None]].map(|rows| entry(kind, rows, own));
        let differs = "OLD.revision <> NEW.revision";
        [
            trigger(kind.0, ["added", "INSERT", ""], &added),
            trigger(kind.0, ["changed", "UPDATE OF revision", differs], &changed),
            trigger(kind.0, ["removed", "DELETE", ""], &removed),
        ]
        .concat()
    };
    [EVENT, VENUE, ORGANIZER, CATEGORY, TAG]
        .map(of_kind)
        .concat()
}
