//! The filter of HTML by an allow-list.

use super::{
    RichText, TooLong, allow_list, check_bytes, lines, paragraphs, printable, tidy, tidy::Fate,
};

/// Rounds until the result of filtering must be stable. Well-formed HTML takes two: one to filter,
/// one to confirm.
const MAX_ROUNDS: usize = 4;

impl RichText {
    /// Filters `raw` and makes paragraphs: a blank line separates two, a single line end within one
    /// becomes `<br />`. CRLF is read as LF. The result is empty if it has no text, image or rule.
    /// Parsing the result again changes nothing.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if the text as filtered exceeds [`RichText::MAX_BYTES`], or as sent
    /// [`RichText::MAX_SENT_BYTES`].
    ///
    /// ```
    /// use events_calendar_domain::html::RichText;
    ///
    /// assert_eq!(RichText::parse("A\n\nB")?.as_str(), "<p>A</p>\n<p>B</p>");
    /// assert_eq!(RichText::parse("x\ny")?.as_str(), "<p>x<br />\ny</p>");
    /// assert_eq!(RichText::parse("<b onclick=x>x</b><script>y</script>")?.as_str(), "<p><b>x</b></p>");
    /// # Ok::<(), events_calendar_domain::html::TooLong>(())
    /// ```
    pub fn parse(raw: &str) -> Result<Self, TooLong> {
        Self::settle(raw, paragraphs::arrange)
    }

    /// Filters `raw` as [`RichText::parse`] does, without adding paragraphs and line breaks.
    /// Parsing the result again changes nothing.
    ///
    /// # Errors
    ///
    /// As for [`RichText::parse`].
    ///
    /// ```
    /// use events_calendar_domain::html::RichText;
    ///
    /// assert_eq!(RichText::parse_lines("A\n\n<b onclick=x>B</b>")?.as_str(), "A\n\n<b>B</b>");
    /// # Ok::<(), events_calendar_domain::html::TooLong>(())
    /// ```
    pub fn parse_lines(raw: &str) -> Result<Self, TooLong> {
        Self::settle(raw, paragraphs::keep)
    }

    /// Checks the length of a text before it is filtered, and returns the length of what stands
    /// outside of tags, in bytes, blanks left out. Filtering takes much longer.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if the text exceeds [`RichText::MAX_SENT_BYTES`], or what stands outside of tags
    /// [`RichText::MAX_BYTES`].
    ///
    /// ```
    /// use events_calendar_domain::html::RichText;
    ///
    /// assert_eq!(RichText::check_sent("<p style='margin: 0'>Été &amp; &<br> 7"), Ok(8));
    /// assert!(RichText::check_sent(&"a".repeat(RichText::MAX_BYTES + 1)).is_err());
    /// ```
    pub fn check_sent(raw: &str) -> Result<usize, TooLong> {
        if raw.len() > Self::MAX_SENT_BYTES {
            return Err(TooLong { bytes: raw.len() });
        }
        let shown = |text: &str| text.bytes().filter(|byte| *byte > b' ').count();
        let bytes = if raw.contains('<') {
            let text = tidy::tidy_by(raw, &mut |_| Fate::Unwrapped).html;
            let escapes = ["&lt;", "&amp;", tidy::CUT].map(|mark| {
                let kept = usize::from(mark != tidy::CUT);
                text.matches(mark).count() * (mark.len() - kept)
            });
            shown(&text).saturating_sub(escapes.iter().sum())
        } else {
            shown(raw)
        };
        check_bytes(bytes)?;
        Ok(bytes)
    }

    /// Filters `raw` until another round changes nothing; `arrange` is the last step of each round.
    fn settle(raw: &str, arrange: fn(&str) -> String) -> Result<Self, TooLong> {
        // A text of this length or less is within both limits.
        if raw.len() > Self::MAX_BYTES {
            Self::check_sent(raw)?;
        }
        let mut text = filter(raw, arrange)?;
        for _ in 0..MAX_ROUNDS {
            Self::check_length(&text)?;
            let again = filter(&text, arrange)?;
            if again == text {
                return Ok(Self(text));
            }
            text = again;
        }
        // Unstable markup is discarded; its text stays.
        let text = arrange(&lines(&text));
        Self::check_length(&text)?;
        Ok(Self(text))
    }
}

/// One round of [`RichText::settle`]. A text that is too long after tidying is not parsed, as
/// parsing time grows with the length of the markup.
fn filter(raw: &str, arrange: fn(&str) -> String) -> Result<String, TooLong> {
    let tidy = tidy::tidy(raw);
    check_bytes(tidy.bytes)?;
    let filtered = allow_list::ALLOWED.clean(&tidy.html).to_string();
    Ok(arrange(&printable(&filtered)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn html(raw: &str) -> String {
        let text = RichText::parse(raw).unwrap();
        assert_eq!(
            RichText::parse(text.as_str()).unwrap(),
            text,
            "{raw:?} is not settled"
        );
        text.0
    }

    #[test]
    fn blank_lines_make_paragraphs() {
        for (raw, expected) in [
            ("Short", "<p>Short</p>"),
            ("A\n\nB", "<p>A</p>\n<p>B</p>"),
            ("A\r\n\r\n \t\n\r\nB\r\n", "<p>A</p>\n<p>B</p>"),
            ("x\ny", "<p>x<br />\ny</p>"),
            ("x  \n y<br>\nz<br/>w", "<p>x<br />\n y<br />\nz<br />w</p>"),
            ("", ""),
            (" \n\n ", ""),
            ("<p></p><div> </div><br>", ""),
            ("&nbsp;", ""),
            (
                "<h2>T</h2>a\n<ul>\n<li>x\ny</li>\n</ul>\nb",
                "<h2>T</h2>\n<p>a</p>\n<ul>\n<li>x<br />\ny</li>\n</ul>\n<p>b</p>",
            ),
            (
                "<p class=\"x\">a\n\nb</p><p> </p>",
                "<p class=\"x\">a</p>\n<p class=\"x\">b</p>",
            ),
            ("<b>a\n\nb</b>", "<p><b>a<br />\n<br />\nb</b></p>"),
            (
                "<blockquote>A\n\nB</blockquote>",
                "<blockquote><p>A</p>\n<p>B</p></blockquote>",
            ),
            ("<div>A</div>", "<div>A</div>"),
            (
                "<pre>\na\n\n <b>b</b>\n</pre>",
                "<pre>a\n\n <b>b</b>\n</pre>",
            ),
            ("<pre>\n\na</pre>", "<pre>\n\na</pre>"),
            (
                "<a href=\"/x\">t<div>u</div></a>v",
                "<a href=\"/x\">t<div>u</div></a>\n<p>v</p>",
            ),
            ("a<hr>b", "<p>a</p>\n<hr>\n<p>b</p>"),
            (
                "<table><tr><td>1<td>2</table>",
                "<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
            ),
            ("<p>a<p>b", "<p>a</p>\n<p>b</p>"),
            ("1 < 2 & c't", "<p>1 &lt; 2 &amp; c't</p>"),
        ] {
            assert_eq!(html(raw), expected, "{raw:?}");
        }
    }

    #[test]
    fn lines_stay_as_they_were_written() {
        for (raw, expected) in [
            ("Short", "Short"),
            ("A\n\nB\nC", "A\n\nB\nC"),
            ("A\r\nB", "A\nB"),
            ("<p>A</p>\n<p>B</p>", "<p>A</p>\n<p>B</p>"),
            ("a<br />\nb", "a<br />\nb"),
            ("<pre>\n\na</pre>", "<pre>\n\na</pre>"),
            ("<h2>T</h2>a <b>b</b>", "<h2>T</h2>a <b>b</b>"),
            ("Tom & Jerry: 1 < 2", "Tom &amp; Jerry: 1 &lt; 2"),
            ("a<script>b</script>c", "ac"),
            ("<b onclick='x()'>a</b>", "<b>a</b>"),
            (
                "<a href=/x target=_blank>a</a>",
                "<a href=\"/x\" target=\"_blank\" rel=\"noopener\">a</a>",
            ),
            (" \n <p> </p>", ""),
            ("", ""),
        ] {
            let text = RichText::parse_lines(raw).unwrap();
            assert_eq!(text.as_str(), expected, "{raw:?}");
        }
    }

    #[test]
    fn what_could_act_is_removed() {
        for (raw, expected) in [
            ("a<script>b</script>c<style>d</style>e", "<p>ace</p>"),
            ("<b onclick='x()'>a</b>", "<p><b>a</b></p>"),
            (
                "<img src=/x.png onerror=alert(1) alt=i>",
                "<p><img src=\"/x.png\" alt=\"i\"></p>",
            ),
            ("<a href='javascript:alert(1)'>a</a>", "<p><a>a</a></p>"),
            (
                "<a href='java&#10;script:alert(1)'>a</a>",
                "<p><a>a</a></p>",
            ),
            ("<a href='&#1;javascript:alert(1)'>a</a>", "<p><a>a</a></p>"),
            (
                "<a href='JAVASCRIPT&colon;alert(1)'>a</a>",
                "<p><a>a</a></p>",
            ),
            ("<img src='data:image/svg+xml,x'>", "<p><img></p>"),
            // Found by fuzzing: a reader that removes all white space sees a scheme.
            ("<img src='java\u{2028}script:x'>", "<p><img></p>"),
            ("<a href='java\u{a0}script:x'>a</a>", "<p><a>a</a></p>"),
            ("<a href='java script:x'>a</a>", "<p><a>a</a></p>"),
            ("<a href='/a b:c'>a</a>", "<p><a href=\"/a b:c\">a</a></p>"),
            ("<form action=/x>a<input>b</form>", "<p>ab</p>"),
            ("<iframe src=//x>a</iframe>b", "<p>ab</p>"),
            (
                "<p style='color:red' class=\"c\">a</p>",
                "<p class=\"c\">a</p>",
            ),
            (
                "<a href=mailto:a@b.co>a</a> <a href=tel:+1>b</a>",
                "<p><a href=\"mailto:a@b.co\">a</a> <a href=\"tel:+1\">b</a></p>",
            ),
            (
                "<a href=/x target=_blank>a</a>",
                "<p><a href=\"/x\" target=\"_blank\" rel=\"noopener\">a</a></p>",
            ),
            (
                "<a href=/x target=_blank rel=OPENER>a</a>",
                "<p><a href=\"/x\" target=\"_blank\" rel=\"noopener\">a</a></p>",
            ),
            ("a<!-- b -->c", "<p>ac</p>"),
            ("a\0b&#1;c", "<p>abc</p>"),
            ("a\u{80}b\u{85}\u{9f}c\u{a0}d", "<p>abc&nbsp;d</p>"),
            ("&lt;script>x", "<p>&lt;script&gt;x</p>"),
        ] {
            assert_eq!(html(raw), expected, "{raw:?}");
        }
    }

    #[test]
    fn plain_text_has_no_markup() {
        let plain = |stored: &str| RichText::from_stored(stored.to_owned()).plain();
        assert_eq!(
            plain("<p>a<br />\nb</p>\n<ul><li>c</li><li>d</li></ul>"),
            "a b c d"
        );
        assert_eq!(
            plain("<p>&amp;lt; &quot;&#233;&#xE9;&apos; &bogus; &</p>"),
            "&lt; \"éé' &bogus; &"
        );
        assert_eq!(plain(""), "");
    }

    #[test]
    fn length_is_limited() {
        let long = "a".repeat(RichText::MAX_BYTES + 1);
        assert_eq!(RichText::parse(&long), Err(TooLong { bytes: 200_001 }));
        assert!(RichText::parse(&"&".repeat(100_000)).is_err());
        let pasted =
            format!("<!-- {long} --><p style=\"{long}\" onclick='{long}'>x</p><o:p>{long}");
        assert_eq!(RichText::parse(&pasted), Err(TooLong { bytes: 200_002 }));
        let pasted = "<p class=x style='mso: none' onclick=y><o:p>x</o:p></p>".repeat(8000);
        assert_eq!(html(&pasted), vec!["<p class=\"x\">x</p>"; 8000].join("\n"));
        let sent = "<!---->".repeat(RichText::MAX_SENT_BYTES / 7 + 1);
        assert!(RichText::parse(&sent).is_err());
        assert!(TooLong { bytes: 1 }.to_string().contains("200000"));
    }

    /// Parsing long markup is expensive, so too long texts are refused before.
    #[test]
    fn what_grows_too_long_is_not_parsed() {
        for raw in [
            "&".repeat(190_000),
            "<".repeat(190_000),
            "<p>x".repeat(45_000),
        ] {
            assert!(filter(&raw, paragraphs::arrange).is_err());
        }
        assert!(RichText::parse(&"&".repeat(39_000)).is_ok());
        let long = "\u{a9}".repeat(99_000);
        assert_eq!(
            RichText::parse(&long).unwrap().as_str(),
            format!("<p>{long}</p>")
        );
    }

    #[test]
    fn hostile_repetition_stays_fast() {
        let classes: Vec<_> = (0..5000).map(|n| format!("<b class={n}>")).collect();
        let attributes: Vec<_> = (0..30_000).map(|n| format!(" a{n}")).collect();
        for raw in [
            "<div>".repeat(39_000),
            "<b>".repeat(60_000),
            "<!--".repeat(40_000),
            "<a b='".repeat(30_000),
            "</p>".repeat(40_000),
            "<p><b><div>".repeat(15_000),
            "<table><td>".repeat(15_000),
            "<script>".repeat(20_000),
            "<a\"<a b=\"'".repeat(19_000) + ">",
            classes.concat() + &"<p>x".repeat(20_000),
            format!("<b{}>", attributes.concat()),
            "<b></i>".repeat(20_000),
        ] {
            let _ = RichText::parse(&raw);
        }
    }

    fn soup() -> impl Strategy<Value = String> {
        #[rustfmt::skip]
        let pieces = vec![
            "a", "b c", "\n", "\n", "\n\n", " ", "\t", "&", "<", ">", "&lt;", "&nbsp;", "&#13;", "\r\n", "<br>", "<br />", "<hr>",
            "<p>", "</p>", "<p class=x>", "<div>", "</div>", "<b>", "</b>", "<i>", "</i>", "<a href=/x>", "</a>", "<pre>", "</pre>",
            "<ul>", "</ul>", "<li>", "</li>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<th>", "<caption>", "<col>", "<tbody>",
            "<h1>", "</h1>", "<h2>", "<blockquote>", "</blockquote>", "<img src=x>", "<span>", "</span>", "<script>", "</script>",
            "<dl>", "<dt>", "<dd>", "</dl>", "<svg>", "</svg>", "<math>", "<textarea>", "<select>", "<form>", "<code>", "</code>",
            "<figure>", "<figcaption>", "<details>", "<summary>", "</summary>", "<title>", "<style>", "<button>", "<!--", "-->",
            "<template>", "<p title='<b>\n\n'>", "<strong>", "</strong>", "<center>", "<address>", "<font>", "</table", "<x",
        ];
        prop::collection::vec(prop::sample::select(pieces), 0..24)
            .prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn parsing_twice_changes_nothing(raw in prop_oneof![3 => soup(), 1 => any::<String>()]) {
            let once = RichText::parse(&raw).unwrap();
            prop_assert_eq!(&RichText::parse(once.as_str()).unwrap(), &once);
            prop_assert!(!once.as_str().contains("<script"));
            once.plain();
            let lines = RichText::parse_lines(&raw).unwrap();
            prop_assert_eq!(&RichText::parse_lines(lines.as_str()).unwrap(), &lines);
            prop_assert!(!lines.as_str().contains("<script"));
        }

        #[test]
        fn a_plain_text_is_formatted_as_the_filter_does(raw in "[ab<>&;#\"' \t\r\n\u{a0}\u{1}é]{0,30}|\\PC*") {
            let text = RichText::from_plain(&raw).unwrap();
            prop_assert_eq!(&RichText::parse(text.as_str()).unwrap(), &text);
            let words = printable(&raw).split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert_eq!(text.plain(), words);
        }
    }
}
