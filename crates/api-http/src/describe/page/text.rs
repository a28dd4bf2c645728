//! Types and texts of the document as spans of text.

use serde_json::Value;

/// A text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Span {
    Plain(String),
    Code(String),
    /// The name of a schema.
    Schema(String),
}

/// Plain text.
fn plain(text: &str) -> Vec<Span> {
    vec![Span::Plain(text.to_owned())]
}

/// Splits a Markdown text into plain text and `code`. Emphasis is removed.
pub(super) fn prose(text: &str) -> Vec<Span> {
    let pieces = text.split('`').enumerate();
    pieces
        .filter(|(_, piece)| !piece.is_empty())
        .map(|(place, piece)| match place % 2 {
            0 => Span::Plain(piece.replace("**", "")),
            _ => Span::Code(piece.to_owned()),
        })
        .collect()
}

/// A value in the form of a query: text without quotes, lists with commas.
pub(super) fn short(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(short).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// The type of a schema in words.
pub(super) fn describe_type(schema: &Value) -> Vec<Span> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or_default();
        return vec![Span::Schema(name.to_owned())];
    }
    if let Some(value) = schema.get("const") {
        return vec![Span::Code(value.to_string())];
    }
    if let Some(values) = schema["enum"].as_array() {
        return either(
            values.iter().map(|value| vec![Span::Code(short(value))]),
            ", ",
        );
    }
    if let Some(kinds) = schema["anyOf"].as_array() {
        return either(kinds.iter().map(describe_type), " or ");
    }
    match &schema["type"] {
        Value::Array(names) => either(
            names.iter().map(|name| vec![Span::Plain(short(name))]),
            " or ",
        ),
        Value::String(name) if name == "array" => of_array(schema),
        Value::String(name) if schema["format"] == "uri" => {
            plain(&format!("{name}, a web address"))
        }
        Value::String(name) => plain(name),
        _ => Vec::new(),
    }
}

fn of_array(schema: &Value) -> Vec<Span> {
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
fn either(kinds: impl Iterator<Item = Vec<Span>>, between: &str) -> Vec<Span> {
    let mut distinct: Vec<Vec<Span>> = Vec::new();
    for kind in kinds {
        if !kind.is_empty() && !distinct.contains(&kind) {
            distinct.push(kind);
        }
    }
    distinct.join(&Span::Plain(between.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn described(schema: &Value) -> String {
        let spans = describe_type(schema).into_iter();
        spans
            .map(|(Span::Plain(text) | Span::Code(text) | Span::Schema(text))| text)
            .collect()
    }

    #[test]
    fn schemas_in_words() {
        for (schema, words) in [
            (json!({"type": "string"}), "string"),
            (json!({"type": ["string", "null"]}), "string or null"),
            (json!({"$ref": "#/components/schemas/Event"}), "Event"),
            (json!({"enum": ["asc", "desc"]}), "asc, desc"),
            (json!({"const": false}), "false"),
            (
                json!({"anyOf": [{"$ref": "#/x/Venue"}, {"type": "array", "maxItems": 0}]}),
                "Venue or empty list",
            ),
            (
                json!({"type": "array", "items": {"type": ["integer", "string"]}}),
                "list of (integer or string)",
            ),
        ] {
            assert_eq!(described(&schema), words);
        }
    }

    #[test]
    fn code_in_prose() {
        assert_eq!(
            prose("**Now** `x` then"),
            [
                Span::Plain("Now ".to_owned()),
                Span::Code("x".to_owned()),
                Span::Plain(" then".to_owned())
            ]
        );
    }
}
