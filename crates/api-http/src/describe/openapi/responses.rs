//! The responses of operations.

use std::collections::BTreeMap;

use domain::Kind;
use http_service::error;
use serde_json::{Map, Value, json};

use super::{
    build::named,
    examples,
    schemas::{list_name, of_record},
};
use crate::describe::{action::Action, is_term};

/// Error codes by status.
type Codes = BTreeMap<u16, Vec<&'static str>>;

/// Errors that have one meaning in all operations: status, code, name among the components.
const SHARED: [(u16, &str, &str); 6] = [
    (413, "payload_too_large", "TooLarge"),
    (414, "uri_too_long", "QueryTooLong"),
    (415, "unsupported_media_type", "UnsupportedMediaType"),
    (429, "rate_limited", "TooManyAttempts"),
    (500, "internal_server_error", "Failed"),
    (503, "service_unavailable", "Unavailable"),
];

/// The shared errors, by name.
pub(super) fn shared() -> Value {
    let responses = SHARED.iter().map(|(status, code, name)| {
        let mut response = refusal(*status, &[code]);
        if matches!(status, 429 | 503) {
            response["headers"] = header_refs(&["Retry-After"]);
        }
        ((*name).to_owned(), response)
    });
    Value::Object(responses.collect())
}

/// Headers of responses, by name.
pub(super) fn headers() -> Value {
    let number = |about: &str| json!({ "description": about, "required": true, "schema": { "type": "integer" } });
    let text = |about: &str| json!({ "description": about, "schema": { "type": "string" } });
    json!({
        "X-TEC-Total": number("The number of records on all pages."),
        "X-TEC-TotalPages": number("The number of pages."),
        "X-WP-Total": number("The same as `X-TEC-Total`."),
        "X-WP-TotalPages": number("The same as `X-TEC-TotalPages`."),
        "X-Calendar-Horizon": text(
            "The instant up to which the list is complete (RFC 3339); with the member `horizon`.",
        ),
        "Link": text("The previous and the next page (RFC 8288)."),
        "Location": {
            "description": "The URL of the new record.",
            "required": true,
            "schema": { "type": "string", "format": "uri" },
        },
        "ETag": text("The entity tag of the answer, for `If-None-Match` and `If-Match`."),
        "Last-Modified": text("The time of the last change."),
        "Content-Language": text("The language of texts and messages."),
        "Retry-After": number("The time to wait, in seconds."),
        "WWW-Authenticate": {
            "description": "The accepted authentication schemes.",
            "required": true,
            "schema": { "type": "string" },
        },
    })
}

/// The responses of an operation, by status.
pub(super) fn of(action: Action) -> Value {
    let mut responses = Map::new();
    let (status, mut success) = success(action);
    let examples = examples::names(action).into_iter().map(|name| {
        let example = json!({ "$ref": format!("#/components/examples/{name}") });
        (name, example)
    });
    success["content"]["application/json"]["examples"] = Value::Object(examples.collect());
    responses.insert(status.to_string(), success);
    if !action.is_write() {
        let current = json!({ "description": "The client's copy is current." });
        responses.insert("304".to_owned(), current);
    }
    for (status, codes) in codes(action) {
        let mut response = refusal(status, &codes);
        if status == 401 {
            response["headers"] = header_refs(&["WWW-Authenticate"]);
        }
        responses.insert(status.to_string(), response);
    }
    for (status, _, name) in SHARED {
        let response = json!({ "$ref": format!("#/components/responses/{name}") });
        responses.insert(status.to_string(), response);
    }
    responses.sort_keys();
    Value::Object(responses)
}

/// The status and the response of a successful operation.
fn success(action: Action) -> (u16, Value) {
    const TOTALS: &[&str] = &[
        "X-TEC-Total",
        "X-TEC-TotalPages",
        "X-WP-Total",
        "X-WP-TotalPages",
        "Link",
    ];
    let record = |kind: Kind| named(&of_record(kind));
    let image = named("Image");
    let (status, description, schema, headers): (u16, _, _, &[&str]) = match action {
        Action::Index => (200, "The routes of the namespace.", named("Index"), &[]),
        Action::Document => {
            let schema = json!({ "type": "object", "required": ["openapi", "info", "paths"] });
            (200, "This document.", schema, &[])
        }
        Action::Changes => (200, "A page of the changes.", named("ChangeList"), &[]),
        Action::List(kind) => (200, "A page of the list.", named(&list_name(kind)), TOTALS),
        Action::Occurrences => {
            let list = named(&list_name(Kind::Event));
            (200, "A page of the occurrences.", list, TOTALS)
        }
        Action::Create(kind) => (201, "The new record.", record(kind), &["Location"]),
        Action::Read(kind, _) => (200, "The record.", record(kind), &[]),
        Action::Update(kind, _) | Action::Restore(kind) => {
            (200, "The record after the change.", record(kind), &[])
        }
        Action::Revisions(_) => (200, "A page of the list.", named("RevisionList"), TOTALS),
        Action::Verify => (200, "The event.", record(Kind::Event), &[]),
        Action::Upload => (201, "The new image.", image, &["Location"]),
        Action::ReadImage => (200, "The image.", image, &[]),
        Action::UpdateImage => (200, "The image after the change.", image, &[]),
        Action::Import => (
            200,
            "What became of the events.",
            named("ImportReport"),
            &[],
        ),
        Action::DeleteImage => (200, "The deleted image.", gone(&image), &[]),
        Action::ListFeeds => (200, "A page of the list.", named("FeedList"), &TOTALS[..4]),
        Action::CreateFeed => {
            let description = "The new feed. Its URLs are shown only now; a repetition with the same \
                               `Idempotency-Key` has none.";
            (201, description, named("Feed"), &["Location"])
        }
        Action::ReadFeed => (200, "The feed.", named("Feed"), &[]),
        Action::ListSources => (
            200,
            "A page of the list.",
            named("SourceList"),
            &TOTALS[..4],
        ),
        Action::ListDuplicates => {
            let list = named("DuplicateList");
            (200, "A page of the list.", list, &TOTALS[..4])
        }
        Action::MergeDuplicate | Action::DismissDuplicate => {
            (200, "The pair.", named("Duplicate"), &[])
        }
        Action::Audit => (200, "A page of the list.", named("AuditList"), TOTALS),
        Action::UndoMerge => (200, "The pair, which is open again.", named("Undone"), &[]),
        Action::CreateSource => (201, "The new source.", named("Source"), &["Location"]),
        Action::ReadSource => (200, "The source.", named("Source"), &[]),
        Action::UpdateSource => (200, "The source after the change.", named("Source"), &[]),
        Action::DeleteSource => (200, "The deleted source.", gone(&named("Source")), &[]),
        Action::RunSource => (202, "The source, which is read soon.", named("Source"), &[]),
        Action::PauseSource | Action::ResumeSource => (202, "The source.", named("Source"), &[]),
        Action::DeleteFeed => (200, "The deleted feed.", gone(&named("Feed")), &[]),
        Action::Delete(kind, _) if is_term(kind) => (200, "The deleted term.", record(kind), &[]),
        Action::Delete(kind, _) => {
            let description = "The record in the trash; with `force`, the deleted record.";
            let schema = json!({ "anyOf": [record(kind), gone(&record(kind))] });
            (200, description, schema, &[])
        }
    };
    let validators: &[&str] = match action {
        Action::Read(..) | Action::ReadImage => &["ETag", "Last-Modified"],
        _ if !action.is_write() => &["ETag"],
        _ => &[],
    };
    let horizon: &[&str] = match action {
        Action::List(Kind::Event) => &["X-Calendar-Horizon"],
        _ => &[],
    };
    let mut response = json!({
        "description": description,
        "headers": header_refs(&[headers, horizon, validators, &["Content-Language"]].concat()),
        "content": { "application/json": { "schema": schema } },
    });
    if action == Action::Changes {
        response["content"]["text/event-stream"] = json!({ "schema": { "type": "string" } });
    }
    if action == Action::Document {
        response["content"]["text/html"] = json!({ "schema": { "type": "string" } });
    }
    (status, response)
}

/// The response to a permanent deletion.
fn gone(record: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { "deleted": { "const": true }, "previous": record },
        "required": ["deleted", "previous"],
        "additionalProperties": false,
    })
}

/// The operations that read what only some users may see.
const READ_BY_SOME: [Action; 4] = [
    Action::ListSources,
    Action::ReadSource,
    Action::ListDuplicates,
    Action::Audit,
];

/// The error codes of an operation, without the shared errors.
fn codes(action: Action) -> Codes {
    let mut codes = Codes::new();
    let mut add = |status: u16, code| codes.entry(status).or_default().push(code);
    add(400, "rest_invalid_json");
    add(400, "rest_invalid_param");
    add(401, "incorrect_password");
    add(401, "invalid_token");
    add(404, "rest_no_route");
    match action {
        Action::Index => add(404, "rest_invalid_namespace"),
        Action::Document
        | Action::Import
        | Action::ListFeeds
        | Action::ListSources
        | Action::ListDuplicates
        | Action::Audit => {}
        Action::Changes => add(410, "sync-token-expired"),
        Action::MergeDuplicate
        | Action::DismissDuplicate
        | Action::UndoMerge
        | Action::CreateSource
        | Action::ReadSource
        | Action::UpdateSource
        | Action::RunSource
        | Action::PauseSource
        | Action::ResumeSource
        | Action::DeleteSource => of_editors(action, &mut add),
        Action::List(kind) => {
            add(404, error::page_not_found(kind));
            if kind == Kind::Event {
                add(400, "feed-too-large");
            } else {
                add(400, "rest-invalid-event-id");
                locked(Kind::Event, &mut add);
            }
        }
        Action::Occurrences => {
            add(404, error::not_found(Kind::Event));
            add(404, error::page_not_found(Kind::Event));
            locked(Kind::Event, &mut add);
        }
        Action::Read(kind, _) => {
            add(404, error::not_found(kind));
            if !is_term(kind) {
                locked(kind, &mut add);
            }
        }
        Action::Create(_) | Action::Upload => {
            add(400, "rest_missing_callback_param");
            add(422, "idempotency_key_reused");
        }
        Action::CreateFeed => {
            add(400, "rest_missing_callback_param");
            add(400, "too-many-feeds");
            add(400, "rest-invalid-event-id");
            add(422, "idempotency_key_reused");
            locked(Kind::Event, &mut add);
        }
        Action::ReadFeed | Action::DeleteFeed => add(404, "feed-not-found"),
        Action::ReadImage | Action::UpdateImage | Action::DeleteImage => {
            add(404, "image-not-found");
        }
        Action::Verify => add(404, error::not_found(Kind::Event)),
        Action::Update(kind, _) | Action::Revisions(kind) | Action::Restore(kind) => {
            add(404, error::not_found(kind));
        }
        Action::Delete(kind, _) => {
            add(404, error::not_found(kind));
            if !is_term(kind) {
                add(410, error::in_trash(kind));
            }
        }
    }
    if action.needs_login() || matches!(action, Action::Read(..)) {
        add(401, "rest_forbidden");
    }
    let by_editors = matches!(action, Action::Read(..) | Action::Revisions(_));
    if action.is_write() || by_editors || READ_BY_SOME.contains(&action) {
        add(403, "rest_forbidden");
    }
    if action.takes_precondition() {
        add(412, "precondition_failed");
    }
    match action {
        Action::Restore(_) => add(404, "revision-not-found"),
        Action::Create(kind) if is_term(kind) => {
            add(400, "empty_term_name");
            add(400, "term_exists");
        }
        Action::Update(kind, _) if is_term(kind) => {
            add(400, "empty_term_name");
            add(400, "duplicate_term_slug");
        }
        _ => {}
    }
    if let Action::Create(Kind::Tag) | Action::Update(Kind::Tag, _) = action {
        add(400, "rest_taxonomy_not_hierarchical");
    }
    codes
}

/// Adds the error codes of an operation on a source, or on a pair of records that look alike.
fn of_editors(action: Action, add: &mut impl FnMut(u16, &'static str)) {
    match action {
        Action::MergeDuplicate => {
            add(400, "rest_missing_callback_param");
            add(404, "duplicate-not-found");
            add(409, "duplicate-changed");
        }
        Action::DismissDuplicate | Action::UndoMerge => {
            add(404, "duplicate-not-found");
            add(409, "duplicate-changed");
        }
        Action::CreateSource => {
            add(400, "rest_missing_callback_param");
            add(400, "too-many-sources");
        }
        Action::ReadSource => add(404, "source-not-found"),
        Action::UpdateSource | Action::RunSource | Action::PauseSource | Action::ResumeSource => {
            add(404, "source-not-found");
            add(409, "source-running");
        }
        Action::DeleteSource => {
            add(400, "rest_missing_callback_param");
            add(404, "source-not-found");
            add(409, "source-running");
        }
        _ => {}
    }
}

/// Adds the error codes of a record that the caller may not read.
fn locked(kind: Kind, add: &mut impl FnMut(u16, &'static str)) {
    add(403, error::not_accessible(kind));
    if kind == Kind::Event {
        add(403, "event-no-longer-available");
        add(403, "event-password-protected");
    }
}

const fn meaning(status: u16) -> &'static str {
    match status {
        400 => "A value is missing or invalid.",
        401 => "Credentials are missing or invalid.",
        403 => "The caller lacks the right.",
        404 => "The resource does not exist.",
        410 => "The record is already in the trash, or the token has expired.",
        412 => "The resource has changed since.",
        413 => "The body is too large.",
        414 => "The query is longer than 8 KiB.",
        415 => "The body does not have the declared content type.",
        422 => "The key was already used with another body.",
        429 => "Too many wrong credentials, or wrong passwords of events.",
        500 => "An error of the service.",
        503 => "The service is overloaded, or its database is unreachable.",
        _ => "The request failed.",
    }
}

/// An error response with one of these codes.
fn refusal(status: u16, codes: &[&str]) -> Value {
    let schema = json!({ "allOf": [
        named("Error"),
        { "properties": { "code": { "enum": codes } } },
    ] });
    json!({
        "description": meaning(status),
        "content": {
            "application/json": { "schema": schema },
            "application/problem+json": { "schema": named("Problem") },
        },
    })
}

fn header_refs(names: &[&str]) -> Value {
    let headers = names.iter().map(|name| {
        let header = json!({ "$ref": format!("#/components/headers/{name}") });
        ((*name).to_owned(), header)
    });
    Value::Object(headers.collect())
}
