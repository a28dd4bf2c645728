//! The tables that link events with other records.

use domain::term::{Categories, Tags};

use super::{Counters, TermTable};

/// A table of links.
pub(crate) struct Links {
    /// Its name.
    pub(crate) table: &'static str,
    /// The column beside the event's.
    pub(crate) column: &'static str,
    /// The counters of the events of each.
    pub(crate) counters: Counters,
}

pub(crate) const CATEGORIES: Links = Links {
    table: Categories::LINKS,
    column: "term_id",
    counters: Counters::OF_CATEGORIES,
};
pub(crate) const TAGS: Links = Links {
    table: Tags::LINKS,
    column: "term_id",
    counters: Counters::OF_TAGS,
};
pub(crate) const ORGANIZERS: Links = Links {
    table: "event_organizer",
    column: "place_id",
    counters: Counters::OF_ORGANIZERS,
};
