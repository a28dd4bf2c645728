//! The schemas of responses, derived from the types that are serialized.

use schemars::{Schema, generate::SchemaSettings, transform::transform_subschemas};
use serde_json::{Map, Value, json};

use crate::{
    describe::index::Index,
    record::{
        AuditEntryRecord, ChangeRecord, EventRecord, RevisionRecord, SecretFeedRecord,
        SourceRecord, StoredDuplicateRecord, TermRecord, UndoneRecord,
    },
};

/// The schemas of responses and their parts, by name.
pub(super) fn schemas() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.transforms = vec![Box::new(describe_response)];
        });
    let mut generator = settings.into_generator();
    generator.subschema_for::<EventRecord<'_>>();
    generator.subschema_for::<TermRecord<'_>>();
    generator.subschema_for::<SecretFeedRecord>();
    generator.subschema_for::<ChangeRecord>();
    generator.subschema_for::<SourceRecord>();
    generator.subschema_for::<StoredDuplicateRecord>();
    generator.subschema_for::<UndoneRecord>();
    generator.subschema_for::<AuditEntryRecord>();
    generator.subschema_for::<RevisionRecord>();
    generator.subschema_for::<Index>();
    generator.take_definitions(true)
}

/// Adapts a derived schema: optional fields are never `null`, objects have no further fields, and
/// numbers have no bit width.
fn describe_response(schema: &mut Schema) {
    transform_subschemas(&mut describe_response, schema);
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    let format = schema.get("format").and_then(Value::as_str);
    if let Some("int64" | "uint32" | "uint64" | "double") = format {
        if schema.get("minimum") == Some(&json!(0)) {
            schema.remove("minimum");
        }
        schema.remove("format");
    }
    let required = schema.get("required").cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        if schema.get("additionalProperties") == Some(&json!(true)) {
            schema.remove("additionalProperties");
        }
        return;
    };
    for (name, property) in properties {
        if required
            .as_array()
            .is_none_or(|required| !required.contains(&json!(name)))
        {
            remove_null(property);
        }
    }
    schema.entry("additionalProperties").or_insert(json!(false));
}

/// Removes `null` from the alternatives of a schema.
fn remove_null(schema: &mut Value) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        schema["type"] = types.swap_remove(0);
    } else if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") {
        *schema = alternatives.swap_remove(0);
    }
}
