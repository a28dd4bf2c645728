//! The journal, and the feeds that read it.

pub mod duplicates;
pub mod entries;
pub mod feeds;
pub mod indirect_journal;
pub mod sources;
