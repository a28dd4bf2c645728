//! The fields of an occurrence that differ from its series.

use std::{collections::BTreeSet, fmt, str::FromStr};

use crate::{Language, UnknownName};

named_enum! {
    /// A field of a request that an occurrence may have of its own.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum OwnField, name {
        /// The title.
        Title = "title",
        /// The long text.
        Description = "description",
        /// The short text.
        Excerpt = "excerpt",
        /// The image.
        Image = "image",
        /// The start.
        StartDate = "start_date",
        /// The end.
        EndDate = "end_date",
        /// The time zone.
        TimeZone = "timezone",
        /// Whether the event takes whole days.
        AllDay = "all_day",
        /// Whether the event is cancelled.
        Cancelled = "cancelled",
        /// The prices.
        Cost = "cost",
        /// The currency of the prices.
        Currency = "currency",
        /// The tickets.
        Tickets = "tickets",
        /// The page of the event elsewhere.
        Website = "website",
        /// Whether pages show a map.
        ShowMap = "show_map",
        /// Whether pages show a link to a map.
        ShowMapLink = "show_map_link",
        /// Whether lists leave the event out.
        HideFromListings = "hide_from_listings",
        /// Whether the event stands first in the view of its month.
        Sticky = "sticky",
        /// Whether the event is marked.
        Featured = "featured",
        /// The categories.
        Categories = "categories",
        /// The tags.
        Tags = "tags",
        /// The venue.
        Venue = "venue",
        /// The organizers.
        Organizers = "organizer",
        /// The event of which it is a part.
        Parent = "parent",
    }
}

impl OwnField {
    /// Whether the field is a part of the time.
    pub fn is_of_time(self) -> bool {
        Self::TIME.contains(&self)
    }

    /// Whether the field is a text, which may be translated.
    pub fn is_text(self) -> bool {
        Self::TEXTS.contains(&self)
    }

    /// The fields of which the time of an event consists. An occurrence has the whole time of its
    /// own, or none of it.
    pub(super) const TIME: [Self; 4] =
        [Self::StartDate, Self::EndDate, Self::TimeZone, Self::AllDay];

    /// The texts, which may be translated.
    pub(super) const TEXTS: [Self; 3] = [Self::Title, Self::Description, Self::Excerpt];
}

/// The fields of an occurrence that are its own, not those of its series.
///
/// A text may be its own in one translation alone. The text form, from `Display` to `FromStr`, has
/// the names with commas: `title,description@fr`.
///
/// ```
/// use events_calendar_domain::{Language, event::{OwnField, OwnFields}};
///
/// let mut own: OwnFields = "featured,title@fr".parse()?;
/// assert!(own.contains(OwnField::Featured) && !own.contains(OwnField::Title));
/// assert!(own.contains_translation(OwnField::Title, Language::French));
/// own.insert(OwnField::Venue);
/// own.insert_translation(OwnField::Title, Language::Arabic);
/// assert!(!own.has_time() && OwnField::AllDay.is_of_time() && OwnField::Title.is_text());
/// assert_eq!(own.names(), ["title", "featured", "venue"]);
/// assert_eq!(own.to_string(), "featured,venue,title@ar,title@fr");
/// # Ok::<(), events_calendar_domain::UnknownName>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnFields {
    fields: BTreeSet<OwnField>,
    translations: BTreeSet<(OwnField, Language)>,
}

impl OwnFields {
    /// Whether the occurrence has nothing of its own.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.translations.is_empty()
    }

    /// Whether a field, or a text in the original language, is the occurrence's own.
    pub fn contains(&self, field: OwnField) -> bool {
        self.fields.contains(&field)
    }

    /// Whether a translation of a text is the occurrence's own.
    pub fn contains_translation(&self, field: OwnField, language: Language) -> bool {
        self.translations.contains(&(field, language))
    }

    /// Whether the occurrence has a time of its own.
    pub fn has_time(&self) -> bool {
        OwnField::TIME.iter().any(|field| self.contains(*field))
    }

    /// Adds a field.
    pub fn insert(&mut self, field: OwnField) {
        self.fields.insert(field);
    }

    /// Adds a translation of a text.
    pub fn insert_translation(&mut self, field: OwnField, language: Language) {
        self.translations.insert((field, language));
    }

    /// Makes a field follow the series again, with its translations.
    ///
    /// ```
    /// use events_calendar_domain::event::{OwnField, OwnFields};
    ///
    /// let mut own: OwnFields = "title,title@fr".parse()?;
    /// own.remove(OwnField::Title);
    /// assert!(own.is_empty());
    /// # Ok::<(), events_calendar_domain::UnknownName>(())
    /// ```
    pub fn remove(&mut self, field: OwnField) {
        self.fields.remove(&field);
        self.translations.retain(|(one, _)| *one != field);
    }

    /// The names of the fields, each once, in the order of [`OwnField::ALL`].
    pub fn names(&self) -> Vec<&'static str> {
        let translated = |field| self.translations.iter().any(|(one, _)| *one == field);
        let own = OwnField::ALL.into_iter();
        let own = own.filter(|field| self.contains(*field) || translated(*field));
        own.map(OwnField::name).collect()
    }
}

impl FromIterator<OwnField> for OwnFields {
    fn from_iter<T: IntoIterator<Item = OwnField>>(fields: T) -> Self {
        Self {
            fields: fields.into_iter().collect(),
            translations: BTreeSet::new(),
        }
    }
}

impl fmt::Display for OwnFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.fields.iter().map(|field| field.name().to_owned());
        let translations = self.translations.iter();
        let translations =
            translations.map(|(field, language)| format!("{field}@{}", language.code()));
        f.write_str(&fields.chain(translations).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for OwnFields {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut own = Self::default();
        for name in text.split(',').filter(|name| !name.is_empty()) {
            match name.split_once('@') {
                Some((field, language)) => {
                    own.insert_translation(field.parse()?, language.parse()?);
                }
                None => own.insert(name.parse()?),
            }
        }
        Ok(own)
    }
}
