//! Support for the tests of the whole calendar: databases, the service, clients.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up shall fail at once"
)]

pub mod app;
pub mod client;
pub mod db;
pub mod old_site;
pub mod pictures;
pub mod rows;

pub use self::rows::for_each_row;
pub use test_macros::both_stores;
