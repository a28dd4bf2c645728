//! Builders of schemas.

use serde_json::{Map, Value, json};

/// A reference to a schema of the document.
pub(super) fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// An object with required and optional fields and no others.
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

/// A list that is always empty.
pub(super) fn no_values(about: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "maxItems": 0, "description": about })
}
