//! The triggers. They maintain derived tables, derived columns and the change log for every program
//! that writes.

pub(crate) mod postgres;
pub(crate) mod sqlite;

use crate::layout::Histogram;

/// A table that links events with records, and holds copies of the event's columns.
#[derive(Clone, Copy)]
pub(crate) struct Links {
    pub(crate) table: &'static str,
    /// The column with the ID of the record.
    pub(crate) column: &'static str,
    histogram: Histogram,
}

pub(crate) const CATEGORIES: Links = Links {
    table: "event_in_category",
    column: "term_id",
    histogram: Histogram::CATEGORY,
};

pub(crate) const TAGS: Links = Links {
    table: "event_tag",
    column: "term_id",
    histogram: Histogram::TAG,
};

pub(crate) const ORGANIZERS: Links = Links {
    table: "event_organizer",
    column: "place_id",
    histogram: Histogram::ORGANIZER,
};

/// The tables with an entry in the change log for each update and each deletion of a row.
/// Insertions have none: no cache holds a record that did not exist.
const RECORDS: [&str; 6] = ["event", "venue", "organizer", "category", "tag", "image"];

/// The tables with rows that belong to an event. Such rows are inserted together with an update of
/// their event, but some are deleted without one, for example when their category is deleted.
const ROWS_OF_EVENTS: [&str; 4] = [
    "event_category",
    "event_tag",
    "event_organizer",
    "event_ticket",
];

/// Adds change log entries for the terms of an event. Caches hold terms together with the times at
/// which scheduled events begin to count.
const LOG_TERMS_OF_EVENT: &str = "INSERT INTO change (kind, record_id)
    SELECT 'category', term_id FROM event_category WHERE event_id = NEW.id
    UNION ALL SELECT 'tag', term_id FROM event_tag WHERE event_id = NEW.id;";

/// The columns of `event_in_category`.
const IN_CATEGORY_COLUMNS: &str = "event_id, term_id, start_utc, end_utc, published_utc, listed";

/// The values that a row of `event_in_category` copies from its event.
pub(crate) const COPIES_OF_EVENT: &str = "event.start_utc, event.end_utc, event.published_utc,
    event.listed AND event.password_hash IS NULL";

/// The values that a row of `event_in_category` copies from the row of a descendant. To read that
/// row is faster than to read the event.
const COPIES_OF_DESCENDANT: &str = "link.start_utc, link.end_utc, link.published_utc, link.listed";

/// Joins the row of `event_in_category` of a category that an event is assigned to.
const JOIN_DESCENDANT: &str = "JOIN event_in_category AS link
    ON link.event_id = carried.event_id AND link.term_id = carried.term_id";

/// Whether the event of a row of `event_in_category` is assigned to its category or to a
/// descendant.
const IS_IN_CATEGORY: &str = "EXISTS (SELECT 1 FROM event_category AS carried
    JOIN category_path AS path ON path.below_id = carried.term_id
    WHERE carried.event_id = event_in_category.event_id
    AND path.above_id = event_in_category.term_id)";

/// Inserts the paths of a new category.
const INSERT_PATHS: &str = "INSERT INTO category_path (above_id, below_id)
    SELECT above_id, NEW.id FROM category_path WHERE below_id = NEW.parent_id
    UNION SELECT NEW.id, NEW.id;";

/// Replaces the paths of a category, and of its descendants, after a change of its parent.
const MOVE_PATHS: &str = "DELETE FROM category_path
    WHERE below_id IN (SELECT below_id FROM category_path WHERE above_id = NEW.id)
    AND above_id IN (SELECT above_id FROM category_path WHERE below_id = OLD.parent_id)
    AND above_id NOT IN (SELECT above_id FROM category_path WHERE below_id = NEW.parent_id);
    INSERT INTO category_path (above_id, below_id)
    SELECT above.above_id, below.below_id FROM category_path AS above
    CROSS JOIN category_path AS below
    WHERE above.below_id = NEW.parent_id AND below.above_id = NEW.id ON CONFLICT DO NOTHING;";

/// Deletes the paths of a deleted category, which has no children any more.
const DELETE_PATHS: &str =
    "DELETE FROM category_path WHERE below_id = OLD.id OR above_id = OLD.id;";

/// The publication time that the links of an event store: null unless the event counts for its
/// terms once it is due. `row` is empty or ends with a dot.
pub(crate) fn counted_publication(row: &str) -> String {
    format!(
        "CASE WHEN {row}stage = 'published' AND {row}password_hash IS NULL THEN {row}published_utc END"
    )
}

/// Copies an event that was updated to its links.
fn copy_to_links(table: &str, published_utc: &str) -> String {
    format!(
        "UPDATE {table} SET start_utc = NEW.start_utc, end_utc = NEW.end_utc,
        published_utc = {published_utc}, listed = NEW.listed AND NEW.password_hash IS NULL
        WHERE event_id = NEW.id;"
    )
}

/// Copies the publication time of an event that was updated to its links. `differs` is the operator
/// that compares values that may be null.
fn copy_publication(table: &str, differs: &str) -> String {
    let published = counted_publication("NEW.");
    format!(
        "UPDATE {table} SET published_utc = {published}
        WHERE event_id = NEW.id AND published_utc {differs} {published};"
    )
}
