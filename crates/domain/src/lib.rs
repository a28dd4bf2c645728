//! The rules of an events calendar, as plain functions of plain values.
//!
//! Events take place at a time, at a venue, and are run by organizers; categories and tags classify
//! them. This crate says what such a record contains, who may see and change it, and which records
//! a list holds in which order. It does no I/O and needs no runtime: it knows no database, no HTTP,
//! no JSON, and never reads a clock.
//!
//! ```
//! use events_calendar_domain::{
//!     Entry, EventId, Status, Stored, UserId,
//!     event::{EventDetails, EventFilter},
//!     policy::{Caller, Visibility},
//!     search::Search,
//!     time::{EventTime, Timestamp, Zone, parse_date},
//! };
//!
//! // The time of an event, by the clocks of its zone.
//! let zone = "Europe/Paris".parse::<Zone>()?;
//! let now = Timestamp::from_seconds(1_800_000_000).unwrap();
//! let start = parse_date("2027-04-17 09:00", &zone, now)?;
//! let end = parse_date("17 April 2027 noon", &zone, now)?;
//! let when = EventTime::between(zone, start, end, false)?;
//! assert_eq!(when.start().utc.to_string(), "2027-04-17 07:00:00");
//!
//! // A new event is a draft of its author, and becomes public by its status.
//! let details = EventDetails::new(when, "20270417@cal.example".into());
//! let mut event = Entry::new(UserId::from_raw(1), "Fête de la rivière".parse()?, details, now);
//! event.move_to(Status::Publish, now);
//!
//! // A list is what a filter finds among stored events, for a caller at a time.
//! let stored = Stored { id: EventId::from_raw(7), revision: 1, content: event };
//! let filter = EventFilter { search: Search::parse("riviere"), ..EventFilter::default() };
//! let anybody = Visibility::new(Caller::Anonymous, now);
//! assert_eq!(filter.list([&stored], |_| None, &anybody), [stored]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Chapters
//!
//! 1. **Events and times.** [`time`] has instants, wall clocks, time zones with their gaps and
//!    folds, and a parser for the dates that people type. [`event`] has what an [`Event`] consists
//!    of; [`cost`] and [`ticket`] its prices.
//! 2. **Records.** An [`Event`], a [`Venue`] and an [`Organizer`] are an [`Entry`] each, with an
//!    author, a status and a date: see [`entry`] and [`place`]. A [`Category`] and a [`Tag`] are a
//!    [`Term`]: see [`term`]. All of them are a [`Record`], which is [`Stored`] under an [`Id`].
//!    [`image`] has uploaded files.
//! 3. **Texts and languages.** A [`Title`](text::Title) is one line of plain text, a
//!    [`RichText`](html::RichText) is safe HTML, a [`Slug`](slug::Slug) the readable part of a URL.
//!    A record has texts in one [`Language`], and [`Translations`] into others;
//!    [`Record::localized`] shows it in one of them.
//! 4. **Callers.** [`policy`] decides which records a caller sees, and which rights a [`Role`]
//!    gives.
//! 5. **Filters.** [`query`] explains lists. [`EventFilter`](event::EventFilter),
//!    [`PlaceFilter`](place::PlaceFilter), [`TermFilter`](term::TermFilter) and
//!    [`ImageFilter`](image::ImageFilter) have `matches` and `compare`, which are their meaning, and
//!    `list`, which applies both. An image list has one order. [`page`] cuts lists into pages.
//! 6. **Search.** [`search`] compares words with texts in [folded](text::fold) form, and says what
//!    an index of words must store to find the same.
//! 7. **Recurrence.** [`recurrence`] has the rules of events that repeat, their slots, and the times
//!    of their occurrences.
//! 8. **Sources.** [`source`] has calendars elsewhere that are read on a schedule, and when the next run of
//!    each is due.
//! 9. **Duplicates.** [`duplicate`] compares records, and says which look alike.
//! 10. **The trail.** [`audit`] has the changes between two states of a record, and leads back to the former one.
//!
//! # Values are checked once
//!
//! A value with rules has a type, whose constructor checks them: `parse` from a text, `new` from
//! parts. Its error names the rule that is broken. `from_stored` and `from_raw` wrap what such a
//! constructor made before. A field is public if any value of its type is allowed there.
//!
//! ```
//! use events_calendar_domain::text::{InvalidTitle, Title};
//!
//! assert_eq!(" <b>River</b> cleanup ".parse::<Title>()?.as_str(), "River cleanup");
//! assert_eq!("<br>".parse::<Title>(), Err(InvalidTitle::Empty));
//! assert_eq!(InvalidTitle::Empty.to_string(), "must not be empty");
//! # Ok::<(), InvalidTitle>(())
//! ```
//!
//! # Features
//!
//! All but the last are on by default. Without them, the crate builds with 18 crates in all. A
//! feature adds items, and changes the behaviour of none.
//!
//! | feature | adds | without it |
//! |---|---|---|
//! | `html` | [`RichText::parse`](html::RichText::parse), the filter of HTML | texts come from [`RichText::from_plain`](html::RichText::from_plain) |
//! | `currencies` | [`Currency`](cost::Currency) from the codes of ISO 4217, [`Cost::currency`](cost::Cost::currency) | no value of `Currency` exists, and so no [`Ticket`](ticket::Ticket); costs are parsed and displayed |
//! | `email` | [`EmailAddress`] from a text | no address can be made |
//! | `url` | [`WebUrl`](web_url::WebUrl) from a text, and [`site`] | no URL can be made |
//! | `serde` | `Serialize` and `Deserialize` for checked values and IDs | |
//!
//! With `serde`, a value is read and written as the text that its constructor parses, an ID as a
//! number. Records have no serialized form: what of a record a reader may see is decided by
//! [`policy`], so each interface defines its own.

#[macro_use]
mod macros;

pub mod audit;
pub mod cost;
pub mod duplicate;
#[macro_use]
pub mod entry;
pub mod event;
pub mod geo;
pub mod html;
pub mod image;
pub mod index;
pub mod page;
pub mod place;
pub mod policy;
pub mod query;
mod record;
pub mod recurrence;
pub mod search;
mod secret;
#[cfg(feature = "serde")]
mod serialized;
#[cfg(feature = "url")]
pub mod site;
pub mod slug;
pub mod source;
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
    FieldName, Filter, Id, InvalidId, Kind, Language, Record, Stored, TextField, Translation,
    Translations,
};
pub use secret::Secret;
pub use term::{Category, Tag, Term};
#[cfg(feature = "email")]
pub use user::InvalidEmailAddress;
pub use user::{EmailAddress, InvalidUserName, NewPassword, RefusedPassword, Role, User, UserName};

/// Error: no value of an enum has this name.
///
/// ```
/// use events_calendar_domain::{Role, UnknownName};
/// assert_eq!("editor".parse(), Ok(Role::Editor));
/// assert_eq!("owner".parse::<Role>(), Err(UnknownName));
/// ```
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
///
/// ```
/// assert_eq!(events_calendar_domain::CategoryId::from_raw(7).to_string(), "7");
/// ```
pub type CategoryId = Id<Category>;
/// ID of a tag.
pub type TagId = Id<Tag>;
/// ID of a user.
pub type UserId = Id<User>;
/// ID of an image.
pub type ImageId = Id<Image>;
