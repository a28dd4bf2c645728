//! Records as the interface answers them.
//!
//! The text of a title or of another line is escaped: `&lt;` and `&gt;` stand for `<` and `>`. A
//! [`Title`](domain::text::Title) of it has the plain text. Members that a newer service adds are ignored.

mod event;
mod image;
mod place;
mod series;
mod term;
mod values;
mod warning;

pub use event::{CostDetails, DateDetails, EventRecord, LinkedRecords, TicketRecord};
pub use image::{ImageRecord, ImageSize};
pub use place::{OrganizerRecord, VenueRecord};
pub use series::{RecurrenceChanges, RecurrenceRecord, RuleRecord, SeriesRecord};
pub use term::{TermRecord, TermUrls};
pub use warning::Warning;

#[cfg(feature = "sync")]
pub use event::LinkIds;
