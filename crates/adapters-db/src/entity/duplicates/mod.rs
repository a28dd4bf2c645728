//! Pairs of records that look alike.

pub(crate) mod duplicate;
pub(crate) mod duplicate_moved;
