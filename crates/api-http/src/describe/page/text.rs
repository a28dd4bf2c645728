//! Types and texts of the document as spans of text.

use serde_json::Value;

/// A text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) text: String,
    /// Whether it is code.
    pub(super) code: bool,
    /// Whether it is the name of a schema.
    pub(super) link: bool,
}

impl Span {
    fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    fn code(text: impl Into<String>) -> Self {
        Self {
            code: true,
            ..Self::plain(text)
        }
    }
}

/// Splits a Markdown text into plain text and `code`. Emphasis is removed.
pub(super) fn prose(text: &str) -> Vec<Span> {
    let pieces = text.split('`').enumerate();
    pieces
        .filter(|(_, piece)| !piece.is_empty())
        .map(|(place, piece)| match place % 2 {
            0 => Span::plain(piece.replace("**", "")),
            _ => Span::code(piece),
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
        return vec![Span {
            link: true,
            ..Span::plain(name)
        }];
    }
    if let Some(value) = schema.get("const") {
        return vec![Span::code(value.to_string())];
    }
    if let Some(values) = schema["enum"].as_array() {
        return either(
            values.iter().map(|value| vec![Span::code(short(value))]),
            ", ",
        );
    }
    if let Some(kinds) = schema["anyOf"].as_array() {
        return either(kinds.iter().map(describe_type), " or ");
    }
    match &schema["type"] {
        Value::Array(names) => either(
            names.iter().map(|name| vec![Span::plain(short(name))]),
            " or ",
        ),
        Value::String(name) if name == "array" => of_array(schema),
        Value::String(name) if schema["format"] == "uri" => {
            vec![Span::plain(format!("{name}, a web address"))]
        }
        Value::String(name) => vec![Span::plain(name.clone())],
        _ => Vec::new(),
    }
}

fn of_array(schema: &Value) -> Vec<Span> {
    if schema["maxItems"] == 0 {
        return vec![Span::plain("empty list")];
    }
    let mut spans = vec![Span::plain("list of ")];
    let items = describe_type(&schema["items"]);
    if items.len() > 1 {
        spans.push(Span::plain("("));
        spans.extend(items);
        spans.push(Span::plain(")"));
    } else {
        spans.extend(items);
    }
    spans
}

/// Joins distinct alternatives.
fn either(kinds: impl Iterator<Item = Vec<Span>>, between: &str) -> Vec<Span> {
    let mut distinct: Vec<Vec<Span>> = Vec::new();
    for kind in kinds {
        if !kind.is_empty() && !distinct.contains(&kind) {
            distinct.push(kind);
        }
    }
    distinct.join(&Span::plain(between))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn described(schema: &Value) -> String {
        describe_type(schema)
            .into_iter()
            .map(|span| span.text)
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
            [Span::plain("Now "), Span::code("x"), Span::plain(" then")]
        );
    }
}
