//! Revisions of a record, as JSON.

use app::ports::AuditEntry;
use schemars::JsonSchema;
use serde::Serialize;

use super::{super::values::DateTime, AuditChangeRecord};

/// A revision of a record.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Revision")]
pub(crate) struct RevisionRecord {
    /// The number of the revision: that of the record after the write.
    n: i64,
    /// The time of the write, UTC.
    at_utc: DateTime,
    /// The name that the user had, where it was known.
    user_name: Option<String>,
    /// The way on which the write came: `token`, `session`, `visitor`, `command`, `job` or `program`.
    channel: &'static str,
    /// The effect: `create`, `update`, `trash`, `untrash` or `delete`.
    action: &'static str,
    /// The size of the changes, in bytes.
    bytes: usize,
    /// The changed fields.
    changes: Vec<AuditChangeRecord>,
}

impl RevisionRecord {
    pub(crate) fn new(entry: &AuditEntry) -> Self {
        Self {
            n: entry.revision,
            at_utc: entry.at.into(),
            user_name: entry.user_name.clone(),
            channel: entry.channel.name(),
            action: entry.action.name(),
            bytes: entry.bytes(),
            changes: entry.changes.iter().map(AuditChangeRecord::new).collect(),
        }
    }
}
