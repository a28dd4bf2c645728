//! The fields of a write that say which occurrences of a series it changes, and how.

use domain::event::{OwnField, OwnFields, Scope};
use serde_json::Value;

use crate::input::{self, ExpectedType, Fault, Input};

/// Reads the field `scope`.
pub(crate) fn read_scope(input: &mut Input<'_>) -> Option<Scope> {
    input.read("scope", |value| {
        let name = input::text(value)?;
        let scope = Scope::ALL.into_iter().find(|scope| scope.name() == name);
        scope.ok_or_else(|| Fault::NotOneOf(Scope::ALL.map(Scope::name).to_vec()))
    })
}

/// The fields that follow the series again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reset {
    All,
    Fields(Vec<OwnField>),
}

impl Reset {
    fn read(value: &Value) -> Result<Option<Self>, Fault> {
        if let Ok(all) = input::boolean(value) {
            return Ok(all.then_some(Self::All));
        }
        let names = match value {
            Value::String(names) => names.split(',').map(str::trim).collect(),
            Value::Array(names) => {
                let names: Option<Vec<_>> = names.iter().map(Value::as_str).collect();
                names.ok_or(Fault::Type(ExpectedType::FieldNames))?
            }
            _ => return Err(Fault::Type(ExpectedType::FieldNames)),
        };
        let known = || OwnField::ALL.iter().map(|field| field.name()).collect();
        let fields = names.into_iter().map(str::parse).collect::<Result<_, _>>();
        fields
            .map(|fields| Some(Self::Fields(fields)))
            .map_err(|_| Fault::NotOneOf(known()))
    }

    /// The own fields that remain. A reset of any of `start_date`, `end_date`, `timezone` and `all_day`
    /// resets all four.
    pub(crate) fn apply(&self, own: &OwnFields) -> OwnFields {
        let Self::Fields(fields) = self else {
            return OwnFields::default();
        };
        let mut own = own.clone();
        for field in fields {
            own.remove(*field);
            if field.is_of_time() {
                for other in OwnField::ALL.into_iter().filter(|one| one.is_of_time()) {
                    own.remove(other);
                }
            }
        }
        own
    }
}

/// The fields of an update that concern series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeriesFields {
    pub(crate) scope: Option<Scope>,
    /// Whether occurrences lose their own fields and cancellations.
    pub(crate) resets_overrides: bool,
    /// Whether occurrences that a person changed become extra dates when their slots go.
    pub(crate) keeps_orphans: bool,
    pub(crate) reset: Option<Reset>,
    pub(crate) detach: bool,
}

impl SeriesFields {
    pub(crate) fn read(input: &mut Input<'_>) -> Self {
        let mut word = |name, one: &'static str, other: &'static str| {
            let is_one = input.read(name, |value| match input::text(value)? {
                text if text == one => Ok(true),
                text if text == other => Ok(false),
                _ => Err(Fault::NotOneOf(vec![one, other])),
            });
            is_one.unwrap_or(false)
        };
        Self {
            resets_overrides: word("overrides", "reset", "keep"),
            keeps_orphans: word("orphans", "keep", "trash"),
            scope: read_scope(input),
            reset: input.read("reset", Reset::read).flatten(),
            detach: input.read("detach", input::boolean).unwrap_or(false),
        }
    }
}
