//! The record that a path names.

use std::marker::PhantomData;

use app::{request::RecordKey, resource::Resource};
use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use domain::{Id, slug::Slug};

use crate::error::ApiError;

/// A record by the ID in the path.
pub(crate) struct ById;

/// A record by the slug in the path.
pub(crate) struct BySlug;

/// The way in which a path names a record.
pub(crate) trait KeySegment {
    /// The key of a segment; none if no route has such a segment.
    fn key<R: Resource>(segment: &str) -> Option<RecordKey<R>>;
}

/// The ID in a segment; none if it is no number. An ID that is too large for a number names no
/// record.
pub(crate) fn id<R>(segment: &str) -> Option<Id<R>> {
    let is_number = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Id::from_raw(segment.parse().unwrap_or(i64::MAX)))
}

impl KeySegment for ById {
    fn key<R: Resource>(segment: &str) -> Option<RecordKey<R>> {
        id(segment).map(RecordKey::Id)
    }
}

impl KeySegment for BySlug {
    fn key<R: Resource>(segment: &str) -> Option<RecordKey<R>> {
        let slug = Slug::normalize(segment);
        // A segment that cannot be a slug names no record.
        Some(RecordKey::Slug(
            slug.unwrap_or_else(|| Slug::from_stored(String::new())),
        ))
    }
}

/// The key of the record that the last segment of the path names.
pub(crate) struct RecordPath<R, N> {
    pub(crate) key: RecordKey<R>,
    named: PhantomData<fn() -> N>,
}

impl<R: Resource, N: KeySegment, S: Send + Sync> FromRequestParts<S> for RecordPath<R, N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // A segment that is no UTF-8 names no record.
        let segment = Path::<String>::from_request_parts(parts, state).await.ok();
        let key = segment.and_then(|Path(segment)| N::key(&segment));
        Ok(Self {
            key: key.ok_or_else(|| ApiError::NoRoute)?,
            named: PhantomData,
        })
    }
}
