//! Puts the tags of any text in order before it is parsed as HTML.
//!
//! A conforming parser repairs HTML in ways whose cost grows with the square of its length, and
//! whose result reads differently when parsed again. So tags are paired here first, nesting and
//! attributes are bounded, and elements that will not stay are dropped. What is safe is not
//! decided here but by the filter that follows.

use super::allow_list::is_allowed;
use super::token::{is_block, is_void};

/// Deepest nesting kept; tags beyond it are dropped.
const MAX_DEPTH: usize = 48;
/// Most attributes of a tag that are kept.
const MAX_ATTRIBUTES: usize = 16;
/// Most tags whose missing end is searched for through the whole text; later ones are text.
const MAX_UNENDED: usize = 64;

/// `raw` with paired tags; texts and the values of attributes stay escaped as they were.
pub(super) fn tidy(raw: &str) -> String {
    let mut page = Page {
        out: String::with_capacity(raw.len() + raw.len() / 8),
        open: Vec::new(),
    };
    let last_comment_end = raw.rfind("-->").unwrap_or(0);
    let last_tag_end = raw.rfind('>').unwrap_or(0);
    let mut unended = 0;
    let mut at = 0;
    while let Some(found) = raw[at..].find('<') {
        let start = at + found;
        page.out.push_str(&raw[at..start]);
        let rest = &raw[start + 1..];
        let end = if start > last_tag_end || unended > MAX_UNENDED {
            None
        } else if rest.starts_with("!--") && start + 4 <= last_comment_end {
            raw[start + 4..].find("-->").map(|end| start + 4 + end + 3)
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            Tag::read(rest).map(|tag| {
                let end = raw.len() - tag.after.len();
                if matches!(tag.name.as_str(), "script" | "style") {
                    return content_end(raw, end, &tag.name);
                }
                page.open_tag(&tag);
                end
            })
        } else if let Some(closing) = rest.strip_prefix('/')
            && closing.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            Tag::read(closing).map(|tag| {
                page.close_tag(&tag.name);
                raw.len() - tag.after.len()
            })
        } else if rest.starts_with(['!', '?']) {
            rest.find('>').map(|end| start + 1 + end + 1)
        } else {
            None
        };
        at = end.unwrap_or_else(|| {
            unended += usize::from(rest.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic()));
            page.out.push_str("&lt;");
            start + 1
        });
    }
    page.out.push_str(&raw[at..]);
    page.close_to(0);
    page.out
}

/// Where the content of the element that opened before `from` and its closing tag end; an element
/// that is not closed ends with the text.
fn content_end(raw: &str, from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(found) = raw[at..].find("</") {
        at += found + 2;
        if raw.as_bytes()[at..]
            .get(..name.len())
            .is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
        {
            return raw[at..].find('>').map_or(raw.len(), |end| at + end + 1);
        }
    }
    raw.len()
}

/// A tag as it was read.
struct Tag<'a> {
    /// In lower case.
    name: String,
    attributes: Vec<(&'a str, &'a str)>,
    /// The text behind the tag.
    after: &'a str,
}

impl<'a> Tag<'a> {
    /// Reads a tag behind its `<` or `</`. `None` if it does not end.
    fn read(text: &'a str) -> Option<Self> {
        let (name, mut rest) =
            text.split_at(text.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?);
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
            if let Some(after) = rest.strip_prefix('>') {
                return Some(Self {
                    name: name.to_ascii_lowercase(),
                    attributes,
                    after,
                });
            }
            // A `=` that starts a name belongs to it.
            let first = rest.chars().next()?.len_utf8();
            let ends_name = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '=');
            let (key, after) = rest.split_at(first + rest[first..].find(ends_name)?);
            let value;
            (value, rest) = match after.trim_ascii_start().strip_prefix('=') {
                None => ("", after),
                Some(after) => read_value(after.trim_ascii_start())?,
            };
            if attributes.len() < MAX_ATTRIBUTES {
                attributes.push((key, value));
            }
        }
    }
}

/// The value at the start of `text`, quoted or not, and what follows it.
fn read_value(text: &str) -> Option<(&str, &str)> {
    match text.chars().next()? {
        quote @ ('"' | '\'') => text[1..].split_once(quote),
        _ => Some(text.split_at(text.find(|c: char| c.is_ascii_whitespace() || c == '>')?)),
    }
}

/// The text as far as it was written.
struct Page {
    out: String,
    /// Names of the open elements.
    open: Vec<String>,
}

impl Page {
    fn open_tag(&mut self, tag: &Tag<'_>) {
        let name = tag.name.as_str();
        if !is_allowed(name) {
            return;
        }
        self.close_implied(name);
        if !is_void(name) {
            if self.open.len() >= MAX_DEPTH {
                return;
            }
            self.open.push(tag.name.clone());
        }
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in &tag.attributes {
            if key.bytes().all(|b| b.is_ascii_alphabetic()) {
                self.out.push(' ');
                self.out.push_str(key);
                self.out.push_str("=\"");
                self.out.push_str(&value.replace('"', "&quot;"));
                self.out.push('"');
            }
        }
        self.out.push('>');
    }

    fn close_tag(&mut self, name: &str) {
        if name == "br" {
            self.out.push_str("<br>");
        }
        // An inline element ends within its block, and a block within its table cell.
        let block = is_block(name);
        for (depth, open) in self.open.iter().enumerate().rev() {
            if open == name {
                return self.close_to(depth);
            }
            let cell = matches!(open.as_str(), "td" | "th" | "caption");
            if (!block && is_block(open)) || (cell && !in_table(name)) {
                return;
            }
        }
    }

    /// Closes what ends where `name` begins: a paragraph at a block, an item at the next one.
    fn close_implied(&mut self, name: &str) {
        let (ends, within): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ol", "ul"]),
            "dd" | "dt" => (&["dd", "dt"], &["dl"]),
            "td" | "th" => (&["td", "th", "caption", "colgroup"], &["tr", "table"]),
            "tr" => (
                &["tr", "caption", "colgroup"],
                &["table", "tbody", "thead", "tfoot"],
            ),
            "tbody" | "thead" | "tfoot" | "caption" | "colgroup" => (
                &["tbody", "thead", "tfoot", "caption", "colgroup"],
                &["table"],
            ),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => (&["h1", "h2", "h3", "h4", "h5", "h6"], &[]),
            "a" => (&["a"], &[]),
            _ => (&[], &[]),
        };
        let mut keep = self.open.len();
        for (depth, open) in self.open.iter().enumerate().rev() {
            let open = open.as_str();
            if ends.contains(&open) || (open == "p" && is_block(name)) {
                keep = depth;
            } else if within.contains(&open)
                || (within.is_empty() && is_block(open))
                || (!in_table(name) && in_table(open))
            {
                break;
            }
        }
        self.close_to(keep);
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            if let Some(name) = self.open.pop() {
                self.out.push_str("</");
                self.out.push_str(&name);
                self.out.push('>');
            }
        }
    }
}

/// Whether an element is part of a table, or one.
fn in_table(name: &str) -> bool {
    matches!(
        name,
        "table" | "caption" | "colgroup" | "col" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th"
    )
}
