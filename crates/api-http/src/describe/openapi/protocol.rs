//! Parameters of the protocol: selection of fields, envelope, conditional requests, idempotency keys.

use domain::Kind;
use serde_json::{Value, json};

use crate::describe::action::Action;

/// The shared parameters, by name.
pub(super) fn parameters() -> Value {
    let header = |name: &str, about: &str, example: &str| {
        json!({
            "name": name,
            "in": "header",
            "description": about,
            "required": false,
            "schema": { "type": "string" },
            "example": example,
        })
    };
    json!({
        "Envelope": {
            "name": "_envelope",
            "in": "query",
            "description": "`1` puts the answer, its status and its headers into an object with `body`, \
                            `status` and `headers`, which is answered with the status 200.",
            "required": false,
            "schema": { "type": "string", "enum": ["1", "true"] },
        },
        "IfNoneMatch": header(
            "If-None-Match",
            "The `ETag` of a copy; if it is still good, the answer is 304.",
            "\"1-0a1b2c\"",
        ),
        "IfModifiedSince": header(
            "If-Modified-Since",
            "The `Last-Modified` of a copy; if it is still good, the answer is 304. It has no effect for \
             events and terms, nor for venues and organizers with an image: what is linked with them comes \
             and goes without a date. `If-None-Match` has an effect for all.",
            "Sat, 17 Oct 2026 07:00:00 GMT",
        ),
        "IfMatch": header(
            "If-Match",
            "The `ETag` of the record that the write is meant for, or `*` for any; if it has changed since, the \
             answer is 412.",
            "*",
        ),
        "Prefer": header(
            "Prefer",
            "`handling=strict` refuses parameters that are not known, which are ignored otherwise.",
            "handling=strict",
        ),
        "IfUnmodifiedSince": header(
            "If-Unmodified-Since",
            "The `Last-Modified` of the record that the write is meant for; if the record itself has \
             changed since, the answer is 412. It has no effect beside `If-Match`, nor for terms, which \
             have no date.",
            "Fri, 17 Apr 2099 07:00:00 GMT",
        ),
        "IdempotencyKey": key(header(
            "Idempotency-Key",
            "A text of your choice. Sent again with the same body within a day, it gets the first answer \
             again, and nothing is added twice.",
            "3f0c6a0e-5f1e-4a3b-8f6d-2d1f4c1b7a90",
        )),
    })
}

/// Restricts a key to visible ASCII characters.
fn key(mut parameter: Value) -> Value {
    parameter["schema"]["pattern"] = json!("^[!-~]{1,255}$");
    parameter
}

/// The protocol parameters of an operation.
pub(super) fn of(action: Action) -> Vec<Value> {
    let own: &[&str] = match action {
        Action::Create(_) | Action::Upload => &["IdempotencyKey"],
        Action::Update(..) | Action::Delete(..) | Action::DeleteImage => {
            &["IfMatch", "IfUnmodifiedSince"]
        }
        Action::Read(..) | Action::ReadImage => &["IfNoneMatch", "IfModifiedSince"],
        Action::Index | Action::Document | Action::List(_) => &["IfNoneMatch"],
    };
    let names = own.iter().chain(&["Prefer", "Envelope"]);
    let shared = names.map(|name| json!({ "$ref": format!("#/components/parameters/{name}") }));
    shared.chain([fields(action)]).collect()
}

/// The parameter `_fields`.
fn fields(action: Action) -> Value {
    json!({
        "name": "_fields",
        "in": "query",
        "description": "Only these fields of the answer, with dots into objects and lists. The answer has \
                        then no others, also of those that its schema requires.",
        "required": false,
        "schema": { "type": "array", "items": { "type": "string" } },
        "style": "form",
        "explode": false,
        "example": picked(action),
    })
}

/// An example of `_fields`.
fn picked(action: Action) -> [String; 2] {
    let names = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
    let title = |kind: Kind| match kind {
        Kind::Event => "title",
        Kind::Venue => "venue",
        Kind::Organizer => "organizer",
        Kind::Category | Kind::Tag => "name",
    };
    match action {
        Action::Index => names("namespace", "_links"),
        Action::Document => names("info", "servers"),
        Action::List(kind) => {
            let plural = kind.plural();
            [format!("{plural}.id"), format!("{plural}.{}", title(kind))]
        }
        Action::Create(kind)
        | Action::Read(kind, _)
        | Action::Update(kind, _)
        | Action::Delete(kind, _) => names("id", title(kind)),
        Action::Upload | Action::ReadImage => names("id", "url"),
        Action::DeleteImage => names("deleted", "previous.id"),
    }
}
