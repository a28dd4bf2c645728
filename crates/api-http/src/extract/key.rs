//! The record that a path names.

use std::marker::PhantomData;

use app::{request::RecordKey, resource::Resource};
use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use domain::{Id, slug::Slug};

use crate::error::ApiError;

/// A record by the number in the path. Digits too many for a number name no record.
pub(crate) struct ById;

/// A record by the slug in the path.
pub(crate) struct BySlug;

/// How a path names a record.
pub(crate) trait KeySegment {
    /// The record that a segment names; none if no route has such a segment.
    fn key<R: Resource>(segment: &str) -> Option<RecordKey<R>>;
}

impl KeySegment for ById {
    fn key<R: Resource>(segment: &str) -> Option<RecordKey<R>> {
        let is_number = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| RecordKey::Id(Id::from_raw(segment.parse().unwrap_or(i64::MAX))))
    }
}

impl KeySegment for BySlug {
    fn key<R: Resource>(segment: &str) -> Option<RecordKey<R>> {
        let slug = Slug::normalize(segment);
        // What cannot be a slug is no record's.
        Some(RecordKey::Slug(
            slug.unwrap_or_else(|| Slug::from_stored(String::new())),
        ))
    }
}

/// The record that the last segment of a path names.
pub(crate) struct RecordPath<R, N> {
    pub(crate) key: RecordKey<R>,
    named: PhantomData<fn() -> N>,
}

impl<R: Resource, N: KeySegment, S: Send + Sync> FromRequestParts<S> for RecordPath<R, N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // Bytes that are no text name nothing.
        let segment = Path::<String>::from_request_parts(parts, state).await.ok();
        let key = segment.and_then(|Path(segment)| N::key(&segment));
        Ok(Self {
            key: key.ok_or_else(|| ApiError::NoRoute)?,
            named: PhantomData,
        })
    }
}
