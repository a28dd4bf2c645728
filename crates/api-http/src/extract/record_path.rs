//! The record that a path names.

use app::{request::RecordKey, resource::Resource};
use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use http_service::{
    error::ApiError,
    extract::{Segments, key::key},
};

/// The key of the record that the path names.
#[derive(Debug)]
pub(crate) struct RecordPath<R: Resource>(pub(crate) RecordKey<R>);

impl<R: Resource, S: Send + Sync> FromRequestParts<S> for RecordPath<R> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // A segment that is no UTF-8 names no record.
        let segments = Path::<Segments>::from_request_parts(parts, state).await;
        let key = segments.ok().and_then(|Path(segments)| key(&segments));
        key.map(Self).ok_or(ApiError::NoRoute)
    }
}
