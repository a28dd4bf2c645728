//! The calendar files and feeds of the events of pages.

use std::slice;

use serde_json::Value;

use crate::site::{Site, webcal};

/// A filter of a list and its value.
pub(super) type ListFilter = (&'static str, Value);

/// The URLs of the events of a page, for calendar programs and feed readers.
#[derive(Debug)]
pub(crate) struct Files {
    /// The calendar file.
    pub(super) calendar: String,
    /// Feeds, if the page has a list, which grows.
    pub(super) feeds: Option<Feeds>,
}

/// The URLs to which a reader subscribes.
#[derive(Debug)]
pub(crate) struct Feeds {
    /// The calendar file, for calendar programs.
    pub(super) webcal: String,
    pub(super) atom: String,
}

impl Files {
    /// The files of the events that a list with this filter holds.
    pub(super) fn of_list(filter: Option<ListFilter>, site: &Site) -> Self {
        let query = filter.map(|(name, value)| {
            let values = value
                .as_array()
                .map_or(slice::from_ref(&value), Vec::as_slice);
            let values: Vec<_> = values.iter().map(ToString::to_string).collect();
            (name.to_owned(), values.join(","))
        });
        let calendar = site.calendar_feed(query.as_slice());
        Self {
            feeds: Some(Feeds {
                webcal: webcal(&calendar),
                atom: site.event_file("atom", query.as_slice()),
            }),
            calendar,
        }
    }
}
