//! The schemas of parts of records, and of answers that are no records.

use domain::ticket::Price;
use serde_json::{Value, json};

use super::{
    build::{address, date, integer, list_of, no_values, object, text},
    schemas::named,
};
use crate::describe::shape::Shape;

pub(super) fn image() -> Value {
    let sizes = json!({
        "type": "object",
        "additionalProperties": named("ImageSize"),
        "description": "Smaller sizes by name.",
    });
    object(
        "A picture. What is not known of it is left out.",
        [
            ("url", address("The picture in full size.")),
            ("id", integer("Its number.")),
            ("extension", text("Its type, as the end of a file's name.")),
        ],
        [
            ("width", integer("In pixels.")),
            ("height", integer("In pixels.")),
            ("filesize", integer("In bytes.")),
            ("sizes", sizes),
        ],
    )
}

pub(super) fn image_size() -> Value {
    object(
        "A picture in a smaller size.",
        [
            ("width", integer("In pixels.")),
            ("height", integer("In pixels.")),
            ("mime-type", text("Its media type.")),
            ("filesize", integer("In bytes.")),
            ("url", address("The picture.")),
        ],
        [],
    )
}

pub(super) fn date_details() -> Value {
    let two = |about: &str| json!({ "type": "string", "pattern": r"^\d\d$", "description": about });
    object(
        "The parts of a date, padded with zeros.",
        [
            (
                "year",
                json!({ "type": "string", "pattern": r"^\d{4}$", "description": "Four digits." }),
            ),
            ("month", two("From 01 to 12.")),
            ("day", two("From 01 to 31.")),
            ("hour", two("From 00 to 23.")),
            ("minutes", two("From 00 to 59.")),
            ("seconds", two("From 00 to 59.")),
        ],
        [],
    )
}

pub(super) fn cost_details() -> Value {
    let amount = json!({ "type": "string", "pattern": r"^\d*\.?\d+$" });
    object(
        "What an event costs, in parts.",
        [
            (
                "currency_symbol",
                text("The symbol that all amounts have, or nothing."),
            ),
            (
                "currency_code",
                text("The currency by its three letters, or nothing."),
            ),
            (
                "currency_position",
                json!({
                    "type": "string",
                    "enum": ["prefix", "postfix", ""],
                    "description": "Where the symbol stands.",
                }),
            ),
            ("values", list_of(&amount, "The amounts, ascending.")),
        ],
        [],
    )
}

pub(super) fn ticket() -> Value {
    object(
        "A ticket.",
        [
            ("name", text("What it is called.")),
            ("price", text("The price, as decimal digits.")),
            (
                "currency",
                text("The currency by its three letters (ISO 4217)."),
            ),
        ],
        [
            ("url", address("Where it is sold.")),
            ("available_from", date("Since when it is sold.")),
            ("available_until", date("Until when it is sold.")),
        ],
    )
}

/// A ticket as it is sent.
pub(super) fn ticket_fields() -> Value {
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

pub(super) fn json_ld() -> Value {
    json!({
        "type": "object",
        "description": "The record in the words of schema.org; only where one record is read.",
        "properties": { "@type": { "type": "string" } },
        "required": ["@type"],
        "additionalProperties": true,
    })
}

pub(super) fn index() -> Value {
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

pub(super) fn error() -> Value {
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
    if let (Some(properties), Value::Object(told)) = (schema["properties"].as_object_mut(), told())
    {
        properties.extend(told);
    }
    schema
}
