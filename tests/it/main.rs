//! The tests of the calendar as a whole, in one binary.

mod http;
mod ports;
