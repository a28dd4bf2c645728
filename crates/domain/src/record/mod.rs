//! IDs, kinds, languages and translations: the parts that all records share.

mod id;
mod kind;
mod language;
mod translation;

use std::{fmt, ops::Deref};

use crate::{slug::Slug, text::Title, time::Timestamp};

pub use id::Id;
pub use kind::Kind;
pub use language::Language;
pub(crate) use translation::replace_text;
pub use translation::{TextField, Translation, Translations};

/// A kind of record that the calendar stores under IDs.
pub trait Record: Clone + fmt::Debug + Send + Sync + Sized + 'static {
    /// Which kind it is.
    const KIND: Kind;

    /// The filter of a list of this kind.
    type Filter: Clone + fmt::Debug + Send + Sync;

    /// The language of the original.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(Record::language(&tag), Language::English);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn language(&self) -> Language;

    /// Its title or name.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.title().as_str(), "Loud");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn title(&self) -> &Title;

    /// Its name in addresses, if it has one.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.slug().unwrap().as_str(), "loud");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn slug(&self) -> Option<&Slug>;

    /// Its texts in other languages.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.translations().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn translations(&self) -> &Translations;

    /// When it was changed last; none for a kind of which that is not recorded.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.modified(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn modified(&self) -> Option<Timestamp>;

    /// How many bytes its texts take, in all languages.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.text_bytes(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn text_bytes(&self) -> usize;

    /// Its texts in other languages, to be changed.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let mut tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.translations_mut().take(Language::French).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn translations_mut(&mut self) -> &mut Translations;

    /// Puts the texts of a translation in the place of its own; answers those that were there.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title, Translation};
    /// let mut tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// let french = Translation { title: Some("Bruyant".parse::<Title>()?), ..Translation::default() };
    /// assert_eq!(tag.swap_texts(french).title.unwrap().as_str(), "Loud");
    /// assert_eq!(tag.name.as_str(), "Bruyant");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn swap_texts(&mut self, translation: Translation) -> Translation;

    /// The record as it is shown in a language: what is not translated as in the original. The
    /// texts of the original that are not shown stand among its translations; so the result is to
    /// be read, not to be kept.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title, Translation};
    /// let mut tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// let title = Some("Bruyant".parse::<Title>()?);
    /// tag.translations.put(Language::French, Translation { title, ..Translation::default() });
    /// let shown = tag.clone().localized(Language::French);
    /// assert_eq!((shown.name.as_str(), shown.slug.as_str()), ("Bruyant", "loud"));
    /// assert_eq!(tag.localized(Language::Arabic).name.as_str(), "Loud");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    fn localized(mut self, language: Language) -> Self {
        let original = self.language();
        if language == original {
            return self;
        }
        if let Some(translation) = self.translations().get(language).cloned() {
            let hidden = self.swap_texts(translation);
            self.translations_mut().put(original, hidden);
        }
        self
    }

    /// The languages in which it has at least one text, that of the original first.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title, Translation};
    /// let mut tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// let title = Some("صاخب".parse::<Title>()?);
    /// tag.translations.put(Language::Arabic, Translation { title, ..Translation::default() });
    /// assert_eq!(tag.languages(), [Language::English, Language::Arabic]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn languages(&self) -> Vec<Language> {
        let original = self.language();
        let others = self.translations().iter().map(|(language, _)| language);
        std::iter::once(original)
            .chain(others.filter(|language| *language != original))
            .collect()
    }

    /// Its titles or names in all languages.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.titles().any(|title| title.as_str() == "Loud"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn titles(&self) -> impl Iterator<Item = &Title> {
        let others = self.translations().iter();
        std::iter::once(self.title()).chain(others.filter_map(|(_, other)| other.title.as_ref()))
    }

    /// Its slugs, each with its language, that of the original first.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.slugs().any(|(_, slug)| slug.as_str() == "loud"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn slugs(&self) -> impl Iterator<Item = (Language, &Slug)> {
        let own = self.slug().map(|slug| (self.language(), slug));
        let others = self.translations().iter();
        own.into_iter()
            .chain(others.filter_map(|(language, other)| Some((language, other.slug.as_ref()?))))
    }

    /// Whether everybody may know of the record at the moment `now`.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title, time::Timestamp};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.is_published(Timestamp::from_seconds(0).unwrap()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_published(&self, now: Timestamp) -> bool;

    /// Whether it lies in the trash; terms have none.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(!tag.is_in_trash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_in_trash(&self) -> bool {
        false
    }

    /// Its slugs outside the trash, each with its language: those of a record in the trash are the ones
    /// that it goes back to.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let loud = Slug::normalize("loud").unwrap();
    /// let tag = Tag::new("Loud".parse::<Title>()?, loud.clone());
    /// assert_eq!(tag.public_slugs(), [(Language::English, &loud)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn public_slugs(&self) -> Vec<(Language, &Slug)> {
        self.slugs().collect()
    }

    /// The slugs that the record gives up by a change at the moment `now`, each once and with its
    /// language, in the order of slugs; `after` is the record after the change.
    ///
    /// Only a published record gives up slugs: nobody knows the others. Going to the trash gives up none.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title, time::Timestamp};
    /// let slug = |text| Slug::normalize(text).unwrap();
    /// let tag = Tag::new("Loud".parse::<Title>()?, slug("loud"));
    /// let after = Tag { slug: slug("noisy"), ..tag.clone() };
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// assert_eq!(tag.slugs_given_up(&after, now), [(Language::English, slug("loud"))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn slugs_given_up(&self, after: &Self, now: Timestamp) -> Vec<(Language, Slug)> {
        if !self.is_published(now) {
            return Vec::new();
        }
        let kept = after.public_slugs();
        let mut given_up = self.public_slugs();
        given_up.retain(|(_, slug)| kept.iter().all(|(_, one)| one != slug));
        given_up.sort_by_key(|(_, slug)| *slug);
        given_up.dedup_by_key(|(_, slug)| *slug);
        let owned = given_up.into_iter();
        owned
            .map(|(language, slug)| (language, slug.clone()))
            .collect()
    }

    /// The language of which a slug is; of several the preferred one, else that of the original.
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// let slug = Slug::normalize("loud").unwrap();
    /// let tag = Tag::new("Loud".parse::<Title>()?, slug.clone());
    /// assert_eq!(tag.language_of(&slug, Language::French), Some(Language::English));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn language_of(&self, slug: &Slug, preferred: Language) -> Option<Language> {
        let languages = || {
            let same = self.slugs().filter(|(_, one)| *one == slug);
            same.map(|(language, _)| language)
        };
        let preferred = languages().find(|language| *language == preferred);
        preferred.or_else(|| languages().next())
    }
}

/// A stored record: its ID, the number of its last change, and its content.
///
/// It derefs to the content, so that `event.author` reads well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored<R> {
    /// The ID.
    pub id: Id<R>,
    /// Counts the changes, from 1.
    pub revision: i64,
    /// The content.
    pub content: R,
}

impl<R: Record> Stored<R> {
    /// See [`Record::localized`].
    ///
    /// ```
    /// # use domain::{*, slug::Slug, text::Title};
    /// # let content = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// let tag = Stored { id: TagId::from_raw(1), revision: 1, content };
    /// assert_eq!(tag.clone().localized(Language::French), tag);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn localized(self, language: Language) -> Self {
        Self {
            content: self.content.localized(language),
            ..self
        }
    }
}

impl<R> Deref for Stored<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.content
    }
}
