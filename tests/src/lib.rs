//! What the tests of the calendar as a whole are made with: databases, the service, its ports.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up shall fail at once"
)]

pub mod app;
pub mod client;
pub mod db;
pub mod pictures;
pub mod rows;

pub use self::rows::for_each_row;
pub use test_macros::{both_stores, every_store};
