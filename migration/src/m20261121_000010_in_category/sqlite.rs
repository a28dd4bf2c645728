//! The triggers of SQLite.

use super::{
    CATEGORIES, COPIED, FILLED, IN_CATEGORY, IS_IN, PATHS_OF_ADDED, PATHS_OF_MOVED,
    PATHS_OF_REMOVED,
};
use crate::{
    m20261121_000006_lists::{self as lists, sqlite as counters},
    m20261121_000008_scheduled as scheduled,
};

/// Triggers that are there before and after, and differ.
const FORMER: [&str; 4] = [
    "event_links_changed",
    "event_category_added",
    "event_category_changed",
    "event_category_removed",
];

pub(super) fn drop_former() -> Vec<String> {
    FORMER.map(|name| format!("DROP TRIGGER {name}")).to_vec()
}

pub(super) fn up() -> Vec<String> {
    let mut statements = of_tree();
    statements.extend(of_links());
    statements.push(of_events());
    statements.extend(counters::counting(&IN_CATEGORY));
    statements.push(format!(
        "CREATE TRIGGER event_in_category_added AFTER INSERT ON event_in_category \
         WHEN NEW.listed BEGIN {} END",
        counters::count_link(&IN_CATEGORY, "NEW", 1)
    ));
    statements
}

/// The other triggers go with their tables.
pub(super) fn drop_all() -> Vec<String> {
    [
        "category_added",
        "category_moved",
        "category_removed",
        "event_category_added",
        "event_category_removed",
        "category_path_added",
        "category_path_removed",
    ]
    .map(|name| format!("DROP TRIGGER {name}"))
    .to_vec()
}

pub(super) fn down() -> Vec<String> {
    let mut statements = counters::link_triggers(&CATEGORIES);
    statements.extend(scheduled::sqlite(scheduled::COPIED));
    statements
}

fn of_tree() -> Vec<String> {
    vec![
        format!(
            "CREATE TRIGGER category_added AFTER INSERT ON category BEGIN {PATHS_OF_ADDED} END"
        ),
        format!(
            "CREATE TRIGGER category_moved AFTER UPDATE OF parent_id ON category \
             WHEN OLD.parent_id IS NOT NEW.parent_id BEGIN {PATHS_OF_MOVED} END"
        ),
        format!(
            "CREATE TRIGGER category_removed AFTER DELETE ON category BEGIN {PATHS_OF_REMOVED} END"
        ),
        format!(
            "CREATE TRIGGER category_path_added AFTER INSERT ON category_path BEGIN \
             INSERT INTO event_in_category ({FILLED}) SELECT event.id, NEW.above_id, {COPIED} \
             FROM event_category AS carried CROSS JOIN event WHERE carried.term_id = NEW.below_id \
             AND event.id = carried.event_id ON CONFLICT DO NOTHING; END"
        ),
        format!(
            "CREATE TRIGGER category_path_removed AFTER DELETE ON category_path BEGIN \
             DELETE FROM event_in_category WHERE term_id = OLD.above_id AND event_id IN \
             (SELECT event_id FROM event_category WHERE term_id = OLD.below_id) AND NOT {IS_IN}; \
             END"
        ),
    ]
}

fn of_links() -> Vec<String> {
    let published = scheduled::COPIED;
    vec![
        format!(
            "CREATE TRIGGER event_category_added AFTER INSERT ON event_category BEGIN \
             UPDATE event_category SET published_utc = \
             (SELECT {published} FROM event WHERE id = NEW.event_id) \
             WHERE event_id = NEW.event_id AND term_id = NEW.term_id; \
             INSERT INTO event_in_category ({FILLED}) SELECT event.id, path.above_id, {COPIED} \
             FROM category_path AS path CROSS JOIN event WHERE path.below_id = NEW.term_id \
             AND event.id = NEW.event_id ON CONFLICT DO NOTHING; END"
        ),
        format!(
            "CREATE TRIGGER event_category_removed AFTER DELETE ON event_category BEGIN \
             DELETE FROM event_in_category WHERE event_id = OLD.event_id AND term_id IN \
             (SELECT above_id FROM category_path WHERE below_id = OLD.term_id) AND NOT {IS_IN}; \
             END"
        ),
    ]
}

/// Copies an event that changed to its links.
fn of_events() -> String {
    let copy = |table| scheduled::copy(table, scheduled::COPIED);
    scheduled::links_changed(&[
        lists::copy(IN_CATEGORY.table),
        copy("event_tag"),
        copy("event_organizer"),
        scheduled::copy_published(CATEGORIES.table, "IS NOT"),
    ])
}
