//! Test doubles: an in-memory store, a stopped clock, and builders of records.

#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test with invalid input fails at once"
)]

mod builders;
mod clock;
mod media;
mod memory;

pub use builders::{
    EntryBuilder, TermBuilder, at, caller, category, event, organizer, tag, user, venue,
};
pub use clock::{FixedClock, START};
pub use media::no_media;
pub use memory::{FailingStep, InMemoryStore};
