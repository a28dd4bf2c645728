//! Entries of the audit trail, as JSON.

mod revision;

use app::ports::AuditEntry;
use domain::{
    Language, UserId,
    audit::{FieldChange, ValueChange},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::values::DateTime;

pub(crate) use revision::RevisionRecord;

/// An entry of the audit trail.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditEntry")]
pub(crate) struct AuditEntryRecord {
    /// The number of the entry, which grows.
    id: i64,
    /// The time of the write, UTC.
    at_utc: DateTime,
    /// The ID of the user; null for visitors and jobs. The user may have been removed since.
    user: Option<i64>,
    /// The name that the user had, where it was known.
    user_name: Option<String>,
    /// The way on which the write came: `token`, `session`, `visitor`, `command`, `job` or `program`.
    channel: &'static str,
    /// The ID of the token, the command, or the job.
    channel_name: Option<String>,
    /// The address of the client.
    address: Option<String>,
    /// The ID of the request, as in the log.
    request_id: Option<String>,
    /// The effect: `create`, `update`, `trash`, `untrash` or `delete`.
    action: &'static str,
    /// The kind of the record.
    kind: &'static str,
    /// The ID of the record.
    record: i64,
    /// The revision of the record after the write; 0 for kinds without revisions.
    revision: i64,
    /// The size of the changes, in bytes.
    bytes: usize,
    /// The changed fields.
    changes: Vec<AuditChangeRecord>,
}

/// The change of a field.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditChange")]
pub(crate) struct AuditChangeRecord {
    /// The field, as in writes.
    field: &'static str,
    /// The language of a translation.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    /// The former value, or the former part of a long text; null for none, and for a secret.
    old: Option<String>,
    /// The new value, or the new part of a long text; null for none, and for a secret.
    new: Option<String>,
    /// The number of bytes before the part of a long text, in UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    equal_start: Option<usize>,
    /// The number of bytes after the part of a long text.
    #[serde(skip_serializing_if = "Option::is_none")]
    equal_end: Option<usize>,
    /// Whether `old` and `new` are SHA-256 digests of the values, in hexadecimal digits: the record was deleted for good.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    digest: bool,
    /// Whether the value is a secret, of which only the change is told.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    secret: bool,
}

impl AuditEntryRecord {
    pub(crate) fn new(entry: &AuditEntry) -> Self {
        Self {
            id: entry.number,
            at_utc: entry.at.into(),
            user: entry.user.map(UserId::get),
            user_name: entry.user_name.clone(),
            channel: entry.channel.name(),
            channel_name: entry.channel_name.clone(),
            address: entry.address.clone(),
            request_id: entry.request_id.clone(),
            action: entry.action.name(),
            kind: entry.kind.name(),
            record: entry.record,
            revision: entry.revision,
            bytes: entry.bytes(),
            changes: entry.changes.iter().map(AuditChangeRecord::new).collect(),
        }
    }
}

impl AuditChangeRecord {
    fn new(change: &FieldChange) -> Self {
        let plain = Self {
            field: change.field.as_str(),
            language: change.language.map(Language::code),
            old: None,
            new: None,
            equal_start: None,
            equal_end: None,
            digest: false,
            secret: false,
        };
        match change.change.clone() {
            ValueChange::Whole { old, new } => Self { old, new, ..plain },
            ValueChange::Part {
                start,
                end,
                old,
                new,
            } => Self {
                old: Some(old),
                new: Some(new),
                equal_start: Some(start),
                equal_end: Some(end),
                ..plain
            },
            ValueChange::Digest { old, new } => Self {
                old,
                new,
                digest: true,
                ..plain
            },
            ValueChange::Secret => Self {
                secret: true,
                ..plain
            },
        }
    }
}
