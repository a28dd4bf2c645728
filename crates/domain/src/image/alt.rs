//! Alternative texts: what an image shows, for people who do not see it.

use std::str::FromStr;

use crate::{Language, text::collapsed_line};

/// An alternative text: one line of plain text, not empty, at most [`AltText::MAX_CHARS`] characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AltText(String);

text_value!(AltText, "A bank".parse::<events_calendar_domain::image::AltText>().unwrap() => "A bank");

/// The reason why a text is not an [`AltText`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAltText {
    /// The text is empty without markup and blanks.
    #[error("must not be empty")]
    Empty,
    /// The text has more than [`AltText::MAX_CHARS`] characters without markup.
    #[error("must have at most {max} characters, has {chars}", max = AltText::MAX_CHARS)]
    TooLong {
        /// Length of the text, in Unicode scalar values.
        chars: usize,
    },
}

impl AltText {
    /// Longest text accepted, in Unicode scalar values.
    pub const MAX_CHARS: usize = 500;
}

impl FromStr for AltText {
    type Err = InvalidAltText;

    /// Parses a text by the rules of [`collapsed_line`].
    ///
    /// # Errors
    ///
    /// [`InvalidAltText`], naming the rule that `raw` breaks.
    ///
    /// ```
    /// use events_calendar_domain::image::{AltText, InvalidAltText};
    ///
    /// assert_eq!(" A <i>red</i>\nbank ".parse::<AltText>()?.as_str(), "A red bank");
    /// assert_eq!(" ".parse::<AltText>(), Err(InvalidAltText::Empty));
    /// let long = "é".repeat(AltText::MAX_CHARS + 1);
    /// assert_eq!(long.parse::<AltText>(), Err(InvalidAltText::TooLong { chars: 501 }));
    /// # Ok::<(), InvalidAltText>(())
    /// ```
    fn from_str(raw: &str) -> Result<Self, InvalidAltText> {
        let text = collapsed_line(raw);
        match text.chars().count() {
            0 => Err(InvalidAltText::Empty),
            chars if chars > Self::MAX_CHARS => Err(InvalidAltText::TooLong { chars }),
            _ => Ok(Self(text)),
        }
    }
}

/// The alternative texts of an image, each in its language. The first one is the original, which
/// stands in for those that are missing.
///
/// ```
/// use events_calendar_domain::{Language, image::AltTexts};
///
/// let mut texts = AltTexts::default();
/// assert_eq!(texts.shown(Language::English), "");
/// texts.set(Language::French, Some("Un banc".parse()?));
/// assert_eq!(texts.shown(Language::English), "Un banc");
/// texts.set(Language::English, Some("A bench".parse()?));
/// assert_eq!(texts.shown(Language::English), "A bench");
/// assert_eq!(texts.shown(Language::Arabic), "Un banc");
/// texts.set(Language::English, None);
/// assert_eq!(texts.shown(Language::English), "Un banc");
/// assert_eq!(texts.iter().count(), 1);
/// assert_eq!(texts.text_bytes(), 7);
/// # Ok::<(), events_calendar_domain::image::InvalidAltText>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AltTexts(Vec<(Language, AltText)>);

impl AltTexts {
    /// The text for readers of a language; empty without any.
    pub fn shown(&self, language: Language) -> &str {
        let own = self.0.iter().find(|(one, _)| *one == language);
        let shown = own.or(self.0.first());
        shown.map_or("", |(_, text)| text.as_str())
    }

    /// Sets or removes the text in a language. A text that readers of the language see already changes
    /// nothing.
    pub fn set(&mut self, language: Language, text: Option<AltText>) {
        let is_shown = |text: &AltText| self.shown(language) == text.as_str();
        if text.as_ref().is_some_and(is_shown) {
            return;
        }
        let own = self.0.iter_mut().find(|(one, _)| *one == language);
        match (own, text) {
            (Some((_, own)), Some(text)) => *own = text,
            (None, Some(text)) => self.0.push((language, text)),
            (_, None) => self.0.retain(|(one, _)| *one != language),
        }
    }

    /// All texts, the original first.
    pub fn iter(&self) -> impl Iterator<Item = (Language, &AltText)> {
        self.0.iter().map(|(language, text)| (*language, text))
    }

    /// The size of the texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.0.iter().map(|(_, text)| text.0.len()).sum()
    }
}

impl FromIterator<(Language, AltText)> for AltTexts {
    /// Collects texts, the original first. The first one of a language counts.
    fn from_iter<T: IntoIterator<Item = (Language, AltText)>>(all: T) -> Self {
        let mut texts = Vec::new();
        for (language, text) in all {
            if texts.iter().all(|(one, _)| *one != language) {
                texts.push((language, text));
            }
        }
        Self(texts)
    }
}
