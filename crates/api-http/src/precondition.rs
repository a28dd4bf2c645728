//! `If-Match`: which state of a record a write is meant for.

use std::convert::Infallible;

use app::calendar::Expected;
use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};

use crate::representation::tag::Named;

/// The state of a record that a write is meant for. Of a tag only the revision counts: what else an
/// answer shows does not make the write another one.
pub(crate) struct IfMatch(pub(crate) Expected);

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        let named = Named::read(&parts.headers, &header::IF_MATCH);
        // `*` asks that there be a record, and without one there is nothing to write to anyway.
        let revisions = named.and_then(|named| named.revisions());
        Ok(Self(revisions.map_or(Expected::Any, Expected::OneOf)))
    }
}
