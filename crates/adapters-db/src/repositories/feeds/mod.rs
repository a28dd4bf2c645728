//! The ports of feeds.

mod secret_feeds;
mod sources;
mod tombstones;
