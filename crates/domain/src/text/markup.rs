//! Recognition of HTML elements in a line of plain text.

use std::borrow::Cow;

/// `text` without elements and comments, in one pass; elements that form by the removal stay.
pub(super) fn without_elements(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let endings = Endings::of(text);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        out.push_str(&text[at..start]);
        let end = if text[start..].starts_with("<!--") {
            endings.comment_end(text, start + 4)
        } else {
            element(&text[start..]).map(|len| {
                endings
                    .content_end(text, start, start + len)
                    .unwrap_or(start + len)
            })
        };
        at = end.unwrap_or_else(|| {
            out.push('<');
            start + 1
        });
    }
    out.push_str(&text[at..]);
    Cow::Owned(out)
}

/// The last ends of comments, `script` and `style`. They are found once, so that not every unclosed
/// one searches the whole text again.
struct Endings {
    /// The text in lower case, byte for byte.
    lower: String,
    comment: Option<usize>,
    script: Option<usize>,
    style: Option<usize>,
}

impl Endings {
    fn of(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        // A closing tag without `>` closes nothing.
        let closable = lower.rfind('>').unwrap_or(0);
        let last = |tag| lower[..closable].rfind(tag);
        let (script, style) = (last("</script"), last("</style"));
        Self {
            comment: lower.rfind("-->"),
            script,
            style,
            lower,
        }
    }

    /// The end of the comment that begins at `from`.
    fn comment_end(&self, text: &str, from: usize) -> Option<usize> {
        self.comment.filter(|&last| last >= from)?;
        Some(from + text[from..].find("-->")? + "-->".len())
    }

    /// The end of the closing tag of `script` or `style`, if their opening tag is `start..end`.
    /// Without a closing tag, only the opening tag is removed.
    fn content_end(&self, text: &str, start: usize, end: usize) -> Option<usize> {
        let name = &self.lower[start + 1..];
        let (closing, last) = match &name[..name_len(name)] {
            "script" => ("</script", self.script),
            "style" => ("</style", self.style),
            _ => return None,
        };
        last.filter(|&last| last >= end)?;
        let closing = end + self.lower[end..].find(closing)?;
        Some(closing + text[closing..].find('>')? + 1)
    }
}

/// Length of the tag at the start of `rest` (which starts with `<`), if its element is in HTML.
fn element(rest: &str) -> Option<usize> {
    let inner = &rest[1..];
    let end = match inner.strip_prefix('/') {
        Some(closing) => known_name(closing)?.trim_start().strip_prefix('>')?,
        None => attributes_end(known_name(inner)?)?,
    };
    Some(rest.len() - end.len())
}

/// Length of the name at the start of `text`, in bytes.
fn name_len(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(text.len())
}

/// The text after the name at the start of `text`, if an HTML element has the name.
fn known_name(text: &str) -> Option<&str> {
    let (name, after) = text.split_at(name_len(text));
    let lower = || name.bytes().map(|byte| byte.to_ascii_lowercase());
    ELEMENTS
        .binary_search_by(|known| known.bytes().cmp(lower()))
        .is_ok()
        .then_some(after)
}

/// The text after the `>` or `/>` that ends the attributes at the start of `text`.
fn attributes_end(text: &str) -> Option<&str> {
    let mut rest = text;
    let mut after_quote = false;
    loop {
        let next = rest.trim_start();
        if let Some(end) = next.strip_prefix("/>").or_else(|| next.strip_prefix('>')) {
            return Some(end);
        }
        if next.len() == rest.len() && !after_quote {
            return None;
        }
        (rest, after_quote) = attribute_end(next)?;
    }
}

/// The text after the attribute at the start of `text`, and whether its value was quoted.
fn attribute_end(text: &str) -> Option<(&str, bool)> {
    let ends_name = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '/' | '=');
    let name_len = text.find(ends_name)?;
    if name_len == 0 {
        return None;
    }
    let after = &text[name_len..];
    let Some(value) = after.trim_start().strip_prefix('=') else {
        return Some((after, false));
    };
    let value = value.trim_start();
    let quote = value.chars().next()?;
    if matches!(quote, '"' | '\'') {
        let end = value[1..].find(quote)?;
        return Some((&value[end + 2..], true));
    }
    let ends_value = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`');
    let value_len = value.find(ends_value)?;
    (value_len > 0).then(|| (&value[value_len..], false))
}

/// All elements of HTML, obsolete ones included, in alphabetical order.
#[rustfmt::skip]
const ELEMENTS: &[&str] = &[
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base",
    "basefont", "bdi", "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button",
    "canvas", "caption", "center", "cite", "code", "col", "colgroup", "data", "datalist", "dd",
    "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed", "fieldset",
    "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4",
    "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "image", "img", "input",
    "ins", "isindex", "kbd", "keygen", "label", "legend", "li", "link", "listing", "main", "map",
    "mark", "marquee", "math", "menu", "menuitem", "meta", "meter", "nav", "nobr", "noembed",
    "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param",
    "picture", "plaintext", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp",
    "script", "search", "section", "select", "slot", "small", "source", "spacer", "span",
    "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td",
    "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u",
    "ul", "var", "video", "wbr", "xmp",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_in_any_letter_case() {
        assert!(ELEMENTS.is_sorted(), "they are searched by halves");
        assert!(ELEMENTS.iter().all(|name| known_name(name).is_some()));
        assert_eq!(known_name("ScRiPt x"), Some(" x"));
        assert_eq!(known_name("webdev>"), None);
        assert_eq!(known_name(">"), None);
    }
}
