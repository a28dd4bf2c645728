//! Extractors: the parts of a request as typed values.
//!
//! [`context::RequestContext`] is the whole request; the others are its parts.

pub(crate) mod auth;
pub(crate) mod body;
mod charset;
pub(crate) mod context;
pub(crate) mod format;
pub(crate) mod idempotency;
pub(crate) mod key;
mod merge_patch;
pub(crate) mod precondition;
pub(crate) mod preference;
pub(crate) mod shared_context;

pub(crate) use auth::{Auth, is_signed_in};
pub(crate) use context::{RequestContext, query_fields};
pub(crate) use format::{Format, Negotiation};
pub(crate) use idempotency::{Created, IdempotencyHeader};
pub(crate) use key::{RecordPath, Segments};
pub(crate) use precondition::IfMatch;
pub(crate) use shared_context::SharedContext;
