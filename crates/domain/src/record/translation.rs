//! Translations of a record.
//!
//! A record is written in one language, its original. A [`Translation`] holds some of its texts in
//! another language; texts without a translation are displayed as in the original.

use std::collections::BTreeMap;

use super::{Kind, Language};
use crate::{html::RichText, slug::Slug, text::Title};

named_enum! {
    /// A one-line text that only some kinds of record have and that is translated.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum TextField, name {
        /// Street and number.
        Address = "address",
        /// Town.
        City = "city",
        /// Country.
        Country = "country",
        /// Province, outside the United States.
        Province = "province",
        /// State, in the United States.
        State = "state",
        /// State or province, whichever applies.
        StateProvince = "stateprovince",
    }
}

/// The texts of a record in a language other than the original's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translation {
    /// Title or name.
    pub title: Option<Title>,
    /// The slug.
    pub slug: Option<Slug>,
    /// While the record is in the trash: the slug that it gets back when it is restored.
    pub former_slug: Option<Slug>,
    /// Long text.
    pub description: Option<RichText>,
    /// Short text.
    pub excerpt: Option<RichText>,
    /// The one-line texts that only some kinds have.
    pub text_fields: BTreeMap<TextField, String>,
}

impl Translation {
    /// The size of the texts, in bytes.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::Translation::default().text_bytes(), 0);
    /// ```
    pub fn text_bytes(&self) -> usize {
        let Self {
            title,
            slug,
            former_slug,
            description,
            excerpt,
            text_fields,
        } = self;
        let texts = [
            title.as_ref().map(Title::as_str),
            slug.as_ref().map(Slug::as_str),
            former_slug.as_ref().map(Slug::as_str),
            description.as_ref().map(RichText::as_str),
            excerpt.as_ref().map(RichText::as_str),
        ];
        let fields = text_fields.values().map(String::as_str);
        let all = texts.into_iter().flatten().chain(fields);
        all.map(str::len).sum()
    }

    /// Whether the slug, or the former slug of a record in the trash, was made from the title.
    ///
    /// ```
    /// use events_calendar_domain::{Kind, slug::Slug, text::Title, Translation};
    /// let mut french = Translation { title: Some("Moulin".parse::<Title>()?), ..Translation::default() };
    /// french.slug = Slug::normalize("moulin-2");
    /// assert!(french.is_slug_from_title(Kind::Venue));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_slug_from_title(&self, kind: Kind) -> bool {
        let slug = self.former_slug.as_ref().or(self.slug.as_ref());
        let made = slug.zip(self.title.as_ref());
        made.is_some_and(|(slug, title)| kind.is_slug_of(slug, title))
    }

    /// Whether the translation has no text.
    ///
    /// ```
    /// assert!(events_calendar_domain::Translation::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The translations of a record, none of them empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translations(BTreeMap<Language, Translation>);

impl Translations {
    /// The size of the texts, in bytes.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::Translations::default().text_bytes(), 0);
    /// ```
    pub fn text_bytes(&self) -> usize {
        self.iter()
            .map(|(_, translation)| translation.text_bytes())
            .sum()
    }

    /// Whether there is no translation.
    ///
    /// ```
    /// assert!(events_calendar_domain::Translations::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The translation into a language.
    ///
    /// ```
    /// use events_calendar_domain::{Language, Translations};
    /// assert_eq!(Translations::default().get(Language::French), None);
    /// ```
    pub fn get(&self, language: Language) -> Option<&Translation> {
        self.0.get(&language)
    }

    /// Replaces the translation into a language; an empty one is removed.
    ///
    /// ```
    /// use events_calendar_domain::{Language, text::Title, Translation, Translations};
    /// let mut translations = Translations::default();
    /// let title = Some("Moulin".parse::<Title>()?);
    /// translations.put(Language::French, Translation { title, ..Translation::default() });
    /// assert!(!translations.is_empty());
    /// translations.put(Language::French, Translation::default());
    /// assert!(translations.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn put(&mut self, language: Language, translation: Translation) {
        if translation.is_empty() {
            self.0.remove(&language);
        } else {
            self.0.insert(language, translation);
        }
    }

    /// Removes and returns the translation into a language, to change it and [put](Self::put) it
    /// back; an empty one if there is none.
    ///
    /// ```
    /// use events_calendar_domain::{Language, Translations};
    /// assert!(Translations::default().take(Language::French).is_empty());
    /// ```
    pub fn take(&mut self, language: Language) -> Translation {
        self.0.remove(&language).unwrap_or_default()
    }

    /// All translations, by language.
    ///
    /// ```
    /// assert_eq!(events_calendar_domain::Translations::default().iter().count(), 0);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Language, &Translation)> {
        self.0
            .iter()
            .map(|(language, translation)| (*language, translation))
    }
}

impl FromIterator<(Language, Translation)> for Translations {
    fn from_iter<T: IntoIterator<Item = (Language, Translation)>>(all: T) -> Self {
        let mut translations = Self::default();
        for (language, translation) in all {
            translations.put(language, translation);
        }
        translations
    }
}

/// Replaces a text by its translation, if there is one, and returns the replaced text.
pub(crate) fn replace_text<T>(text: &mut T, translated: Option<T>) -> Option<T> {
    translated.map(|translated| std::mem::replace(text, translated))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, Record, Stage, UserId, Venue, VenueDetails, time::Timestamp};

    fn title(text: &str) -> Title {
        text.parse::<Title>().unwrap()
    }

    fn slug(text: &str) -> Slug {
        Slug::normalize(text).unwrap()
    }

    /// A venue with a French title and region, and an Arabic slug.
    fn venue() -> Venue {
        let details = VenueDetails {
            city: "Lyons".to_owned(),
            province: "Rhone".to_owned(),
            ..VenueDetails::default()
        };
        let now = Timestamp::from_seconds(0).unwrap();
        let mut venue = Entry::new(UserId::from_raw(1), title("Mill"), details, now);
        venue.slug = Some(slug("mill"));
        venue.description = RichText::from_plain("Old.").unwrap();
        let french = Translation {
            title: Some(title("Moulin")),
            slug: Some(slug("moulin")),
            text_fields: BTreeMap::from([(TextField::Province, "Rhône".to_owned())]),
            ..Translation::default()
        };
        venue.translations.put(Language::French, french);
        let arabic = Translation {
            slug: Some(slug("mill")),
            ..Translation::default()
        };
        venue.translations.put(Language::Arabic, arabic);
        venue
    }

    #[test]
    fn each_text_is_shown_by_itself() {
        let french = venue().localized(Language::French);
        assert_eq!(french.title.as_str(), "Moulin");
        assert_eq!(french.slug, Some(slug("moulin")));
        assert_eq!(french.description, venue().description);
        assert_eq!(french.details.province, "Rhône");
        assert_eq!(french.details.city, "Lyons");
        assert_eq!(
            (french.stage, french.language),
            (Stage::Draft, Language::English)
        );
        assert_eq!(french.folded_fields(), ["moulin", "old.", "lyons", "rhone"]);
        assert_eq!(venue().localized(Language::English), venue());
    }

    #[test]
    fn what_is_shown_still_knows_all_languages() {
        for language in Language::ALL {
            let shown = venue().localized(language);
            let all = [Language::English, Language::Arabic, Language::French];
            assert_eq!(shown.languages(), all);
            for name in ["Mill", "Moulin"] {
                assert!(shown.titles().any(|title| title.as_str() == name));
            }
            for text in ["mill", "moulin"] {
                assert!(shown.slugs().any(|(_, one)| *one == slug(text)));
            }
        }
    }

    #[test]
    fn a_slug_of_several_languages_is_of_the_preferred_one() {
        for (text, preferred, language) in [
            ("mill", Language::Arabic, Some(Language::Arabic)),
            ("mill", Language::French, Some(Language::English)),
            ("moulin", Language::English, Some(Language::French)),
            ("other", Language::English, None),
        ] {
            assert_eq!(
                venue().language_of(&slug(text), preferred),
                language,
                "{text}"
            );
        }
    }

    #[test]
    fn text_fields_that_a_kind_has_not_are_not_shown() {
        let mut tag = crate::Tag::new(title("Loud"), slug("loud"));
        let text_fields = BTreeMap::from([(TextField::City, "Lyon".to_owned())]);
        let french = Translation {
            text_fields,
            ..Translation::default()
        };
        assert!(tag.swap_texts(french).is_empty());
    }
}
