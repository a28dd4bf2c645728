//! The schemas of parts of records, and of answers that are no records.

use domain::ticket::Price;
use serde_json::{Value, json};

use super::build::{address, integer, list_of, no_values, object, text};
use crate::describe::shape::Shape;

/// The schemas, by name.
pub(super) fn schemas() -> [(String, Value); 4] {
    [
        ("TicketFields", ticket_fields()),
        ("Index", index()),
        ("Error", error()),
        ("Problem", problem()),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
}

/// A ticket as it is sent.
fn ticket_fields() -> Value {
    let described = |shape: Shape, about: &str| {
        let mut schema = shape.schema();
        schema["description"] = json!(about);
        schema
    };
    let price = format!(
        "The price: a number, or decimal digits as text; at most {} digits, of which {} are decimals.",
        Price::MAX_DIGITS,
        Price::MAX_DECIMALS
    );
    let schema = object(
        "A ticket of an event, as it is sent.",
        [
            ("name", described(Shape::Title, "What it is called.")),
            (
                "price",
                json!({ "type": ["string", "number"], "minimum": 0, "description": price }),
            ),
            (
                "currency",
                json!({
                    "type": "string",
                    "pattern": "^[A-Za-z]{3}$",
                    "description": "The currency by its three letters (ISO 4217).",
                }),
            ),
        ],
        [
            (
                "url",
                described(Shape::Url, "Where it is sold (http or https)."),
            ),
            (
                "available_from",
                described(
                    Shape::Date,
                    "Since when it is sold, by the clocks of the event.",
                ),
            ),
            (
                "available_until",
                described(
                    Shape::Date,
                    "Until when it is sold, not before `available_from`.",
                ),
            ),
        ],
    );
    // Unknown fields are ignored.
    let mut schema = schema;
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("additionalProperties");
    }
    schema
}

fn index() -> Value {
    let links = json!({ "type": "object" });
    let endpoint = object(
        "Some methods of a route.",
        [
            (
                "methods",
                list_of(&json!({ "type": "string" }), "The methods."),
            ),
            (
                "args",
                json!({ "type": "object", "description": "What they take, by name." }),
            ),
        ],
        [],
    );
    let route = object(
        "A route.",
        [
            ("namespace", text("The namespace.")),
            (
                "methods",
                list_of(&json!({ "type": "string" }), "All its methods."),
            ),
            ("endpoints", list_of(&endpoint, "What its methods take.")),
        ],
        [("_links", links.clone())],
    );
    object(
        "What the namespace offers.",
        [
            ("namespace", text("The namespace.")),
            (
                "routes",
                json!({ "type": "object", "additionalProperties": route }),
            ),
            (
                "zone_data",
                text("The version of the time zone data, such as 2026c."),
            ),
            ("_links", links),
        ],
        [],
    )
}

/// What is told of an error beside its code and its message.
fn told() -> Value {
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

fn error() -> Value {
    let data = json!({
        "type": "object",
        "properties": told(),
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

fn problem() -> Value {
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
    if let (Some(properties), Value::Object(told)) = (schema["properties"].as_object_mut(), told())
    {
        properties.extend(told);
    }
    schema
}
