//! Tests that every store of the events calendar passes: the contract of the ports of storage, as code.
//!
//! [`port_tests!`] makes a `#[test]` of each. Its argument names an asynchronous function of the same module, which
//! opens a new, empty store, and runs the test on it:
//!
//! ```
//! use app::test_support::InMemoryStore;
//! use events_calendar_port_tests::PortTest;
//!
//! async fn in_memory(test: PortTest) {
//!     test.run(&InMemoryStore::new()).await;
//! }
//!
//! events_calendar_port_tests::port_tests!(in_memory);
//! ```
//!
//! A test never reads outside of an open unit of work while it has one, so that a store with one connection can pass.
//! The random tests run as many times more rounds as [`ROUNDS`] says.

#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a test fails by a panic")]

#[doc(hidden)]
pub mod administration;
mod dice;
#[doc(hidden)]
pub mod journal;
#[doc(hidden)]
pub mod kinds;
#[doc(hidden)]
pub mod lists;
mod port_test;
#[doc(hidden)]
pub mod random_series;
#[doc(hidden)]
pub mod records;
#[doc(hidden)]
pub mod sample;
#[doc(hidden)]
pub mod search;
#[doc(hidden)]
pub mod series;
mod suites;

#[doc(hidden)]
pub use self::port_test::block_on;
pub use self::{
    dice::{Dice, ROUNDS, STEPS, rounds, steps},
    port_test::{PortTest, add_users},
};
