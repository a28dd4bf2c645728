//! Microformats: the classes by which programs find events in pages.
//!
//! # Source
//!
//! microformats.org: h-event, h-feed, h-card.

use domain::time::EventTime;

use crate::dates::iso;

/// A list of events.
pub(crate) const FEED: &str = "h-feed";

/// A venue in the page of an event.
pub(crate) const VENUE: &str = "p-location h-card";

/// The link to the venue.
pub(crate) const NAME: &str = "p-name u-url";

/// The link to an organizer.
pub(crate) const ORGANIZER: &str = "p-organizer h-card";

/// The data of the page of an event for programs, beside those that people see.
#[derive(Debug)]
pub(crate) struct Marked {
    pub(crate) url: String,
    pub(crate) times: Times,
}

/// The start and the end of an event, as machines read them.
#[derive(Debug)]
pub(crate) struct Times {
    pub(crate) start: String,
    /// The last moment, or the last day of an event of whole days.
    pub(crate) end: String,
}

impl Times {
    pub(crate) fn of(when: &EventTime) -> Self {
        Self {
            start: iso(when.start(), when),
            end: iso(when.end(), when),
        }
    }
}
