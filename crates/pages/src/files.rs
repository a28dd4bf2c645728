//! The calendar files and feeds of the events of pages.

use domain::{CategoryId, OrganizerId, TagId, VenueId, event::EventFilter};
use http_service::site::{Site, webcal};

/// The record whose events a list holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ListFilter {
    Category(CategoryId),
    Tag(TagId),
    Venue(VenueId),
    Organizer(OrganizerId),
}

impl ListFilter {
    /// The parameter of a list of the interface, with its value.
    fn parameter(self) -> (String, String) {
        let (name, id) = match self {
            Self::Category(id) => ("categories", id.get()),
            Self::Tag(id) => ("tags", id.get()),
            Self::Venue(id) => ("venue", id.get()),
            Self::Organizer(id) => ("organizer", id.get()),
        };
        (name.to_owned(), id.to_string())
    }

    /// The filter of a list.
    pub(super) fn filter(self) -> EventFilter {
        let all = EventFilter::default();
        match self {
            Self::Category(id) => EventFilter {
                categories: Some(vec![id]),
                ..all
            },
            Self::Tag(id) => EventFilter {
                tags: Some(vec![id]),
                ..all
            },
            Self::Venue(id) => EventFilter {
                venues: Some(vec![id]),
                ..all
            },
            Self::Organizer(id) => EventFilter {
                organizers: Some(vec![id]),
                ..all
            },
        }
    }
}

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
    /// The files of the events of a record.
    pub(super) fn of_record(filter: ListFilter, site: &Site) -> Self {
        Self::of_list(&[filter.parameter()], site)
    }

    /// The files of the events that a list with these parameters holds.
    pub(super) fn of_list(parameters: &[(String, String)], site: &Site) -> Self {
        let calendar = site.calendar_feed(parameters);
        Self {
            feeds: Some(Feeds {
                webcal: webcal(&calendar),
                atom: site.event_file("atom", parameters),
            }),
            calendar,
        }
    }
}
