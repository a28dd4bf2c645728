//! Categories and tags, and the filter and sort order of their lists.
//!
//! Both are a [`Term`] of a [`Taxonomy`]: [`Categories`] form a tree, [`Tags`] do not.
//!
//! ```
//! use events_calendar_domain::{Category, CategoryId, Tag, slug::Slug, term::{Categories, Tags, Taxonomy}};
//!
//! let slug = |text| Slug::normalize(text).unwrap();
//! let music = CategoryId::from_raw(1);
//! let jazz = Category { parent: Some(music), ..Category::new("Jazz".parse()?, slug("jazz")) };
//! let free = Tag::new("Free".parse()?, slug("free"));
//! assert!(Categories::HIERARCHICAL && !Tags::HIERARCHICAL);
//! assert_eq!((jazz.parent, free.parent), (Some(music), None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod filter;

use std::{fmt, marker::PhantomData};

use crate::{
    FieldName, Id, Kind, Language, Record, Translation, Translations,
    audit::{FieldKey, TrailReader, TrailValues},
    html::RichText,
    record::{replace_text, rich_text},
    slug::Slug,
    text::Title,
    time::Timestamp,
};

pub use filter::{TermFilter, TermSort};

/// The taxonomy of a term.
///
/// ```
/// use events_calendar_domain::{Kind, Term, term::{Categories, Tags, Taxonomy}};
///
/// /// A term at the top, with the slug made from its name.
/// fn term<X: Taxonomy>(name: &str) -> Term<X> {
///     let name = name.parse().unwrap();
///     let slug = X::KIND.slug_of(&name);
///     Term::new(name, slug)
/// }
/// assert_eq!(term::<Tags>("Open air").slug.as_str(), "open-air");
/// assert_eq!((Categories::KIND, Categories::NAME), (Kind::Category, "tribe_events_cat"));
/// ```
pub trait Taxonomy: Copy + Clone + fmt::Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The kind of its terms.
    const KIND: Kind;
    /// Its name in the interface, which existing clients expect.
    const NAME: &'static str;
    /// Whether its terms form a tree.
    const HIERARCHICAL: bool;
}

/// The taxonomy of categories, a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Categories {}

/// The taxonomy of tags, without hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tags {}

impl Taxonomy for Categories {
    const KIND: Kind = Kind::Category;
    const NAME: &'static str = "tribe_events_cat";
    const HIERARCHICAL: bool = true;
}

impl Taxonomy for Tags {
    const KIND: Kind = Kind::Tag;
    const NAME: &'static str = "post_tag";
    const HIERARCHICAL: bool = false;
}

/// A term of a taxonomy, which classifies events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term<X: Taxonomy> {
    /// The language of the texts below.
    pub language: Language,
    /// The texts in other languages.
    pub translations: Translations,
    /// The name.
    pub name: Title,
    /// The slug.
    pub slug: Slug,
    /// The description.
    pub description: RichText,
    /// The parent; none at the top, and for every tag.
    pub parent: Option<Id<Term<X>>>,
    /// The taxonomy.
    pub taxonomy: PhantomData<X>,
}

/// A category of events.
pub type Category = Term<Categories>;

/// A tag of events.
pub type Tag = Term<Tags>;

impl<X: Taxonomy> Record for Term<X> {
    const KIND: Kind = X::KIND;
    type Filter = TermFilter<X>;

    fn language(&self) -> Language {
        self.language
    }

    fn title(&self) -> &Title {
        &self.name
    }

    fn slug(&self) -> Option<&Slug> {
        Some(&self.slug)
    }

    fn translations(&self) -> &Translations {
        &self.translations
    }

    fn modified(&self) -> Option<Timestamp> {
        None
    }

    fn text_bytes(&self) -> usize {
        let own = [
            self.name.as_str(),
            self.slug.as_str(),
            self.description.as_str(),
        ];
        own.map(str::len).into_iter().sum::<usize>() + self.translations.text_bytes()
    }

    fn is_blank(&self, field: FieldName) -> bool {
        match field {
            FieldName::Description => self.description.is_empty(),
            FieldName::Parent => self.parent.is_none(),
            _ => false,
        }
    }

    fn written(&self, field: FieldName) -> Option<String> {
        let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        match field {
            FieldName::Name => filled(self.name.as_str()),
            FieldName::Slug => filled(self.slug.as_str()),
            FieldName::Description => filled(self.description.as_str()),
            FieldName::Parent => Some(self.parent?.to_string()),
            _ => None,
        }
    }

    fn restore_fields(&mut self, values: &TrailValues, _now: Timestamp) -> Vec<FieldKey> {
        let mut reader = TrailReader::new(values, None);
        reader.read(FieldName::Name, &mut self.name, |text| text.parse().ok());
        let description = &mut self.description;
        reader.read_or_none((FieldName::Description, None), description, |text| {
            rich_text(text)
        });
        if X::HIERARCHICAL {
            reader.read_or_none((FieldName::Parent, None), &mut self.parent, |text| {
                text.parse().ok().map(Some)
            });
        }
        self.translations
            .restore(X::KIND, self.language, &[], false, &mut reader);
        reader.unread().to_vec()
    }

    fn restore_standing(&mut self, values: &TrailValues, _at: Timestamp) {
        let mut reader = TrailReader::new(values, None);
        let slug = |text: &str| Some(Slug::from_stored(text.to_owned()));
        reader.read(FieldName::Slug, &mut self.slug, slug);
        self.translations.restore_slugs(&mut reader);
    }

    fn set_slug(&mut self, slug: Option<Slug>) {
        if let Some(slug) = slug {
            self.slug = slug;
        }
    }

    fn translations_mut(&mut self) -> &mut Translations {
        &mut self.translations
    }

    fn is_published(&self, _now: Timestamp) -> bool {
        true
    }

    fn above(&self) -> Option<Id<Self>> {
        self.parent
    }

    fn swap_texts(&mut self, translation: Translation) -> Translation {
        Translation {
            title: replace_text(&mut self.name, translation.title),
            slug: replace_text(&mut self.slug, translation.slug),
            description: replace_text(&mut self.description, translation.description),
            ..Translation::default()
        }
    }

    fn original_texts(&self) -> Translation {
        Translation {
            title: Some(self.name.clone()),
            slug: Some(self.slug.clone()),
            description: Some(self.description.clone()),
            ..Translation::default()
        }
    }
}

impl<X: Taxonomy> Term<X> {
    /// A term at the top of its taxonomy, in the default language.
    ///
    /// ```
    /// use events_calendar_domain::{Category, slug::Slug, text::Title};
    /// let rust = Category::new("Rust".parse::<Title>()?, Slug::normalize("rust").unwrap());
    /// assert_eq!(rust.parent, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(name: Title, slug: Slug) -> Self {
        Self {
            language: Language::default(),
            translations: Translations::default(),
            name,
            slug,
            description: RichText::default(),
            parent: None,
            taxonomy: PhantomData,
        }
    }

    /// The slug made from a name; the name of the kind if the name has no letters and digits.
    ///
    /// ```
    /// use events_calendar_domain::{Tag, text::Title};
    /// assert_eq!(Tag::slug_from(&"C++ & C".parse::<Title>()?).as_str(), "c-c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slug_from(name: &Title) -> Slug {
        X::KIND.slug_of(name)
    }
}
