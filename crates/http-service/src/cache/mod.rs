//! The cache of responses in this process, and the directives for caches of others.

mod control;
mod in_progress;
mod response_cache;

pub(crate) use control::{PublicCaching, REVALIDATED};
pub(crate) use in_progress::Outcome;
pub(crate) use response_cache::{Lookup, ResponseCache, Slot};
