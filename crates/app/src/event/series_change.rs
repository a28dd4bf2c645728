//! The fields of a write that say which occurrences of a series it changes, and how.

use domain::event::{OverriddenFields, OverrideField, Scope};

/// The fields that follow the series again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reset {
    /// All fields.
    All,
    /// These fields.
    Fields(Vec<OverrideField>),
}

impl Reset {
    /// The own fields that remain. A reset of any of `start_date`, `end_date`, `timezone` and `all_day`
    /// resets all four.
    pub(crate) fn apply(&self, own: &OverriddenFields) -> OverriddenFields {
        let Self::Fields(fields) = self else {
            return OverriddenFields::default();
        };
        let mut own = own.clone();
        for field in fields {
            own.remove(*field);
            if field.is_of_time() {
                for other in OverrideField::ALL
                    .into_iter()
                    .filter(|one| one.is_of_time())
                {
                    own.remove(other);
                }
            }
        }
        own
    }
}

/// The fields of an update that concern series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesChange {
    /// The occurrences that it concerns.
    pub scope: Option<Scope>,
    /// Whether occurrences lose their own fields and cancellations.
    pub resets_overrides: bool,
    /// Whether occurrences that a person changed become extra dates when their slots go.
    pub keeps_orphans: bool,
    /// The fields of an occurrence that follow its series again.
    pub reset: Option<Reset>,
    /// Whether an occurrence becomes an event of its own.
    pub detach: bool,
}
