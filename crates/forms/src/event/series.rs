//! The fields of a change of a series or of an occurrence.

use app::{
    event::{Reset, Scope, SeriesChange},
    fault::{ExpectedType, Fault},
};
use domain::event::OverrideField;
use serde_json::Value;

use crate::{
    field::{DefaultValue, Output, Param, Schema, values, written},
    input::Input,
};

declare! {
    /// The occurrences of a series to change: `this` one, this and all `following` ones, or `all`. The
    /// default of a series is `all`, its only value.
    pub SCOPE: Scope, Schema::OneOf(&["this", "following", "all"]), default(DefaultValue::Conditional("this")) => scope, written::text as Scope;
    /// `reset` drops the own fields and cancellations of the occurrences in range.
    OVERRIDES: Overrides, Schema::OneOf(&["keep", "reset"]), default(DefaultValue::Text("keep"));
    /// The fate of an occurrence with own fields that loses its slot: `trash`, or `keep`, which
    /// makes its slot an extra date.
    ORPHANS: Orphans, Schema::OneOf(&["trash", "keep"]), default(DefaultValue::Text("trash"));
    /// Fields of an occurrence that follow the series again: their names, or `true` for all.
    RESET: Reset, Schema::FieldNames => reset, write_reset as Option<Reset>;
    /// Make an occurrence an event of its own.
    DETACH: Detach, Schema::Boolean, default(DefaultValue::Flag(false)) => values::boolean, written::json as bool;
}

/// Fields of a change of a series or an occurrence that the query may have, too.
pub const WHICH_OCCURRENCES: [Param; 3] = [SCOPE.param, OVERRIDES, ORPHANS];

/// Fields of a change of an occurrence.
pub(super) const OCCURRENCE: [Param; 2] = [RESET.param, DETACH.param];

/// Reads the fields.
pub(super) fn read(input: &mut Input<'_>) -> SeriesChange {
    let mut word = |field: &Param, one: &'static str, other: &'static str| {
        let is_one = input.read(field, |value| match values::text(value)? {
            text if text == one => Ok(true),
            text if text == other => Ok(false),
            _ => Err(Fault::NotOneOf(vec![one, other])),
        });
        is_one.unwrap_or(false)
    };
    SeriesChange {
        resets_overrides: word(&OVERRIDES, "reset", "keep"),
        keeps_orphans: word(&ORPHANS, "keep", "trash"),
        scope: input.take(&SCOPE),
        reset: input.take(&RESET).flatten(),
        detach: input.take(&DETACH).unwrap_or(false),
    }
}

/// Writes the fields.
pub(super) fn write(output: &mut Output, change: &SeriesChange) {
    let SeriesChange {
        scope,
        resets_overrides,
        keeps_orphans,
        reset,
        detach,
    } = change;
    output.set(&SCOPE, scope.as_ref());
    if *resets_overrides {
        output.put(&OVERRIDES, "reset");
    }
    if *keeps_orphans {
        output.put(&ORPHANS, "keep");
    }
    output.set(&RESET, reset.is_some().then_some(reset));
    output.set(&DETACH, detach.then_some(detach));
}

#[expect(clippy::ref_option, reason = "the form of all writers")]
fn write_reset(reset: &Option<Reset>) -> Value {
    match reset {
        None => false.into(),
        Some(Reset::All) => true.into(),
        Some(Reset::Fields(fields)) => fields.iter().map(|field| field.name()).collect(),
    }
}

fn scope(value: &Value) -> Result<Scope, Fault> {
    let scope = values::text(value)?.parse();
    scope.map_err(|_| Fault::NotOneOf(Scope::ALL.map(Scope::name).to_vec()))
}

fn reset(value: &Value) -> Result<Option<Reset>, Fault> {
    if let Ok(all) = values::boolean(value) {
        return Ok(all.then_some(Reset::All));
    }
    let names = match value {
        Value::String(names) => names.split(',').map(str::trim).collect(),
        Value::Array(names) => {
            let names: Option<Vec<_>> = names.iter().map(Value::as_str).collect();
            names.ok_or(Fault::Type(ExpectedType::FieldNames))?
        }
        _ => return Err(Fault::Type(ExpectedType::FieldNames)),
    };
    let known = || {
        OverrideField::ALL
            .iter()
            .map(|field| field.name())
            .collect()
    };
    let fields = names.into_iter().map(str::parse).collect::<Result<_, _>>();
    fields
        .map(|fields| Some(Reset::Fields(fields)))
        .map_err(|_| Fault::NotOneOf(known()))
}
