//! The schemas of errors.

use serde_json::{Value, json};

use super::build::{address, integer, no_values, object, text};

/// The fields of `data`.
fn data_fields() -> Value {
    let text_by_name = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let names = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "status": integer("The status of the answer."),
        "params": {
            "anyOf": [names, text_by_name],
            "description": "Missing fields, or what is wrong with fields, by name.",
        },
        "details": {
            "anyOf": [{ "type": "object" }, no_values("Nothing more.")],
            "description": "More on bad fields, by name; an empty list if there is none.",
        },
        "term_id": integer("The term that has the name."),
        "moved_to": address("The address in this interface of the record that gave up the slug."),
        "json_error_code": integer("A number for a syntax error."),
        "json_error_message": text("What is wrong with the JSON."),
    })
}

pub(super) fn error() -> Value {
    let data = json!({
        "type": "object",
        "properties": data_fields(),
        "required": ["status"],
        "additionalProperties": false,
    });
    object(
        "Why something was not done.",
        [
            ("code", text("For programs.")),
            (
                "message",
                text("For people, in the language of the request."),
            ),
            ("data", data),
        ],
        [],
    )
}

pub(super) fn problem() -> Value {
    let mut schema = object(
        "Why something was not done, as RFC 9457 has it.",
        [
            ("type", text("`about:blank`: the code tells more.")),
            ("title", text("What the status means.")),
            (
                "detail",
                text("For people, in the language of the request."),
            ),
            ("code", text("For programs.")),
        ],
        [],
    );
    if let (Some(properties), Value::Object(data)) =
        (schema["properties"].as_object_mut(), data_fields())
    {
        properties.extend(data);
    }
    schema
}
