//! Extractors: the parts of a request as typed values.

pub(crate) mod auth;
mod brackets;
pub(crate) mod idempotency;
pub(crate) mod key;
pub(crate) mod params;
pub(crate) mod precondition;
pub(crate) mod preference;
