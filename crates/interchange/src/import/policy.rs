//! The effect of an import on records that it brought before.

use std::{fmt, str::FromStr};

use domain::{FieldName, Record};
use forms::Fields;

/// The fields of a known record that an import changes.
///
/// ```
/// use app::test_support::venue;
/// use domain::FieldName;
/// use forms::Fields;
/// use events_calendar_interchange::import::{InvalidPolicy, UpdatePolicy};
/// use serde_json::json;
///
/// let body = json!({ "venue": "Mill", "city": "Lyon", "phone": "+33 1" });
/// let sent = Fields::from_body(body.as_object().unwrap().clone());
/// let mut present = venue("Old Mill").build();
/// present.details.city = "Vienne".to_owned();
///
/// let names = |policy: UpdatePolicy| {
///     let fields = policy.apply(&sent, &present);
///     fields.map(|fields| fields.body.keys().cloned().collect::<Vec<_>>().join(" "))
/// };
/// assert_eq!(names(UpdatePolicy::Overwrite).as_deref(), Some("venue city phone"));
/// assert_eq!(names(UpdatePolicy::FillBlanks).as_deref(), Some("phone"));
/// assert_eq!(names(UpdatePolicy::Keep), None);
/// assert!(UpdatePolicy::FillBlanks.takes(FieldName::Zip, &present));
/// assert_eq!("fill-blanks".parse(), Ok(UpdatePolicy::FillBlanks));
/// assert_eq!("merge".parse::<UpdatePolicy>(), Err(InvalidPolicy));
/// assert_eq!(UpdatePolicy::ALL.map(UpdatePolicy::name), ["overwrite", "keep", "fill-blanks"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdatePolicy {
    /// All that are sent.
    #[default]
    Overwrite,
    /// None.
    Keep,
    /// The fields that are empty in this calendar.
    FillBlanks,
}

impl UpdatePolicy {
    /// All policies.
    pub const ALL: [Self; 3] = [Self::Overwrite, Self::Keep, Self::FillBlanks];

    /// The name in requests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overwrite => "overwrite",
            Self::Keep => "keep",
            Self::FillBlanks => "fill-blanks",
        }
    }

    /// Whether an update writes a field of a record.
    pub fn takes(self, field: FieldName, present: &impl Record) -> bool {
        match self {
            Self::Overwrite => true,
            Self::Keep => false,
            Self::FillBlanks => present.is_blank(field),
        }
    }

    /// The fields of an update of a record; none if there is nothing to update.
    pub fn apply(self, sent: &Fields, present: &impl Record) -> Option<Fields> {
        let mut fields = sent.clone();
        let takes = |field| self.takes(field, present);
        fields.body.retain(|name, _| name.parse().is_ok_and(takes));
        (!fields.body.is_empty()).then_some(fields)
    }
}

impl fmt::Display for UpdatePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for UpdatePolicy {
    type Err = InvalidPolicy;

    fn from_str(name: &str) -> Result<Self, InvalidPolicy> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name() == name).ok_or(InvalidPolicy)
    }
}

/// The text names no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be overwrite, keep or fill-blanks")]
pub struct InvalidPolicy;
