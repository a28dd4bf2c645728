//! Formatted text as plain text of several lines.

use super::{
    RichText,
    token::{Token, decode, is_block, tokens},
};

impl RichText {
    /// The text without markup, for readers of plain text: a blank line between paragraphs, `- ` before
    /// items, `text (address)` for links. Longer texts are cut after `max_bytes` bytes of UTF-8, and end
    /// with `…`.
    ///
    /// ```
    /// # use events_calendar_domain::html::RichText;
    /// let html = "<p>See <a href=\"https://cal.example/\">our page</a>.</p><ul><li>One</li><li>Two</li></ul>";
    /// let text = RichText::from_stored(html.to_owned());
    /// assert_eq!(text.as_text(1000), "See our page (https://cal.example/).\n\n- One\n- Two");
    /// assert_eq!(text.as_text(7), "See our…");
    /// ```
    pub fn as_text(&self, max_bytes: usize) -> String {
        let mut writer = Writer::default();
        for token in tokens(&self.0) {
            // Text behind the limit need not be written. Blanks at the end are not part of the length.
            if writer.text.len() > max_bytes.saturating_add(1) {
                break;
            }
            match token {
                Token::Text(text) if writer.pre > 0 => writer.lines(&decode(text)),
                Token::Text(text) => writer.words(&decode(text)),
                Token::Tag { raw, name, closing } => writer.tag(raw, name, closing),
            }
        }
        let mut text = writer.text;
        if text.len() > max_bytes {
            let end = (0..=max_bytes)
                .rev()
                .find(|&end| text.is_char_boundary(end));
            text.truncate(end.unwrap_or_default());
            text.truncate(text.trim_end().len());
            text.push('…');
        }
        text
    }
}

/// The separator of the next word from the text before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    Nothing,
    Blank,
    Line,
    Paragraph,
}

#[derive(Debug, Default)]
struct Writer {
    text: String,
    gap: Gap,
    /// Open lists.
    lists: usize,
    /// Open elements of preformatted text.
    pre: usize,
    /// Open links: where their text begins, and their address.
    links: Vec<(usize, String)>,
}

impl Writer {
    /// Widens the space before the next word.
    fn space(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Writes a text without blanks at its ends.
    fn word(&mut self, word: &str) {
        let gap = std::mem::take(&mut self.gap);
        if !self.text.is_empty() && !self.text.ends_with("- ") {
            self.text.push_str(match gap {
                Gap::Nothing => "",
                Gap::Blank => " ",
                Gap::Line => "\n",
                Gap::Paragraph => "\n\n",
            });
        }
        self.text.push_str(word);
    }

    /// Writes text whose runs of blanks are one blank.
    fn words(&mut self, text: &str) {
        for piece in text.split_inclusive(is_blank) {
            let word = piece.trim_end_matches(is_blank);
            if !word.is_empty() {
                self.word(word);
            }
            if word.len() < piece.len() {
                self.space(Gap::Blank);
            }
        }
    }

    /// Writes preformatted text.
    fn lines(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            let line = piece.trim_end();
            if !line.is_empty() {
                self.word(line);
            }
            if piece.ends_with('\n') {
                self.space(Gap::Line);
            }
        }
    }

    fn tag(&mut self, raw: &str, name: &str, closing: bool) {
        match name {
            "br" | "tr" | "dt" | "dd" => self.space(Gap::Line),
            "td" | "th" => self.space(Gap::Blank),
            "li" if closing => self.space(Gap::Line),
            "li" => {
                self.space(Gap::Line);
                self.word("- ");
            }
            "ul" | "ol" => {
                self.space(if self.lists > usize::from(closing) {
                    Gap::Line
                } else {
                    Gap::Paragraph
                });
                self.lists = if closing {
                    self.lists.saturating_sub(1)
                } else {
                    self.lists + 1
                };
            }
            "a" if closing => self.end_of_link(),
            "a" => {
                let address = attribute(raw, "href").unwrap_or_default();
                self.links.push((self.text.len(), address));
            }
            "img" => {
                if let Some(alternative) = attribute(raw, "alt") {
                    self.words(&alternative);
                }
            }
            "p" if self.lists > 0 => self.space(Gap::Line),
            name if is_block(name) => {
                self.space(Gap::Paragraph);
                if name == "pre" {
                    self.pre = if closing {
                        self.pre.saturating_sub(1)
                    } else {
                        self.pre + 1
                    };
                }
            }
            _ => {}
        }
    }

    /// Writes the address of a link, unless its text says the same.
    fn end_of_link(&mut self) {
        let Some((begin, address)) = self.links.pop() else {
            return;
        };
        let schemes = ["mailto:", "tel:"];
        let address = schemes
            .iter()
            .find_map(|scheme| address.strip_prefix(scheme))
            .unwrap_or(&address);
        let text = self.text.get(begin..).unwrap_or_default().trim();
        let bare = address
            .trim_start_matches("https://")
            .trim_start_matches("http://");
        if address.is_empty()
            || text == address
            || text == bare
            || text == bare.trim_end_matches('/')
        {
            return;
        }
        let shown = if text.is_empty() {
            address.to_owned()
        } else {
            format!("({address})")
        };
        let after = std::mem::replace(&mut self.gap, Gap::Blank);
        self.word(&shown);
        self.gap = after;
    }
}

/// Whether a character separates words; a no-break space does not.
fn is_blank(c: char) -> bool {
    c.is_whitespace() && c != '\u{a0}'
}

/// The value of an attribute of a tag of filtered HTML, which quotes all values.
fn attribute(raw: &str, name: &str) -> Option<String> {
    let (_, value) = raw.split_once(&format!(" {name}=\""))?;
    let (value, _) = value.split_once('"')?;
    Some(decode(value).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(html: &str) -> String {
        RichText::from_stored(html.to_owned()).as_text(usize::MAX)
    }

    #[test]
    fn blocks_lists_and_links() {
        for (html, expected) in [
            ("<p>A<br />\nB</p>\n<p>C</p>", "A\nB\n\nC"),
            ("<h2>Title</h2><div>a <b>b</b>\n c</div>", "Title\n\na b c"),
            (
                "<p>x</p><ul>\n<li>a</li>\n<li>b<ul><li>c</li></ul></li><li>d</li></ul><p>y</p>",
                "x\n\n- a\n- b\n- c\n- d\n\ny",
            ),
            ("<ol><li><p>a</p></li><li><p>b</p></li></ol>", "- a\n- b"),
            ("<pre>a  b\n  c</pre>d", "a  b\n  c\n\nd"),
            (
                "<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>",
                "a b\nc",
            ),
            (
                "<a href=\"https://x.example/?a=1&amp;b=2\">here</a>, now",
                "here (https://x.example/?a=1&b=2), now",
            ),
            (
                "<a href=\"https://x.example/\">https://x.example/</a>",
                "https://x.example/",
            ),
            ("<a href=\"https://x.example/\">x.example</a> ", "x.example"),
            (
                "<a href=\"mailto:a@x.example\">write</a>",
                "write (a@x.example)",
            ),
            (
                "<a href=\"mailto:a@x.example\">a@x.example</a>",
                "a@x.example",
            ),
            (
                "<a href=\"https://x.example/\"><img src=\"a.png\" alt=\"Map\" /></a>",
                "Map (https://x.example/)",
            ),
            (
                "<a href=\"https://x.example/\"><img src=\"a.png\" /></a>",
                "https://x.example/",
            ),
            ("5 &lt; 6 &amp; 7&nbsp;kg", "5 < 6 & 7\u{a0}kg"),
            ("", ""),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn long_texts_end_with_an_ellipsis() {
        let long = RichText::from_stored("é ".repeat(50));
        assert_eq!(long.as_text(5), "é é…");
        assert_eq!(long.as_text(4), "é…");
        assert_eq!(long.as_text(149).chars().count(), 99);
        assert!(!long.as_text(149).contains('…'));
    }

    proptest! {
        #[test]
        fn any_text_is_a_text_within_the_limit(html in "([a-z é]|<(/?(p|ul|li|a|pre|b)|a href=\"x\")>|&[a-z]*;?|\n){0,60}", max in 0..80_usize) {
            let text = RichText::from_stored(html).as_text(max);
            prop_assert!(text.len() <= max + '…'.len_utf8());
        }
    }
}
