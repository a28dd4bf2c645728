//! Answers that a client may have already.
//!
//! # Source
//!
//! RFC 9110, 13.1 and 13.2.2.

use std::time::{Duration, SystemTime};

use axum::http::{HeaderMap, HeaderValue, header};
use domain::time::Timestamp;

use super::{Shown, encoding::Encoding, tag};

/// On which conditions a client wants the answer at all.
#[derive(Debug)]
pub(super) struct Conditions {
    has: Option<tag::Named>,
    since: Option<SystemTime>,
}

impl Conditions {
    pub(super) fn read(headers: &HeaderMap) -> Self {
        let since = headers.get(header::IF_MODIFIED_SINCE);
        Self {
            has: tag::Named::read(headers, &header::IF_NONE_MATCH),
            since: since
                .and_then(|value| httpdate::parse_http_date(value.to_str().ok()?.trim()).ok()),
        }
    }

    /// Whether the client has the answer of these validators. What it says by tags counts alone: a
    /// date is the weaker word.
    pub(super) fn hold_for(&self, validators: &Validators, tag: &HeaderValue) -> bool {
        if let Some(has) = &self.has {
            return has.name_weakly(tag.as_bytes());
        }
        match (self.since, validators.modified) {
            (Some(since), Some(modified)) => validators.dated_alone && modified <= since,
            _ => false,
        }
    }
}

/// What tells one state of an answer from another.
#[derive(Clone, Debug)]
pub(super) struct Validators {
    plain: HeaderValue,
    gzip: HeaderValue,
    modified: Option<SystemTime>,
    dated_alone: bool,
}

impl Validators {
    pub(super) fn new(shown: Option<Shown>, bytes: &[u8]) -> Self {
        let revision = shown.map(|shown| shown.revision);
        let hash = tag::hash(bytes);
        let tag = |encoding: Encoding| tag::make(revision, &hash, encoding.suffix());
        Self {
            plain: tag(Encoding::Identity),
            gzip: tag(Encoding::Gzip),
            modified: shown.and_then(|shown| shown.modified).map(moment),
            dated_alone: shown.is_some_and(|shown| shown.alone),
        }
    }

    /// The entity tag of the answer in an encoding.
    pub(super) fn tag(&self, encoding: Encoding) -> &HeaderValue {
        match encoding {
            Encoding::Identity => &self.plain,
            Encoding::Gzip => &self.gzip,
        }
    }

    /// Adds them to the headers of the answer as it is without an encoding.
    pub(super) fn add_to(&self, headers: &mut HeaderMap) {
        headers.insert(header::ETAG, self.plain.clone());
        let modified = self.modified.map(httpdate::fmt_http_date);
        if let Some(Ok(modified)) = modified.map(HeaderValue::try_from) {
            headers.insert(header::LAST_MODIFIED, modified);
        }
    }
}

fn moment(timestamp: Timestamp) -> SystemTime {
    // Records did not change before 1970.
    let seconds = u64::try_from(timestamp.seconds()).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}
