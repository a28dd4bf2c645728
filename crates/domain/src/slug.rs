//! Slugs: the readable part of a record's URL.
//!
//! ```
//! use events_calendar_domain::slug::Slug;
//!
//! let slug = Slug::normalize("Été à la plage").unwrap();
//! assert_eq!(slug.as_str(), "ete-a-la-plage");
//! // Of several records with one title, the second one gets a number.
//! assert_eq!(slug.numbered(2).as_str(), "ete-a-la-plage-2");
//! ```

use std::str::FromStr;

use deunicode::deunicode_char;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::plain_line;

/// A slug: lower case, words joined by dashes, at most [`Slug::MAX_CHARS`] characters.
///
/// Latin letters are ASCII. Letters of other scripts stay, and are percent-encoded only inside
/// URLs, by [`Slug::percent_encoded`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slug(String);

text_value!(Slug, events_calendar_domain::slug::Slug::normalize("A/B").unwrap() => "a-b");

impl FromStr for Slug {
    type Err = InvalidSlug;

    /// Reads a slug that [`Slug::of_url`] leaves as it is.
    ///
    /// ```
    /// use events_calendar_domain::slug::{InvalidSlug, Slug};
    ///
    /// assert_eq!("river-cleanup".parse(), Ok(Slug::normalize("River cleanup").unwrap()));
    /// assert_eq!("River cleanup".parse::<Slug>(), Err(InvalidSlug));
    /// assert_eq!(InvalidSlug.to_string(), "must be a slug, such as river-cleanup");
    /// ```
    fn from_str(text: &str) -> Result<Self, InvalidSlug> {
        let slug = Self::of_url(text).filter(|slug| slug.0 == text);
        slug.ok_or(InvalidSlug)
    }
}

/// Error: the text is no slug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a slug, such as river-cleanup")]
pub struct InvalidSlug;

/// Words with another meaning in the URLs of a site.
const RESERVED: [&str; 8] = [
    "feed", "rdf", "rss", "rss2", "atom", "embed", "page", "by-slug",
];

/// The ASCII characters that are percent-encoded in URLs.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'~');

/// The separator of the slug of a series and the label of a slot.
const OCCURRENCE: char = '~';

impl Slug {
    /// Longest slug, in Unicode scalar values.
    pub const MAX_CHARS: usize = 200;

    /// The suffix of the slug of a record in the trash.
    const TRASHED: &str = "__trashed";

    /// Makes a slug from a title or from a typed slug.
    ///
    /// HTML elements are dropped and letters lower-cased (NFC). Latin letters lose their accents.
    /// Blanks, `/`, `.` and runs of dashes become one dash; `_` stays. Other punctuation, symbols
    /// and character references are dropped. Dashes at the ends are trimmed, and the result is cut
    /// to the maximum length. Percent-encoding is not decoded. `None` if the result is empty.
    ///
    /// ```
    /// use events_calendar_domain::slug::Slug;
    ///
    /// let slug = |raw| Slug::normalize(raw).map(|slug| slug.to_string());
    /// assert_eq!(slug("My Fancy  Slug!").as_deref(), Some("my-fancy-slug"));
    /// assert_eq!(slug("Été à la plage").as_deref(), Some("ete-a-la-plage"));
    /// assert_eq!(slug("東京").as_deref(), Some("東京"));
    /// assert_eq!(slug("!!!"), None);
    /// ```
    pub fn normalize(raw: &str) -> Option<Self> {
        let text: String = without_references(&plain_line(raw))
            .to_lowercase()
            .nfc()
            .collect();
        let mut slug = Writer::default();
        for c in text.chars() {
            slug.push(c);
        }
        // Without the dropped characters, the remaining ones may compose.
        let slug = cut(slug.text.nfc(), Self::MAX_CHARS);
        (!slug.is_empty()).then_some(Self(slug))
    }

    /// The slug that a client typed or copied: [normalized](Self::normalize), and decoded before if it is
    /// percent-encoded, as URLs have it.
    ///
    /// ```
    /// use events_calendar_domain::slug::Slug;
    ///
    /// let slug = |raw| Slug::typed(raw).map(|slug| slug.to_string());
    /// assert_eq!(slug("%d9%85%D9%87").as_deref(), Some("مه"));
    /// assert_eq!(slug("a%2Fb").as_deref(), Some("a-b"));
    /// assert_eq!(slug("100% jazz").as_deref(), Some("100-jazz"));
    /// assert_eq!(slug("%ff").as_deref(), Some("ff"), "no UTF-8");
    /// ```
    pub fn typed(raw: &str) -> Option<Self> {
        let decoded = percent_decode_str(raw).decode_utf8();
        Self::normalize(decoded.as_deref().unwrap_or(raw))
    }

    /// Wraps a stored slug, which [`Slug::normalize`] made; it is not checked.
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// assert_eq!(Slug::from_stored("a-b".to_owned()).as_str(), "a-b");
    /// ```
    pub fn from_stored(slug: String) -> Self {
        Self(slug)
    }

    /// This slug with `-n` appended, for the `n`-th record that requests it; cut to the maximum
    /// length.
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// assert_eq!(Slug::normalize("feed").unwrap().numbered(2).as_str(), "feed-2");
    /// let long = Slug::normalize(&"a".repeat(500)).unwrap();
    /// assert_eq!(long.numbered(2).as_str().len(), Slug::MAX_CHARS);
    /// ```
    #[must_use]
    pub fn numbered(&self, n: u32) -> Self {
        self.suffixed(&format!("-{n}"))
    }

    /// Whether this slug is `base` with a number from 2 on, as appended by [`Slug::numbered`].
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// let slug = |text| Slug::normalize(text).unwrap();
    /// assert!(slug("jazz-12").is_numbered(&slug("jazz")));
    /// assert!(!slug("jazz-1").is_numbered(&slug("jazz")));
    /// assert!(!slug("jazz").is_numbered(&slug("jazz")));
    /// ```
    pub fn is_numbered(&self, base: &Self) -> bool {
        let number = self.0.rsplit_once('-').map(|(_, number)| number.parse());
        matches!(number, Some(Ok(number)) if number >= 2 && base.numbered(number) == *self)
    }

    /// This slug with the suffix of records in the trash; cut to the maximum length.
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// assert_eq!(Slug::normalize("a").unwrap().trashed().as_str(), "a__trashed");
    /// ```
    #[must_use]
    pub fn trashed(&self) -> Self {
        self.suffixed(Self::TRASHED)
    }

    /// This slug and `other`, joined by a dash: a child under a parent. The result is cut to the
    /// maximum length, so that a slug of full length stays unchanged.
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// let child = Slug::normalize("Jazz").unwrap();
    /// assert_eq!(child.appended(&Slug::normalize("Music").unwrap()).as_str(), "jazz-music");
    /// ```
    #[must_use]
    pub fn appended(&self, other: &Slug) -> Self {
        Self(cut(
            self.0.chars().chain("-".chars()).chain(other.0.chars()),
            Self::MAX_CHARS,
        ))
    }

    /// Whether the slug has another meaning in URLs (`feed`, `page`, `by-slug` …), so that no
    /// record may have it.
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// assert!(Slug::normalize("Feed").unwrap().is_reserved());
    /// assert!(!Slug::normalize("Feed me").unwrap().is_reserved());
    /// ```
    pub fn is_reserved(&self) -> bool {
        RESERVED.contains(&self.0.as_str())
    }

    /// The slug as a path segment of a URL, in ASCII.
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// assert_eq!(Slug::normalize("東 a").unwrap().percent_encoded(), "%E6%9D%B1-a");
    /// ```
    pub fn percent_encoded(&self) -> String {
        utf8_percent_encode(&self.0, ESCAPED).to_string()
    }

    /// The slug of an occurrence of the event with this slug: a tilde, which no other slug has, and
    /// the label of its slot. It may be longer than [`Self::MAX_CHARS`].
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// let occurrence = Slug::normalize("Jazz night").unwrap().of_occurrence("2027-03-16");
    /// assert_eq!(occurrence.as_str(), "jazz-night~2027-03-16");
    /// let (series, label) = occurrence.series_and_label().unwrap();
    /// assert_eq!((series.as_str(), label), ("jazz-night", "2027-03-16"));
    /// ```
    #[must_use]
    pub fn of_occurrence(&self, label: &str) -> Self {
        Self(format!("{self}{OCCURRENCE}{label}"))
    }

    /// The slug of the series, and the label of the slot; none if it is no slug of an occurrence.
    pub fn series_and_label(&self) -> Option<(Self, &str)> {
        let (series, label) = self.0.split_once(OCCURRENCE)?;
        (!series.is_empty()).then(|| (Self(series.to_owned()), label))
    }

    /// The slug that a URL names: as [typed](Self::typed), but for the label of an occurrence.
    ///
    /// ```
    /// # use events_calendar_domain::slug::Slug;
    /// assert_eq!(Slug::of_url("Jazz Night~2027-03-16").unwrap().as_str(), "jazz-night~2027-03-16");
    /// assert_eq!(Slug::of_url("~"), None);
    /// ```
    pub fn of_url(raw: &str) -> Option<Self> {
        match raw.split_once(OCCURRENCE) {
            Some((series, label)) => Some(Self::typed(series)?.of_occurrence(label)),
            None => Self::typed(raw),
        }
    }

    /// This slug with `suffix` (ASCII), cut where needed.
    fn suffixed(&self, suffix: &str) -> Self {
        let room = Self::MAX_CHARS.saturating_sub(suffix.len());
        Self(cut(self.0.chars(), room) + suffix)
    }
}

/// The first `max` characters, without dashes at the end.
fn cut(chars: impl Iterator<Item = char>, max: usize) -> String {
    let mut text: String = chars.take(max).collect();
    text.truncate(text.trim_end_matches('-').len());
    text
}

/// `text` without character references such as `&amp;` and `&#8217;`, whose letters would become
/// part of the slug.
fn without_references(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('&');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let name = part.trim_start_matches('#');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric());
        match end.map(|end| (end, &name[end..])) {
            Some((2..=8, rest)) if rest.starts_with(';') => out.push_str(&rest[1..]),
            _ => {
                out.push('&');
                out.push_str(part);
            }
        }
    }
    out
}

/// Builds a slug character by character.
#[derive(Default)]
struct Writer {
    text: String,
    /// A dash is written before the next character.
    dash: bool,
    /// The last character was a letter that combining marks may follow.
    takes_marks: bool,
}

impl Writer {
    fn push(&mut self, c: char) {
        if is_combining_mark(c) {
            if self.takes_marks {
                self.text.push(c);
            }
            return;
        }
        self.takes_marks = false;
        if c.is_ascii_alphanumeric() || c == '_' {
            self.letter(c);
        } else if is_dash(c) {
            self.dash = true;
        } else if is_latin(c) && c.is_alphanumeric() {
            let ascii = deunicode_char(c).unwrap_or_default();
            for letter in ascii.chars().filter(char::is_ascii_alphanumeric) {
                self.letter(letter.to_ascii_lowercase());
            }
        } else if c.is_alphanumeric() {
            self.letter(c);
            self.takes_marks = true;
        }
    }

    fn letter(&mut self, c: char) {
        if self.dash && !self.text.is_empty() {
            self.text.push('-');
        }
        self.dash = false;
        self.text.push(c);
    }
}

/// Whether a character separates words.
fn is_dash(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '/' | '.' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Whether a letter or digit is in a block of the Latin script.
fn is_latin(c: char) -> bool {
    matches!(c,
        '\u{aa}'..='\u{2ff}' | '\u{1d00}'..='\u{1dbf}' | '\u{1e00}'..='\u{1eff}'
        | '\u{2070}'..='\u{209f}' | '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}'
        | '\u{ab30}'..='\u{ab6f}' | '\u{fb00}'..='\u{fb06}' | '\u{ff10}'..='\u{ff5a}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slug(raw: &str) -> String {
        Slug::normalize(raw).map_or_else(String::new, |slug| slug.to_string())
    }

    #[test]
    fn texts_become_slugs() {
        for (raw, expected) in [
            ("<CODE/CRAFTS>", "code-crafts"),
            ("<b>A</b> & c", "a-c"),
            ("Été à la plage", "ete-a-la-plage"),
            ("東京", "東京"),
            ("مهرجان الموسيقى", "مهرجان-الموسيقى"),
            ("my-fancy-slug__trashed", "my-fancy-slug__trashed"),
            ("My Fancy  Slug!", "my-fancy-slug"),
            ("zt One!", "zt-one"),
            ("-- a -–— b --", "a-b"),
            ("c't <webdev>", "ct-webdev"),
            (
                "Œuvre Straße Łódź Ærø İzmir ılık",
                "oeuvre-strasse-lodz-aero-izmir-ilik",
            ),
            ("e\u{301}te\u{301}", "ete"),
            ("v1.2/3", "v1-2-3"),
            ("Tom &amp; Jerry&#8217;s A&B; R&D", "tom-jerrys-ab-rd"),
            ("ПРИВЕТ Йод", "привет-йод"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("हिन्दी दिवस", "हिन्दी-दिवस"),
            ("か\u{3099}", "が"),
            ("東👍\u{fe0f}京 ½", "東京-12"),
            ("0", "0"),
            ("🎉", ""),
            (" - ", ""),
        ] {
            assert_eq!(slug(raw), expected, "{raw}");
        }
    }

    #[test]
    fn slugs_stay_within_their_length() {
        let long = Slug::normalize(&"é".repeat(300)).unwrap();
        assert_eq!(long.as_str().len(), 200);
        assert_eq!(long.numbered(12).as_str().len(), 200);
        assert!(long.numbered(12).as_str().ends_with("e-12"));
        assert_eq!(long.trashed().as_str().len(), 200);
        assert!(long.trashed().as_str().ends_with("e__trashed"));
        assert_eq!(long.appended(&long), long);
        let dashed = Slug::normalize(&format!("{} b", "a".repeat(199))).unwrap();
        assert_eq!(dashed.as_str().len(), 199);
        assert_eq!(
            Slug::normalize(&"東".repeat(300))
                .unwrap()
                .as_str()
                .chars()
                .count(),
            200
        );
    }

    #[test]
    fn encoding_is_ascii() {
        assert_eq!(
            Slug::from_stored("a_b-é/".to_owned()).percent_encoded(),
            "a_b-%C3%A9%2F"
        );
    }

    proptest! {
        #[test]
        fn a_numbered_slug_is_known(raw: String, n in 2..u32::MAX) {
            if let Some(slug) = Slug::normalize(&raw) {
                prop_assert!(slug.numbered(n).is_numbered(&slug));
            }
        }

        #[test]
        fn normalizing_twice_changes_nothing(raw: String, n: u32) {
            if let Some(slug) = Slug::normalize(&raw) {
                for slug in [slug.numbered(n), slug.trashed(), slug.appended(&slug), slug] {
                    prop_assert!(slug.as_str().chars().count() <= Slug::MAX_CHARS);
                    prop_assert!(slug.percent_encoded().is_ascii());
                    prop_assert_eq!(Slug::normalize(slug.as_str()), Some(slug.clone()));
                    let occurrence = slug.of_occurrence("2027-03-16T1900");
                    prop_assert_eq!(occurrence.as_str().parse(), Ok(occurrence.clone()));
                    prop_assert_eq!(slug.as_str().parse(), Ok(slug));
                }
            }
        }
    }
}
