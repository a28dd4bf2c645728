//! IDs, kinds, languages and translations, which all records share.

mod field_name;
mod id;
mod kind;
mod language;
mod trail;
mod translation;

use std::{fmt, ops::Deref};

use crate::{slug::Slug, text::Title, time::Timestamp};

pub use field_name::FieldName;
pub use id::{Id, InvalidId};
pub use kind::Kind;
pub use language::Language;
pub(crate) use trail::rich_text;
pub use trail::{FieldKey, TrailReader, TrailValues};
pub(crate) use translation::replace_text;
pub use translation::{TextField, Translation, Translations};

/// The filter of a list of records.
pub trait Filter: Clone + fmt::Debug + Send + Sync {
    /// Whether the list has words, or another filter or order without an index, so that a store may
    /// read many records to find a page. Such a list is a search.
    ///
    /// ```
    /// use events_calendar_domain::{Filter, event::EventFilter, search::Search};
    /// assert!(!EventFilter::default().scans());
    /// let search = Search::parse("river");
    /// assert!(EventFilter { search, ..EventFilter::default() }.scans());
    /// ```
    fn scans(&self) -> bool;

    /// The latest start of an event in the list, the last instant if it has no such bound. None if
    /// the list is of records without a time, or of records by ID.
    ///
    /// ```
    /// use events_calendar_domain::{Filter, event::EventFilter, time::Timestamp};
    /// assert_eq!(EventFilter::default().latest_start(), Some(Timestamp::MAX));
    /// let include = Some(Vec::new());
    /// assert_eq!(EventFilter { include, ..EventFilter::default() }.latest_start(), None);
    /// ```
    fn latest_start(&self) -> Option<Timestamp> {
        None
    }
}

/// A kind of record that the calendar stores under IDs.
///
/// ```
/// use events_calendar_domain::{Kind, Language, Record, Tag, Venue, slug::Slug};
///
/// fn label<R: Record>(record: &R, language: Language) -> String {
///     format!("{}: {}", R::KIND, record.clone().localized(language).title())
/// }
/// let loud = Tag::new("Loud".parse()?, Slug::normalize("loud").unwrap());
/// assert_eq!(label(&loud, Language::French), "tag: Loud");
/// assert_eq!(Venue::KIND, Kind::Venue);
/// # Ok::<(), events_calendar_domain::text::InvalidTitle>(())
/// ```
pub trait Record: Clone + fmt::Debug + Send + Sync + Sized + 'static {
    /// The kind.
    const KIND: Kind;

    /// The filter of a list of this kind.
    type Filter: Filter;

    /// The language of the original.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(Record::language(&tag), Language::English);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn language(&self) -> Language;

    /// The title or name.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.title().as_str(), "Loud");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn title(&self) -> &Title;

    /// The slug, if there is one.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.slug().unwrap().as_str(), "loud");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn slug(&self) -> Option<&Slug>;

    /// The translations.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.translations().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn translations(&self) -> &Translations;

    /// The time of the last change; none for a kind that does not record it.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.modified(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn modified(&self) -> Option<Timestamp>;

    /// The size of the texts in all languages, in bytes.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.text_bytes(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn text_bytes(&self) -> usize;

    /// Whether a field of writes has no value. A title, a date, a status and a flag always have one, and so
    /// has a field of other kinds.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.is_blank(FieldName::Description) && !tag.is_blank(FieldName::Name));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_blank(&self, field: FieldName) -> bool;

    /// The stored value of a field of writes, as a text by which two states of the record are compared; none
    /// for a field without a value. Start, end and zone of an event have one value. The texts keep their
    /// form in all versions of the program, as imports store digests of them.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.written(FieldName::Name).as_deref(), Some("Loud"));
    /// assert_eq!(tag.written(FieldName::Description), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn written(&self, field: FieldName) -> Option<String>;

    /// The value of a field in the audit trail: each field alone, as a form reads it. See
    /// [`trail_values`](crate::audit::trail_values).
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.trailed(FieldName::Slug).as_deref(), Some("loud"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn trailed(&self, field: FieldName) -> Option<String> {
        self.written(field)
    }

    /// Whether the value of a field is the record's own, so that the trail tells of it. An occurrence has the others from
    /// its series.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.is_trailed(FieldName::Name, Some(Language::French)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_trailed(&self, _field: FieldName, _language: Option<Language>) -> bool {
        true
    }

    /// Gives the fields the values of a former state of the record. Status, author and password stay; so do the slugs of
    /// the original and of texts that had one, which a store gives out. Returns the fields whose values are not readable:
    /// they keep the present ones. An occurrence gets fields of its own alone, over those of its series: see
    /// [`Stored::restored_occurrence`].
    ///
    /// ```
    /// # use events_calendar_domain::{*, audit::trail_values, slug::Slug, text::Title, time::Timestamp};
    /// let loud = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// let mut tag = Tag { name: "Quiet".parse()?, ..loud.clone() };
    /// assert!(tag.restore_fields(&trail_values(&loud), Timestamp::from_seconds(0).unwrap()).is_empty());
    /// assert_eq!(tag, loud);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn restore_fields(&mut self, values: &TrailValues, now: Timestamp) -> Vec<FieldKey>;

    /// Gives the record status, author and slugs of a former state, and the time of its last change, to show it as it was.
    ///
    /// ```
    /// # use events_calendar_domain::{*, audit::TrailValues, text::Title, time::Timestamp};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// let mut venue = Entry::new(UserId::from_raw(1), "Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// venue.restore_standing(&TrailValues::from([((FieldName::Author, None), "2".to_owned())]), now);
    /// assert_eq!(venue.author, UserId::from_raw(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn restore_standing(&mut self, values: &TrailValues, at: Timestamp);

    /// Sets the time of the last change, in a kind that records it.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title, time::Timestamp};
    /// let mut tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// tag.set_modified(Timestamp::from_seconds(0).unwrap());
    /// assert_eq!(tag.modified(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn set_modified(&mut self, _to: Timestamp) {}

    /// Sets the slug of the original. A term, which always has one, keeps its slug if there is no other.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let mut tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// tag.set_slug(Slug::normalize("noisy"));
    /// tag.set_slug(None);
    /// assert_eq!(tag.slug.as_str(), "noisy");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn set_slug(&mut self, slug: Option<Slug>);

    /// The translations, for changes.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let mut tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.translations_mut().take(Language::French).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn translations_mut(&mut self) -> &mut Translations;

    /// Replaces the texts by those of a translation, and returns the texts that were replaced.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title, Translation};
    /// let mut tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// let french = Translation { title: Some("Bruyant".parse::<Title>()?), ..Translation::default() };
    /// assert_eq!(tag.swap_texts(french).title.unwrap().as_str(), "Loud");
    /// assert_eq!(tag.name.as_str(), "Bruyant");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn swap_texts(&mut self, translation: Translation) -> Translation;

    /// The texts of the original.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert_eq!(tag.original_texts().title, Some(tag.name.clone()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn original_texts(&self) -> Translation;

    /// The record in a language; texts without a translation stay in the original language. The
    /// replaced original texts move to the translations. The result is therefore for display, not
    /// for storage.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title, Translation};
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

    /// The languages in which the record has at least one text; the original's comes first.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title, Translation};
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

    /// The titles or names in all languages.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.titles().any(|title| title.as_str() == "Loud"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn titles(&self) -> impl Iterator<Item = &Title> {
        let others = self.translations().iter();
        std::iter::once(self.title()).chain(others.filter_map(|(_, other)| other.title.as_ref()))
    }

    /// The slugs, each with its language; the original's comes first.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
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

    /// Whether the record is public at `now`.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title, time::Timestamp};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(tag.is_published(Timestamp::from_seconds(0).unwrap()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_published(&self, now: Timestamp) -> bool;

    /// The record of the same kind that has this one below it in a tree; none at the top, and in a kind without
    /// a tree.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let jazz = Category::new("Jazz".parse::<Title>()?, Slug::normalize("jazz").unwrap());
    /// let jazz = Category { parent: Some(CategoryId::from_raw(1)), ..jazz };
    /// assert_eq!(jazz.above(), Some(CategoryId::from_raw(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn above(&self) -> Option<Id<Self>> {
        None
    }

    /// Whether the record is in the trash; terms have none.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let tag = Tag::new("Loud".parse::<Title>()?, Slug::normalize("loud").unwrap());
    /// assert!(!tag.is_in_trash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn is_in_trash(&self) -> bool {
        false
    }

    /// The slugs outside the trash, each with its language; for a record in the trash, the slugs
    /// that it gets back when it is restored.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
    /// let loud = Slug::normalize("loud").unwrap();
    /// let tag = Tag::new("Loud".parse::<Title>()?, loud.clone());
    /// assert_eq!(tag.public_slugs(), [(Language::English, &loud)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn public_slugs(&self) -> Vec<(Language, &Slug)> {
        self.slugs().collect()
    }

    /// The slugs that the record gives up by a change at `now`, each once and with its language,
    /// sorted by slug; `after` is the record after the change.
    ///
    /// Only a published record gives up slugs, as the others were never public. A move to the trash
    /// gives up none.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title, time::Timestamp};
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

    /// The language of a slug; if it has several, the preferred one, or else the original's.
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
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

/// A stored record: ID, revision and content.
///
/// It dereferences to the content: `event.author`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored<R> {
    /// The ID.
    pub id: Id<R>,
    /// The number of changes, from 1.
    pub revision: i64,
    /// The content.
    pub content: R,
}

impl<R: Record> Stored<R> {
    /// See [`Record::localized`].
    ///
    /// ```
    /// # use events_calendar_domain::{*, slug::Slug, text::Title};
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
