//! Events by day, for views of a month, a week or a day.

mod grid;
mod span;

pub use grid::{DayCell, Placed};
pub use span::{DaySpans, EventSpan};
