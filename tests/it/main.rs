//! The tests of the calendar as a whole, in one binary.

mod architecture;
mod http;
mod ports;
