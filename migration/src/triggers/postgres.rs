//! The triggers of PostgreSQL.
//!
//! A transaction that links events with categories, or updates what links copy, does not see an
//! uncommitted change of the category tree, and vice versa. Such transactions therefore share an
//! advisory lock, and a change of the tree takes it exclusively.

use super::{
    CATEGORIES, COPIES_OF_DESCENDANT, COPIES_OF_EVENT, DELETE_PATHS, IN_CATEGORY_COLUMNS,
    INSERT_PATHS, IS_IN_CATEGORY, JOIN_DESCENDANT, LOG_TERMS_OF_EVENT, Links, MOVE_PATHS,
    ORGANIZERS, RECORDS, ROWS_OF_EVENTS, TAGS, copy_publication, copy_to_links,
    counted_publication,
};
use crate::layout::Histogram;

/// The number of shards of a counter. A connection updates one of them. Two transactions wait for
/// each other only if they update the same counter in the same shard.
const SHARDS: u32 = 8;

/// Begins the body of a trigger function.
pub(crate) const BODY: &str = "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN";

/// Shares the lock of the category tree until the transaction ends.
pub(crate) const SHARE_TREE: &str =
    "PERFORM pg_advisory_xact_lock_shared(hashtextextended('category/tree', 0));";

/// Takes the lock of the category tree. The program takes it, too, before it changes a parent.
const LOCK_TREE: &str = "PERFORM pg_advisory_xact_lock(hashtextextended('category/tree', 0));";

/// Returns the statements that create all triggers.
pub(crate) fn create() -> String {
    let of_links = |links| {
        let counters = |from: &str, step| vec![counters_of_links(links, from, step)];
        let changed = "OLD.listed IS DISTINCT FROM NEW.listed OR OLD.start_utc <> NEW.start_utc";
        let count = count_update(counters);
        count_rows(links.table, counters) + &on_update(links.table, "changed", changed, &count)
    };
    [
        events(),
        of_links(CATEGORIES),
        of_links(TAGS),
        of_links(ORGANIZERS),
        link_copies(TAGS),
        link_copies(ORGANIZERS),
        category_tree(),
        event_categories(),
        change_log(),
    ]
    .concat()
}

/// Adds the sum of `step` to each counter. The rows have the columns `scope`, `scope_id`, `bucket`
/// and `step`. Counters are updated in one order, so that two transactions do not deadlock.
pub(crate) fn count(rows: &[String]) -> String {
    let rows = rows.join(" UNION ALL ");
    format!(
        "
        INSERT INTO event_starts AS kept (scope, scope_id, bucket, shard, starts)
        SELECT scope, scope_id, bucket, pg_backend_pid() % {SHARDS}, SUM(step)
        FROM ({rows}) AS counted GROUP BY scope, scope_id, bucket HAVING SUM(step) <> 0
        ORDER BY scope, scope_id, bucket ON CONFLICT (scope, scope_id, bucket, shard)
        DO UPDATE SET starts = kept.starts + excluded.starts;"
    )
}

/// Selects the counters of the events in a table.
pub(crate) fn counters_of_events(from: &str, step: i64) -> Vec<String> {
    let of_all = |Histogram { scope, shift }| {
        format!(
            "SELECT {scope} AS scope, 0::bigint AS scope_id, start_utc >> {shift} AS bucket,
            {step} AS step FROM {from} WHERE listed"
        )
    };
    let Histogram { scope, shift } = Histogram::VENUE;
    let of_venues = format!(
        "SELECT {scope}, venue_id, start_utc >> {shift}, {step} FROM {from}
        WHERE listed AND password_hash IS NULL AND venue_id IS NOT NULL"
    );
    vec![
        of_all(Histogram::ALL_COARSE),
        of_all(Histogram::ALL),
        of_venues,
    ]
}

/// Selects the counters of the links in a table.
pub(crate) fn counters_of_links(links: Links, from: &str, step: i64) -> String {
    let Histogram { scope, shift } = links.histogram;
    let column = links.column;
    format!(
        "SELECT {scope} AS scope, {column} AS scope_id, start_utc >> {shift} AS bucket,
        {step} AS step FROM {from} WHERE listed"
    )
}

/// Updates the counters of inserted and deleted rows, once per statement.
pub(crate) fn count_rows(table: &str, counters: impl Fn(&str, i64) -> Vec<String>) -> String {
    let (added, removed) = (
        count(&counters("added", 1)),
        count(&counters("removed", -1)),
    );
    format!(
        "
    CREATE FUNCTION {table}_added() {BODY} {added} RETURN NULL; END $$;
    CREATE TRIGGER {table}_added AFTER INSERT ON {table} REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION {table}_added();
    CREATE FUNCTION {table}_removed() {BODY} {removed} RETURN NULL; END $$;
    CREATE TRIGGER {table}_removed AFTER DELETE ON {table} REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION {table}_removed();"
    )
}

/// Updates the counters of an updated row.
fn count_update(counters: impl Fn(&str, i64) -> Vec<String>) -> String {
    let before = counters("(SELECT OLD.*) AS before", -1);
    count(&[before, counters("(SELECT NEW.*) AS after", 1)].concat())
}

/// Runs statements after each update of a row that fulfils the condition.
fn on_update(table: &str, name: &str, condition: &str, body: &str) -> String {
    format!(
        "
    CREATE FUNCTION {table}_{name}() {BODY} {body} RETURN NULL; END $$;
    CREATE TRIGGER {table}_{name} AFTER UPDATE ON {table} FOR EACH ROW WHEN ({condition})
        EXECUTE FUNCTION {table}_{name}();"
    )
}

/// Counts events, and copies updated events to their links.
fn events() -> String {
    let differs = |column| format!("OLD.{column} IS DISTINCT FROM NEW.{column}");
    let columns = [
        "listed",
        "start_utc",
        "end_utc",
        "published_utc",
        "venue_id",
        "password_hash",
    ];
    let changed = columns.map(differs).join(" OR ");
    let changed_or_stage = format!("{changed} OR {}", differs("stage"));
    let links = [CATEGORIES, TAGS, ORGANIZERS].map(|links| links.table);
    let copies = links
        .map(|table| copy_to_links(table, "NEW.published_utc"))
        .concat();
    let publications = ["event_category", TAGS.table, ORGANIZERS.table]
        .map(|table| copy_publication(table, "IS DISTINCT FROM"))
        .concat();
    let body = format!("{SHARE_TREE} {} {copies}", count_update(counters_of_events));
    // PostgreSQL fires triggers in the order of their names: `event_published` corrects the copies
    // of `event_changed`.
    count_rows("event", counters_of_events)
        + &on_update("event", "changed", &changed, &body)
        + &on_update("event", "published", &changed_or_stage, &publications)
}

/// Fills the copies of a new link.
fn link_copies(Links { table, .. }: Links) -> String {
    let published = counted_publication("");
    format!(
        "
    CREATE FUNCTION {table}_filled() {BODY}
        SELECT start_utc, end_utc, {published}, listed AND password_hash IS NULL
        INTO NEW.start_utc, NEW.end_utc, NEW.published_utc, NEW.listed
        FROM event WHERE id = NEW.event_id;
        RETURN NEW;
    END $$;
    CREATE TRIGGER {table}_filled BEFORE INSERT ON {table}
        FOR EACH ROW EXECUTE FUNCTION {table}_filled();"
    )
}

/// Maintains `category_path`, and `event_in_category` after a change of the tree.
fn category_tree() -> String {
    let link = link(&format!(
        "link.event_id, added.above_id, {COPIES_OF_DESCENDANT} FROM added
        JOIN event_category AS carried ON carried.term_id = added.below_id {JOIN_DESCENDANT}"
    ));
    let unlink = unlink(
        "SELECT DISTINCT carried.event_id, removed.above_id FROM removed
        JOIN event_category AS carried ON carried.term_id = removed.below_id",
    );
    format!(
        "
    CREATE FUNCTION category_shared() {BODY} {SHARE_TREE} RETURN NULL; END $$;
    CREATE TRIGGER category_shared BEFORE INSERT ON category
        FOR EACH STATEMENT EXECUTE FUNCTION category_shared();
    CREATE FUNCTION category_added() {BODY} {INSERT_PATHS} RETURN NULL; END $$;
    CREATE TRIGGER category_added AFTER INSERT ON category
        FOR EACH ROW EXECUTE FUNCTION category_added();
    CREATE FUNCTION category_moved() {BODY} {LOCK_TREE} {MOVE_PATHS} RETURN NULL; END $$;
    CREATE TRIGGER category_moved AFTER UPDATE ON category
        FOR EACH ROW WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id)
        EXECUTE FUNCTION category_moved();

    -- Fires before the links of the category are deleted: they say which events leave its ancestors.
    CREATE FUNCTION category_removed() {BODY} {LOCK_TREE} {DELETE_PATHS} RETURN OLD; END $$;
    CREATE TRIGGER category_removed BEFORE DELETE ON category
        FOR EACH ROW EXECUTE FUNCTION category_removed();

    CREATE FUNCTION category_path_added() {BODY} {link} RETURN NULL; END $$;
    CREATE TRIGGER category_path_added AFTER INSERT ON category_path
        REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION category_path_added();
    CREATE FUNCTION category_path_removed() {BODY} {unlink} RETURN NULL; END $$;
    CREATE TRIGGER category_path_removed AFTER DELETE ON category_path
        REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION category_path_removed();"
    )
}

/// Maintains `event_in_category` after a change of the categories of an event.
fn event_categories() -> String {
    let published = counted_publication("");
    let link = link(&format!(
        "event.id, path.above_id, {COPIES_OF_EVENT} FROM added
        JOIN category_path AS path ON path.below_id = added.term_id
        JOIN event ON event.id = added.event_id"
    ));
    let unlink = unlink(
        "SELECT DISTINCT removed.event_id, path.above_id FROM removed
        JOIN category_path AS path ON path.below_id = removed.term_id",
    );
    format!(
        "
    CREATE FUNCTION event_category_shared() {BODY} {SHARE_TREE} RETURN NULL; END $$;
    CREATE TRIGGER event_category_shared BEFORE INSERT OR DELETE ON event_category
        FOR EACH STATEMENT EXECUTE FUNCTION event_category_shared();
    CREATE FUNCTION event_category_filled() {BODY}
        SELECT {published} INTO NEW.published_utc FROM event WHERE id = NEW.event_id;
        RETURN NEW;
    END $$;
    CREATE TRIGGER event_category_filled BEFORE INSERT ON event_category
        FOR EACH ROW EXECUTE FUNCTION event_category_filled();
    CREATE FUNCTION event_category_linked() {BODY} {link} RETURN NULL; END $$;
    CREATE TRIGGER event_category_linked AFTER INSERT ON event_category
        REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION event_category_linked();
    CREATE FUNCTION event_category_unlinked() {BODY} {unlink} RETURN NULL; END $$;
    CREATE TRIGGER event_category_unlinked AFTER DELETE ON event_category
        REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION event_category_unlinked();"
    )
}

/// Inserts rows into `event_in_category`, in one order, so that two transactions do not deadlock.
fn link(rows: &str) -> String {
    format!(
        "INSERT INTO event_in_category ({IN_CATEGORY_COLUMNS}) SELECT DISTINCT {rows}
        ORDER BY 1, 2 ON CONFLICT DO NOTHING;"
    )
}

/// Deletes the selected rows of `event_in_category` unless another category of the event requires
/// them.
fn unlink(gone: &str) -> String {
    format!(
        "DELETE FROM event_in_category USING ({gone}) AS gone
        WHERE event_in_category.event_id = gone.event_id
        AND event_in_category.term_id = gone.above_id AND NOT {IS_IN_CATEGORY};"
    )
}

/// Fills the change log. One transaction in 1,000 prunes the log, unless another transaction is
/// pruning.
fn change_log() -> String {
    let log = "INSERT INTO change (kind, record_id) VALUES";
    let mut triggers = format!(
        "
    CREATE FUNCTION change_note_record() {BODY} {log} (TG_TABLE_NAME, OLD.id); RETURN NULL; END $$;
    CREATE FUNCTION change_note_row_of_event() {BODY} {log} ('event', OLD.event_id); RETURN NULL; END $$;
    CREATE FUNCTION change_note_schedule() {BODY} {LOG_TERMS_OF_EVENT} RETURN NULL; END $$;
    CREATE FUNCTION change_note_prune() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
        own numeric := pg_current_xact_id()::text::numeric;
        oldest xid8 := greatest(own - 10000, 0)::text::xid8;
    BEGIN
        IF own % 1000 = 0 AND pg_try_advisory_xact_lock(hashtextextended('change/prune', 0)) THEN
            UPDATE change_pruned SET xid = oldest WHERE xid < oldest;
            DELETE FROM change WHERE xid < oldest;
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER change_pruned AFTER INSERT ON change
        FOR EACH STATEMENT EXECUTE FUNCTION change_note_prune();
    CREATE TRIGGER change_event_scheduled AFTER UPDATE OF published_utc ON event
        FOR EACH ROW WHEN (OLD.published_utc IS DISTINCT FROM NEW.published_utc)
        EXECUTE FUNCTION change_note_schedule();"
    );
    triggers.extend(RECORDS.iter().map(|table| {
        format!(
            "
    CREATE TRIGGER change_{table}_updated AFTER UPDATE ON {table}
        FOR EACH ROW EXECUTE FUNCTION change_note_record();
    CREATE TRIGGER change_{table}_deleted AFTER DELETE ON {table}
        FOR EACH ROW EXECUTE FUNCTION change_note_record();"
        )
    }));
    triggers.extend(ROWS_OF_EVENTS.iter().map(|table| {
        format!(
            "
    CREATE TRIGGER change_{table}_deleted AFTER DELETE ON {table}
        FOR EACH ROW EXECUTE FUNCTION change_note_row_of_event();"
        )
    }));
    triggers
}
