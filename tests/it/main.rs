//! The tests of the calendar as a whole, in one binary.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot be set up shall fail at once"
)]

mod architecture;
mod cases;
mod http;
mod in_category;
mod kept;
mod loader;
mod many_servers;
mod migrations;
mod patience;
mod plans;
mod ports;
mod reliability;
mod versions;
