//! Validators and conditional requests.
//!
//! # Source
//!
//! RFC 9110, 13.1 and 13.2.2.

use std::time::{Duration, SystemTime};

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use domain::time::Timestamp;

use super::{encoding::Encoding, tag};

/// The time of the last change of everything that a response shows.
#[derive(Clone, Copy, Debug, Default)]
pub enum LastChange {
    /// Unknown.
    #[default]
    Unknown,
    /// At or after this time: some of what is shown changes without a date.
    NotBefore(Timestamp),
    /// At this time. Only such a date answers `If-Modified-Since`.
    At(Timestamp),
}

impl LastChange {
    /// The date, if one is known.
    fn date(self) -> Option<Timestamp> {
        match self {
            Self::Unknown => None,
            Self::NotBefore(date) | Self::At(date) => Some(date),
        }
    }

    /// The date as sent at `now`. In the same second another change may follow, so no date is sent
    /// yet (RFC 9110, 8.8.2.2).
    #[must_use]
    pub fn as_sent_at(self, now: Timestamp) -> Self {
        match self.date() {
            Some(date) if date < now => self,
            _ => Self::Unknown,
        }
    }
}

/// The date in a header; none if it is missing or malformed.
pub fn date(headers: &HeaderMap, name: &HeaderName) -> Option<Timestamp> {
    let text = headers.get(name)?.to_str().ok()?;
    let moment = httpdate::parse_http_date(text.trim()).ok()?;
    let since_1970 = moment.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Timestamp::from_seconds(i64::try_from(since_1970.as_secs()).ok()?)
}

/// The state of the record that a response shows.
#[derive(Clone, Copy, Debug)]
pub struct RecordVersion {
    /// The number of the last change of the record.
    pub revision: i64,
    /// The time of the last change of everything that the response shows.
    pub last_change: LastChange,
}

/// The conditions of a read.
#[derive(Debug)]
pub(crate) struct Conditions {
    has: Option<tag::EntityTags>,
    since: Option<Timestamp>,
}

impl Conditions {
    pub(crate) fn read(headers: &HeaderMap) -> Self {
        Self {
            has: tag::EntityTags::read(headers, &header::IF_NONE_MATCH),
            since: date(headers, &header::IF_MODIFIED_SINCE),
        }
    }

    /// Whether the client has the response. `If-None-Match` takes precedence over
    /// `If-Modified-Since`.
    pub(crate) fn hold_for(&self, validators: &Validators, tag: &HeaderValue) -> bool {
        if let Some(has) = &self.has {
            let tag = tag.as_bytes();
            return has.name_weakly(tag.strip_prefix(b"W/").unwrap_or(tag));
        }
        match (self.since, validators.last_change) {
            (Some(since), LastChange::At(date)) => date <= since,
            _ => false,
        }
    }
}

/// The validators of a response.
#[derive(Clone, Debug)]
pub(crate) struct Validators {
    plain: HeaderValue,
    gzip: HeaderValue,
    last_change: LastChange,
}

impl Validators {
    /// The validators of a response with these headers and bytes. An entity tag that the handler made
    /// stays; it is weak, and so that of all encodings.
    pub(crate) fn new(headers: &HeaderMap, version: Option<RecordVersion>, bytes: &[u8]) -> Self {
        if let Some(tag) = headers.get(header::ETAG) {
            return Self {
                plain: tag.clone(),
                gzip: tag.clone(),
                last_change: LastChange::Unknown,
            };
        }
        let revision = version.map(|version| version.revision);
        let hash = tag::hash(bytes);
        let tag = |encoding: Encoding| tag::make(revision, &hash, encoding.suffix());
        Self {
            plain: tag(Encoding::Identity),
            gzip: tag(Encoding::Gzip),
            last_change: version
                .map(|version| version.last_change)
                .unwrap_or_default(),
        }
    }

    /// The entity tag of an encoding.
    pub(crate) fn tag(&self, encoding: Encoding) -> &HeaderValue {
        match encoding {
            Encoding::Identity => &self.plain,
            Encoding::Gzip => &self.gzip,
        }
    }

    /// Adds the headers of the unencoded response.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        headers.insert(header::ETAG, self.plain.clone());
        let date = self.last_change.date().map(moment);
        let date = date.map(httpdate::fmt_http_date);
        if let Some(Ok(date)) = date.map(HeaderValue::try_from) {
            headers.insert(header::LAST_MODIFIED, date);
        }
    }
}

fn moment(timestamp: Timestamp) -> SystemTime {
    // No record changed before 1970.
    let seconds = u64::try_from(timestamp.seconds()).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}
