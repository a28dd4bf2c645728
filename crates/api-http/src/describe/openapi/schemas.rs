//! The named schemas of the document.

use app::request::Purpose;
use domain::Kind;
use serde_json::{Map, Value, json};

use super::{
    build::{address, named},
    capital, errors, records,
};
use forms::{IMAGE_FIELDS, MERGE_FIELDS, Param, RECURRENCE_MEMBERS, SECRET_FEED, TICKET_MEMBERS};

use interchange::source::SOURCE_FIELDS;

use crate::describe::{action::article, fields_of, is_term};

/// The content types of bodies, each with the suffix of its schema's name. Generated clients need a
/// type for each.
pub(super) const BODIES: [(&str, &str); 3] = [
    ("application/json", ""),
    ("application/x-www-form-urlencoded", "Form"),
    ("multipart/form-data", "Parts"),
];

/// All schemas, by name.
pub(super) fn all() -> Value {
    let mut schemas = records::schemas();
    let mut add = |name: &str, schema| schemas.insert(name.to_owned(), schema);
    let ticket = object_of("A ticket of an event, as it is sent.", &TICKET_MEMBERS);
    add("TicketFields", ticket);
    let recurrence = object_of(
        "The recurrence of an event, as it is sent. Members that are in answers alone have no effect.",
        &RECURRENCE_MEMBERS,
    );
    add("RecurrenceFields", recurrence);
    add(
        FEED_FIELDS,
        object_of("The fields of a new secret feed.", &SECRET_FEED),
    );
    add(
        SOURCE_FIELDS_NAME,
        object_of("The fields of a source.", &SOURCE_FIELDS),
    );
    add(
        MERGE_FIELDS_NAME,
        object_of("The fields of a merge of duplicates.", &MERGE_FIELDS),
    );
    add(
        IMAGE_FIELDS_NAME,
        object_of("The fields of an image to change.", &IMAGE_FIELDS),
    );
    for (content_type, suffix) in &BODIES[1..] {
        for name in [
            FEED_FIELDS,
            SOURCE_FIELDS_NAME,
            MERGE_FIELDS_NAME,
            IMAGE_FIELDS_NAME,
        ] {
            add(&format!("{name}{suffix}"), in_form(name, content_type));
        }
    }
    add("FeedList", list_of("feeds", "secret feeds", "Feed"));
    add("SourceList", list_of("sources", "sources", "Source"));
    let pairs = "pairs of records that look alike";
    add("DuplicateList", list_of("duplicates", pairs, "Duplicate"));
    for (name, member, about, record) in [
        ("AuditList", "audit", "entries", "AuditEntry"),
        ("RevisionList", "revisions", "revisions", "Revision"),
    ] {
        let mut list = list_of(member, about, record);
        list["properties"]["next_rest_url"] = json!({
            "type": "string",
            "format": "uri",
            "description": "The URL of the rest of the list.",
        });
        add(name, list);
    }
    add("ChangeList", change_list());
    add("Error", errors::error());
    add("Problem", errors::problem());
    add("ImportReport", import_report());
    for kind in Kind::ALL {
        schemas.insert(list_name(kind), list(kind));
        for purpose in [Purpose::Update, Purpose::Create] {
            let name = of_fields(kind, purpose);
            for (content_type, suffix) in &BODIES[1..] {
                schemas.insert(format!("{name}{suffix}"), in_form(&name, content_type));
            }
            schemas.insert(name, fields_schema(kind, purpose));
        }
    }
    Value::Object(schemas)
}

/// The report of an import.
fn import_report() -> Value {
    let number = |about: &str| json!({ "type": "integer", "minimum": 0, "description": about });
    let text = |about: &str| json!({ "type": "string", "description": about });
    let finding = json!({
        "type": "object",
        "properties": {
            "line": { "type": "integer", "minimum": 1, "description": "The line of the file." },
            "uid": text("The unique identifier of the event, if it is known."),
            "property": text("The name of the property, if it is about one."),
            "code": text("The kind of the finding."),
        },
        "required": ["line", "uid", "property", "code"],
        "additionalProperties": false,
    });
    let findings = |about: &str| json!({ "type": "array", "items": finding, "description": about });
    let properties = json!({
        "read": number("The number of events of the file."),
        "created": number("The number of new events."),
        "updated": number("The number of updated events."),
        "unchanged": number("The number of events that stay as they are."),
        "cancelled": number("The number of events that went to the trash because they were called off."),
        "pruned": number("The number of events that went to the trash because the file has them no longer."),
        "duplicates": number("The number of pairs of records that look alike, and that nobody knew of."),
        "merged": number("The number of these that were merged."),
        "ignored": number("The number of parts of the file that say nothing about an event."),
        "refused": findings("The events that were not taken."),
        "warnings": findings("Guesses, and faults that stop nothing."),
    });
    let required: Vec<_> = properties
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    json!({
        "type": "object",
        "description": "What became of the events of a file.",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The name of the schema of the fields of a new secret feed.
pub(super) const FEED_FIELDS: &str = "FeedCreate";

/// The name of the schema of the fields of a source.
pub(super) const SOURCE_FIELDS_NAME: &str = "SourceFields";

/// The name of the schema of the fields of a merge.
pub(super) const MERGE_FIELDS_NAME: &str = "MergeFields";

/// The name of the schema of the fields of an image that change.
pub(super) const IMAGE_FIELDS_NAME: &str = "ImageUpdate";

/// The schema of a body in another content type than JSON.
fn in_form(name: &str, content_type: &str) -> Value {
    let same = json!({ "type": "object", "description": format!("The same as `{content_type}`.") });
    json!({ "allOf": [named(name), same] })
}

fn change_list() -> Value {
    json!({
        "type": "object",
        "description": "A page of changes. The last one has `sync_token`, the others `next_rest_url`.",
        "properties": {
            "changes": { "type": "array", "items": named("Change") },
            "rest_url": address("The URL of this page."),
            "next_rest_url": address("The URL of the next page."),
            "sync_token": { "type": "string", "description": "The token of the state after the last page." },
        },
        "required": ["changes", "rest_url"],
        "additionalProperties": false,
    })
}

/// The schema of a page of a list.
fn list_of(member: &str, about: &str, record: &str) -> Value {
    let number = |about: &str| json!({ "type": "integer", "minimum": 0, "description": about });
    json!({
        "type": "object",
        "description": format!("A page of a list of {about}."),
        "properties": {
            (member): { "type": "array", "items": named(record) },
            "total": number(&format!("The number of {member} on all pages.")),
            "total_pages": number("The number of pages."),
        },
        "required": [member, "total", "total_pages"],
        "additionalProperties": false,
    })
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
    let number = |about: &str| json!({ "type": "integer", "minimum": 0, "description": about });
    let records = kind.plural();
    let mut list = json!({
        "type": "object",
        "description": format!("A page of a list of {records}."),
        "properties": {
            records: { "type": "array", "items": named(&of_record(kind)) },
            "rest_url": address("The URL of this page."),
            "total": number("The number of records on all pages."),
            "total_pages": number("The number of pages."),
            "next_rest_url": address("The URL of the next page, if there is one."),
            "previous_rest_url": address("The URL of the previous page, if there is one."),
        },
        "required": [records, "rest_url", "total", "total_pages"],
        "additionalProperties": false,
    });
    if kind == Kind::Event {
        list["properties"]["horizon"] = json!({
            "type": "string",
            "description": "The time up to which the list is complete, in the time zone of the site; only if its \
                            window reaches past the occurrences of endless series that are stored.",
        });
    }
    list
}

fn fields_schema(kind: Kind, purpose: Purpose) -> Value {
    let name = kind.name();
    let description = match purpose {
        Purpose::Create => format!("The fields of a new {name}."),
        Purpose::Update => format!("The fields of {} {name} to change.", article(kind)),
    };
    object_of(&description, &fields_of(kind, purpose))
}

/// An object of a request. It may have further fields, which are ignored.
pub(super) fn object_of(description: &str, fields: &[Param]) -> Value {
    let properties = fields.iter().map(|field| {
        // No `default`: types generated from the schema would require a field that has one.
        let mut schema = field.schema.body_schema();
        schema["description"] = json!(field.description);
        (field.name.to_string(), schema)
    });
    let mut schema = json!({
        "type": "object",
        "description": description,
        "properties": properties.collect::<Map<_, _>>(),
    });
    let required = fields.iter().filter(|field| field.required);
    let required: Vec<_> = required.map(|field| field.name.as_str()).collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}
