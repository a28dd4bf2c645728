//! Records as JSON.

mod audit;
mod change;
mod duplicate;
mod entry;
mod event;
mod image;
mod secret_feed;
mod series;
mod source;
mod term;
mod ticket;
mod values;
mod warning;

use serde_json::Value;

pub(crate) use audit::{AuditEntryRecord, RevisionRecord};
pub(crate) use change::ChangeRecord;
pub(crate) use duplicate::{StoredDuplicateRecord, UndoneRecord};
pub(crate) use entry::{OrganizerRecord, VenueRecord};
pub(crate) use event::EventRecord;
pub(crate) use image::ImageRecord;
pub(crate) use secret_feed::SecretFeedRecord;
pub(crate) use source::{SourceRecord, SourceReportRecord};
pub(crate) use term::TermRecord;
pub(crate) use warning::WarningRecord;

/// The extent of a record in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Without `json_ld`, in lists and responses to writes.
    Record,
    /// With `json_ld`, in the response to the `GET` of one record.
    WithJsonLd,
}

impl Extent {
    /// The JSON-LD of a record, if the extent includes it.
    fn json_ld(self, record: impl FnOnce() -> Value) -> Option<values::JsonLd> {
        (self == Self::WithJsonLd).then(|| values::JsonLd(record()))
    }
}
