//! The OpenAPI 3.1 document.

mod build;
mod errors;
mod examples;
mod protocol;
mod records;
mod responses;
mod schemas;

use app::request::Purpose;
use axum::http::Method;
use domain::{Kind, Language, image::ImageFormat};
use forms::{DefaultValue, IMAGE_FIELDS, MERGE_FIELDS, Param, SECRET_FEED};
use http_service::site::Site;
use interchange::source::SOURCE_FIELDS;
use serde_json::{Map, Value, json};

use super::{
    Operation,
    action::{Action, By},
    operations,
    param::fixed,
};

/// The version of the interface.
const VERSION: &str = "1.0.0";

/// The introduction of the document.
const INTRODUCTION: &str = "\
Events, venues, organizers, categories and tags, over HTTP.

**Fields.** A field may be sent in a body of JSON, as a form (lists as `a[]=1`, objects as \
`venue[city]=Oslo`), as a multipart form, or in the query; the body takes precedence over the query. A \
field with the value `null` counts as not sent. An update changes the fields that are sent and no others; \
an empty text clears a field. `POST`, `PUT` and `PATCH` of a record are equivalent. Unknown parameters are \
ignored; `Prefer: handling=strict` (RFC 7240) refuses them.

**Lists** may be sent as `a=1,2`, as `a=1&a=2`, as `a[]=1&a[]=2`, or as a list in JSON. If another field \
is sent more than once, its last value is used.

**Limits.** A query has at most 8 KiB, a body 1 MiB, an image 10 MiB; JSON is at most 64 levels deep. A \
list has at most 100 values, an ID is at most 9223372036854775807. Titles, names and other texts of one \
line have at most 1,000 characters, texts with formatting 200,000 bytes, web addresses 2,048 bytes, and \
all texts of a request together 250,000 bytes. A request beyond a limit is refused, except that \
`per_page` above 100 means 100.

**Dates** are answered as `YYYY-MM-DD HH:MM:SS`. They are read in this form, in ISO 8601, as \
`YYYY/MM/DD H:MM`, `M/D/YYYY H:MM` or `D.M.YYYY H:MM`, as seconds since 1970 (nine digits or more), and in words such as \
`tomorrow 9am` or `+2 hours`.

**Events that repeat.** An event with a `recurrence` is a series. Lists have its occurrences, each with its own \
ID and dates and all other fields of the series. A write on a series changes all occurrences; on an occurrence, \
`scope` says which.

**Errors** have a `code` for programs and a `message` for people, in the language of the request. \
All invalid fields are reported together, under `data.params`. With `Accept: application/problem+json` \
errors are problem details (RFC 9457).

**Methods.** `HEAD` is answered wherever `GET` is. `OPTIONS` describes a path, and `Allow` lists the \
methods that the caller may use. A client that can only send `POST` names another method in \
`X-HTTP-Method-Override`, or in `_method` in the query.";

/// The document of a site.
pub(crate) fn document(site: &Site) -> Value {
    let mut paths = Map::new();
    for operations in operations().chunk_by(|one, next| one.path == next.path) {
        let mut item = Map::new();
        for operation in operations {
            for method in operation.action.methods() {
                item.insert(
                    method.as_str().to_ascii_lowercase(),
                    describe(operation, method),
                );
            }
        }
        if let Some(first) = operations.first() {
            let path = if first.path.is_empty() {
                "/"
            } else {
                &first.path
            };
            paths.insert(path.to_owned(), Value::Object(item));
        }
    }
    paths.insert("/healthz".to_owned(), health(site));
    paths.insert("/livez".to_owned(), liveness(site));
    paths.insert("/readyz".to_owned(), readiness(site));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Events calendar",
            "version": VERSION,
            "description": INTRODUCTION,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": servers(site),
        "tags": tags(),
        "paths": paths,
        "components": {
            "schemas": schemas::all(),
            "parameters": protocol::parameters(),
            "responses": responses::shared(),
            "headers": responses::headers(),
            "examples": examples::responses(site),
            "securitySchemes": {
                "basic": {
                    "type": "http",
                    "scheme": "basic",
                    "description": "The name or e-mail address of a user, and a token as password. Its scope and its collections limit its rights as in `bearer`.",
                },
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token alone. With the scope `read` it writes nothing, with `write` it acts as an editor at most, with `admin` it has all rights of its user. A token that is limited to some collections reads in others what everybody may read, and writes nothing there.",
                },
            },
        },
    })
}

/// The servers: the interface in the default language, and in a language of the path.
fn servers(site: &Site) -> Value {
    json!([
        { "url": site.api() },
        {
            "url": site.api_in_languages(),
            "description": "The interface in a language.",
            "variables": {
                "language": {
                    "enum": Language::ALL.map(Language::code),
                    "default": site.language.code(),
                    "description": "The language of texts and messages.",
                },
            },
        },
    ])
}

fn tags() -> Value {
    let kinds = Kind::ALL.iter().map(|kind| {
        let about = match kind {
            Kind::Event => "Events with their dates.",
            Kind::Venue => "Places of events.",
            Kind::Organizer => "Organizers of events.",
            Kind::Category => "Categories of events, in a tree.",
            Kind::Tag => "Tags of events, without hierarchy.",
        };
        json!({ "name": kind.plural(), "description": about })
    });
    let service = json!({ "name": "service", "description": "The service itself." });
    let images = json!({ "name": "images", "description": "Images of records." });
    let feeds = json!({
        "name": "feeds",
        "description": "Secret feeds: calendar files of a user, opened by a key in their URL.",
    });
    let sources = json!({
        "name": "sources",
        "description": "Calendars elsewhere that this one reads on a schedule.",
    });
    let duplicates = json!({
        "name": "duplicates",
        "description": "Pairs of records that look alike: one event from two sources, a venue under two names.",
    });
    let audit = json!({ "name": "audit", "description": "The audit trail: who did what." });
    let others = [images, feeds, sources, duplicates, audit, service];
    kinds.chain(others).collect()
}

/// `/healthz`, at the root of the server.
fn health(site: &Site) -> Value {
    let summary = "Check whether the service is ready";
    let zone_data = json!({
        "type": "string",
        "description": "Version of the time zone data, such as 2026c.",
    });
    let version = json!({ "type": "string", "description": "Version of the program." });
    let writes = json!({
        "const": "failing",
        "description": "There only if the last write failed, as on a full disk. Reads work.",
    });
    let properties = json!({
        "status": { "const": "ok" },
        "version": version,
        "zone_data": zone_data,
        "writes": writes,
    });
    let example = json!({ "status": "ok", "version": "1.4.0", "zone_data": "2026c" });
    let mut item = probe(
        site,
        "health",
        summary,
        "The service is ready.",
        &properties,
        &example,
    );
    item["get"]["responses"]["503"] = json!({
        "description": "The service is not ready: its database does not answer, or it is overloaded.",
        "content": { "application/json": { "schema": { "type": "object" } } },
    });
    item
}

/// `/livez`, at the root of the server.
fn liveness(site: &Site) -> Value {
    let summary = "Check whether the process answers, without the database";
    let properties = json!({ "status": { "const": "ok" } });
    let example = json!({ "status": "ok" });
    probe(
        site,
        "liveness",
        summary,
        "The process answers.",
        &properties,
        &example,
    )
}

/// `/readyz`, at the root of the server.
fn readiness(site: &Site) -> Value {
    let summary = "Check whether the service can do all that it is for";
    let properties = json!({ "status": { "const": "ok" } });
    let example = json!({ "status": "ok" });
    let mut item = probe(
        site,
        "readiness",
        summary,
        "The service is ready.",
        &properties,
        &example,
    );
    let schema = json!({
        "type": "object",
        "properties": {
            "status": { "const": "not ready" },
            "problems": {
                "type": "array",
                "items": { "type": "string" },
                "description": "The reasons, in English, for the operator.",
            },
        },
    });
    item["get"]["responses"]["503"] = json!({
        "description": "The service is not ready: the database does not answer, writes fail, the schema or the time zone \
                        data of the database are those of another version, or the disk is almost full.",
        "content": { "application/json": { "schema": schema } },
    });
    item
}

/// The path of a probe, which needs no credentials.
fn probe(
    site: &Site,
    id: &str,
    summary: &str,
    success: &str,
    properties: &Value,
    example: &Value,
) -> Value {
    let required: Vec<_> = example
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    json!({
        "servers": [{ "url": site.root() }],
        "get": {
            "operationId": id,
            "summary": summary,
            "tags": ["service"],
            "security": [{}],
            "responses": { "200": {
                "description": success,
                "content": { "application/json": { "schema": schema, "example": example } },
            } },
        },
    })
}

/// An operation of the document: one method of a path.
fn describe(operation: &Operation, method: &Method) -> Value {
    let Operation { action, .. } = operation;
    let mut described = json!({
        "operationId": operation_id(*action, method),
        "summary": action.summary(),
        "tags": [action.tag()],
        "security": security(*action),
        "parameters": parameters(operation),
    });
    if *action == Action::Upload {
        described["requestBody"] = file();
    } else if *action == Action::Import {
        described["requestBody"] = calendar_file();
    } else if let Some((kind, purpose)) = action.writes() {
        let name = schemas::of_fields(kind, purpose);
        let example = examples::fields(kind, purpose);
        described["requestBody"] = body(&name, example, purpose == Purpose::Create);
    } else if *action == Action::CreateFeed {
        let example = examples::of(SECRET_FEED);
        described["requestBody"] = body(schemas::FEED_FIELDS, example, true);
    } else if matches!(action, Action::CreateSource | Action::UpdateSource) {
        let example = examples::of(SOURCE_FIELDS);
        let is_new = *action == Action::CreateSource;
        described["requestBody"] = body(schemas::SOURCE_FIELDS_NAME, example, is_new);
    } else if *action == Action::MergeDuplicate {
        let example = examples::of(MERGE_FIELDS);
        described["requestBody"] = body(schemas::MERGE_FIELDS_NAME, example, true);
    } else if *action == Action::UpdateImage {
        let example = examples::of(IMAGE_FIELDS);
        described["requestBody"] = body(schemas::IMAGE_FIELDS_NAME, example, false);
    }
    described["responses"] = responses::of(*action);
    described
}

fn operation_id(action: Action, method: &Method) -> String {
    let named = |verb: &str, kind: Kind, by: By| {
        let way = match by {
            By::Id => "",
            By::Slug => "BySlug",
            By::Slot => return format!("{verb}Occurrence"),
        };
        format!("{verb}{}{way}", capital(kind.name()))
    };
    match action {
        Action::Index => "index".to_owned(),
        Action::Document => "document".to_owned(),
        Action::Changes => "listChanges".to_owned(),
        Action::Upload => "uploadImage".to_owned(),
        Action::Import => "importEvents".to_owned(),
        Action::ReadImage => "readImage".to_owned(),
        Action::DeleteImage => "deleteImage".to_owned(),
        Action::UpdateImage => match *method {
            Method::PUT => "putImage".to_owned(),
            Method::PATCH => "patchImage".to_owned(),
            _ => "updateImage".to_owned(),
        },
        Action::ListFeeds => "listFeeds".to_owned(),
        Action::CreateFeed => "createFeed".to_owned(),
        Action::ReadFeed => "readFeed".to_owned(),
        Action::DeleteFeed => "deleteFeed".to_owned(),
        Action::ListSources => "listSources".to_owned(),
        Action::CreateSource => "createSource".to_owned(),
        Action::ReadSource => "readSource".to_owned(),
        Action::UpdateSource => match *method {
            Method::PUT => "putSource".to_owned(),
            Method::PATCH => "patchSource".to_owned(),
            _ => "updateSource".to_owned(),
        },
        Action::DeleteSource => "deleteSource".to_owned(),
        Action::RunSource => "runSource".to_owned(),
        Action::PauseSource => "pauseSource".to_owned(),
        Action::ResumeSource => "resumeSource".to_owned(),
        Action::ListDuplicates => "listDuplicates".to_owned(),
        Action::MergeDuplicate => "mergeDuplicate".to_owned(),
        Action::DismissDuplicate => "dismissDuplicate".to_owned(),
        Action::UndoMerge => "undoMerge".to_owned(),
        Action::Audit => "listAudit".to_owned(),
        Action::List(kind) => format!("list{}", capital(kind.plural())),
        Action::Occurrences => "listOccurrences".to_owned(),
        Action::Verify => "verifyEvent".to_owned(),
        Action::Revisions(kind) => format!("list{}Revisions", capital(kind.name())),
        Action::Restore(kind) => format!("restore{}", capital(kind.name())),
        Action::Create(kind) => format!("create{}", capital(kind.name())),
        Action::Read(kind, by) => named("read", kind, by),
        Action::Delete(kind, by) => named("delete", kind, by),
        // Each operation of the document has its own ID.
        Action::Update(kind, by) => match *method {
            Method::PUT => named("put", kind, by),
            Method::PATCH => named("patch", kind, by),
            _ => named("update", kind, by),
        },
    }
}

/// The name with a capital first letter: `Event` for `event`.
fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn security(action: Action) -> Value {
    let credentials = [json!({ "basic": [] }), json!({ "bearer": [] })];
    if action.needs_login() {
        json!(credentials)
    } else {
        // Credentials are optional: they add the records that the caller may see.
        json!([{}, credentials[0], credentials[1]])
    }
}

fn parameters(operation: &Operation) -> Value {
    let (in_path, in_query) = (operation.in_path.iter(), operation.in_query.iter());
    in_path
        .map(|param| parameter(param, "path"))
        .chain(in_query.map(|param| parameter(param, "query")))
        .chain(protocol::of(operation.action))
        .collect()
}

fn parameter(param: &Param, location: &str) -> Value {
    let mut schema = param.schema.query_schema();
    default(&mut schema, param.default);
    let mut parameter = json!({
        "name": param.name.as_str(),
        "in": location,
        "description": param.description,
        "required": param.required,
        "schema": schema,
    });
    if param.schema.is_list() {
        // Lists are written as `a,b`.
        parameter["style"] = json!("form");
        parameter["explode"] = json!(false);
    }
    if let Some(example) = param.example {
        parameter["example"] = examples::value(example, param.schema);
    }
    parameter
}

/// Adds a default to a schema. `null`, the empty default of the index, is left out.
fn default(schema: &mut Value, default: DefaultValue) {
    if let Some(value) = fixed(default).filter(|value| !value.is_null()) {
        schema["default"] = value;
    }
}

/// The body of an upload: an image in a form. The alternative, the image as the whole body, stands
/// in the description only: client generators do not support it.
fn file() -> Value {
    let formats = ImageFormat::ALL.map(ImageFormat::media_type).join("`, `");
    let mut form = schemas::object_of("An image with what it shows, in words.", &IMAGE_FIELDS);
    form["properties"]["file"] = json!({
        "type": "string",
        "format": "binary",
        "description": "A PNG, JPEG, GIF or WebP image of at most 10 MiB and 40 million pixels.",
    });
    form["required"] = json!(["file"]);
    json!({
        "required": true,
        "description": format!(
            "The image in a form. It may also be the body itself, with its own content type (`{formats}`) \
             and its name in `Content-Disposition`."
        ),
        "content": { "multipart/form-data": { "schema": form } },
    })
}

/// The body of an import. Generators of clients know one content type for files alone.
fn calendar_file() -> Value {
    json!({
        "required": true,
        "description": "A file of at most 1 MiB and 1,000 events or rows: with the content type `text/calendar` or \
            `application/octet-stream` an iCalendar file (RFC 5545), with `text/csv` a table (RFC 4180). Both may be \
            compressed by gzip.",
        "content": { "application/octet-stream": {
            "schema": { "type": "string", "format": "binary" },
            "example": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@fair.example\r\n\
                DTSTART;TZID=Europe/Paris:20990417T090000\r\nSUMMARY:Fair\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        } },
    })
}

/// The body of a write, in each accepted content type.
fn body(name: &str, example: Value, is_required: bool) -> Value {
    let content = schemas::BODIES.map(|(content_type, suffix)| {
        let schema = build::named(&format!("{name}{suffix}"));
        (content_type.to_owned(), json!({ "schema": schema }))
    });
    let mut content = Map::from_iter(content);
    content["application/json"]["example"] = example;
    json!({ "required": is_required, "content": content })
}
