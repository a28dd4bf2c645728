//! The triggers of SQLite, and its full-text index.

use super::{ALL, LINKS, LONG_SHIFT, Links, OfAll, SPAN, VENUES, copy};

/// So many events may wait until they are put into the full-text index: many at once take a tenth of
/// the time, and a search looks into each that waits.
const WAITING: u32 = 256;

pub(super) fn up() -> Vec<String> {
    let mut statements = event_triggers();
    statements.extend(LINKS.iter().flat_map(link_triggers));
    statements.extend(search());
    statements
}

pub(super) fn down() -> Vec<String> {
    let mut triggers: Vec<String> = [
        "event_starts_added",
        "event_starts_changed",
        "event_starts_removed",
        "event_links_changed",
        "event_span_added",
        "event_span_changed",
        "event_search_added",
        "event_search_changed",
        "event_search_removed",
        "event_search_translated",
        "event_search_retranslated",
        "event_search_untranslated",
    ]
    .map(str::to_owned)
    .to_vec();
    for Links { table, .. } in LINKS {
        for what in ["added", "changed", "removed"] {
            triggers.push(format!("{table}_{what}"));
        }
    }
    let mut statements: Vec<String> = triggers
        .into_iter()
        .map(|trigger| format!("DROP TRIGGER {trigger}"))
        .collect();
    for table in ["event_search_waiting", "event_search"] {
        statements.push(format!("DROP TABLE {table}"));
    }
    statements
}

/// Adds to a counter, if the condition holds.
fn count(scope: i64, id: &str, bucket: &str, step: i64, condition: &str) -> String {
    format!(
        "INSERT INTO event_starts (scope, scope_id, bucket, shard, starts) \
         SELECT {scope}, {id}, {bucket}, 0, {step} WHERE {condition} \
         ON CONFLICT (scope, scope_id, bucket, shard) DO UPDATE SET starts = starts + {step};"
    )
}

/// Adds an event, as it is in a row of a trigger, to the counters.
fn count_event(all: &[OfAll], row: &str, step: i64) -> String {
    let bucket = |shift| format!("{row}.start_utc >> {shift}");
    let at_venue =
        format!("{row}.listed AND {row}.password_hash IS NULL AND {row}.venue_id IS NOT NULL");
    let of_all = all.iter().map(|OfAll { scope, shift }| {
        count(*scope, "0", &bucket(*shift), step, &format!("{row}.listed"))
    });
    let of_venue = count(
        VENUES,
        &format!("{row}.venue_id"),
        &bucket(LONG_SHIFT),
        step,
        &at_venue,
    );
    of_all.chain([of_venue]).collect()
}

fn event_triggers() -> Vec<String> {
    let copies = LINKS.map(|links| copy(links.table)).concat();
    // Most last up to four hours: that is what the column holds by itself.
    let span = |name: &str, when: &str, condition: &str| {
        format!(
            "CREATE TRIGGER event_span_{name} AFTER {when} ON event {condition} \
             BEGIN UPDATE event SET span = {SPAN} WHERE id = NEW.id AND span <> {SPAN}; END"
        )
    };
    let mut statements = vec![
        span(
            "added",
            "INSERT",
            "WHEN NEW.end_utc - NEW.start_utc > 14400",
        ),
        span("changed", "UPDATE OF start_utc, end_utc", ""),
    ];
    statements.extend(event_counters(&[ALL]));
    statements.push(format!(
        "CREATE TRIGGER event_links_changed \
         AFTER UPDATE OF listed, start_utc, end_utc, published_utc, password_hash ON event \
         BEGIN {copies} END"
    ));
    statements
}

/// Triggers that count events.
pub(crate) fn event_counters(all: &[OfAll]) -> [String; 3] {
    let (added, removed) = (count_event(all, "NEW", 1), count_event(all, "OLD", -1));
    [
        format!(
            "CREATE TRIGGER event_starts_added AFTER INSERT ON event WHEN NEW.listed \
             BEGIN {added} END"
        ),
        format!(
            "CREATE TRIGGER event_starts_changed \
             AFTER UPDATE OF listed, start_utc, venue_id, password_hash ON event \
             WHEN OLD.listed OR NEW.listed BEGIN {removed} {added} END"
        ),
        format!(
            "CREATE TRIGGER event_starts_removed AFTER DELETE ON event WHEN OLD.listed \
             BEGIN {removed} END"
        ),
    ]
}

pub(crate) fn link_triggers(links: &Links) -> Vec<String> {
    let Links { table, column, .. } = links;
    let mut statements = counting(links);
    // What comes of this is counted by the trigger of changes.
    statements.push(format!(
        "CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN UPDATE {table} \
         SET (start_utc, end_utc, published_utc, listed) = \
         (SELECT start_utc, end_utc, published_utc, listed AND password_hash IS NULL \
         FROM event WHERE id = NEW.event_id) \
         WHERE event_id = NEW.event_id AND {column} = NEW.{column}; END"
    ));
    statements
}

/// Counts, for a link as it is in a row of a trigger.
pub(crate) fn count_link(links: &Links, row: &str, step: i64) -> String {
    let Links { column, scope, .. } = links;
    count(
        *scope,
        &format!("{row}.{column}"),
        &format!("{row}.start_utc >> {LONG_SHIFT}"),
        step,
        &format!("{row}.listed"),
    )
}

/// Triggers that count links which are changed, or removed.
pub(crate) fn counting(links: &Links) -> Vec<String> {
    let table = links.table;
    let (added, removed) = (count_link(links, "NEW", 1), count_link(links, "OLD", -1));
    vec![
        format!(
            "CREATE TRIGGER {table}_changed AFTER UPDATE OF listed, start_utc ON {table} \
             WHEN OLD.listed OR NEW.listed BEGIN {removed} {added} END"
        ),
        format!(
            "CREATE TRIGGER {table}_removed AFTER DELETE ON {table} WHEN OLD.listed \
             BEGIN {removed} END"
        ),
    ]
}

/// The full-text index of the texts of events in all their languages. It keeps no texts, and not
/// where in them something stands: what it finds is looked at again.
fn search() -> Vec<String> {
    const TEXTS: &str = "SELECT id, search_text || COALESCE((SELECT char(10) || \
        group_concat(search_text, char(10)) FROM event_translation WHERE record_id = id), '') \
        FROM event";
    let waits = |name: &str, when: &str, row: &str| {
        format!(
            "CREATE TRIGGER event_search_{name} AFTER {when} \
             BEGIN INSERT OR IGNORE INTO event_search_waiting (event_id) VALUES ({row}); END"
        )
    };
    vec![
        "CREATE VIRTUAL TABLE event_search USING fts5 (folded, content = '', \
         contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1')"
            .to_owned(),
        "CREATE TABLE event_search_waiting (event_id integer PRIMARY KEY NOT NULL)".to_owned(),
        format!("INSERT INTO event_search (rowid, folded) {TEXTS}"),
        waits("added", "INSERT ON event", "NEW.id"),
        waits("changed", "UPDATE OF search_text ON event", "NEW.id"),
        waits("removed", "DELETE ON event", "OLD.id"),
        waits("translated", "INSERT ON event_translation", "NEW.record_id"),
        waits(
            "retranslated",
            "UPDATE ON event_translation",
            "NEW.record_id",
        ),
        waits(
            "untranslated",
            "DELETE ON event_translation",
            "OLD.record_id",
        ),
        format!(
            "CREATE TRIGGER event_search_filled AFTER INSERT ON event_search_waiting \
             WHEN (SELECT COUNT(*) FROM event_search_waiting) >= {WAITING} BEGIN \
             DELETE FROM event_search WHERE rowid IN (SELECT event_id FROM event_search_waiting); \
             INSERT INTO event_search (rowid, folded) {TEXTS} \
             WHERE id IN (SELECT event_id FROM event_search_waiting); \
             DELETE FROM event_search_waiting; END"
        ),
    ]
}
