//! The change of one field.

use std::{
    collections::{BTreeSet, btree_map::Entry},
    fmt,
};

use super::{TrailValues, trail_values};
use crate::{FieldName, Language, Record};

/// Two texts of which this many bytes or more are equal at their ends are stored as a difference.
const MIN_EQUAL_BYTES: usize = 64;

/// The change of a value.
///
/// ```
/// use events_calendar_domain::audit::ValueChange;
/// let (old, new) = ("a".repeat(100) + "old", "a".repeat(100) + "new");
/// let change = ValueChange::of(Some(&old), Some(&new));
/// let part = ValueChange::Part { start: 100, end: 0, old: "old".into(), new: "new".into() };
/// assert_eq!(change, part);
/// assert_eq!(ValueChange::of(None, Some("x")), ValueChange::Whole { old: None, new: Some("x".into()) });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueChange {
    /// The value before and after.
    Whole {
        /// The former value; `None` for a field without one.
        old: Option<String>,
        /// The new value.
        new: Option<String>,
    },
    /// The part of a long text that changed.
    Part {
        /// The number of bytes before the part, in UTF-8.
        start: usize,
        /// The number of bytes after it.
        end: usize,
        /// The former part.
        old: String,
        /// The new part.
        new: String,
    },
    /// The digests of the values, or of the parts of a long text, whose record was deleted for good.
    Digest {
        /// The digest of the former value; `None` for a field without one.
        old: Option<String>,
        /// The digest of the new value.
        new: Option<String>,
    },
    /// A secret changed: nothing else is known of it.
    Secret,
}

impl ValueChange {
    /// The change from one value to another one.
    pub fn of(old: Option<&str>, new: Option<&str>) -> Self {
        if let (Some(old), Some(new)) = (old, new)
            && let Some(part) = part(old, new)
        {
            return part;
        }
        Self::Whole {
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
        }
    }

    /// The change without its values, of which digests are left.
    ///
    /// ```
    /// use events_calendar_domain::audit::ValueChange;
    /// let change = ValueChange::of(None, Some("Lyon"));
    /// let digest = ValueChange::Digest { old: None, new: Some("4".into()) };
    /// assert_eq!(change.digested(|text| text.len().to_string()), digest);
    /// assert_eq!(digest.digested(|_| String::new()), digest);
    /// ```
    #[must_use]
    pub fn digested(&self, digest: impl Fn(&str) -> String) -> Self {
        let (old, new) = match self {
            Self::Whole { old, new } => (old.as_deref(), new.as_deref()),
            Self::Part { old, new, .. } => (Some(&**old), Some(&**new)),
            Self::Digest { .. } | Self::Secret => return self.clone(),
        };
        Self::Digest {
            old: old.map(&digest),
            new: new.map(&digest),
        }
    }
}

/// The parts of two texts between their equal ends; `None` if these are short.
fn part(old: &str, new: &str) -> Option<ValueChange> {
    if old.len().min(new.len()) < MIN_EQUAL_BYTES {
        return None;
    }
    let pairs = old.chars().zip(new.chars());
    let equal = pairs.take_while(|(one, other)| one == other);
    let start: usize = equal.map(|(one, _)| one.len_utf8()).sum();
    let (old_rest, new_rest) = (old.get(start..)?, new.get(start..)?);
    let pairs = old_rest.chars().rev().zip(new_rest.chars().rev());
    let equal = pairs.take_while(|(one, other)| one == other);
    let end: usize = equal.map(|(one, _)| one.len_utf8()).sum();
    if start + end < MIN_EQUAL_BYTES {
        return None;
    }
    Some(ValueChange::Part {
        start,
        end,
        old: old_rest.get(..old_rest.len() - end)?.to_owned(),
        new: new_rest.get(..new_rest.len() - end)?.to_owned(),
    })
}

/// The change of one field of a record.
///
/// ```
/// use events_calendar_domain::{FieldName, audit::{FieldChange, TrailValues, ValueChange}};
/// let old = Some("Lyon".to_owned());
/// let city = FieldChange {
///     field: FieldName::City,
///     language: None,
///     change: ValueChange::Whole { old, new: None },
/// };
/// let mut values = TrailValues::new();
/// assert!(city.undo(&mut values));
/// assert_eq!(values[&(FieldName::City, None)], "Lyon");
/// assert!(city.redo(&mut values) && values.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field.
    pub field: FieldName,
    /// The language of a translation.
    pub language: Option<Language>,
    /// The change.
    pub change: ValueChange,
}

impl FieldChange {
    /// The changes between two states of a record, in the order of the fields; `None` where there is no record.
    ///
    /// ```
    /// use events_calendar_domain::{Tag, audit::FieldChange, slug::Slug};
    /// let loud = Tag::new("Loud".parse()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(FieldChange::between(None, Some(&loud)).len(), 3);
    /// assert!(FieldChange::between(Some(&loud), Some(&loud)).is_empty());
    /// # Ok::<(), events_calendar_domain::text::InvalidTitle>(())
    /// ```
    pub fn between<R: Record>(before: Option<&R>, after: Option<&R>) -> Vec<Self> {
        let secret = |record: Option<&R>| record?.trailed(FieldName::Password);
        let has_secret_changed = secret(before) != secret(after);
        let [old, new] = [before, after].map(|record| record.map(trail_values).unwrap_or_default());
        let mut changes = Self::of_values(&old, &new);
        if has_secret_changed {
            changes.push(Self {
                field: FieldName::Password,
                language: None,
                change: ValueChange::Secret,
            });
        }
        changes
    }

    /// The changes between two sets of values.
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, audit::{FieldChange, TrailValues}};
    /// let lyon = TrailValues::from([((FieldName::City, None), "Lyon".to_owned())]);
    /// assert_eq!(FieldChange::of_values(&TrailValues::new(), &lyon)[0].to_string(), "city: – → Lyon");
    /// ```
    pub fn of_values(old: &TrailValues, new: &TrailValues) -> Vec<Self> {
        let keys: BTreeSet<_> = old.keys().chain(new.keys()).copied().collect();
        let change = |(field, language)| {
            let key = (field, language);
            let [old, new] = [old.get(&key), new.get(&key)].map(|value| value.map(String::as_str));
            (old != new).then(|| Self {
                field,
                language,
                change: ValueChange::of(old, new),
            })
        };
        keys.into_iter().filter_map(change).collect()
    }

    /// Makes the values after the change of those before it. Returns `false`, without an effect, for a difference that does
    /// not fit the value, and for digests.
    pub fn redo(&self, values: &mut TrailValues) -> bool {
        self.apply(values, true)
    }

    /// Makes the values before the change of those after it, as [`redo`](Self::redo) does the other way.
    pub fn undo(&self, values: &mut TrailValues) -> bool {
        self.apply(values, false)
    }

    fn apply(&self, values: &mut TrailValues, forward: bool) -> bool {
        let key = (self.field, self.language);
        match &self.change {
            ValueChange::Secret => {}
            ValueChange::Digest { .. } => return false,
            ValueChange::Whole { old, new } => {
                match if forward { new } else { old } {
                    Some(value) => values.insert(key, value.clone()),
                    None => values.remove(&key),
                };
            }
            ValueChange::Part {
                start,
                end,
                old,
                new,
            } => {
                let (from, to) = if forward { (old, new) } else { (new, old) };
                let Entry::Occupied(mut value) = values.entry(key) else {
                    return false;
                };
                let Some(changed) = replaced(value.get(), [*start, *end], from, to) else {
                    return false;
                };
                value.insert(changed);
            }
        }
        true
    }
}

/// A text with another part between its ends; `None` if it has not this one.
fn replaced(text: &str, [start, end]: [usize; 2], from: &str, to: &str) -> Option<String> {
    let before_end = text.len().checked_sub(end)?;
    if text.get(start..before_end)? != from {
        return None;
    }
    Some([text.get(..start)?, to, text.get(before_end..)?].concat())
}

impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.field.as_str())?;
        if let Some(language) = self.language {
            write!(f, " ({})", language.code())?;
        }
        let shown = |value: &Option<String>| value.as_deref().unwrap_or("–").to_owned();
        match &self.change {
            ValueChange::Whole { old, new } => write!(f, ": {} → {}", shown(old), shown(new)),
            ValueChange::Part { old, new, .. } => write!(f, ": … {old} … → … {new} …"),
            ValueChange::Digest { old, new } => {
                write!(f, ": digest {} → {}", shown(old), shown(new))
            }
            ValueChange::Secret => f.write_str(": changed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change leads there and back, whatever the texts are.
    #[test]
    fn a_difference_leads_there_and_back() {
        let long = "é".repeat(50);
        let texts = [
            String::new(),
            "a".to_owned(),
            long.clone(),
            format!("{long}x"),
            format!("x{long}"),
            format!("{long}xy{long}"),
            format!("{long}è{long}"),
            long.repeat(2),
            long.repeat(3),
        ];
        let key = (FieldName::Description, None);
        for old in &texts {
            for new in &texts {
                let change = FieldChange {
                    field: key.0,
                    language: key.1,
                    change: ValueChange::of(Some(old), Some(new)),
                };
                let mut values = TrailValues::from([(key, old.clone())]);
                assert!(change.redo(&mut values));
                assert_eq!(values.get(&key), Some(new));
                assert!(change.undo(&mut values));
                assert_eq!(values.get(&key), Some(old));
            }
        }
    }

    #[test]
    fn a_digest_leads_nowhere() {
        let change = FieldChange {
            field: FieldName::City,
            language: None,
            change: ValueChange::of(Some("Lyon"), None).digested(|_| "0a".to_owned()),
        };
        assert_eq!(change.to_string(), "city: digest 0a → –");
        let mut values = TrailValues::new();
        assert!(!change.undo(&mut values) && !change.redo(&mut values));
    }

    #[test]
    fn a_difference_fits_one_text_alone() {
        let long = "a".repeat(100);
        let key = (FieldName::Description, None);
        let change = FieldChange {
            field: key.0,
            language: key.1,
            change: ValueChange::of(Some(&format!("{long}x")), Some(&format!("{long}y"))),
        };
        for text in [
            None,
            Some(long.clone()),
            Some(format!("{long}z")),
            Some(String::new()),
        ] {
            let before: TrailValues = text.map(|text| (key, text)).into_iter().collect();
            let mut values = before.clone();
            assert!(!change.redo(&mut values));
            assert_eq!(values, before);
        }
    }
}
