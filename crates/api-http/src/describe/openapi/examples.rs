//! Examples of values and responses.

use app::request::Purpose;
use domain::Kind;
use forms::{Param, Schema};
use http_service::site::Site;
use serde_json::{Map, Value, json};

use super::{capital, schemas::list_name};
use crate::describe::{
    action::{Action, By},
    fields_of, is_term,
};

/// The site in the recorded examples.
const EXAMPLE_ROOT: &str = "https://cal.example";

/// The JSON value of an example in the form of a query.
pub(super) fn value(text: &str, schema: Schema) -> Value {
    match schema {
        Schema::Id | Schema::Positive | Schema::Number { .. } | Schema::Coordinate { .. } => {
            serde_json::from_str(text).unwrap_or_else(|_| json!(text))
        }
        schema if schema.is_list() || schema == Schema::Terms => json!([text]),
        _ => json!(text),
    }
}

/// Example of a body: all fields with an example for a new record, the first of them for an update.
pub(super) fn fields(kind: Kind, purpose: Purpose) -> Value {
    let most = match purpose {
        Purpose::Create => usize::MAX,
        Purpose::Update => 1,
    };
    let fields = fields_of(kind, purpose).into_iter();
    of(fields.filter(|field| field.example.is_some()).take(most))
}

/// Example of a body: all fields with an example.
pub(super) fn of(fields: impl IntoIterator<Item = Param>) -> Value {
    let examples = fields
        .into_iter()
        .filter_map(|field| Some((field.name.to_string(), value(field.example?, field.schema))));
    Value::Object(examples.collect())
}

/// Examples of responses, by name.
pub(super) fn responses(site: &Site) -> Value {
    let mut responses = Map::new();
    let mut add = |name: String, value: Value| {
        responses.insert(name, json!({ "value": value }));
    };
    for kind in Kind::ALL {
        let record = record(kind, site);
        let written = without_json_ld(record.clone());
        let plural = kind.plural();
        add(
            list_name(kind),
            json!({
                plural: [written],
                "rest_url": site.collection(kind),
                "total": 1,
                "total_pages": 1,
            }),
        );
        add(capital(kind.name()), record);
        if !is_term(kind) {
            let mut trashed = written.clone();
            trashed["status"] = json!("trash");
            let slug = trashed["slug"].as_str().unwrap_or_default();
            trashed["slug"] = json!(format!("{slug}__trashed"));
            add(format!("{}Gone", capital(kind.name())), gone(&trashed));
            add(format!("{}Trashed", capital(kind.name())), trashed);
            add(format!("{}Written", capital(kind.name())), written);
        }
    }
    let series = repeating(&record(Kind::Event, site), SERIES, site);
    let occurrence = repeating(&record(Kind::Event, site), OCCURRENCE, site);
    add(
        "OccurrenceList".to_owned(),
        json!({
            "events": [without_json_ld(occurrence.clone())],
            "rest_url": series["recurrence"]["occurrences"],
            "total": 1,
            "total_pages": 1,
        }),
    );
    add("Series".to_owned(), series);
    add("Occurrence".to_owned(), occurrence);
    let image = parse(include_str!("examples/image.json"), site);
    add("ImageGone".to_owned(), gone(&image));
    add("Image".to_owned(), image);
    let feed = parse(include_str!("examples/feed.json"), site);
    let mut created = feed.clone();
    let file = site.secret_feed_file("Zk3mB0Vw2cXn7Q1yT5uR8sE4pL6dJ9hAfGkNvYxWzOq");
    let scheme = file.find("://").unwrap_or_default();
    created["webcal_url"] = json!(format!("webcal{}", &file[scheme..]));
    created["url"] = json!(file);
    add("FeedCreated".to_owned(), created);
    add("FeedGone".to_owned(), gone(&feed));
    let list = json!({ "feeds": [feed], "total": 1, "total_pages": 1 });
    add("FeedList".to_owned(), list);
    add("Feed".to_owned(), feed);
    let source = parse(include_str!("examples/source.json"), site);
    add("SourceGone".to_owned(), gone(&source));
    let list = json!({ "sources": [source], "total": 1, "total_pages": 1 });
    add("SourceList".to_owned(), list);
    add("Source".to_owned(), source);
    let pair = parse(include_str!("examples/duplicate.json"), site);
    let list = json!({ "duplicates": [pair], "total": 1, "total_pages": 1 });
    add("DuplicateList".to_owned(), list);
    let mut undone = pair.clone();
    undone["stayed"] = json!(["description"]);
    add("Undone".to_owned(), undone);
    let mut merged = pair;
    merged["state"] = json!("merged");
    merged["kept"] = merged["records"][0]["id"].clone();
    merged["undo_until"] = json!("2026-11-08 08:00:00");
    add("Duplicate".to_owned(), merged);
    let entry = parse(include_str!("examples/audit.json"), site);
    let list = json!({ "audit": [entry], "total": 1, "total_pages": 1 });
    add("AuditList".to_owned(), list);
    let revision = parse(include_str!("examples/revision.json"), site);
    let list = json!({ "revisions": [revision], "total": 1, "total_pages": 1 });
    add("RevisionList".to_owned(), list);
    add("Index".to_owned(), index(site));
    add("ChangeList".to_owned(), change_list(site));
    add("ImportReport".to_owned(), import_report());
    add(
        "Document".to_owned(),
        json!({
            "openapi": "3.1.0",
            "info": { "title": "Events calendar", "version": super::VERSION },
            "paths": {},
        }),
    );
    Value::Object(responses)
}

fn import_report() -> Value {
    let finding = json!({
        "line": 88,
        "uid": "2@fair.example",
        "property": "DTSTART",
        "code": "bad-date",
    });
    json!({
        "read": 12,
        "created": 9,
        "updated": 1,
        "unchanged": 1,
        "cancelled": 0,
        "pruned": 0,
        "duplicates": 1,
        "merged": 0,
        "ignored": 3,
        "refused": [finding],
        "warnings": [],
    })
}

fn change_list(site: &Site) -> Value {
    let venue = without_json_ld(record(Kind::Venue, site));
    let changed =
        json!({ "kind": "venue", "id": venue["id"], "action": "upsert", "record": venue });
    json!({
        "changes": [changed, { "kind": "event", "id": 17, "action": "remove" }],
        "rest_url": site.changes(),
        "sync_token": "Q7hVY0c2mT1sJx8RkW4eZb9uLdP3oNfGaKiTqXyC5vE6wHrB2nDzMjUlSgIp",
    })
}

fn index(site: &Site) -> Value {
    let namespace = &*site.base_path().namespace;
    json!({
        "namespace": namespace,
        "routes": { (format!("/{namespace}/doc")): {
            "namespace": namespace,
            "methods": ["GET"],
            "endpoints": [{ "methods": ["GET"], "args": {} }],
            "_links": { "self": [{ "href": site.address("/doc") }] },
        } },
        "zone_data": "2026c",
        "_links": { "up": [{ "href": format!("{}/", site.root()) }] },
    })
}

/// The names of the examples of a successful response.
pub(super) fn names(action: Action) -> Vec<String> {
    let one = |kind: Kind, suffix: &str| vec![format!("{}{suffix}", capital(kind.name()))];
    match action {
        Action::Index => vec!["Index".to_owned()],
        Action::Document => vec!["Document".to_owned()],
        Action::Changes => vec!["ChangeList".to_owned()],
        Action::List(kind) => vec![list_name(kind)],
        Action::Occurrences => vec!["OccurrenceList".to_owned()],
        Action::Read(Kind::Event, By::Slot) => vec!["Occurrence".to_owned()],
        Action::Read(Kind::Event, _) => ["Event", "Series", "Occurrence"]
            .map(str::to_owned)
            .to_vec(),
        Action::Read(kind, _) => one(kind, ""),
        Action::Create(kind)
        | Action::Update(kind, _)
        | Action::Restore(kind)
        | Action::Delete(kind, _)
            if is_term(kind) =>
        {
            one(kind, "")
        }
        Action::Create(kind) | Action::Update(kind, _) | Action::Restore(kind) => {
            one(kind, "Written")
        }
        Action::Revisions(_) => vec!["RevisionList".to_owned()],
        Action::Delete(kind, _) => [one(kind, "Trashed"), one(kind, "Gone")].concat(),
        Action::Verify => one(Kind::Event, "Written"),
        Action::Upload | Action::ReadImage | Action::UpdateImage => vec!["Image".to_owned()],
        Action::Import => vec!["ImportReport".to_owned()],
        Action::DeleteImage => vec!["ImageGone".to_owned()],
        Action::ListFeeds => vec!["FeedList".to_owned()],
        Action::CreateFeed => vec!["FeedCreated".to_owned()],
        Action::ReadFeed => vec!["Feed".to_owned()],
        Action::DeleteFeed => vec!["FeedGone".to_owned()],
        Action::ListSources => vec!["SourceList".to_owned()],
        Action::DeleteSource => vec!["SourceGone".to_owned()],
        Action::CreateSource
        | Action::ReadSource
        | Action::UpdateSource
        | Action::RunSource
        | Action::PauseSource
        | Action::ResumeSource => vec!["Source".to_owned()],
        Action::ListDuplicates => vec!["DuplicateList".to_owned()],
        Action::MergeDuplicate | Action::DismissDuplicate => vec!["Duplicate".to_owned()],
        Action::UndoMerge => vec!["Undone".to_owned()],
        Action::Audit => vec!["AuditList".to_owned()],
    }
}

fn gone(record: &Value) -> Value {
    json!({ "deleted": true, "previous": record })
}

/// A record as the response to its own `GET`, with `json_ld`.
fn record(kind: Kind, site: &Site) -> Value {
    let text = match kind {
        Kind::Event => include_str!("examples/event.json"),
        Kind::Venue => include_str!("examples/venue.json"),
        Kind::Organizer => include_str!("examples/organizer.json"),
        Kind::Category => include_str!("examples/category.json"),
        Kind::Tag => include_str!("examples/tag.json"),
    };
    parse(text, site)
}

/// The members by which a series and an occurrence differ from the example of an event.
const SERIES: &str = include_str!("examples/series.json");
const OCCURRENCE: &str = include_str!("examples/occurrence.json");

/// An event with the members of a series or an occurrence, before `json_ld`. Members of `json_ld` are
/// set one by one.
fn repeating(event: &Value, members: &str, site: &Site) -> Value {
    let mut event = event.clone();
    let json_ld = event["json_ld"].take();
    let (Value::Object(fields), Value::Object(members)) = (&mut event, parse(members, site)) else {
        return Value::Null;
    };
    fields.shift_remove("json_ld");
    fields.extend(members);
    let mut all = json_ld;
    if let (Value::Object(all), Some(Value::Object(own))) =
        (&mut all, fields.shift_remove("json_ld"))
    {
        all.extend(own);
    }
    fields.insert("json_ld".to_owned(), all);
    event
}

/// Parses a recorded example and puts the URL of the site into it. A test parses each.
fn parse(text: &str, site: &Site) -> Value {
    serde_json::from_str(&text.replace(EXAMPLE_ROOT, site.root())).unwrap_or_default()
}

/// A record in the responses to lists and writes, without `json_ld`.
fn without_json_ld(mut record: Value) -> Value {
    match &mut record {
        Value::Object(fields) => {
            fields.shift_remove("json_ld");
            for field in fields.values_mut() {
                *field = without_json_ld(field.take());
            }
        }
        Value::Array(values) => {
            for value in values {
                *value = without_json_ld(value.take());
            }
        }
        _ => {}
    }
    record
}
