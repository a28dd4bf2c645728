//! Whether an event of a file is a later state than the last import.

use app::ports::ImportedRecord;

use super::file::FileEvent;
use crate::ReadEvent;

/// Whether the source counts a change since the last import, of the event or of an override.
pub(super) fn is_later(event: &FileEvent, known: &ImportedRecord) -> bool {
    let mut all = event.event.iter().chain(&event.overrides);
    all.any(|one| one.sequence > known.sequence)
}

/// Whether the source had a later state of the series than an occurrence has. Occurrences have sequence
/// numbers of their own, so that the time of the change counts, too.
pub(super) fn is_older_override(event: &ReadEvent, known: &ImportedRecord) -> bool {
    let is_later = event.stamp.is_some() && event.stamp > known.stamp;
    is_older(event, known) && !is_later
}

/// Whether the source had a later state of the event when it was last imported.
pub(super) fn is_older(event: &ReadEvent, known: &ImportedRecord) -> bool {
    let is_earlier = event.stamp.is_some() && event.stamp < known.stamp;
    event.sequence < known.sequence || (event.sequence == known.sequence && is_earlier)
}
