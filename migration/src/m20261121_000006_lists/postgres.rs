//! The triggers of PostgreSQL, and its indexes of texts.

use super::{ALL, LINKS, LONG_SHIFT, Links, OfAll, VENUES, copy};

/// Each connection counts in one of so many shards. Two wait for each other only if they count the
/// same in the same shard.
const SHARDS: u32 = 8;

pub(super) fn up() -> Vec<String> {
    let mut statements = event_triggers();
    statements.extend(LINKS.iter().flat_map(link_triggers));
    statements.push(SEARCH.to_owned());
    statements
}

pub(super) fn down() -> Vec<String> {
    // Triggers go with their functions.
    let mut functions: Vec<String> = ["event_added", "event_changed", "event_removed"]
        .map(str::to_owned)
        .to_vec();
    for Links { table, .. } in LINKS {
        for what in ["filled", "added", "changed", "removed"] {
            functions.push(format!("{table}_{what}"));
        }
    }
    let mut statements: Vec<String> = functions
        .into_iter()
        .map(|function| format!("DROP FUNCTION {function} CASCADE"))
        .collect();
    for index in ["event_search", "event_translation_search"] {
        statements.push(format!("DROP INDEX IF EXISTS {index}"));
    }
    statements
}

/// Whoever may make extensions gets the indexes; without them a search reads all texts.
const SEARCH: &str = "DO $$ BEGIN \
    CREATE EXTENSION IF NOT EXISTS pg_trgm; \
    CREATE INDEX event_search ON event USING gin (search_text gin_trgm_ops); \
    CREATE INDEX event_translation_search ON event_translation \
    USING gin (search_text gin_trgm_ops); \
    EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported \
    OR undefined_object THEN NULL; END $$";

/// Adds to counters what rows of `scope`, `scope_id`, `bucket` and `step` say, in one order: two that
/// count in several could else wait for each other.
pub(crate) fn count(rows: &[String]) -> String {
    let rows = rows.join(" UNION ALL ");
    format!(
        "INSERT INTO event_starts AS kept (scope, scope_id, bucket, shard, starts) \
         SELECT scope, scope_id, bucket, pg_backend_pid() % {SHARDS}, SUM(step) \
         FROM ({rows}) AS counted GROUP BY scope, scope_id, bucket HAVING SUM(step) <> 0 \
         ORDER BY scope, scope_id, bucket ON CONFLICT (scope, scope_id, bucket, shard) \
         DO UPDATE SET starts = kept.starts + excluded.starts;"
    )
}

/// What an event, or a table of events, counts.
pub(crate) fn of_events(all: &[OfAll], from: &str, step: i64) -> Vec<String> {
    let of_all = all.iter().map(|OfAll { scope, shift }| {
        format!(
            "SELECT {scope} AS scope, 0::bigint AS scope_id, start_utc >> {shift} AS bucket, \
             {step} AS step FROM {from} WHERE listed"
        )
    });
    let of_venues = format!(
        "SELECT {VENUES}, venue_id, start_utc >> {LONG_SHIFT}, {step} FROM {from} \
         WHERE listed AND password_hash IS NULL AND venue_id IS NOT NULL"
    );
    of_all.chain([of_venues]).collect()
}

/// What a link, or a table of links, counts.
fn of_links(links: &Links, from: &str, step: i64) -> String {
    let Links { column, scope, .. } = links;
    format!(
        "SELECT {scope} AS scope, {column} AS scope_id, start_utc >> {LONG_SHIFT} AS bucket, \
         {step} AS step FROM {from} WHERE listed"
    )
}

fn function(name: &str, body: &str, answer: &str) -> String {
    format!(
        "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN {body} RETURN {answer}; END $$"
    )
}

/// Triggers that count the rows of a table which a statement added, or removed.
fn counting(table: &str, added: &[String], removed: &[String]) -> Vec<String> {
    vec![
        function(&format!("{table}_added"), &count(added), "NULL"),
        format!(
            "CREATE TRIGGER {table}_added AFTER INSERT ON {table} REFERENCING NEW TABLE AS added \
             FOR EACH STATEMENT EXECUTE FUNCTION {table}_added()"
        ),
        function(&format!("{table}_removed"), &count(removed), "NULL"),
        format!(
            "CREATE TRIGGER {table}_removed AFTER DELETE ON {table} \
             REFERENCING OLD TABLE AS removed \
             FOR EACH STATEMENT EXECUTE FUNCTION {table}_removed()"
        ),
    ]
}

/// What is done when an event changed that tables of links have copies of.
pub(crate) fn event_changed(all: &[OfAll], tables: [&str; 3]) -> String {
    let before = of_events(all, "(SELECT OLD.*) AS before", -1);
    let after = of_events(all, "(SELECT NEW.*) AS after", 1);
    [count(&[before, after].concat()), tables.map(copy).concat()].concat()
}

fn event_triggers() -> Vec<String> {
    let of_events = |from, step| of_events(&[ALL], from, step);
    let mut statements = counting("event", &of_events("added", 1), &of_events("removed", -1));
    let changed = event_changed(&[ALL], LINKS.map(|links| links.table));
    statements.push(function("event_changed", &changed, "NULL"));
    let of_lists = [
        "listed",
        "start_utc",
        "end_utc",
        "published_utc",
        "venue_id",
        "password_hash",
    ];
    let differ = of_lists.map(|column| format!("OLD.{column} IS DISTINCT FROM NEW.{column}"));
    statements.push(format!(
        "CREATE TRIGGER event_changed AFTER UPDATE ON event FOR EACH ROW WHEN ({}) \
         EXECUTE FUNCTION event_changed()",
        differ.join(" OR ")
    ));
    statements
}

pub(crate) fn link_triggers(links: &Links) -> Vec<String> {
    let table = links.table;
    let mut statements = count_links(links);
    let copy = "SELECT start_utc, end_utc, published_utc, listed AND password_hash IS NULL \
        INTO NEW.start_utc, NEW.end_utc, NEW.published_utc, NEW.listed \
        FROM event WHERE id = NEW.event_id;";
    statements.push(function(&format!("{table}_filled"), copy, "NEW"));
    statements.push(format!(
        "CREATE TRIGGER {table}_filled BEFORE INSERT ON {table} FOR EACH ROW \
         EXECUTE FUNCTION {table}_filled()"
    ));
    statements
}

/// Triggers that count links.
pub(crate) fn count_links(links: &Links) -> Vec<String> {
    let table = links.table;
    let mut statements = counting(
        table,
        &[of_links(links, "added", 1)],
        &[of_links(links, "removed", -1)],
    );
    let changed = count(&[
        of_links(links, "(SELECT OLD.*) AS before", -1),
        of_links(links, "(SELECT NEW.*) AS after", 1),
    ]);
    statements.push(function(&format!("{table}_changed"), &changed, "NULL"));
    statements.push(format!(
        "CREATE TRIGGER {table}_changed AFTER UPDATE ON {table} FOR EACH ROW \
         WHEN (OLD.listed IS DISTINCT FROM NEW.listed OR OLD.start_utc <> NEW.start_utc) \
         EXECUTE FUNCTION {table}_changed()"
    ));
    statements
}
