//! Series and their occurrences.
//!
//! - `event.repetition`: how a series repeats, or the place of an occurrence in its series, as JSON.
//! - `event.series_id`: the series of an occurrence with a record of its own.
//! - `event.kept_until_utc`: the instant before which all occurrences of an endless series are
//!   stored.
//! - `occurrence`: all occurrences of all series. `slot` counts the seconds of its wall clock as if
//!   that were UTC. `listed` says that public lists hold the occurrence by this row: its series is
//!   listed, and it has no record of its own. `is_own` says that it has one: a row of `event` with
//!   the same ID. The revision of an occurrence without one is the sum of `revision` and that of its
//!   series. `span` is the duration class.
//! - `series_in`: the categories of a series and all their ancestors, its tags, organizers and venue; none
//!   if it has a password. `scope` is that of their histograms. Its writer fills it for a series; triggers
//!   follow changes of the category tree and deletions of what it names.
//! - `occurrence_in`: the listed occurrences of each row of `series_in`, in the order of starts. Triggers
//!   maintain it.
//!
//! The IDs of occurrences come from the sequence of `event`. An occurrence can be the parent of an
//! event; `event.parent_id` therefore is no foreign key any more, and triggers maintain it.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{DbBackend, Statement},
};

use crate::occurrence_lists;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let is_postgres = manager.get_database_backend() == DbBackend::Postgres;
        let connection = manager.get_connection();
        let triggers = if is_postgres {
            connection.execute_unprepared(DROP_PARENT_KEY).await?;
            [postgres_triggers(), occurrence_lists::postgres_triggers()]
        } else {
            drop_parent_key(connection).await?;
            [sqlite_triggers(), occurrence_lists::sqlite_triggers()]
        };
        let tables = [tables(is_postgres), occurrence_lists::tables(is_postgres)];
        for statements in tables.into_iter().chain(triggers) {
            connection.execute_unprepared(&statements).await?;
        }
        Ok(())
    }
}

fn tables(postgres: bool) -> String {
    // One statement may move the slot of an occurrence to that of another, which it moves, too.
    let (integer, deferrable) = if postgres {
        ("bigint", "DEFERRABLE INITIALLY IMMEDIATE")
    } else {
        ("integer", "")
    };
    format!(
        "
    ALTER TABLE event ADD COLUMN repetition text;
    ALTER TABLE event ADD COLUMN series_id {integer};
    ALTER TABLE event ADD COLUMN kept_until_utc {integer};
    CREATE TABLE occurrence (
        id {integer} NOT NULL PRIMARY KEY,
        series_id {integer} NOT NULL,
        slot {integer} NOT NULL,
        start_utc {integer} NOT NULL,
        end_utc {integer} NOT NULL,
        published_utc {integer},
        listed boolean NOT NULL,
        is_own boolean NOT NULL,
        revision {integer} NOT NULL,
        span integer NOT NULL,
        UNIQUE (series_id, slot) {deferrable},
        FOREIGN KEY (series_id) REFERENCES event (id) ON DELETE CASCADE
    );
    CREATE INDEX event_recurring ON event (id) WHERE repetition IS NOT NULL AND series_id IS NULL;
    CREATE INDEX event_series ON event (series_id, start_utc) WHERE series_id IS NOT NULL;
    CREATE INDEX event_kept_until ON event
        (kept_until_utc, published_utc, stage, hide_from_listings, id)
        WHERE kept_until_utc IS NOT NULL;
    CREATE INDEX occurrence_series_start ON occurrence
        (series_id, start_utc, id, end_utc, published_utc, listed);
    CREATE INDEX occurrence_listed_start ON occurrence
        (start_utc, id, end_utc, published_utc, series_id, listed) WHERE listed;
    -- Most occurrences are of the first class, and among those that start shortly before a moment.
    CREATE INDEX occurrence_listed_span ON occurrence
        (span, start_utc, end_utc, id, published_utc, series_id, listed) WHERE listed AND span > 0;"
    )
}

/// Deletes the foreign key of `event` to itself.
const DROP_PARENT_KEY: &str = "
    DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT conname FROM pg_constraint WHERE contype = 'f'
            AND conrelid = 'event'::regclass AND confrelid = 'event'::regclass
        LOOP EXECUTE format('ALTER TABLE event DROP CONSTRAINT %I', name); END LOOP;
    END $$;";

/// Deletes the foreign key of `event.parent_id` on SQLite, which has no statement for it.
///
/// # Source
///
/// "ALTER TABLE" of SQLite, 7, "Making Other Kinds Of Table Schema Changes": a foreign key may be
/// removed from the text of the schema. The statements that follow raise the version of the schema.
async fn drop_parent_key(connection: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let statement = |sql: &str, values: Vec<Value>| {
        Statement::from_sql_and_values(DbBackend::Sqlite, sql, values)
    };
    let table = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'event'";
    let row = connection
        .query_one_raw(statement(table, Vec::new()))
        .await?;
    let text: Option<String> = row.map(|row| row.try_get_by_index(0)).transpose()?;
    let Some(changed) = text.and_then(|text| without_parent_key(&text)) else {
        return Ok(());
    };
    connection
        .execute_unprepared("PRAGMA writable_schema = ON")
        .await?;
    let update = "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = 'event'";
    connection
        .execute_raw(statement(update, vec![changed.into()]))
        .await?;
    connection
        .execute_unprepared("PRAGMA writable_schema = RESET")
        .await?;
    Ok(())
}

/// The text of a table without its foreign key of the column `parent_id`; none if it has no such
/// key.
fn without_parent_key(table: &str) -> Option<String> {
    let keys = table.match_indices("FOREIGN KEY").map(|(start, _)| {
        let mut depth = 0;
        let end = table[start..].char_indices().find(|(_, letter)| {
            depth += match letter {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth < 0 || (depth == 0 && *letter == ',')
        });
        (start, start + end.map_or(0, |(end, _)| end))
    });
    let mut keys = keys.filter(|(start, end)| table[*start..*end].contains("parent_id"));
    let (start, end) = keys.next()?;
    let comma = table[..start].rfind(',')?;
    Some([&table[..comma], &table[end..]].concat())
}

const LOG: &str = "INSERT INTO change (kind, record_id)";

/// Sets no parent where the parent, a row of this table, is deleted. A parent may be in both tables.
fn forget_parent(other: &str) -> String {
    format!(
        "UPDATE event SET parent_id = NULL WHERE parent_id = OLD.id
        AND NOT EXISTS (SELECT 1 FROM {other} WHERE id = OLD.id);"
    )
}

fn sqlite_triggers() -> String {
    let (of_event, of_occurrence) = (forget_parent("occurrence"), forget_parent("event"));
    format!(
        "
    -- Caches know whether there are series. The ID 0 stands for that.
    CREATE TRIGGER change_series_added AFTER INSERT ON event WHEN NEW.repetition IS NOT NULL
        BEGIN {LOG} VALUES ('occurrence', 0); END;
    CREATE TRIGGER change_series_begun AFTER UPDATE OF repetition ON event
        WHEN OLD.repetition IS NULL AND NEW.repetition IS NOT NULL
        BEGIN {LOG} VALUES ('occurrence', 0); END;
    CREATE TRIGGER change_occurrence_updated AFTER UPDATE OF series_id, revision ON occurrence
        BEGIN {LOG} VALUES ('occurrence', OLD.id); END;
    CREATE TRIGGER change_occurrence_deleted AFTER DELETE ON occurrence
        BEGIN {LOG} VALUES ('occurrence', OLD.id); END;

    CREATE TRIGGER event_parent_deleted AFTER DELETE ON event BEGIN {of_event} END;
    CREATE TRIGGER occurrence_parent_deleted AFTER DELETE ON occurrence BEGIN {of_occurrence} END;"
    )
}

fn postgres_triggers() -> String {
    let body = "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN";
    let (of_event, of_occurrence) = (forget_parent("occurrence"), forget_parent("event"));
    format!(
        "
    CREATE FUNCTION occurrence_changed() {body}
        {LOG} SELECT 'occurrence', before.id FROM before JOIN after USING (id)
        WHERE (before.series_id, before.slot, before.is_own, before.revision)
            <> (after.series_id, after.slot, after.is_own, after.revision);
        RETURN NULL;
    END $$;
    CREATE TRIGGER occurrence_changed AFTER UPDATE ON occurrence
        REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION occurrence_changed();

    -- Caches know whether there are series. The ID 0 stands for that.
    CREATE FUNCTION change_note_series() {body} {LOG} VALUES ('occurrence', 0); RETURN NULL; END $$;
    CREATE TRIGGER change_series_added AFTER INSERT ON event
        FOR EACH ROW WHEN (NEW.repetition IS NOT NULL) EXECUTE FUNCTION change_note_series();
    CREATE TRIGGER change_series_begun AFTER UPDATE OF repetition ON event
        FOR EACH ROW WHEN (OLD.repetition IS NULL AND NEW.repetition IS NOT NULL)
        EXECUTE FUNCTION change_note_series();
    CREATE FUNCTION change_note_removed_occurrences() {body}
        {LOG} SELECT 'occurrence', id FROM removed;
        RETURN NULL;
    END $$;
    CREATE TRIGGER change_occurrence_deleted AFTER DELETE ON occurrence
        REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION change_note_removed_occurrences();

    CREATE FUNCTION event_parent_deleted() {body} {of_event} RETURN NULL; END $$;
    CREATE TRIGGER event_parent_deleted AFTER DELETE ON event
        FOR EACH ROW EXECUTE FUNCTION event_parent_deleted();
    CREATE FUNCTION occurrence_parent_deleted() {body} {of_occurrence} RETURN NULL; END $$;
    CREATE TRIGGER occurrence_parent_deleted AFTER DELETE ON occurrence
        FOR EACH ROW EXECUTE FUNCTION occurrence_parent_deleted();"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_foreign_key_of_the_parent_is_removed() {
        let table = "CREATE TABLE event (id integer, venue_id integer, parent_id integer,
            FOREIGN KEY (venue_id) REFERENCES venue (id) ON DELETE SET NULL,
            FOREIGN KEY (parent_id) REFERENCES event (id) ON DELETE SET NULL)";
        let without = "CREATE TABLE event (id integer, venue_id integer, parent_id integer,
            FOREIGN KEY (venue_id) REFERENCES venue (id) ON DELETE SET NULL)";
        assert_eq!(without_parent_key(table).as_deref(), Some(without));
        assert_eq!(without_parent_key(without), None);
    }
}
