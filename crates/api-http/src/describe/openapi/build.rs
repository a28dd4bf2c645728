//! Pieces that schemas are made of.

use serde_json::{Map, Value, json};

/// A field of an object: its name and its schema.
pub(super) type Field = (&'static str, Value);

/// An object with these fields and no others, of which some may be missing.
pub(super) fn object<const N: usize, const M: usize>(
    about: &str,
    always: [(&str, Value); N],
    sometimes: [(&str, Value); M],
) -> Value {
    let required: Vec<_> = always.iter().map(|(name, _)| (*name).to_owned()).collect();
    let properties: Map<_, _> = always
        .into_iter()
        .chain(sometimes)
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    json!({
        "type": "object",
        "description": about,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

pub(super) fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

pub(super) fn integer(about: &str) -> Value {
    json!({ "type": "integer", "description": about })
}

pub(super) fn address(about: &str) -> Value {
    json!({ "type": "string", "format": "uri", "description": about })
}

pub(super) fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

/// True or false; null while the content of the event is locked.
pub(super) fn lockable(about: &str) -> Value {
    json!({ "type": ["boolean", "null"], "description": format!("{about} `null` while locked.") })
}

pub(super) fn date(about: &str) -> Value {
    json!({
        "type": "string",
        "pattern": r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$",
        "description": about,
        "examples": ["2027-04-17 09:00:00"],
    })
}

pub(super) fn list_of(schema: &Value, about: &str) -> Value {
    json!({ "type": "array", "items": schema, "description": about })
}

/// A list that has no values.
pub(super) fn no_values(about: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "maxItems": 0, "description": about })
}

/// Adds fields that are always there to the schema of an object.
pub(super) fn with<const N: usize>(mut schema: Value, always: [Field; N]) -> Value {
    for (name, field) in always {
        schema["properties"][name] = field;
        if let Some(required) = schema["required"].as_array_mut() {
            required.push(json!(name));
        }
    }
    schema
}
