//! Extractors: the parts of a request as typed values.
//!
//! [`context::RequestContext`] is the whole request; the others are its parts.

use domain::Id;
use http_service::{error::ApiError, extract::key};

pub(crate) mod body;
mod charset;
pub(crate) mod context;
mod merge_patch;
mod negotiation;
pub(crate) mod precondition;
mod record_path;

pub(crate) use context::{RequestContext, query_fields};
pub(crate) use negotiation::Negotiation;
pub(crate) use precondition::IfMatch;
pub(crate) use record_path::RecordPath;

/// The ID in a path.
pub(crate) fn id<R>(segment: &str) -> Result<Id<R>, ApiError> {
    key::id(segment).ok_or(ApiError::NoRoute)
}
