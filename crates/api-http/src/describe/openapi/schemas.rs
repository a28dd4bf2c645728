//! The schemas that the document names.

use domain::Kind;
use serde_json::{Map, Value, json};

use super::{build, capital, preset, records};
use crate::describe::{fields_of, is_term};

/// All of them, by name.
pub(super) fn all() -> Value {
    let mut schemas = Map::new();
    for (name, schema) in records::all() {
        schemas.insert(name.to_owned(), schema);
    }
    for kind in Kind::ALL {
        schemas.insert(list_name(kind), list(kind));
        for is_new in [false, true] {
            schemas.insert(of_fields(kind, is_new), fields(kind, is_new));
        }
    }
    Value::Object(schemas)
}

/// The name of the schema of a record.
pub(super) fn of_record(kind: Kind) -> String {
    if is_term(kind) {
        "Term".to_owned()
    } else {
        capital(kind.name())
    }
}

/// The name of the schema of a list.
pub(super) fn list_name(kind: Kind) -> String {
    format!("{}List", capital(kind.name()))
}

/// The name of the schema of the fields of a write.
pub(super) fn of_fields(kind: Kind, is_new: bool) -> String {
    let purpose = if is_new { "Create" } else { "Update" };
    format!("{}{purpose}", capital(kind.name()))
}

/// A schema by its name.
pub(super) fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list(kind: Kind) -> Value {
    let address = |about: &str| json!({ "type": "string", "format": "uri", "description": about });
    let number = |about: &str| json!({ "type": "integer", "minimum": 0, "description": about });
    build::object(
        &format!("A page of a list of {}.", kind.plural()),
        [
            (
                kind.plural(),
                json!({ "type": "array", "items": named(&of_record(kind)) }),
            ),
            ("rest_url", address("The address of this page.")),
            ("total", number("Records on all pages.")),
            ("total_pages", number("Pages.")),
        ],
        [
            (
                "next_rest_url",
                address("The address of the next page, if there is one."),
            ),
            (
                "previous_rest_url",
                address("The address of the page before, if there is one."),
            ),
        ],
    )
}

fn fields(kind: Kind, is_new: bool) -> Value {
    let fields = fields_of(kind, is_new);
    let properties: Map<_, _> = fields
        .iter()
        .map(|field| {
            let mut schema = field.shape.schema();
            schema["description"] = json!(field.description);
            if is_new {
                preset(&mut schema, field.preset);
            }
            (field.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<_> = fields
        .iter()
        .filter(|field| field.required)
        .map(|field| field.name)
        .collect();
    let what = if is_new {
        "The fields of a new"
    } else {
        "Changes of a"
    };
    let mut schema = json!({
        "type": "object",
        "description": format!("{what} {}.", kind.name()),
        "properties": properties,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}
