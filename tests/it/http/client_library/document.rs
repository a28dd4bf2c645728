//! The structs of the client library, held against the description of the interface.

use std::{fs, path::Path};

use client::{
    ErrorCode,
    record::{
        CostDetails, DateDetails, EventRecord, ImageRecord, ImageSize, OrganizerRecord,
        RecurrenceChanges, RecurrenceRecord, RuleRecord, SeriesRecord, TermRecord, TicketRecord,
        VenueRecord, Warning,
    },
};
use domain::term::{Categories, Tags};
use serde_json::{Map, Value, json};

fn document() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// An answer of a schema: with all members, or with the required ones alone.
fn sample(document: &Value, schema: &Value, is_full: bool) -> Value {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return sample(document, &document["components"]["schemas"][name], is_full);
    }
    if let Some(one) = schema.get("anyOf") {
        // The first form is the value, the other one stands for none.
        return sample(document, &one[usize::from(!is_full)], is_full);
    }
    for word in ["const", "enum"] {
        match &schema[word] {
            Value::Null => {}
            Value::Array(words) => return words[0].clone(),
            word => return word.clone(),
        }
    }
    let types = &schema["type"];
    if let Some(types) = types.as_array()
        && !is_full
        && types.contains(&json!("null"))
    {
        return Value::Null;
    }
    match types.as_str().or_else(|| types[0].as_str()) {
        Some("integer") => json!(1),
        Some("number") => json!(1.5),
        Some("boolean") => json!(true),
        Some("array") if is_full && schema["maxItems"] != 0 => {
            json!([sample(document, &schema["items"], is_full)])
        }
        Some("array") => json!([]),
        Some("object") => {
            let mut object = Map::new();
            for (name, member) in schema["properties"].as_object().into_iter().flatten() {
                let required = schema["required"].as_array().into_iter().flatten();
                if is_full || required.into_iter().any(|one| one == name) {
                    object.insert(name.clone(), sample(document, member, is_full));
                }
            }
            if let Some(member) = schema.get("additionalProperties").filter(|one| one.is_object()) {
                object.insert("medium".to_owned(), sample(document, member, is_full));
            }
            Value::Object(object)
        }
        _ => json!("2027-03-10 09:00:00"),
    }
}

fn names(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Whether a written value has all members of an answer. `false` and an empty list may be none.
fn holds(written: &Value, answer: &Value) -> bool {
    match answer {
        Value::Object(members) => members.iter().all(|(name, one)| holds(&written[name], one)),
        Value::Bool(false) | Value::Array(_) if written.is_null() => true,
        answer => written == answer,
    }
}

/// Each type reads the answers of its schema, and has the members that the schema has.
macro_rules! assert_members {
    ($document:expr, $($type:ty = $schema:literal),+ $(,)?) => {$(
        let schema = &$document["components"]["schemas"][$schema];
        let full = sample($document, schema, true);
        let read: $type = serde_json::from_value(full.clone()).unwrap();
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!(names(&written), names(&full), "{}", $schema);
        let least = sample($document, schema, false);
        let read: $type = serde_json::from_value(least.clone()).unwrap();
        let written = serde_json::to_value(&read).unwrap();
        assert!(holds(&written, &least), "{}: {written} {least}", $schema);
    )+};
}

#[test]
fn records_have_the_members_of_the_document() {
    let document = &document();
    assert_members!(
        document,
        EventRecord = "Event",
        VenueRecord = "Venue",
        OrganizerRecord = "Organizer",
        TermRecord<Categories> = "Term",
        ImageRecord = "Image",
        ImageSize = "ImageSize",
        DateDetails = "DateDetails",
        CostDetails = "CostDetails",
        TicketRecord = "Ticket",
        RecurrenceRecord = "Recurrence",
        RuleRecord = "RecurrenceRule",
        SeriesRecord = "Series",
        RecurrenceChanges = "RecurrenceChanges",
        Warning = "Warning",
    );
    let mut tag = sample(document, &document["components"]["schemas"]["Term"], true);
    tag.as_object_mut().unwrap().remove("parent");
    let tag: TermRecord<Tags> = serde_json::from_value(tag).unwrap();
    assert_eq!(tag.parent, None);
}

/// The codes of errors within a value.
fn collect<'a>(value: &'a Value, codes: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            let of_error = value["properties"]["code"]["enum"].as_array();
            codes.extend(of_error.into_iter().flatten().filter_map(Value::as_str));
            members.values().for_each(|value| collect(value, codes));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, codes)),
        _ => {}
    }
}

#[test]
fn codes_are_those_of_the_document() {
    let document = document();
    let mut codes = Vec::new();
    collect(&document, &mut codes);
    codes.sort_unstable();
    codes.dedup();
    let mut known = ErrorCode::NAMES.to_vec();
    known.sort_unstable();
    assert_eq!(known, codes);
    for code in codes {
        assert_eq!(ErrorCode::from(code).as_str(), code);
        assert!(!matches!(ErrorCode::from(code), ErrorCode::Other(_)));
    }
    assert_eq!(ErrorCode::from("new"), ErrorCode::Other("new".to_owned()));
}
