//! The schemas of errors.

use serde_json::{Value, json};

use super::build::{address, integer, text};

/// The fields of `data`.
fn data_fields() -> Value {
    let text_by_name = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let names = json!({ "type": "array", "items": { "type": "string" } });
    let mut no_details = names.clone();
    no_details["maxItems"] = json!(0);
    no_details["description"] = json!("No details.");
    json!({
        "status": integer("The HTTP status."),
        "params": {
            "anyOf": [names, text_by_name],
            "description": "Names of missing fields, or faults by field.",
        },
        "details": {
            "anyOf": [{ "type": "object" }, no_details],
            "description": "Details of faults, by field; an empty list if there are none.",
        },
        "term_id": integer("The ID of the term with this name."),
        "reason": text("Why the token has expired: `too-old`, `unknown` or `caller`."),
        "full_url": address("The URL of the list of changes without a token."),
        "moved_to": address("The URL in this interface of the record that had the slug before, or into which the record was merged."),
        "json_error_code": integer("The number of a JSON syntax error."),
        "json_error_message": text("The description of the JSON error."),
    })
}

pub(super) fn error() -> Value {
    json!({
        "type": "object",
        "description": "An error.",
        "properties": {
            "code": text("The error code, for programs."),
            "message": text("The message for people, in the language of the request."),
            "data": {
                "type": "object",
                "properties": data_fields(),
                "required": ["status"],
                "additionalProperties": false,
            },
        },
        "required": ["code", "message", "data"],
        "additionalProperties": false,
        "examples": [{
            "code": "rest_missing_callback_param",
            "message": "Missing parameter(s): start_date, end_date",
            "data": { "status": 400, "params": ["start_date", "end_date"] },
        }],
    })
}

pub(super) fn problem() -> Value {
    let mut properties = json!({
        "type": text("`about:blank`: `code` names the problem."),
        "title": text("The reason phrase of the status."),
        "detail": text("The message for people, in the language of the request."),
        "code": text("The error code, for programs."),
    });
    for (name, schema) in data_fields().as_object().into_iter().flatten() {
        properties[name] = schema.clone();
    }
    json!({
        "type": "object",
        "description": "An error as problem details (RFC 9457).",
        "properties": properties,
        "required": ["type", "title", "detail", "code"],
        "additionalProperties": false,
    })
}
