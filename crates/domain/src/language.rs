//! The languages of the calendar's texts.

use std::fmt;

/// A language in which texts are kept and shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// Arabic, `ar`, written from right to left.
    Arabic,
    /// English, `en`.
    #[default]
    English,
    /// French, `fr`.
    French,
}

impl Language {
    /// Every language, by code.
    pub const ALL: [Self; 3] = [Self::Arabic, Self::English, Self::French];

    /// Its code in ISO 639-1.
    ///
    /// ```
    /// assert_eq!(domain::Language::French.code(), "fr");
    /// ```
    pub const fn code(self) -> &'static str {
        match self {
            Self::Arabic => "ar",
            Self::English => "en",
            Self::French => "fr",
        }
    }

    /// The language of a code, which must be in lower case.
    ///
    /// ```
    /// use domain::Language;
    /// assert_eq!(Language::from_code("ar"), Some(Language::Arabic));
    /// assert_eq!(Language::from_code("de"), None);
    /// ```
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code() == code)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
