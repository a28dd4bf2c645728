//! The triggers of PostgreSQL.
//!
//! Who links events with categories, or changes what links are copies of, and who changes the tree
//! would not see what the other has not yet committed: the former share a lock, for which the latter
//! wait.

use super::{
    CATEGORIES, COPIED, COPIED_FROM_BELOW, FILLED, FROM_BELOW, IN_CATEGORY, IS_IN, PATHS_OF_ADDED,
    PATHS_OF_MOVED, PATHS_OF_REMOVED,
};
use crate::{
    m20261121_000006_lists::{ALL, OfAll, postgres as lists},
    m20261121_000008_scheduled::{self as scheduled, function},
};

/// The lock that the program takes before it sets a parent.
const TREE: &str = "hashtextextended('category/tree', 0)";

pub(super) fn drop_former() -> Vec<String> {
    let former = ["added", "changed", "removed"];
    drop_functions(&former.map(|what| format!("event_category_{what}")))
}

/// Triggers go with their functions.
fn drop_functions(names: &[String]) -> Vec<String> {
    let drop = |name| format!("DROP FUNCTION {name} CASCADE");
    names.iter().map(drop).collect()
}

pub(super) fn up() -> Vec<String> {
    let mut statements = of_tree();
    statements.extend(of_links());
    statements.push(event_changed(&[ALL]));
    statements.extend(lists::count_links(&IN_CATEGORY));
    statements
}

pub(super) fn drop_all() -> Vec<String> {
    let names = [
        "category_shared",
        "category_added",
        "category_moved",
        "category_removed",
        "category_path_added",
        "category_path_removed",
        "event_category_shared",
        "event_category_filled",
        "event_category_linked",
        "event_category_unlinked",
        "event_in_category_added",
        "event_in_category_changed",
        "event_in_category_removed",
    ];
    drop_functions(&names.map(str::to_owned))
}

pub(super) fn down() -> Vec<String> {
    let mut statements = lists::link_triggers(&CATEGORIES);
    statements.push(scheduled::filled(CATEGORIES.table, scheduled::COPIED));
    let tables = [CATEGORIES.table, "event_tag", "event_organizer"];
    let changed = lists::event_changed(&[ALL], tables);
    statements.push(function("event_changed", &changed, "NULL"));
    statements
}

/// What is done when an event changed.
pub(crate) fn event_changed(all: &[OfAll]) -> String {
    let tables = [IN_CATEGORY.table, "event_tag", "event_organizer"];
    let changed = lists::event_changed(all, tables);
    function(
        "event_changed",
        &format!("{} {changed}", share_tree()),
        "NULL",
    )
}

fn share_tree() -> String {
    format!("PERFORM pg_advisory_xact_lock_shared({TREE});")
}

/// A function and the trigger that runs it.
fn trigger(name: &str, when: &str, body: &str, answer: &str) -> [String; 2] {
    [
        function(name, body, answer),
        format!("CREATE TRIGGER {name} {when} EXECUTE FUNCTION {name}()"),
    ]
}

fn of_tree() -> Vec<String> {
    let lock = format!("PERFORM pg_advisory_xact_lock({TREE});");
    [
        trigger(
            "category_shared",
            "BEFORE INSERT ON category FOR EACH STATEMENT",
            &share_tree(),
            "NULL",
        ),
        trigger(
            "category_added",
            "AFTER INSERT ON category FOR EACH ROW",
            PATHS_OF_ADDED,
            "NULL",
        ),
        trigger(
            "category_moved",
            "AFTER UPDATE ON category FOR EACH ROW \
             WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id)",
            &format!("{lock} {PATHS_OF_MOVED}"),
            "NULL",
        ),
        // Before: what carried it tells which events are no longer below what was above it.
        trigger(
            "category_removed",
            "BEFORE DELETE ON category FOR EACH ROW",
            &format!("{lock} {PATHS_OF_REMOVED}"),
            "OLD",
        ),
        trigger(
            "category_path_added",
            "AFTER INSERT ON category_path REFERENCING NEW TABLE AS added FOR EACH STATEMENT",
            &link(&format!(
                "link.event_id, added.above_id, {COPIED_FROM_BELOW} FROM added \
                 JOIN event_category AS carried ON carried.term_id = added.below_id {FROM_BELOW}"
            )),
            "NULL",
        ),
        trigger(
            "category_path_removed",
            "AFTER DELETE ON category_path REFERENCING OLD TABLE AS removed FOR EACH STATEMENT",
            &unlink(
                "SELECT DISTINCT carried.event_id, removed.above_id FROM removed \
                 JOIN event_category AS carried ON carried.term_id = removed.below_id",
            ),
            "NULL",
        ),
    ]
    .concat()
}

fn of_links() -> Vec<String> {
    let filled = format!(
        "SELECT {} INTO NEW.published_utc FROM event WHERE id = NEW.event_id;",
        scheduled::COPIED
    );
    let mut statements = [
        trigger(
            "event_category_shared",
            "BEFORE INSERT OR DELETE ON event_category FOR EACH STATEMENT",
            &share_tree(),
            "NULL",
        ),
        trigger(
            "event_category_linked",
            "AFTER INSERT ON event_category REFERENCING NEW TABLE AS added FOR EACH STATEMENT",
            &link(&format!(
                "event.id, path.above_id, {COPIED} FROM added \
                 JOIN category_path AS path ON path.below_id = added.term_id \
                 JOIN event ON event.id = added.event_id"
            )),
            "NULL",
        ),
        trigger(
            "event_category_unlinked",
            "AFTER DELETE ON event_category REFERENCING OLD TABLE AS removed FOR EACH STATEMENT",
            &unlink(
                "SELECT DISTINCT removed.event_id, path.above_id FROM removed \
                 JOIN category_path AS path ON path.below_id = removed.term_id",
            ),
            "NULL",
        ),
    ]
    .concat();
    statements.push(function("event_category_filled", &filled, "NEW"));
    statements
}

/// Links events with categories of which some rows tell, in one order: two that link could else wait
/// for each other.
fn link(rows: &str) -> String {
    format!(
        "INSERT INTO event_in_category ({FILLED}) SELECT DISTINCT {rows} \
         ORDER BY 1, 2 ON CONFLICT DO NOTHING;"
    )
}

/// Removes the links that a selection names, if nothing else makes them.
fn unlink(gone: &str) -> String {
    format!(
        "DELETE FROM event_in_category USING ({gone}) AS gone \
         WHERE event_in_category.event_id = gone.event_id \
         AND event_in_category.term_id = gone.above_id AND NOT {IS_IN};"
    )
}
