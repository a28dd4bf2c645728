//! Records as JSON.

mod event;
mod image;
pub(crate) mod json_ld;
mod organizer;
mod place;
mod term;
mod ticket;
mod venue;

use domain::Record;

pub(crate) use event::{EventRecord, write as write_event};
pub(crate) use image::ImageRecord;
pub(crate) use organizer::OrganizerRecord;
pub(crate) use term::{TermRecord, page as term_page};
pub(crate) use venue::VenueRecord;

/// The languages in which a record has texts.
fn languages(record: &impl Record) -> Vec<&'static str> {
    let languages = record.languages().into_iter();
    languages.map(domain::Language::code).collect()
}

/// How much of a record is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// As in lists and answers to writes.
    Record,
    /// With `json_ld`, as when one record is read.
    WithJsonLd,
}
