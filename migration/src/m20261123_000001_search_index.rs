//! The search index: which listed events contain which tokens.
//!
//! - `search_posting`: the IDs of the listed events whose text in a language contains a token, by
//!   the block in which they start. The language is empty for original texts. The token is empty
//!   for all events of the block, and `+` for events with a run of letters that is too long for a
//!   token.
//! - `search_suffix`: all ends of all tokens, so that the tokens that contain a word are a range.
//! - `search_waiting`: texts that changed since they were indexed, with the start and the text that
//!   the index knows; these are null if it knows none. Triggers fill the table, and a task of the
//!   program empties it. A search reads the current texts of these events.
//!
//! The search reads only the title of an event that a password protects.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let is_postgres = manager.get_database_backend() == DbBackend::Postgres;
        let connection = manager.get_connection();
        let triggers = if is_postgres { postgres() } else { sqlite() };
        let drop = if is_postgres {
            DROP_POSTGRES
        } else {
            DROP_SQLITE
        };
        for statements in [drop, &tables(is_postgres), &triggers, QUEUE_ALL_TEXTS] {
            connection.execute_unprepared(statements).await?;
        }
        Ok(())
    }
}

/// Deletes the indexes of trigrams.
const DROP_SQLITE: &str = "
    DROP TRIGGER event_search_added;
    DROP TRIGGER event_search_changed;
    DROP TRIGGER event_search_removed;
    DROP TRIGGER event_search_translated;
    DROP TRIGGER event_search_retranslated;
    DROP TRIGGER event_search_untranslated;
    DROP TABLE event_search_waiting;
    DROP TABLE event_search;
    DROP TRIGGER event_text_added;
    DROP TRIGGER event_text_changed;
    DROP TRIGGER event_text_removed;
    DROP TRIGGER event_text_translated;
    DROP TRIGGER event_text_untranslated;
    DROP TABLE event_text;";

/// Deletes the indexes of trigrams. The extension stays, as another program may use it.
const DROP_POSTGRES: &str = "
    DROP INDEX IF EXISTS event_search;
    DROP INDEX IF EXISTS event_translation_search;";

fn tables(postgres: bool) -> String {
    // Tokens are compared and ordered byte by byte, regardless of the locale of the database.
    let (key, bytes, without_rowid) = if postgres {
        ("text COLLATE \"C\"", "bytea", "")
    } else {
        ("text", "blob", "WITHOUT ROWID")
    };
    // A changed posting that finds room in its page changes no index.
    let spare = if postgres {
        "WITH (fillfactor = 80)"
    } else {
        without_rowid
    };
    format!(
        "
    CREATE TABLE search_posting (
        token {key} NOT NULL,
        language text NOT NULL,
        block bigint NOT NULL,
        event_ids {bytes} NOT NULL,
        PRIMARY KEY (token, language, block)
    ) {spare};
    CREATE TABLE search_suffix (
        suffix {key} NOT NULL,
        token {key} NOT NULL,
        PRIMARY KEY (suffix, token)
    ) {without_rowid};
    CREATE TABLE search_waiting (
        event_id bigint NOT NULL,
        language text NOT NULL,
        start_utc bigint,
        folded {key},
        PRIMARY KEY (event_id, language)
    ) {without_rowid};"
    )
}

/// Puts the texts of all listed events into the queue. The triggers exist before: on PostgreSQL,
/// their creation keeps other writers out.
pub const QUEUE_ALL_TEXTS: &str = "
    INSERT INTO search_waiting (event_id, language) SELECT id, '' FROM event WHERE listed;
    INSERT INTO search_waiting (event_id, language)
    SELECT shown.record_id, shown.language FROM event_translation AS shown
    JOIN event ON event.id = shown.record_id WHERE event.listed;";

/// The columns of an event that the index depends on.
const SOURCE: [&str; 5] = [
    "listed",
    "start_utc",
    "password_hash",
    "title_key",
    "search_text",
];

/// The start and the text of an event in the index. `event` is its row, and `translation` that of
/// its translation.
fn indexed(event: &str, translation: Option<&str>) -> String {
    let text = |column: &str| match translation {
        Some(row) => format!("COALESCE({row}.{column}, {event}.{column})"),
        None => format!("{event}.{column}"),
    };
    let (all, title) = (text("search_text"), text("title_key"));
    format!(
        "CASE WHEN {event}.listed THEN {event}.start_utc END, CASE WHEN {event}.listed THEN
        CASE WHEN {event}.password_hash IS NULL THEN {all} ELSE {title} END END"
    )
}

/// The rows of the queue for an event that changes, and for its translations. A row that is there
/// already stays: it says what the index knows.
fn enqueue_event(conflict: &str) -> String {
    let (original, translated) = (indexed("OLD", None), indexed("OLD", Some("shown")));
    format!(
        "
        INSERT INTO search_waiting (event_id, language, start_utc, folded)
        SELECT OLD.id, '', {original} WHERE TRUE ON CONFLICT {conflict};
        INSERT INTO search_waiting (event_id, language, start_utc, folded)
        SELECT OLD.id, shown.language, {translated} FROM event_translation AS shown
        WHERE shown.record_id = OLD.id ON CONFLICT {conflict};"
    )
}

/// The row of the queue for a translation that changes.
fn enqueue_translation(conflict: &str) -> String {
    let translated = indexed("event", Some("OLD"));
    format!(
        "
        INSERT INTO search_waiting (event_id, language, start_utc, folded)
        SELECT OLD.record_id, OLD.language, {translated} FROM event WHERE event.id = OLD.record_id
        ON CONFLICT {conflict};"
    )
}

/// The triggers of SQLite.
fn sqlite() -> String {
    let conflict = "DO NOTHING";
    let (event, translation) = (enqueue_event(conflict), enqueue_translation(conflict));
    let of = |row: &str| SOURCE.map(|column| format!("{row}.{column}")).join(", ");
    let (source, old, new) = (SOURCE.join(", "), of("OLD"), of("NEW"));
    format!(
        "
    CREATE TRIGGER search_added AFTER INSERT ON event WHEN NEW.listed BEGIN
        INSERT INTO search_waiting (event_id, language) VALUES (NEW.id, '')
        ON CONFLICT {conflict};
    END;
    CREATE TRIGGER search_changed AFTER UPDATE OF {source} ON event
        WHEN (OLD.listed OR NEW.listed) AND ({old}) IS NOT ({new}) BEGIN {event} END;
    -- Fires before the translations of the event are deleted.
    CREATE TRIGGER search_removed BEFORE DELETE ON event WHEN OLD.listed BEGIN {event} END;
    CREATE TRIGGER search_translated AFTER INSERT ON event_translation BEGIN
        INSERT INTO search_waiting (event_id, language) VALUES (NEW.record_id, NEW.language)
        ON CONFLICT {conflict};
    END;
    CREATE TRIGGER search_retranslated AFTER UPDATE OF title_key, search_text ON event_translation
        BEGIN {translation} END;
    CREATE TRIGGER search_untranslated BEFORE DELETE ON event_translation BEGIN {translation} END;"
    )
}

/// The triggers of PostgreSQL.
///
/// The queue is emptied by a transaction that locks its rows. A transaction that changes an event
/// therefore locks the row that is there already: without the lock, the row could be deleted by a
/// transaction that does not see the change.
fn postgres() -> String {
    let conflict = "(event_id, language) DO UPDATE SET language = excluded.language";
    let (event, translation) = (enqueue_event(conflict), enqueue_translation(conflict));
    let body = "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN";
    let differs = |column: &&str| format!("OLD.{column} IS DISTINCT FROM NEW.{column}");
    let differs: Vec<_> = SOURCE.iter().map(differs).collect();
    let (source, differs) = (SOURCE.join(", "), differs.join(" OR "));
    format!(
        "
    CREATE FUNCTION search_added() {body}
        INSERT INTO search_waiting (event_id, language) SELECT id, '' FROM added WHERE listed
        ON CONFLICT {conflict};
        RETURN NULL;
    END $$;
    CREATE TRIGGER search_added AFTER INSERT ON event REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION search_added();
    CREATE FUNCTION search_changed() {body} {event} RETURN COALESCE(NEW, OLD); END $$;
    CREATE TRIGGER search_changed AFTER UPDATE OF {source} ON event
        FOR EACH ROW WHEN ((OLD.listed OR NEW.listed) AND ({differs}))
        EXECUTE FUNCTION search_changed();
    -- Fires before the translations of the event are deleted.
    CREATE TRIGGER search_removed BEFORE DELETE ON event FOR EACH ROW WHEN (OLD.listed)
        EXECUTE FUNCTION search_changed();
    CREATE FUNCTION search_translated() {body}
        INSERT INTO search_waiting (event_id, language) SELECT record_id, language FROM added
        ON CONFLICT {conflict};
        RETURN NULL;
    END $$;
    CREATE TRIGGER search_translated AFTER INSERT ON event_translation
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION search_translated();
    CREATE FUNCTION search_retranslated() {body} {translation} RETURN COALESCE(NEW, OLD); END $$;
    CREATE TRIGGER search_retranslated AFTER UPDATE OF title_key, search_text ON event_translation
        FOR EACH ROW EXECUTE FUNCTION search_retranslated();
    CREATE TRIGGER search_untranslated BEFORE DELETE ON event_translation
        FOR EACH ROW EXECUTE FUNCTION search_retranslated();"
    )
}
