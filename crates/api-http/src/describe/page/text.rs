//! Texts of the document as spans of text.

use std::fmt::{self, Display, Formatter};

use askama::filters::HtmlSafe;
use serde_json::Value;

/// A text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Span {
    Plain(String),
    Strong(String),
    Code(String),
    /// The name of a schema.
    Schema(String),
}

/// A text between tags, escaped. Quotes remain: they end attributes alone, and JSON is full of them.
#[derive(Debug)]
pub(super) struct BetweenTags<'a>(&'a str);

/// The text in the form of HTML.
pub(super) fn between_tags(text: &str) -> BetweenTags<'_> {
    BetweenTags(text)
}

impl Display for BetweenTags<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = self.0.replace('&', "&amp;");
        f.write_str(&text.replace('<', "&lt;").replace('>', "&gt;"))
    }
}

impl HtmlSafe for BetweenTags<'_> {}

/// Plain text.
pub(super) fn plain(text: &str) -> Vec<Span> {
    vec![Span::Plain(text.to_owned())]
}

/// Splits a Markdown text into plain text, `code` and **strong** text.
pub(super) fn prose(text: &str) -> Vec<Span> {
    let code = text.split('`').enumerate().map(|(index, piece)| {
        if index % 2 == 1 {
            vec![Span::Code(piece.to_owned())]
        } else {
            emphasis(piece)
        }
    });
    code.flatten().collect()
}

fn emphasis(text: &str) -> Vec<Span> {
    let pieces = text.split("**").map(str::to_owned).enumerate();
    pieces
        .filter(|(_, piece)| !piece.is_empty())
        .map(|(index, piece)| match index % 2 {
            0 => Span::Plain(piece),
            _ => Span::Strong(piece),
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

/// A text as it is, another value as JSON.
pub(super) fn pretty(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => format!("{other:#}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_between_tags_is_escaped() {
        let escaped = between_tags("<b a=\"1\"> & 'c'").to_string();
        assert_eq!(escaped, "&lt;b a=\"1\"&gt; &amp; 'c'");
    }

    #[test]
    fn code_and_emphasis_in_prose() {
        assert_eq!(
            prose("**Now** `x` then"),
            [
                Span::Strong("Now".to_owned()),
                Span::Plain(" ".to_owned()),
                Span::Code("x".to_owned()),
                Span::Plain(" then".to_owned())
            ]
        );
    }
}
