//! The changes of an entry as one text.

use app::ports::StoreError;
use domain::{
    FieldName, Language,
    audit::{FieldChange, ValueChange},
};
use serde::{Deserialize, Serialize};

use crate::{entity::audit_entry::Column, error::broken_column, sql::parse_column};

/// A change. Its names are short, as most entries are.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Line {
    /// The field.
    f: String,
    /// The language of a translation.
    #[serde(skip_serializing_if = "Option::is_none")]
    l: Option<String>,
    /// The former value, or part.
    #[serde(skip_serializing_if = "Option::is_none")]
    o: Option<String>,
    /// The new value, or part.
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<String>,
    /// The bytes before and after a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<[usize; 2]>,
    /// Whether the values are digests.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    d: bool,
    /// Whether it is a secret.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    s: bool,
}

pub(super) fn write(changes: &[FieldChange]) -> Result<String, StoreError> {
    let lines: Vec<_> = changes.iter().map(line).collect();
    serde_json::to_string(&lines).map_err(|error| StoreError::Internal(error.to_string()))
}

fn line(change: &FieldChange) -> Line {
    let plain = Line {
        f: change.field.as_str().to_owned(),
        l: change.language.map(|language| language.code().to_owned()),
        ..Line::default()
    };
    match change.change.clone() {
        ValueChange::Whole { old, new } => Line {
            o: old,
            n: new,
            ..plain
        },
        ValueChange::Part {
            start,
            end,
            old,
            new,
        } => Line {
            o: Some(old),
            n: Some(new),
            p: Some([start, end]),
            ..plain
        },
        ValueChange::Digest { old, new } => Line {
            o: old,
            n: new,
            d: true,
            ..plain
        },
        ValueChange::Secret => Line { s: true, ..plain },
    }
}

pub(super) fn read(text: &str) -> Result<Vec<FieldChange>, StoreError> {
    let lines: Vec<Line> =
        serde_json::from_str(text).map_err(|error| broken_column(Column::ChangedFields, error))?;
    lines.into_iter().map(change).collect()
}

fn change(line: Line) -> Result<FieldChange, StoreError> {
    let Line {
        f,
        l,
        o,
        n,
        p,
        d,
        s,
    } = line;
    let language = |code: String| parse_column::<Language>(Column::ChangedFields, &code);
    Ok(FieldChange {
        field: parse_column::<FieldName>(Column::ChangedFields, &f)?,
        language: l.map(language).transpose()?,
        change: match p {
            _ if s => ValueChange::Secret,
            _ if d => ValueChange::Digest { old: o, new: n },
            Some([start, end]) => ValueChange::Part {
                start,
                end,
                old: o.unwrap_or_default(),
                new: n.unwrap_or_default(),
            },
            None => ValueChange::Whole { old: o, new: n },
        },
    })
}
