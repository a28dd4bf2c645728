//! The record that a path names.

use app::{request::RecordKey, resource::Resource};
use axum::{
    extract::{
        FromRequestParts, Path, path::ErrorKind,
        rejection::PathRejection::FailedToDeserializePathParams,
    },
    http::request::Parts,
};
use domain::{Id, slug::Slug};

/// The captured segments of a path, each with its name in the pattern of the route.
pub type Segments = Vec<(String, String)>;

/// The captured segments of a path. Where one is no UTF-8, it is the only one, and empty.
pub(crate) async fn segments(parts: &mut Parts) -> Segments {
    match Path::<Segments>::from_request_parts(parts, &()).await {
        Ok(Path(segments)) => segments,
        Err(FailedToDeserializePathParams(error)) => match error.into_kind() {
            ErrorKind::InvalidUtf8InPathParam { key } => vec![(key, String::new())],
            _ => Segments::new(),
        },
        Err(_) => Segments::new(),
    }
}

/// The ID in a segment; none if it is no number. An ID that is too large for a number names no
/// record.
pub fn id<R>(segment: &str) -> Option<Id<R>> {
    let is_number = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Id::from_raw(segment.parse().unwrap_or(i64::MAX)))
}

/// The key of the record that captured segments name: a slug, an ID, or the ID of a series and the slot
/// of an occurrence. None if no route has such segments.
pub fn key<R: Resource>(segments: &[(String, String)]) -> Option<RecordKey<R>> {
    match segments {
        [(name, slug)] if name == "slug" => {
            Some(Slug::of_url(slug).map_or(RecordKey::Unknown, RecordKey::Slug))
        }
        [(_, one)] => id(one).map(RecordKey::Id),
        [(_, one), (name, _)] if name == "n" => id(one).map(RecordKey::Id),
        [(_, series), (_, slot)] => {
            let series = id(series)?;
            let slot = slot.parse();
            Some(slot.map_or(RecordKey::Unknown, |slot| RecordKey::Slot(series, slot)))
        }
        _ => None,
    }
}
