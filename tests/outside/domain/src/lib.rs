//! A crate `domain` of this program, beside the one of the calendar.

use events_calendar_domain::EventId;

/// A performance in this program's words, and its event in the calendar.
#[derive(Debug)]
pub struct Performance {
    /// The event.
    pub event: EventId,
}
