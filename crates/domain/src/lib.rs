//! Entities and query rules of an events calendar.
//!
//! The crate is synchronous and does no I/O: it knows no database, no HTTP and no JSON. It defines
//! the five kinds of record ([`Event`], [`Venue`], [`Organizer`], [`Category`], [`Tag`]), the
//! checked values that they consist of, the rules of visibility and rights ([`policy`]), and the
//! meaning of each filter of a list ([`query`]).
//!
//! ```
//! use domain::{event::EventDetails, time::{EventTime, Zone, parse_date, Timestamp}};
//!
//! let zone = "Europe/Paris".parse::<Zone>()?;
//! let now = Timestamp::from_seconds(1_800_000_000).unwrap();
//! let start = parse_date("2027-04-17 09:00", &zone, now)?;
//! let end = parse_date("2027-04-17 12:00", &zone, now)?;
//! let when = EventTime::new(zone, start.local, end.local, false)?;
//! assert_eq!(when.start().utc.to_string(), "2027-04-17 07:00:00");
//! let details = EventDetails::new(when, "20270417@cal.example".into());
//! assert!(!details.featured);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[macro_use]
mod macros;

pub mod cost;
pub mod entry;
pub mod event;
pub mod geo;
pub mod html;
pub mod image;
pub mod page;
pub mod place;
pub mod policy;
pub mod query;
mod record;
pub mod search;
pub mod slug;
pub mod term;
pub mod text;
pub mod ticket;
pub mod time;
mod user;
pub mod web_url;

pub use entry::{Entry, Stage, Status};
pub use event::Event;
pub use image::Image;
pub use place::{Organizer, OrganizerDetails, Venue, VenueDetails};
pub use record::{
    Filter, Id, Kind, Language, Record, Stored, TextField, Translation, Translations,
};
pub use term::{Category, Tag, Term};
#[cfg(feature = "email")]
pub use user::InvalidEmailAddress;
pub use user::{EmailAddress, InvalidUserName, Role, User, UserName};

/// Error: no value of an enum has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no value has this name")]
pub struct UnknownName;

/// ID of an event.
pub type EventId = Id<Event>;
/// ID of a venue.
pub type VenueId = Id<Venue>;
/// ID of an organizer.
pub type OrganizerId = Id<Organizer>;
/// ID of a category.
pub type CategoryId = Id<Category>;
/// ID of a tag.
pub type TagId = Id<Tag>;
/// ID of a user.
pub type UserId = Id<User>;
/// ID of an image.
pub type ImageId = Id<Image>;
