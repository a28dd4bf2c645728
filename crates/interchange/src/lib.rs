//! Imports, tables and archives: data that comes into the calendar and goes out of it in files.
//!
//! # Chapters
//!
//! 1. **Imports.** [`import`] reads rows of JSON, tables, calendar files and whole sites, and adds or
//!    updates their records.
//! 2. **Tables.** [`table`] has the rows of records, for files with comma-separated values.
//! 3. **Archives.** [`archive`] writes a whole calendar as lines of JSON, and reads them into an empty one.
//! 4. **Sources.** [`source`] runs the calendars that are read on a schedule.
//! 5. **Ports.** [`SourceSite`] is a site of another program; `adapters-tec` implements it.
//!    [`ReadableFormat`] is a format of calendar files; `adapters-ical` implements it.
//!
//! # Features
//!
//! - `test-support`: a mock of each port.

pub mod archive;
mod calendar_file;
mod format;
pub mod import;
pub mod source;
mod source_site;
pub mod table;

pub use calendar_file::{
    Finding, FindingCode, ReadEvent, ReadItem, ReadOrganizer, ReadPlace, ReadRecurrenceId,
};
pub use format::{ReadItems, ReadableFormat};
pub use source_site::{SourceList, SourcePage, SourceRecord, SourceSite, SourceSiteError};
#[cfg(any(test, feature = "test-support"))]
pub use {format::MockReadableFormat, source_site::MockSourceSite};
