//! Faults of the fields of writes and queries. They are collected, so that one answer reports all of
//! them.
//!
//! ```
//! use events_calendar_app::fault::{BadFields, ExpectedType, Fault, MAX_LINE_CHARS, MAX_LIST, MAX_TEXT_BYTES};
//!
//! assert!(MAX_LIST < MAX_LINE_CHARS && MAX_LINE_CHARS < MAX_TEXT_BYTES);
//! let text = Fault::Type(ExpectedType::Text);
//! let faults = BadFields::Invalid([("city".into(), text)].into_iter().collect());
//! assert_eq!(faults.to_string(), "city must be text");
//! ```
//!
//! A [`FaultCollector`] takes the values of fields:
//!
//! ```
//! use events_calendar_app::fault::{Fault, FaultCollector, SentHtml, Warnings, check_count, checked_line};
//! use domain::FieldName;
//!
//! let mut faults = FaultCollector::default();
//! assert_eq!(faults.line(FieldName::City, " Lyon  "), Some("Lyon".to_owned()));
//! let text: Option<SentHtml> = faults.read_html(FieldName::Description, "<b>Boots</b>");
//! assert!(text.is_some());
//! faults.accept(FieldName::Tags, check_count(1000));
//! assert!(faults.finish().is_err());
//! assert_eq!(checked_line(&"x".repeat(1001)), Err(Fault::TooLong(1000)));
//! assert!(Warnings::default().take().is_empty());
//! ```

mod collector;
mod kinds;
mod recurrence_fault;
mod warning;

pub use collector::{FaultCollector, SentHtml, checked_line};
pub use kinds::{BadFields, ExpectedType, Fault, Faults, Range, ReferenceKind};
pub use recurrence_fault::RecurrenceFault;
pub use warning::{Warning, Warnings};

/// Most values in a list of a write or a query.
pub const MAX_LIST: usize = 100;

/// Most characters in a one-line text other than a title.
pub const MAX_LINE_CHARS: usize = 1000;

/// Longest total of the texts in all fields of a write, in bytes.
pub const MAX_TEXT_BYTES: usize = 250_000;

/// Refuses more than [`MAX_LIST`] values.
///
/// # Errors
///
/// [`Fault::TooMany`].
pub const fn check_count(values: usize) -> Result<(), Fault> {
    if values > MAX_LIST {
        return Err(Fault::TooMany);
    }
    Ok(())
}
