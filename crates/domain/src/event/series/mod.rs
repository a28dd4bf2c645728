//! The algebra of series: what becomes of their occurrences when they change.

mod overrides;
mod plan;
mod split;

pub use overrides::Renewal;
pub use plan::{SeriesPlan, SlotChanges, StoredOccurrence};
pub use split::SeriesSplit;
