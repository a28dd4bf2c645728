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

/// An occurrence by the ID of its series and its slot in the path.
pub(crate) struct BySlot;

/// The way in which a path names a record.
pub(crate) trait KeySegments {
    /// The key of the captured segments; none if no route has such segments.
    fn key<R: Resource>(segments: &[String]) -> Option<RecordKey<R>>;
}

/// The ID in a segment; none if it is no number. An ID that is too large for a number names no
/// record.
pub(crate) fn id<R>(segment: &str) -> Option<Id<R>> {
    let is_number = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Id::from_raw(segment.parse().unwrap_or(i64::MAX)))
}

impl KeySegments for ById {
    fn key<R: Resource>(segments: &[String]) -> Option<RecordKey<R>> {
        id(segments.first()?).map(RecordKey::Id)
    }
}

impl KeySegments for BySlot {
    fn key<R: Resource>(segments: &[String]) -> Option<RecordKey<R>> {
        let [series, slot] = segments else {
            return None;
        };
        let series = id(series)?;
        Some(match slot.parse() {
            Ok(date) => RecordKey::Slot(series, date),
            Err(_) => RecordKey::Unknown,
        })
    }
}

impl KeySegments for BySlug {
    fn key<R: Resource>(segments: &[String]) -> Option<RecordKey<R>> {
        let slug = Slug::of_url(segments.first()?);
        Some(slug.map_or(RecordKey::Unknown, RecordKey::Slug))
    }
}

/// The key of the record that the path names.
pub(crate) struct RecordPath<R, N> {
    pub(crate) key: RecordKey<R>,
    named: PhantomData<fn() -> N>,
}

impl<R: Resource, N: KeySegments, S: Send + Sync> FromRequestParts<S> for RecordPath<R, N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // A segment that is no UTF-8 names no record.
        let segments = Path::<Vec<String>>::from_request_parts(parts, state).await;
        let key = segments.ok().and_then(|Path(segments)| N::key(&segments));
        Ok(Self {
            key: key.ok_or_else(|| ApiError::NoRoute)?,
            named: PhantomData,
        })
    }
}
