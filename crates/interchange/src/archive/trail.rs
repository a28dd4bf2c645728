//! Lines of the audit trail.

use app::ports::AuditEntry;
use domain::{
    FieldName, Language, UserId,
    audit::{AuditAction, AuditChannel, AuditedKind, FieldChange, ValueChange},
};
use serde::{Deserialize, Serialize};

use super::text::Utc;

/// An entry of the trail, without the address of the client.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TrailLine {
    at_utc: Utc,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<UserId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user_name: Option<String>,
    channel: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    channel_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    action: String,
    /// The kind of the record.
    of: String,
    record: i64,
    revision: i64,
    changes: Vec<ChangeLine>,
}

/// A change of a field.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct ChangeLine {
    field: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<Language>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<String>,
    /// The bytes before and after a part of a long text.
    #[serde(skip_serializing_if = "Option::is_none")]
    equal: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    digest: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    secret: bool,
}

impl TrailLine {
    pub(super) fn new(entry: AuditEntry) -> Self {
        let AuditEntry {
            number: _,
            at,
            user,
            user_name,
            channel,
            channel_name,
            address: _,
            request_id,
            action,
            kind,
            record,
            revision,
            changes,
        } = entry;
        Self {
            at_utc: Utc(at),
            user,
            user_name,
            channel: channel.name().to_owned(),
            channel_name,
            request_id,
            action: action.name().to_owned(),
            of: kind.name().to_owned(),
            record,
            revision,
            changes: changes.into_iter().map(ChangeLine::new).collect(),
        }
    }

    pub(super) fn into_entry(self) -> Result<AuditEntry, String> {
        let named = |name: &str, value: &str| format!("{name}: `{value}` is not known");
        let channel: Result<AuditChannel, _> = self.channel.parse();
        let action: Result<AuditAction, _> = self.action.parse();
        let kind: Result<AuditedKind, _> = self.of.parse();
        let changes = self.changes.into_iter().map(ChangeLine::into_change);
        Ok(AuditEntry {
            number: 0,
            at: self.at_utc.0,
            user: self.user,
            user_name: self.user_name,
            channel: channel.map_err(|_| named("channel", &self.channel))?,
            channel_name: self.channel_name,
            address: None,
            request_id: self.request_id,
            action: action.map_err(|_| named("action", &self.action))?,
            kind: kind.map_err(|_| named("of", &self.of))?,
            record: self.record,
            revision: self.revision,
            changes: changes.collect::<Result<_, _>>()?,
        })
    }
}

impl ChangeLine {
    fn new(change: FieldChange) -> Self {
        let plain = Self {
            field: change.field.as_str().to_owned(),
            language: change.language,
            ..Self::default()
        };
        match change.change {
            ValueChange::Whole { old, new } => Self { old, new, ..plain },
            ValueChange::Part {
                start,
                end,
                old,
                new,
            } => Self {
                old: Some(old),
                new: Some(new),
                equal: Some([start, end]),
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

    fn into_change(self) -> Result<FieldChange, String> {
        let field: Result<FieldName, _> = self.field.parse();
        let (old, new) = (self.old, self.new);
        Ok(FieldChange {
            field: field.map_err(|_| format!("field: `{}` is not known", self.field))?,
            language: self.language,
            change: match self.equal {
                _ if self.secret => ValueChange::Secret,
                _ if self.digest => ValueChange::Digest { old, new },
                Some([start, end]) => ValueChange::Part {
                    start,
                    end,
                    old: old.unwrap_or_default(),
                    new: new.unwrap_or_default(),
                },
                None => ValueChange::Whole { old, new },
            },
        })
    }
}
