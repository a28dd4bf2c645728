//! Schemas in words.

use serde_json::Value;

use super::{
    json::list,
    text::{Span, plain, short},
};

/// The largest integer that JavaScript represents exactly. Greater bounds are those of a type, and no facts
/// that a reader needs.
const MAX_TELLING_BOUND: f64 = 9_007_199_254_740_991.0;

/// The type of a schema.
pub(super) fn describe_type(schema: &Value) -> Vec<Span> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or_default();
        return vec![Span::Schema(name.to_owned())];
    }
    if let Some(value) = schema.get("const") {
        return plain(type_of(value));
    }
    if let (Some(values), None) = (schema["enum"].as_array(), schema.get("type")) {
        return either(values.iter().map(|value| plain(type_of(value))));
    }
    if let Some(kinds) = schema["anyOf"].as_array() {
        return either(kinds.iter().map(describe_type));
    }
    match &schema["type"] {
        Value::Array(names) => either(names.iter().map(|name| plain(&short(name)))),
        Value::String(name) if name == "array" => array(schema),
        Value::String(name) => plain(match schema["format"].as_str() {
            Some("uri" | "uri-reference") => "web address",
            Some("binary") => "file",
            _ => name,
        }),
        _ => Vec::new(),
    }
}

fn array(schema: &Value) -> Vec<Span> {
    if schema["maxItems"] == 0 {
        return plain("empty list");
    }
    let items = describe_type(&schema["items"]);
    if items.len() > 1 {
        [plain("list of "), plain("("), items, plain(")")].concat()
    } else {
        [plain("list of "), items].concat()
    }
}

/// Joins distinct alternatives.
fn either(kinds: impl Iterator<Item = Vec<Span>>) -> Vec<Span> {
    let mut distinct: Vec<Vec<Span>> = Vec::new();
    for kind in kinds {
        if !kind.is_empty() && !distinct.contains(&kind) {
            distinct.push(kind);
        }
    }
    distinct.join(&Span::Plain(" or ".to_owned()))
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// The values that a schema lists, of its alternatives and items too.
pub(super) fn allowed_values(schema: &Value) -> Vec<String> {
    let own = schema.get("const").into_iter().chain(list(&schema["enum"]));
    let parts = list(&schema["anyOf"]).chain(schema.get("items"));
    let mut distinct = Vec::new();
    for value in own.map(short).chain(parts.flat_map(allowed_values)) {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}

/// The limits of a value, such as `1 to 100` or `at most 500 characters`.
pub(super) fn limits(schema: &Value) -> Vec<String> {
    let bound = |name: &str| {
        let bound = schema[name].as_f64();
        bound.filter(|bound| bound.abs() <= MAX_TELLING_BOUND)
    };
    let number = match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) => Some(format!("{least} to {most}")),
        (Some(least), None) => Some(format!("at least {least}")),
        (None, Some(most)) => Some(format!("at most {most}")),
        (None, None) => None,
    };
    let most = |name: &str, of: &str| {
        let most = schema[name].as_u64().filter(|most| *most > 0);
        most.map(|most| format!("at most {most} {of}"))
    };
    let is_filled = schema["minLength"] == 1 || schema["minItems"] == 1;
    let not_empty = is_filled.then(|| "not empty".to_owned());
    [
        number,
        not_empty,
        most("maxLength", "characters"),
        most("maxItems", "values"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn described(schema: &Value) -> String {
        let spans = describe_type(schema).into_iter();
        spans
            .map(
                |(Span::Plain(text)
                 | Span::Strong(text)
                 | Span::Code(text)
                 | Span::Schema(text))| text,
            )
            .collect()
    }

    #[test]
    fn types_in_words() {
        for (schema, words) in [
            (json!({"type": "string"}), "string"),
            (json!({"type": ["string", "null"]}), "string or null"),
            (json!({"$ref": "#/components/schemas/Event"}), "Event"),
            (json!({"enum": ["asc", "desc"]}), "string"),
            (json!({"type": "string", "enum": ["asc", "desc"]}), "string"),
            (json!({"const": false}), "boolean"),
            (
                json!({"anyOf": [{"$ref": "#/x/Venue"}, {"type": "array", "maxItems": 0}]}),
                "Venue or empty list",
            ),
            (
                json!({"type": "array", "items": {"type": ["integer", "string"]}}),
                "list of (integer or string)",
            ),
            (json!({"type": "string", "format": "uri"}), "web address"),
        ] {
            assert_eq!(described(&schema), words);
        }
    }

    #[test]
    fn values_of_alternatives_and_items_are_listed_once() {
        let flag = json!({"anyOf": [{"type": "boolean"}, {"enum": ["1", "0"]}, {"enum": [1, 0]}]});
        assert_eq!(allowed_values(&flag), ["1", "0"]);
        let order = json!({"type": "array", "items": {"enum": ["asc", "desc"]}});
        assert_eq!(allowed_values(&order), ["asc", "desc"]);
        assert_eq!(allowed_values(&json!({"const": false})), ["false"]);
        assert!(allowed_values(&json!({"type": "string"})).is_empty());
    }

    #[test]
    fn limits_in_words() {
        for (schema, words) in [
            (json!({"minimum": -90, "maximum": 90}), "-90 to 90"),
            (json!({"minimum": 1, "maximum": i64::MAX}), "at least 1"),
            (
                json!({"minLength": 1, "maxLength": 1000}),
                "not empty, at most 1000 characters",
            ),
            (
                json!({"minItems": 1, "maxItems": 100}),
                "not empty, at most 100 values",
            ),
            (json!({"type": "string"}), ""),
        ] {
            assert_eq!(limits(&schema).join(", "), words);
        }
    }
}
