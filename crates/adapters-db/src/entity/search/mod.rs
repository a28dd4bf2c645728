//! The tables of the search index.

pub(crate) mod search_posting;
pub(crate) mod search_suffix;
pub(crate) mod search_waiting;
