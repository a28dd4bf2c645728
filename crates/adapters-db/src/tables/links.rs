//! The tables that link events with other records.

use domain::term::{Categories, Tags};
use migration::Histogram;

use super::TermTable;

/// A table of links.
pub(crate) struct Links {
    /// Its name.
    pub(crate) table: &'static str,
    /// The column beside the event's.
    pub(crate) column: &'static str,
    /// Counts the events of each record.
    pub(crate) histogram: Histogram,
}

pub(crate) const CATEGORIES: Links = Links {
    table: Categories::LINKS,
    column: "term_id",
    histogram: Histogram::CATEGORY,
};
pub(crate) const TAGS: Links = Links {
    table: Tags::LINKS,
    column: "term_id",
    histogram: Histogram::TAG,
};
pub(crate) const ORGANIZERS: Links = Links {
    table: "event_organizer",
    column: "place_id",
    histogram: Histogram::ORGANIZER,
};
