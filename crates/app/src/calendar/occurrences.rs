//! The occurrences of a series.

use domain::{Event, Kind, page::Page, policy::Caller};

use super::Calendar;
use crate::{error::AppError, event::EventView, input::Fields, request::RecordKey};

impl Calendar {
    /// The occurrences of a series in the order of their starts, also those that are not stored: these
    /// have the ID 0. Of an occurrence: those of its series; of any other event: that event.
    ///
    /// # Errors
    ///
    /// [`AppError`]: bad fields, no such event, the reason why the caller may not read it, or a page
    /// beyond the last.
    pub async fn occurrences(
        &self,
        _caller: Caller,
        _key: RecordKey<Event>,
        _fields: &Fields,
    ) -> Result<Page<EventView>, AppError> {
        Err(AppError::NotFound(Kind::Event))
    }
}
