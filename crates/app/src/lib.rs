//! Use cases of the events calendar, and the ports that they need.
//!
//! The crate knows neither SQL nor HTTP. A use case reads the fields of a request and reports all
//! faults together, then checks the right, then works in one unit of work.
//!
//! # Features
//!
//! - `test-support`: an in-memory store, for tests of other crates.

pub mod auth;
pub mod calendar;
pub mod cpu_limiter;
pub mod entry;
pub mod error;
pub mod event;
mod hashing;
pub mod image;
pub mod import;
pub mod input;
pub mod place;
pub mod ports;
pub mod request;
pub mod resource;
pub mod search_queue;
pub mod site;
pub mod term;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
pub mod typed;

pub use calendar::Calendar;
pub use error::AppError;
