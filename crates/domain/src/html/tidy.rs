//! Pairs the tags of a text before it is parsed as HTML.
//!
//! A conforming parser repairs HTML in time that is quadratic in its length, and its result may
//! parse differently again. So this module pairs tags, bounds nesting and attributes, and drops
//! elements and attributes that are not allowed. Safety is the duty of the filter that follows.

use super::allow_list::{is_allowed, is_allowed_attribute};
use super::token::{is_block, is_void};

/// Deepest nesting; deeper tags are dropped.
const MAX_DEPTH: usize = 48;
/// Most attributes of a tag; further ones are dropped.
const MAX_ATTRIBUTES: usize = 16;
/// Longest value of an attribute, in bytes: a URL of 2,048 characters, each written as a reference
/// such as `&amp;`. Writing a value takes time quadratic in its length.
const MAX_VALUE_BYTES: usize = 5 * 2048;
/// Most unended tags for which the whole text is searched; later ones are text.
const MAX_UNENDED: usize = 64;
/// Longest text without a tag or a comment, in bytes. Writing a text takes time quadratic in its
/// length.
const MAX_RUN_BYTES: usize = 512;
/// The separator of long texts. The filter drops comments.
pub(super) const CUT: &str = "<!---->";
/// Longest character reference, in bytes; texts are not cut within one.
const MAX_REFERENCE_BYTES: usize = 40;

/// HTML with paired tags.
#[derive(Debug)]
pub(super) struct Tidy {
    /// The HTML; comments separate its long texts.
    pub(super) html: String,
    /// Its length without these comments, in bytes.
    pub(super) bytes: usize,
}

/// The fate of an element.
pub(super) enum Fate<'a> {
    /// It stays.
    Stays,
    /// Its tags go, its content stays.
    Unwrapped,
    /// It goes with its content.
    Gone,
    /// It goes with its content; a link to this address, escaped as in an attribute, replaces it.
    Link(&'a str),
    /// It stays with another address.
    Source(&'a str),
}

/// Decides about an element by its opening tag; the text after the tag is [`Tag::after`].
pub(super) type Decide<'a> = dyn for<'b> FnMut(&Tag<'b>) -> Fate<'b> + 'a;

/// Pairs the tags of `raw`; texts and the values of attributes stay escaped as they were.
pub(super) fn tidy(raw: &str) -> Tidy {
    tidy_by(raw, &mut |_| Fate::Stays)
}

/// [`tidy`], with a decision about each element.
pub(super) fn tidy_by(raw: &str, decide: &mut Decide<'_>) -> Tidy {
    let mut page = Page {
        out: String::with_capacity(raw.len() + raw.len() / 8),
        open: Vec::new(),
        run: 0,
        cuts: 0,
        gone: None,
    };
    let last_comment_end = raw.rfind("-->").unwrap_or(0);
    let last_tag_end = raw.rfind('>').unwrap_or(0);
    let mut unended = 0;
    let mut at = 0;
    while let Some(found) = raw[at..].find('<') {
        let start = at + found;
        page.text(&raw[at..start]);
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
                page.element(tag, decide);
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
            page.text("<");
            start + 1
        });
    }
    page.text(&raw[at..]);
    // An element that does not end does not take the rest of the text with it.
    page.gone = None;
    page.close_to(0);
    Tidy {
        bytes: page.out.len() - page.cuts * CUT.len(),
        html: page.out,
    }
}

/// The end of the closing tag of the element that opened before `from`; an element that is not
/// closed ends with the text.
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

/// A parsed tag.
pub(super) struct Tag<'a> {
    /// The name in lower case.
    pub(super) name: String,
    attributes: Vec<(&'a str, &'a str)>,
    /// The text after the tag.
    pub(super) after: &'a str,
}

impl<'a> Tag<'a> {
    /// Parses a tag after its `<` or `</`. `None` if it does not end.
    pub(super) fn read(text: &'a str) -> Option<Self> {
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
            // A leading `=` is part of the name.
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

impl<'a> Tag<'a> {
    /// The value of an attribute, still escaped.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    }
}

/// The value at the start of `text`, quoted or not, and the text after it.
fn read_value(text: &str) -> Option<(&str, &str)> {
    match text.chars().next()? {
        quote @ ('"' | '\'') => text[1..].split_once(quote),
        _ => Some(text.split_at(text.find(|c: char| c.is_ascii_whitespace() || c == '>')?)),
    }
}

/// The output so far.
struct Page {
    out: String,
    /// Names of the open elements.
    open: Vec<String>,
    /// Length of the text since the last tag or comment, in bytes.
    run: usize,
    /// Number of cuts.
    cuts: usize,
    /// The element that goes with its content: its depth, and the length and cuts before it.
    gone: Option<(usize, usize, usize)>,
}

impl Page {
    /// Writes text, cut into runs of at most [`MAX_RUN_BYTES`].
    fn text(&mut self, text: &str) {
        let mut rest = text;
        while rest.len() > MAX_RUN_BYTES - self.run {
            let end = rest.floor_char_boundary(MAX_RUN_BYTES - self.run);
            let from = rest.floor_char_boundary(end.saturating_sub(MAX_REFERENCE_BYTES));
            let end = rest[from..end].rfind('&').map_or(end, |start| from + start);
            self.escaped(&rest[..end]);
            self.out.push_str(CUT);
            self.cuts += 1;
            self.run = 0;
            rest = &rest[end..];
        }
        self.escaped(rest);
        self.run += rest.len();
    }

    /// Writes text; an `&` that begins no character reference is escaped.
    fn escaped(&mut self, text: &str) {
        let mut from = 0;
        for (at, found) in text.match_indices(['&', '<']) {
            let next = text[at + 1..].chars().next();
            let replacement = match found {
                "<" => "&lt;",
                _ if next.is_none_or(|c| c != '#' && !c.is_ascii_alphanumeric()) => "&amp;",
                _ => continue,
            };
            self.out.push_str(&text[from..at]);
            self.out.push_str(replacement);
            from = at + 1;
        }
        self.out.push_str(&text[from..]);
    }

    /// Writes the opening tag of an element as it is decided.
    fn element(&mut self, mut tag: Tag<'_>, decide: &mut Decide<'_>) {
        if self.gone.is_some() {
            return self.open_tag(&tag);
        }
        match decide(&tag) {
            Fate::Stays => self.open_tag(&tag),
            Fate::Unwrapped => {}
            Fate::Gone => self.open_gone(&tag),
            Fate::Link(address) => {
                let link = Tag {
                    name: "a".to_owned(),
                    attributes: vec![("href", address)],
                    after: "",
                };
                self.open_tag(&link);
                self.text(address);
                self.close_tag("a");
                self.open_gone(&tag);
            }
            Fate::Source(address) => {
                tag.attributes
                    .retain(|(key, _)| !key.eq_ignore_ascii_case("src"));
                tag.attributes.insert(0, ("src", address));
                self.open_tag(&tag);
            }
        }
    }

    /// Opens an element that goes with its content.
    fn open_gone(&mut self, tag: &Tag<'_>) {
        if is_void(&tag.name) || tag.name == "embed" || self.open.len() >= MAX_DEPTH {
            return;
        }
        self.close_implied(&tag.name);
        self.gone = Some((self.open.len(), self.out.len(), self.cuts));
        self.open.push(tag.name.clone());
    }

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
        self.run = 0;
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in &tag.attributes {
            if is_allowed_attribute(name, key) && value.len() <= MAX_VALUE_BYTES {
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
            self.run = 0;
        }
        // An inline element ends with its block, and a block with its table cell.
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

    /// Closes the elements that the start of `name` ends: a paragraph at a block, an item at the
    /// next one.
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
                self.run = 0;
            }
            if let Some((at, length, cuts)) = self.gone
                && self.open.len() <= at
            {
                self.out.truncate(length);
                self.cuts = cuts;
                self.gone = None;
            }
        }
    }
}

/// Whether an element is a table or part of one.
fn in_table(name: &str) -> bool {
    matches!(
        name,
        "table" | "caption" | "colgroup" | "col" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serializing a text or an attribute takes time quadratic in its length, so each is short.
    #[test]
    fn long_texts_are_cut_and_long_attributes_left_out() {
        let piece_of = |raw: &str| {
            let tidy = tidy(raw).html;
            tidy.split(['<', '>']).map(str::len).max()
        };
        for text in [
            "&",
            "x",
            "\u{a0}",
            "\u{a9}",
            "&amp;",
            "&notit;",
            "<",
            "&CounterClockwiseContourIntegral;",
        ] {
            let raw = text.repeat(20_000);
            assert!(piece_of(&raw) <= Some(5 * MAX_RUN_BYTES), "{text}");
            let attribute = format!("<a title=\"{raw}\" href=\"/{raw}\">b</a>");
            assert!(piece_of(&attribute) <= Some(MAX_VALUE_BYTES), "{text}");
        }
    }

    #[test]
    fn cuts_are_no_part_of_a_text() {
        let text = "&eacute;&amp;a".repeat(1000);
        let tidy = tidy(&text);
        assert_eq!(tidy.html.replace(CUT, ""), text);
        assert_eq!(tidy.bytes, text.len());
        assert_eq!(
            tidy.html.matches(CUT).count(),
            tidy.html.split(CUT).count() - 1
        );
        assert!(
            tidy.html
                .split(CUT)
                .all(|piece| piece.matches('&').count() == piece.matches(';').count())
        );
    }
}
