//! One-line plain text: titles, names, addresses, and the folded form in which texts are compared.

use std::borrow::Cow;
use std::str::FromStr;

mod fold;
mod markup;
mod punctuation;
mod references;

pub use fold::fold;
pub(crate) use punctuation::straight;
pub use references::without_references;

/// Most further passes; a text that still changes then loses its `<`, `>` and `&`. Each pass
/// removes one level of nesting such as `<<b>b>`, in linear time.
const MAX_PASSES: usize = 3;

/// Reads `raw` as one line of plain text.
///
/// HTML elements are removed and their inner text stays; `script` and `style` are removed with
/// their content, and so are comments. An element is `<name`, attributes or blanks, `>` or `/>`,
/// with the name of an HTML element, or its closing tag. Every other `<` and `>` is text. `&lt;`
/// and `&gt;` are decoded, so that the result of [`escape_markup`] can be written back. A run of
/// control characters (such as line ends and tabs) becomes one blank. Blanks at the ends are
/// trimmed, inner ones stay. Nothing else changes.
///
/// The result is a fixed point: parsing it again, escaped or not, gives the same text.
///
/// ```
/// use events_calendar_domain::text::plain_line;
///
/// assert_eq!(plain_line("<b>A</b> & c"), "A & c");
/// assert_eq!(plain_line("c't <webdev>"), "c't <webdev>");
/// assert_eq!(plain_line(" A   b\n"), "A   b");
/// assert_eq!(plain_line("x<script>alert(1)</script>y"), "xy");
/// ```
pub fn plain_line(raw: &str) -> String {
    let mut text = pass(raw);
    for _ in 0..MAX_PASSES {
        let again = pass(&text);
        if again == text {
            return text;
        }
        text = again;
    }
    // Without these three characters the text contains no markup.
    text.retain(|c| !matches!(c, '<' | '>' | '&'));
    text.trim().to_owned()
}

/// One pass of [`plain_line`].
fn pass(raw: &str) -> String {
    let mut line = String::with_capacity(raw.len());
    let mut after_control = false;
    for c in raw.chars() {
        let control = breaks_a_line(c);
        if !control {
            line.push(c);
        } else if !after_control {
            line.push(' ');
        }
        after_control = control;
    }
    if line.contains("&lt;") || line.contains("&gt;") {
        line = line.replace("&lt;", "<").replace("&gt;", ">");
    }
    markup::without_elements(&line).trim().to_owned()
}

/// Whether a character is a control character, or not allowed in a line or an XML document.
pub(crate) fn breaks_a_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Like [`plain_line`], with runs of blanks collapsed into one.
///
/// For addresses, phone numbers and the names of venues and organizers.
///
/// ```
/// use events_calendar_domain::text::collapsed_line;
///
/// assert_eq!(collapsed_line("  +1   (2) "), "+1 (2)");
/// ```
pub fn collapsed_line(raw: &str) -> String {
    join_words(&plain_line(raw))
}

/// The words of `text` joined by one blank; control characters separate words too.
fn join_words(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// Whether a text has HTML elements or comments, as [`plain_line`] recognizes them.
///
/// ```
/// use events_calendar_domain::text::has_elements;
///
/// assert!(has_elements("Bring <b>boots</b>"));
/// assert!(!has_elements("5 < 6 > 4, <ada@fair.example>"));
/// ```
pub fn has_elements(text: &str) -> bool {
    matches!(markup::without_elements(text), Cow::Owned(rest) if rest != text)
}

/// Escapes `<` and `>` as `&lt;` and `&gt;` for answers; nothing else is escaped.
///
/// ```
/// use events_calendar_domain::text::escape_markup;
///
/// assert_eq!(escape_markup("c't <webdev>"), "c't &lt;webdev&gt;");
/// assert_eq!(escape_markup("Tom & Jerry"), "Tom & Jerry");
/// ```
pub fn escape_markup(text: &str) -> Cow<'_, str> {
    if text.contains(['<', '>']) {
        Cow::Owned(text.replace('<', "&lt;").replace('>', "&gt;"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A title or name: one line of plain text, not empty, at most [`Title::MAX_CHARS`] characters.
///
/// Parsing the result of [`Title::as_str`], escaped or not, gives an equal title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title(String);

text_value!(Title, "a < b".parse::<events_calendar_domain::text::Title>().unwrap() => "a < b");

/// The reason why a text is not a [`Title`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTitle {
    /// The text is empty without markup and blanks.
    #[error("must not be empty")]
    Empty,
    /// The text has more than [`Title::MAX_CHARS`] characters without markup.
    #[error("must have at most {max} characters, has {chars}", max = Title::MAX_CHARS)]
    TooLong {
        /// Length of the text, in Unicode scalar values.
        chars: usize,
    },
}

impl Title {
    /// Longest title accepted, in Unicode scalar values.
    pub const MAX_CHARS: usize = 1000;
}

impl FromStr for Title {
    type Err = InvalidTitle;

    /// Parses a title by the rules of [`plain_line`].
    ///
    /// # Errors
    ///
    /// [`InvalidTitle`], naming the rule that `raw` breaks.
    ///
    /// ```
    /// use events_calendar_domain::text::{InvalidTitle, Title};
    ///
    /// assert_eq!(" <i>0</i> ".parse::<Title>()?.as_str(), "0");
    /// assert_eq!(" <br> ".parse::<Title>(), Err(InvalidTitle::Empty));
    /// let long = "é".repeat(Title::MAX_CHARS + 1);
    /// assert_eq!(long.parse::<Title>(), Err(InvalidTitle::TooLong { chars: 1001 }));
    /// # Ok::<(), InvalidTitle>(())
    /// ```
    fn from_str(raw: &str) -> Result<Self, InvalidTitle> {
        let text = plain_line(raw);
        match text.chars().count() {
            0 => Err(InvalidTitle::Empty),
            chars if chars > Self::MAX_CHARS => Err(InvalidTitle::TooLong { chars }),
            _ => Ok(Self(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn elements_that_html_knows_are_removed_and_other_angles_are_text() {
        for (raw, plain) in [
            ("<b>A</b> & c", "A & c"),
            ("<CODE/CRAFTS>", "<CODE/CRAFTS>"),
            ("c't <webdev>", "c't <webdev>"),
            (
                "<a href='x>y' class=\"b\"title=t disabled>in</A >out",
                "inout",
            ),
            ("a<br/>b<hr />c", "abc"),
            ("1 < 2 > 0 <- <3", "1 < 2 > 0 <- <3"),
            ("<a@b.c> <http://x.y>", "<a@b.c> <http://x.y>"),
            ("a<!-- <b> -->b <!-- c", "ab <!-- c"),
            ("<b title=\"open> x", "<b title=\"open> x"),
            ("a<ScRiPt src=x>1<2</script\n>b<style>c", "abc"),
            (
                "Tom & Jerry c't “x” \\ &amp;",
                "Tom & Jerry c't “x” \\ &amp;",
            ),
            ("<<b>b>x", "x"),
            ("&lt;script>alert(1)&lt;/script&gt;!", "!"),
            ("&l<b>t;i&gt;x", "x"),
            ("a\r\nb\tc\0\0d\u{2028}e", "a b c d e"),
            ("", ""),
        ] {
            assert_eq!(plain_line(raw), plain, "{raw:?}");
        }
    }

    #[test]
    fn deep_nesting_ends_as_text_without_markup() {
        let raw = format!("{}x{}", "<".repeat(40), "b>".repeat(40));
        assert!(!plain_line(&format!("{}<b>{}", "<".repeat(40), "b>".repeat(40))).contains('<'));
        let once = plain_line(&raw);
        assert_eq!(plain_line(&once), once);
    }

    #[test]
    fn hostile_repetition_stays_fast() {
        for piece in [
            "<!--",
            "<script>",
            "<b a=\"",
            "<b ",
            "<b a='<",
            "</script ",
            "&lt;",
        ] {
            plain_line(&piece.repeat(200_000 / piece.len()));
        }
    }

    #[test]
    fn titles_have_a_length() {
        assert_eq!("0".parse::<Title>().unwrap().to_string(), "0");
        assert_eq!("\n".parse::<Title>(), Err(InvalidTitle::Empty));
        assert!("ü".repeat(1000).parse::<Title>().is_ok());
        let chars = 1001;
        assert_eq!(
            "ü".repeat(chars).parse::<Title>(),
            Err(InvalidTitle::TooLong { chars })
        );
        assert!(InvalidTitle::TooLong { chars }.to_string().contains("1000"));
    }

    fn markup() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "<b>",
            "</b>",
            "<",
            ">",
            "&lt;",
            "&gt;",
            "b",
            "<script>",
            "</script>",
            "/",
            "&",
            "lt;",
            " ",
            "<!--",
            "-->",
            "\"",
            "=",
            "\u{a0}",
            "\n",
            "gt;",
        ]);
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn reading_back_changes_nothing(raw in prop_oneof![markup(), any::<String>()]) {
            let line = plain_line(&raw);
            prop_assert_eq!(&plain_line(&escape_markup(&line)), &line);
            prop_assert_eq!(&plain_line(&line), &line);
            prop_assert!(!line.contains("<b>") && !line.contains("<script"), "{}", line);
            let line = collapsed_line(&raw);
            prop_assert_eq!(&collapsed_line(&escape_markup(&line)), &line);
            prop_assert!(!escape_markup(&line).contains(['<', '>']));
        }
    }
}
