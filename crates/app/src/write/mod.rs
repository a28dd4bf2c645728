//! Writes and reads in the types of the domain, for callers in Rust.
//!
//! A builder sets the values of a write. Checked values, such as a title, fail where they are made, and a
//! forgotten title does not compile. Texts are checked as those of a request are; the use case reports
//! their faults, together with those of the other fields. The crate `forms` reads the same writes from
//! the fields of a request.
//!
//! | write | of |
//! |---|---|
//! | [`NewEvent`], [`EventUpdate`] | events |
//! | [`NewVenue`], [`VenueUpdate`] | venues |
//! | [`NewOrganizer`], [`OrganizerUpdate`] | organizers |
//! | [`NewCategory`], [`CategoryUpdate`] | categories |
//! | [`NewTag`], [`TagUpdate`] | tags |
//!
//! An update changes what is set, and nothing else. Its `clear_…` setters remove a value; a text
//! that may be empty is removed by an empty one. [`ReadOptions`] and [`DeleteOptions`] do the same
//! for reads and deletions. Filters of lists are those of the domain, which
//! [`Calendar::query`](crate::Calendar::query) takes.
//!
//! ```
//! use events_calendar_app::write::{DeleteOptions, EventUpdate, NewEvent, NewVenue, ReadOptions};
//! use domain::{Event, Language, event::EventFilter, page::PageRequest, policy::Caller};
//! # use domain::time::{EventTime, Zone, parse_civil};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
//! # let store = InMemoryStore::new();
//! # let editor = add_user(&store, "ada", domain::Role::Editor).await;
//! # let calendar = calendar(store).await;
//! # let nine = parse_civil("2030-03-10 09:00:00").unwrap();
//! # let when = EventTime::new("Europe/Paris".parse::<Zone>()?, nine, nine, false)?;
//!
//! let mill = NewVenue::builder("Old Mill".parse()?).city("Lyon").build();
//! let event = NewEvent::builder("River cleanup".parse()?, when).venue(mill).build();
//! let view = calendar.create(editor, &event).await?;
//! assert_eq!(view.venue.unwrap().entry.details.city, "Lyon");
//!
//! let french = EventUpdate::builder()
//!     .language(Language::French)
//!     .title("Nettoyage de la rivière".parse()?)
//!     .build();
//! let key = || view.event.id.unwrap().into();
//! calendar.update(editor, key(), &Default::default(), &french).await?;
//! let options = ReadOptions::default().language(Language::French);
//! let read = calendar.get::<Event>(Caller::Anonymous, key(), &options).await?;
//! assert_eq!(read.event.title.as_str(), "Nettoyage de la rivière");
//!
//! let page = PageRequest::new(1, 10, 100);
//! let (all, nobody) = (EventFilter::default(), Caller::Anonymous);
//! let list = calendar.query::<Event>(nobody, None, all, page, &options).await?;
//! assert_eq!(list.total, 1);
//! calendar.delete::<Event>(editor, key(), &Default::default(), &DeleteOptions::permanently()).await?;
//! # Ok(())
//! # }
//! ```

#![expect(
    clippy::needless_pass_by_value,
    reason = "a setter takes the value that it sets"
)]

mod builder;
mod entry;
mod event;
mod image;
mod links;
mod options;
mod organizer;
mod term;
mod ticket;
mod upload;
mod venue;

use domain::{Category, Event, Organizer, Tag, Term, Venue, time::Timestamp};

pub use crate::change::Change;
pub use builder::{Builder, New, Update, WriteInput};
pub use image::ImageWrite;
pub use links::{PlaceLink, TermLink};
pub use options::{DeleteOptions, ReadOptions};
pub use upload::Upload;

/// The fields of a new event.
pub type NewEvent = WriteInput<Event, New>;
/// The fields of an event that change.
pub type EventUpdate = WriteInput<Event, Update>;
/// The fields of a new venue.
pub type NewVenue = WriteInput<Venue, New>;
/// The fields of a venue that change.
pub type VenueUpdate = WriteInput<Venue, Update>;
/// The fields of a new organizer.
pub type NewOrganizer = WriteInput<Organizer, New>;
/// The fields of an organizer that change.
pub type OrganizerUpdate = WriteInput<Organizer, Update>;
/// The fields of a new term of a taxonomy.
///
/// ```
/// use events_calendar_app::write::{NewTag, NewTerm};
/// use domain::{term::Tags, text::Title};
///
/// fn named(name: Title) -> NewTerm<Tags> {
///     NewTag::builder(name).build()
/// }
/// named("Loud".parse()?);
/// # Ok::<(), domain::text::InvalidTitle>(())
/// ```
pub type NewTerm<X> = WriteInput<Term<X>, New>;
/// The fields of a term that change.
///
/// ```
/// use events_calendar_app::write::TermUpdate;
/// use domain::term::Categories;
///
/// let nothing: TermUpdate<Categories> = TermUpdate::builder().build();
/// ```
pub type TermUpdate<X> = WriteInput<Term<X>, Update>;
/// The fields of a new category.
pub type NewCategory = WriteInput<Category, New>;
/// The fields of a category that change.
pub type CategoryUpdate = WriteInput<Category, Update>;
/// The fields of a new tag.
pub type NewTag = WriteInput<Tag, New>;
/// The fields of a tag that change.
pub type TagUpdate = WriteInput<Tag, Update>;

/// An instant as a field: text with an offset, which is read without regard to a zone.
fn instant(utc: Timestamp) -> String {
    format!("{utc}Z")
}

#[cfg(test)]
mod tests;
