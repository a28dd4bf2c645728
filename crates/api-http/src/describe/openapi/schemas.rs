//! The schemas that the document names.

use app::request::Purpose;
use domain::Kind;
use serde_json::{Map, Value, json};

use super::{
    build::{self, named},
    capital, parts, records,
};
use crate::describe::{fields_of, is_term};

/// The forms in which fields are sent, each with what its schema is named after. Generated clients tell
/// bodies apart by the names of their types.
pub(super) const BODIES: [(&str, &str); 3] = [
    ("application/json", ""),
    ("application/x-www-form-urlencoded", "Form"),
    ("multipart/form-data", "Parts"),
];

/// All of them, by name.
pub(super) fn all() -> Value {
    let mut schemas = records::schemas();
    schemas.extend(parts::schemas());
    for kind in Kind::ALL {
        schemas.insert(list_name(kind), list(kind));
        for purpose in [Purpose::Update, Purpose::Create] {
            let name = of_fields(kind, purpose);
            for (content_type, suffix) in &BODIES[1..] {
                let same = json!({ "type": "object", "description": format!("The same as `{content_type}`.") });
                schemas.insert(
                    format!("{name}{suffix}"),
                    json!({ "allOf": [named(&name), same] }),
                );
            }
            schemas.insert(name, fields(kind, purpose));
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
pub(super) fn of_fields(kind: Kind, purpose: Purpose) -> String {
    let verb = match purpose {
        Purpose::Create => "Create",
        Purpose::Update => "Update",
    };
    format!("{}{verb}", capital(kind.name()))
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

fn fields(kind: Kind, purpose: Purpose) -> Value {
    let fields = fields_of(kind, purpose);
    let properties: Map<_, _> = fields
        .iter()
        .map(|field| {
            let mut schema = field.shape.schema();
            // No `default`: types made from the schema would require a field that has one.
            schema["description"] = json!(field.description);
            (field.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<_> = fields
        .iter()
        .filter(|field| field.required)
        .map(|field| field.name)
        .collect();
    let what = match purpose {
        Purpose::Create => "The fields of a new",
        Purpose::Update => "Changes of a",
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
