//! The ports of feeds.

mod secret_feeds;
mod tombstones;

pub use secret_feeds::{NewSecretFeed, SecretFeed, SecretFeeds};
pub use tombstones::Tombstones;

#[cfg(any(test, feature = "test-support"))]
pub use {secret_feeds::MockSecretFeeds, tombstones::MockTombstones};
