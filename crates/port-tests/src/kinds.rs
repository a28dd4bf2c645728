//! The types for which generic tests run.

pub use domain::{
    Category, Event, Organizer, OrganizerDetails, Tag, Venue, VenueDetails,
    term::{Categories, Tags},
};
