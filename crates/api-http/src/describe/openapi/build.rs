//! Builders of schemas.

use serde_json::{Value, json};

/// A reference to a schema of the document.
pub(super) fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
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
