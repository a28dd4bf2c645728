//! The tests of the calendar as a whole, in one binary.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot be set up shall fail at once"
)]

mod architecture;
mod archives;
mod cases;
mod data_version;
mod doctor;
mod entities;
mod http;
mod loader;
mod many_servers;
mod migrations;
mod model;
mod named_tests;
mod outside;
mod plans;
mod ports;
mod record_cache;
mod search_tokens;
mod secrets;
mod statement_timeout;
mod triggers;
