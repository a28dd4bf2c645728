//! `If-Match` and `If-Unmodified-Since`: the state of a record that a write expects.
//!
//! # Source
//!
//! RFC 9110, 13.1.1, 13.1.4 and 13.2.2.

use std::convert::Infallible;

use app::calendar::Precondition;
use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use http_service::response::{conditional::date, tag::EntityTags};

/// The expected state of a record. Only the revision of an entity tag counts. A date counts without
/// a tag, and is compared with the last change of the record alone.
pub(crate) struct IfMatch(pub(crate) Precondition);

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        if let Some(named) = EntityTags::read(&parts.headers, &header::IF_MATCH) {
            // `*` expects that the record exists, which every write does.
            let revisions = named.revisions();
            return Ok(Self(
                revisions.map_or(Precondition::Any, Precondition::OneOf),
            ));
        }
        let since = date(&parts.headers, &header::IF_UNMODIFIED_SINCE);
        Ok(Self(
            since.map_or(Precondition::Any, Precondition::UnmodifiedSince),
        ))
    }
}
