//! Parameters, and fields of schemas.

use serde_json::Value;

use super::{
    json::{list, members, resolve, text},
    schema::{allowed_values, describe_type, limits},
    text::{Span, prose, short},
};

/// A parameter, or a field of a schema.
#[derive(Debug)]
pub(super) struct Field<'a> {
    /// With dots for a field within a field.
    pub(super) name: String,
    /// The part of the request that has the parameter.
    pub(super) location: Option<&'a str>,
    pub(super) is_required: bool,
    pub(super) kind: Vec<Span>,
    pub(super) limits: Vec<String>,
    pub(super) allowed: Vec<String>,
    pub(super) default: Option<String>,
    pub(super) example: Option<String>,
    pub(super) about: Vec<Span>,
}

impl<'a> Field<'a> {
    fn new(name: String, schema: &'a Value, about: &'a Value) -> Self {
        Self {
            name,
            location: None,
            is_required: false,
            kind: describe_type(schema),
            limits: limits(schema),
            allowed: allowed_values(schema),
            default: schema.get("default").map(short),
            example: schema["examples"].get(0).map(short),
            about: prose(text(about)),
        }
    }

    pub(super) fn of_parameter(parameter: &'a Value) -> Self {
        let name = text(&parameter["name"]).to_owned();
        Self {
            location: parameter["in"].as_str(),
            is_required: parameter["required"] == true,
            example: parameter.get("example").map(short),
            ..Self::new(name, &parameter["schema"], &parameter["description"])
        }
    }
}

/// The fields of a schema. The fields of objects without a name follow their object.
pub(super) fn fields<'a>(document: &'a Value, schema: &'a Value) -> Vec<Field<'a>> {
    let mut fields = Vec::new();
    add_fields(&mut fields, "", resolve(document, schema));
    fields
}

fn add_fields<'a>(fields: &mut Vec<Field<'a>>, prefix: &str, schema: &'a Value) {
    let is_required = |name: &str| list(&schema["required"]).any(|one| one == name);
    for (name, member) in members(&schema["properties"]) {
        let path = format!("{prefix}{name}");
        fields.push(Field {
            is_required: is_required(name),
            ..Field::new(path.clone(), member, &member["description"])
        });
        for object in [member, &member["items"]] {
            add_fields(fields, &format!("{path}."), object);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_of_objects_without_a_name_follow_them() {
        let document = json!({ "schemas": { "Error": {
            "properties": {
                "data": { "properties": { "status": {} }, "required": ["status"] },
                "findings": { "items": { "properties": { "line": {} } } },
                "known": { "$ref": "#/schemas/Error" },
            },
            "required": ["data"],
        } } });
        let reference = json!({ "$ref": "#/schemas/Error" });
        let fields = fields(&document, &reference);
        let named: Vec<_> = fields
            .iter()
            .map(|field| (&*field.name, field.is_required))
            .collect();
        assert_eq!(
            named,
            [
                ("data", true),
                ("data.status", true),
                ("findings", false),
                ("findings.line", false),
                ("known", false)
            ]
        );
    }
}
