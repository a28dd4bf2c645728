//! Extractors: the parts of a request as typed values.

pub(crate) mod auth;
pub(crate) mod body;
mod brackets;
pub(crate) mod context;
pub(crate) mod idempotency;
pub(crate) mod key;
pub(crate) mod precondition;
pub(crate) mod preference;
pub(crate) mod slot;
