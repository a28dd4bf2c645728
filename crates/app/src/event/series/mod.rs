//! Writes of series and of their occurrences.

mod fields;

pub(super) use fields::SeriesFields;
pub(crate) use fields::Scope;
