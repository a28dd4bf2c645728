//! The rows of occurrences in memory.

use domain::{Event, EventId, Stored, recurrence::Slot, time::Timestamp};

use crate::ports::StoreError;

/// An occurrence as far as its series says.
#[derive(Clone, Copy, Debug)]
pub(super) struct OccurrenceRow {
    pub(super) series: EventId,
    pub(super) slot: Slot,
    pub(super) start: Timestamp,
    pub(super) end: Timestamp,
    /// The difference of its revision as a plain occurrence from that of its series.
    pub(super) offset: i64,
}

impl OccurrenceRow {
    pub(super) fn new(series: &Stored<Event>, slot: Slot, offset: i64) -> Result<Self, StoreError> {
        let recurrence = series.series().map(|series| &series.recurrence);
        let when = recurrence.and_then(|recurrence| recurrence.time_at(slot));
        let when = when.ok_or_else(|| {
            StoreError::Internal(format!("event {} has no slot {slot}", series.id))
        })?;
        Ok(Self {
            series: series.id,
            slot,
            start: when.start().utc,
            end: when.end().utc,
            offset,
        })
    }
}
