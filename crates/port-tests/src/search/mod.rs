//! Searches.

pub mod random;
pub mod random_writes;
pub mod texts;
pub mod writes;
