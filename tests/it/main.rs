//! The tests of the calendar as a whole, in one binary.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot be set up shall fail at once"
)]

// DEV mod architecture;
// DEV mod cases;
// DEV mod data_version;
mod entities;
// DEV mod http;
// DEV mod loader;
// DEV mod many_servers;
// DEV mod migrations;
// DEV mod named_tests;
// DEV mod outside;
// DEV mod plans;
mod ports;
// DEV mod record_cache;
// DEV mod search_tokens;
// DEV mod secrets;
// DEV mod statement_timeout;
// DEV mod triggers;
