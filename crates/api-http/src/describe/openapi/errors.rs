//! The schemas of errors.

use serde_json::{Value, json};

use super::build::{address, integer, no_values, object, text};

/// The fields of `data`.
fn data_fields() -> Value {
    let text_by_name = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let names = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "status": integer("The HTTP status."),
        "params": {
            "anyOf": [names, text_by_name],
            "description": "Names of missing fields, or faults by field.",
        },
        "details": {
            "anyOf": [{ "type": "object" }, no_values("No details.")],
            "description": "Details of faults, by field; an empty list if there are none.",
        },
        "term_id": integer("The ID of the term with this name."),
        "moved_to": address("The URL in this interface of the record that had the slug before."),
        "json_error_code": integer("The number of a JSON syntax error."),
        "json_error_message": text("The description of the JSON error."),
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
        "An error.",
        [
            ("code", text("The error code, for programs.")),
            (
                "message",
                text("The message for people, in the language of the request."),
            ),
            ("data", data),
        ],
        [],
    )
}

pub(super) fn problem() -> Value {
    let mut schema = object(
        "An error as problem details (RFC 9457).",
        [
            ("type", text("`about:blank`: `code` names the problem.")),
            ("title", text("The reason phrase of the status.")),
            (
                "detail",
                text("The message for people, in the language of the request."),
            ),
            ("code", text("The error code, for programs.")),
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
