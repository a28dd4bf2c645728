//! Formatted text: safe HTML with paragraphs.

use std::borrow::Cow;

#[cfg(feature = "html")]
mod allow_list;
mod as_text;
#[cfg(feature = "html")]
mod filter;
#[cfg(feature = "html")]
mod foreign;
mod paragraphs;
#[cfg(feature = "html")]
mod pictures;
#[cfg(feature = "html")]
mod tidy;
mod token;

#[cfg(feature = "html")]
pub use allow_list::allowed_elements;
#[cfg(feature = "html")]
pub use foreign::Foreign;
#[cfg(feature = "html")]
pub use pictures::picture_addresses;
use token::{Token, is_block, tokens};

/// HTML filtered by an allow-list, with paragraphs made from blank lines.
///
/// Basic formatting, links, lists, images, headings, tables, quotations and code are allowed. Every
/// other element is removed and its inner text stays, except `script` and `style`, which are
/// removed with their content. Links and images lead to `http`, `https`, `mailto` and `tel` URLs or
/// to relative ones. Styles are removed; the attribute `class` stays.
///
/// Only the feature `html` can filter HTML. Without it, a text is made by [`RichText::from_plain`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RichText(String);

/// Error: a text exceeds the maximum length of a [`RichText`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must have at most {max} bytes, has {bytes}", max = RichText::MAX_BYTES)]
pub struct TooLong {
    /// Length of the text, in bytes.
    pub bytes: usize,
}

impl RichText {
    /// Longest text, in bytes of UTF-8.
    pub const MAX_BYTES: usize = 200_000;
    /// Longest text before it is filtered, in bytes of UTF-8.
    ///
    /// ```
    /// use events_calendar_domain::html::RichText;
    /// assert!(RichText::MAX_SENT_BYTES > RichText::MAX_BYTES);
    /// ```
    pub const MAX_SENT_BYTES: usize = 1024 * 1024;

    /// Formats a plain text: `<`, `>` and `&` are escaped, a blank line separates two paragraphs, a
    /// single line end becomes `<br />`. The result is empty if nothing of the text is visible.
    /// It needs no filter, and filtering it changes nothing.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if the text, as given or as formatted, exceeds [`RichText::MAX_BYTES`].
    ///
    /// ```
    /// use events_calendar_domain::html::RichText;
    ///
    /// let text = RichText::from_plain("Tom & Jerry\n5 < 6\n\nB")?;
    /// assert_eq!(text.as_str(), "<p>Tom &amp; Jerry<br />\n5 &lt; 6</p>\n<p>B</p>");
    /// assert_eq!(text.plain(), "Tom & Jerry 5 < 6 B");
    /// # Ok::<(), events_calendar_domain::html::TooLong>(())
    /// ```
    pub fn from_plain(text: &str) -> Result<Self, TooLong> {
        Self::check_length(text)?;
        let mut escaped = String::with_capacity(text.len());
        for c in printable(text).chars() {
            match c {
                '&' => escaped.push_str("&amp;"),
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                '\u{a0}' => escaped.push_str("&nbsp;"),
                _ => escaped.push(c),
            }
        }
        let html = paragraphs::arrange(&escaped);
        Self::check_length(&html)?;
        Ok(Self(html))
    }

    /// The text with the paragraphs that [`RichText::parse`] makes, for a page.
    ///
    /// ```
    /// # use events_calendar_domain::html::RichText;
    /// let text = RichText::from_stored("A\n\nB".to_owned());
    /// assert_eq!(text.in_paragraphs(), "<p>A</p>\n<p>B</p>");
    /// ```
    pub fn in_paragraphs(&self) -> String {
        paragraphs::arrange(&self.0)
    }

    /// Checks that a filtered text is short enough.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if it exceeds [`RichText::MAX_BYTES`].
    ///
    /// ```
    /// use events_calendar_domain::html::{RichText, TooLong};
    /// assert!(RichText::check_length("<p>A</p>").is_ok());
    /// let bytes = RichText::MAX_BYTES + 1;
    /// assert_eq!(RichText::check_length(&"a".repeat(bytes)), Err(TooLong { bytes }));
    /// ```
    pub fn check_length(text: &str) -> Result<(), TooLong> {
        check_bytes(text.len())
    }

    /// Wraps a stored text, which [`RichText::parse`] made; it is not filtered again.
    ///
    /// ```
    /// # use events_calendar_domain::html::RichText;
    /// assert_eq!(RichText::from_stored("<p>A</p>".to_owned()).as_str(), "<p>A</p>");
    /// ```
    pub fn from_stored(html: String) -> Self {
        Self(html)
    }

    /// The text as HTML.
    ///
    /// ```
    /// # use events_calendar_domain::html::RichText;
    /// assert_eq!(RichText::from_plain("a & b")?.as_str(), "<p>a &amp; b</p>");
    /// # Ok::<(), events_calendar_domain::html::TooLong>(())
    /// ```
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    ///
    /// ```
    /// # use events_calendar_domain::html::RichText;
    /// assert!(RichText::from_plain(" \r\n\t")?.is_empty());
    /// # Ok::<(), events_calendar_domain::html::TooLong>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text without markup, on one line: character references are decoded, blocks and lines
    /// separated by one blank, runs of white space collapsed.
    ///
    /// ```
    /// # use events_calendar_domain::html::RichText;
    /// let html = "<h2>Tom &amp; <b>Jer</b>ry</h2>5&nbsp;&lt;&#32;6\n7";
    /// let text = RichText::from_stored(html.to_owned());
    /// assert_eq!(text.plain(), "Tom & Jerry 5 < 6 7");
    /// ```
    pub fn plain(&self) -> String {
        let mut plain = String::with_capacity(self.0.len());
        for word in token::decode(&lines(&self.0)).split_whitespace() {
            if !plain.is_empty() {
                plain.push(' ');
            }
            plain.push_str(word);
        }
        plain
    }
}

fn check_bytes(bytes: usize) -> Result<(), TooLong> {
    if bytes > RichText::MAX_BYTES {
        Err(TooLong { bytes })
    } else {
        Ok(())
    }
}

/// The texts between the tags of filtered HTML, still escaped; blank lines separate blocks.
fn lines(html: &str) -> String {
    let mut lines = String::with_capacity(html.len());
    for token in tokens(html) {
        match token {
            Token::Text(text) => lines.push_str(text),
            Token::Tag { name: "br", .. } => lines.push('\n'),
            Token::Tag { name, .. } if is_block(name) => lines.push_str("\n\n"),
            Token::Tag { .. } => {}
        }
    }
    lines
}

/// `text` without control characters and characters that XML (such as a feed) forbids; line ends
/// become LF.
fn printable(text: &str) -> Cow<'_, str> {
    let broken = |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
    if text.contains(broken) {
        Cow::Owned(
            text.replace("\r\n", "\n")
                .replace('\r', "\n")
                .replace(broken, ""),
        )
    } else {
        Cow::Borrowed(text)
    }
}
