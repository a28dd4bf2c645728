//! Parameters of the protocol: selection of fields, envelope, conditional requests, idempotency
//! keys.

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
    let mut parameters = json!({
        "Envelope": {
            "name": "_envelope",
            "in": "query",
            "description": "`1` wraps the answer in an object with `body`, `status` and `headers`. The response \
                            itself then has the status 200.",
            "required": false,
            "schema": { "type": "string", "enum": ["1", "true"] },
        },
        "IfNoneMatch": header(
            "If-None-Match",
            "The `ETag` of a copy. If the copy is current, the answer is 304.",
            "\"1-0a1b2c\"",
        ),
        "IfModifiedSince": header(
            "If-Modified-Since",
            "The `Last-Modified` of a copy. If the copy is current, the answer is 304. It has no effect for events \
             and terms, nor for venues and organizers with an image: their linked records change without a \
             date. `If-None-Match` has an effect for all.",
            "Sat, 17 Oct 2026 07:00:00 GMT",
        ),
        "IfMatch": header(
            "If-Match",
            "The `ETag` of the record to change, or `*` for any. If the record has changed since, the answer is 412.",
            "*",
        ),
        "Prefer": header(
            "Prefer",
            "`handling=strict` refuses unknown parameters, which are otherwise ignored.",
            "handling=strict",
        ),
        "IfUnmodifiedSince": header(
            "If-Unmodified-Since",
            "The `Last-Modified` of the record to change. If the record itself has changed since, the answer is \
             412. It has no effect together with `If-Match`, nor for terms, which have no date.",
            "Fri, 17 Apr 2099 07:00:00 GMT",
        ),
        "IdempotencyKey": header(
            "Idempotency-Key",
            "A text chosen by the client. A repetition with the same body within 24 hours gets the first answer \
             again and creates nothing.",
            "3f0c6a0e-5f1e-4a3b-8f6d-2d1f4c1b7a90",
        ),
    });
    // Visible ASCII characters.
    parameters["IdempotencyKey"]["schema"]["pattern"] = json!("^[!-~]{1,255}$");
    parameters
}

/// The protocol parameters of an operation.
pub(super) fn of(action: Action) -> Vec<Value> {
    let own: &[&str] = match action {
        Action::Create(_) | Action::Upload | Action::CreateFeed => &["IdempotencyKey"],
        Action::Read(..) | Action::ReadImage => &["IfNoneMatch", "IfModifiedSince"],
        _ if action.takes_precondition() => &["IfMatch", "IfUnmodifiedSince"],
        _ if action.is_write() => &[],
        _ => &["IfNoneMatch"],
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
        "description": "The fields of the answer to return, with dots into objects and lists. All others are left out, \
                        including those that the schema requires.",
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
        Action::Changes => names("changes.id", "sync_token"),
        Action::List(kind) => {
            let plural = kind.plural();
            [format!("{plural}.id"), format!("{plural}.{}", title(kind))]
        }
        Action::Occurrences => names("events.id", "events.start_date"),
        Action::Verify => names("id", "verified_at"),
        Action::Create(kind)
        | Action::Read(kind, _)
        | Action::Update(kind, _)
        | Action::Restore(kind)
        | Action::Delete(kind, _) => names("id", title(kind)),
        Action::Upload | Action::ReadImage | Action::UpdateImage => names("id", "url"),
        Action::Import => names("created", "refused"),
        Action::DeleteImage | Action::DeleteFeed | Action::DeleteSource => {
            names("deleted", "previous.id")
        }
        Action::ListDuplicates => names("duplicates.id", "duplicates.score"),
        Action::Revisions(_) => names("revisions.n", "revisions.changes"),
        Action::Audit => names("audit.at_utc", "audit.changes"),
        Action::MergeDuplicate | Action::DismissDuplicate | Action::UndoMerge => {
            names("id", "records.id")
        }
        Action::ListSources => names("sources.id", "sources.state"),
        Action::CreateSource
        | Action::ReadSource
        | Action::UpdateSource
        | Action::RunSource
        | Action::PauseSource
        | Action::ResumeSource => names("id", "state"),
        Action::ListFeeds => names("feeds.id", "feeds.name"),
        Action::CreateFeed | Action::ReadFeed => names("id", "name"),
    }
}
