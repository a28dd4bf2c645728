//! Series, their occurrences and overrides.

pub mod extension;
pub mod occurrence_records;
pub mod occurrences;
pub mod overrides;
