//! The kinds of records.

use domain::{Event, Organizer, Term, Venue, term::Taxonomy};
use forms::Form;
use serde::de::DeserializeOwned;

use crate::record::{EventRecord, OrganizerRecord, TermRecord, VenueRecord};

/// A kind of record of the interface.
pub trait Entity: Form {
    /// The record in answers.
    type Answer: DeserializeOwned + Send + 'static;
}

impl Entity for Event {
    type Answer = EventRecord;
}

impl Entity for Venue {
    type Answer = VenueRecord;
}

impl Entity for Organizer {
    type Answer = OrganizerRecord;
}

impl<X: Taxonomy> Entity for Term<X>
where
    Self: Form,
{
    type Answer = TermRecord<X>;
}
