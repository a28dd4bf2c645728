//! Pairs of records that look alike, as JSON.

use app::{
    calendar::{DuplicateRecord, DuplicateView, Undone},
    ports::StoredDuplicate,
};
use domain::{FieldName, duplicate::UNDO_DAYS};
use http_service::site::Site;
use schemars::JsonSchema;
use serde::Serialize;

use super::values::Url;

/// A pair of records that look alike. Times are in UTC.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Duplicate")]
pub(crate) struct StoredDuplicateRecord {
    /// The ID. A pair that is found again after a change of its records gets another one.
    id: i64,
    /// The kind of the records: `event`, `venue` or `organizer`.
    kind: &'static str,
    /// The records, the lower ID first.
    records: Vec<RecordOfPair>,
    /// How much they look alike: 70 to 100.
    score: u8,
    /// The reasons for the score.
    reasons: Vec<&'static str>,
    /// `open`, `merged` or `dismissed`.
    state: &'static str,
    /// The ID of the record that stayed, of a merged pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<i64>,
    /// The time until which the merge can be undone, of a merged pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    undo_until: Option<String>,
}

/// A record of a pair.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DuplicateRecord")]
pub(crate) struct RecordOfPair {
    /// The ID.
    id: i64,
    /// The title or name.
    title: String,
    /// The status.
    status: &'static str,
    /// The URL in this interface.
    rest_url: Url,
}

/// A pair whose merge was undone. Times are in UTC.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Undone")]
pub(crate) struct UndoneRecord {
    #[serde(flatten)]
    pair: StoredDuplicateRecord,
    /// The fields that somebody changed since the merge, and that stay as they are.
    stayed: Vec<&'static str>,
}

impl StoredDuplicateRecord {
    pub(crate) fn new(view: &DuplicateView, site: &Site) -> Self {
        let StoredDuplicate { id, pair, merge } = &view.stored;
        let record = |one: &DuplicateRecord| RecordOfPair {
            id: one.id,
            title: one.title.as_str().to_owned(),
            status: one.status.name(),
            rest_url: Url(site.record(pair.kind, one.id)),
        };
        let reasons = pair.likeness.reasons.iter();
        let merge = merge.as_ref();
        let last = merge.map(|merge| merge.at.saturating_add(UNDO_DAYS * 86_400));
        Self {
            id: id.get(),
            kind: pair.kind.name(),
            records: view.records.iter().map(record).collect(),
            score: pair.likeness.score,
            reasons: reasons.map(|reason| reason.name()).collect(),
            state: pair.state.name(),
            kept: merge.map(|merge| merge.kept),
            undo_until: last.map(|last| last.to_string()),
        }
    }
}

impl UndoneRecord {
    pub(crate) fn new(undone: &Undone, site: &Site) -> Self {
        let stayed = undone.stayed.iter().copied();
        Self {
            pair: StoredDuplicateRecord::new(&undone.view, site),
            stayed: stayed.map(FieldName::as_str).collect(),
        }
    }
}
