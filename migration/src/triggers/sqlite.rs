//! The triggers of SQLite.

use super::{
    CATEGORIES, COPIES_OF_DESCENDANT, COPIES_OF_EVENT, DELETE_PATHS, IN_CATEGORY_COLUMNS,
    INSERT_PATHS, IS_IN_CATEGORY, JOIN_DESCENDANT, LOG_TERMS_OF_EVENT, Links, MOVE_PATHS,
    ORGANIZERS, RECORDS, ROWS_OF_EVENTS, TAGS, copy_publication, copy_to_links,
    counted_publication,
};
use crate::layout::{DURATION_CLASSES, EVENT_TEXT_ROWS_PER_SECOND, Histogram, duration_class};

/// The number of events in an update of the full-text index. A batch takes a tenth of the time of
/// single updates.
const SEARCH_BATCH: u32 = 256;

/// Returns the statements that create all triggers.
pub(crate) fn create() -> String {
    [
        duration_classes(),
        link_counters(TAGS),
        link_counters(ORGANIZERS),
        full_text(),
        change_log(),
        link_copies(TAGS),
        link_copies(ORGANIZERS),
        texts(),
        link_counters(CATEGORIES),
        categories(),
        event_copies(),
        event_counters(),
    ]
    .concat()
}

/// Fills `event.span`, whose default is the first class.
fn duration_classes() -> String {
    let class = duration_class();
    let first = DURATION_CLASSES[0].unwrap_or_default();
    let update = format!("UPDATE event SET span = {class} WHERE id = NEW.id AND span <> {class}");
    format!(
        "
    CREATE TRIGGER event_span_added AFTER INSERT ON event
        WHEN NEW.end_utc - NEW.start_utc > {first} BEGIN {update}; END;
    CREATE TRIGGER event_span_changed AFTER UPDATE OF start_utc, end_utc ON event BEGIN {update}; END;"
    )
}

/// Adds `step` to a counter if the condition holds.
pub(crate) fn count(
    histogram: Histogram,
    id: &str,
    row: &str,
    step: i64,
    condition: &str,
) -> String {
    let Histogram { scope, shift } = histogram;
    format!(
        "
        INSERT INTO event_starts (scope, scope_id, bucket, shard, starts)
        SELECT {scope}, {id}, {row}.start_utc >> {shift}, 0, {step} WHERE {condition}
        ON CONFLICT (scope, scope_id, bucket, shard) DO UPDATE SET starts = starts + {step};"
    )
}

fn count_event(row: &str, step: i64) -> String {
    let listed = format!("{row}.listed");
    let venue = format!("{row}.venue_id");
    let at_venue = format!("{listed} AND {row}.password_hash IS NULL AND {venue} IS NOT NULL");
    count(Histogram::ALL_COARSE, "0", row, step, &listed)
        + &count(Histogram::ALL, "0", row, step, &listed)
        + &count(Histogram::VENUE, &venue, row, step, &at_venue)
}

fn event_counters() -> String {
    let (added, removed) = (count_event("NEW", 1), count_event("OLD", -1));
    format!(
        "
    CREATE TRIGGER event_starts_added AFTER INSERT ON event WHEN NEW.listed BEGIN {added} END;
    CREATE TRIGGER event_starts_changed AFTER UPDATE OF listed, start_utc, venue_id, password_hash ON event
        WHEN OLD.listed OR NEW.listed BEGIN {removed} {added} END;
    CREATE TRIGGER event_starts_removed AFTER DELETE ON event WHEN OLD.listed BEGIN {removed} END;"
    )
}

fn count_link(links: Links, row: &str, step: i64) -> String {
    let id = format!("{row}.{}", links.column);
    count(links.histogram, &id, row, step, &format!("{row}.listed"))
}

/// Counts links that are updated or deleted.
fn link_counters(links: Links) -> String {
    let table = links.table;
    let (added, removed) = (count_link(links, "NEW", 1), count_link(links, "OLD", -1));
    format!(
        "
    CREATE TRIGGER {table}_changed AFTER UPDATE OF listed, start_utc ON {table}
        WHEN OLD.listed OR NEW.listed BEGIN {removed} {added} END;
    CREATE TRIGGER {table}_removed AFTER DELETE ON {table} WHEN OLD.listed BEGIN {removed} END;"
    )
}

/// Fills the copies of a new link. The update fires the trigger that counts the link.
fn link_copies(Links { table, column, .. }: Links) -> String {
    let published = counted_publication("");
    format!(
        "
    CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN
        UPDATE {table} SET (start_utc, end_utc, published_utc, listed) =
        (SELECT start_utc, end_utc, {published}, listed AND password_hash IS NULL
        FROM event WHERE id = NEW.event_id)
        WHERE event_id = NEW.event_id AND {column} = NEW.{column};
    END;"
    )
}

/// Copies an updated event to its links.
fn event_copies() -> String {
    let published = counted_publication("NEW.");
    let copies = copy_to_links(CATEGORIES.table, "NEW.published_utc")
        + &copy_to_links(TAGS.table, &published)
        + &copy_to_links(ORGANIZERS.table, &published)
        + &copy_publication("event_category", "IS NOT");
    format!(
        "
    CREATE TRIGGER event_links_changed
        AFTER UPDATE OF listed, start_utc, end_utc, published_utc, password_hash, stage ON event
        BEGIN {copies} END;"
    )
}

/// Maintains the full-text index, which a later migration deletes.
fn full_text() -> String {
    let enqueue = "INSERT OR IGNORE INTO event_search_waiting (event_id) VALUES";
    format!(
        "
    CREATE TRIGGER event_search_added AFTER INSERT ON event BEGIN {enqueue} (NEW.id); END;
    CREATE TRIGGER event_search_changed AFTER UPDATE OF search_text ON event
        BEGIN {enqueue} (NEW.id); END;
    CREATE TRIGGER event_search_removed AFTER DELETE ON event BEGIN {enqueue} (OLD.id); END;
    CREATE TRIGGER event_search_translated AFTER INSERT ON event_translation
        BEGIN {enqueue} (NEW.record_id); END;
    CREATE TRIGGER event_search_retranslated AFTER UPDATE ON event_translation
        BEGIN {enqueue} (NEW.record_id); END;
    CREATE TRIGGER event_search_untranslated AFTER DELETE ON event_translation
        BEGIN {enqueue} (OLD.record_id); END;
    CREATE TRIGGER event_search_filled AFTER INSERT ON event_search_waiting
        WHEN (SELECT COUNT(*) FROM event_search_waiting) >= {SEARCH_BATCH} BEGIN
        DELETE FROM event_search WHERE rowid IN (SELECT event_id FROM event_search_waiting);
        INSERT INTO event_search (rowid, folded) SELECT id, search_text || COALESCE((SELECT char(10) ||
        group_concat(search_text, char(10)) FROM event_translation WHERE record_id = id), '')
        FROM event WHERE id IN (SELECT event_id FROM event_search_waiting);
        DELETE FROM event_search_waiting;
    END;"
    )
}

fn change_log() -> String {
    let mut triggers = format!(
        "
    CREATE TRIGGER change_pruned AFTER INSERT ON change WHEN NEW.n % 1000 = 0
        BEGIN DELETE FROM change WHERE n <= NEW.n - 10000; END;
    CREATE TRIGGER change_event_scheduled AFTER UPDATE OF published_utc ON event
        WHEN OLD.published_utc IS NOT NEW.published_utc BEGIN {LOG_TERMS_OF_EVENT} END;"
    );
    let log = "INSERT INTO change (kind, record_id) VALUES";
    triggers.extend(RECORDS.iter().map(|table| {
        format!(
            "
    CREATE TRIGGER change_{table}_updated AFTER UPDATE ON {table} BEGIN {log} ('{table}', OLD.id); END;
    CREATE TRIGGER change_{table}_deleted AFTER DELETE ON {table} BEGIN {log} ('{table}', OLD.id); END;"
        )
    }));
    triggers.extend(ROWS_OF_EVENTS.iter().map(|table| {
        format!(
            "
    CREATE TRIGGER change_{table}_deleted AFTER DELETE ON {table}
        BEGIN {log} ('event', OLD.event_id); END;"
        )
    }));
    triggers
}

/// Maintains `event_text`, which a later migration deletes. It holds only the title of an event that
/// a password protects.
fn texts() -> String {
    const SOURCE: [&str; 7] = [
        "listed",
        "start_utc",
        "end_utc",
        "published_utc",
        "password_hash",
        "title_key",
        "search_text",
    ];
    let of = |row: &str| SOURCE.map(|column| format!("{row}{column}")).join(", ");
    let (source, old, new) = (of(""), of("OLD."), of("NEW."));
    let first = format!("NEW.start_utc * {EVENT_TEXT_ROWS_PER_SECOND}");
    let remove = "DELETE FROM event_text WHERE event_id = OLD.id;";
    let add = format!(
        "
        INSERT INTO event_text
        (place, event_id, start_utc, end_utc, published_utc, locked, translated, folded)
        SELECT COALESCE((SELECT MAX(place) + 1 FROM event_text
        WHERE place BETWEEN {first} AND {first} + {EVENT_TEXT_ROWS_PER_SECOND} - 1), {first}),
        NEW.id, NEW.start_utc, NEW.end_utc, NEW.published_utc, NEW.password_hash IS NOT NULL,
        EXISTS (SELECT 1 FROM event_translation WHERE record_id = NEW.id),
        CASE WHEN NEW.password_hash IS NULL THEN NEW.search_text ELSE NEW.title_key END
        WHERE NEW.listed;"
    );
    format!(
        "
    CREATE TRIGGER event_text_added AFTER INSERT ON event WHEN NEW.listed BEGIN {add} END;
    CREATE TRIGGER event_text_changed AFTER UPDATE OF {source} ON event
        WHEN (OLD.listed OR NEW.listed) AND ({old}) IS NOT ({new}) BEGIN {remove} {add} END;
    CREATE TRIGGER event_text_removed AFTER DELETE ON event WHEN OLD.listed BEGIN {remove} END;
    CREATE TRIGGER event_text_translated AFTER INSERT ON event_translation BEGIN
        UPDATE event_text SET translated = TRUE WHERE event_id = NEW.record_id AND NOT translated;
    END;
    CREATE TRIGGER event_text_untranslated AFTER DELETE ON event_translation BEGIN
        UPDATE event_text SET translated = FALSE WHERE event_id = OLD.record_id AND translated
        AND NOT EXISTS (SELECT 1 FROM event_translation WHERE record_id = OLD.record_id);
    END;"
    )
}

/// Maintains `category_path` and `event_in_category`, and counts rows that are added to the latter.
fn categories() -> String {
    let published = counted_publication("");
    let count = count_link(CATEGORIES, "NEW", 1);
    format!(
        "
    CREATE TRIGGER category_added AFTER INSERT ON category BEGIN {INSERT_PATHS} END;
    CREATE TRIGGER category_moved AFTER UPDATE OF parent_id ON category
        WHEN OLD.parent_id IS NOT NEW.parent_id BEGIN {MOVE_PATHS} END;
    CREATE TRIGGER category_removed AFTER DELETE ON category BEGIN {DELETE_PATHS} END;
    CREATE TRIGGER category_path_added AFTER INSERT ON category_path BEGIN
        INSERT INTO event_in_category ({IN_CATEGORY_COLUMNS})
        SELECT link.event_id, NEW.above_id, {COPIES_OF_DESCENDANT}
        FROM event_category AS carried CROSS {JOIN_DESCENDANT}
        WHERE carried.term_id = NEW.below_id ORDER BY 1 ON CONFLICT DO NOTHING;
    END;
    CREATE TRIGGER category_path_removed AFTER DELETE ON category_path BEGIN
        DELETE FROM event_in_category WHERE term_id = OLD.above_id AND event_id IN
        (SELECT event_id FROM event_category WHERE term_id = OLD.below_id) AND NOT {IS_IN_CATEGORY};
    END;
    CREATE TRIGGER event_category_added AFTER INSERT ON event_category BEGIN
        UPDATE event_category
        SET published_utc = (SELECT {published} FROM event WHERE id = NEW.event_id)
        WHERE event_id = NEW.event_id AND term_id = NEW.term_id;
        INSERT INTO event_in_category ({IN_CATEGORY_COLUMNS})
        SELECT event.id, path.above_id, {COPIES_OF_EVENT}
        FROM category_path AS path CROSS JOIN event WHERE path.below_id = NEW.term_id
        AND event.id = NEW.event_id ON CONFLICT DO NOTHING;
    END;
    CREATE TRIGGER event_category_removed AFTER DELETE ON event_category BEGIN
        DELETE FROM event_in_category WHERE event_id = OLD.event_id AND term_id IN
        (SELECT above_id FROM category_path WHERE below_id = OLD.term_id) AND NOT {IS_IN_CATEGORY};
    END;
    CREATE TRIGGER event_in_category_added AFTER INSERT ON event_in_category
        WHEN NEW.listed BEGIN {count} END;"
    )
}
