//! Overrides: the fields of an occurrence that differ from its series.

use std::{collections::BTreeSet, fmt, str::FromStr};

use crate::{Language, UnknownName};

named_enum! {
    /// A field of a request that an occurrence may override.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum OverrideField, name {
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

impl OverrideField {
    /// Whether the field is a part of the time.
    pub fn is_of_time(self) -> bool {
        Self::TIME.contains(&self)
    }

    /// Whether the field is a text, which may be translated.
    pub fn is_text(self) -> bool {
        Self::TEXTS.contains(&self)
    }

    /// The fields of which the time of an event consists. An occurrence overrides the whole time, or
    /// none of it.
    pub(super) const TIME: [Self; 4] =
        [Self::StartDate, Self::EndDate, Self::TimeZone, Self::AllDay];

    /// The texts, which may be translated.
    pub(super) const TEXTS: [Self; 3] = [Self::Title, Self::Description, Self::Excerpt];
}

/// The fields in which an occurrence overrides its series.
///
/// A text may be overridden in one translation alone. The text form, from `Display` to `FromStr`, has
/// the names with commas: `title,description@fr`.
///
/// ```
/// use events_calendar_domain::{Language, event::{OverrideField, OverriddenFields}};
///
/// let mut overridden: OverriddenFields = "featured,title@fr".parse()?;
/// assert!(overridden.contains(OverrideField::Featured) && !overridden.contains(OverrideField::Title));
/// assert!(overridden.contains_translation(OverrideField::Title, Language::French));
/// overridden.insert(OverrideField::Venue);
/// overridden.insert_translation(OverrideField::Title, Language::Arabic);
/// assert!(!overridden.has_time() && OverrideField::AllDay.is_of_time() && OverrideField::Title.is_text());
/// assert_eq!(overridden.names(), ["title", "featured", "venue"]);
/// assert_eq!(overridden.to_string(), "featured,venue,title@ar,title@fr");
/// # Ok::<(), events_calendar_domain::UnknownName>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverriddenFields {
    fields: BTreeSet<OverrideField>,
    translations: BTreeSet<(OverrideField, Language)>,
}

impl OverriddenFields {
    /// Whether the occurrence overrides nothing.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.translations.is_empty()
    }

    /// Whether a field, or a text in the original language, is overridden.
    pub fn contains(&self, field: OverrideField) -> bool {
        self.fields.contains(&field)
    }

    /// Whether a translation of a text is overridden.
    pub fn contains_translation(&self, field: OverrideField, language: Language) -> bool {
        self.translations.contains(&(field, language))
    }

    /// Whether the time is overridden.
    pub fn has_time(&self) -> bool {
        OverrideField::TIME
            .iter()
            .any(|field| self.contains(*field))
    }

    /// Adds a field.
    pub fn insert(&mut self, field: OverrideField) {
        self.fields.insert(field);
    }

    /// Adds a translation of a text.
    pub fn insert_translation(&mut self, field: OverrideField, language: Language) {
        self.translations.insert((field, language));
    }

    /// Makes a field follow the series again, with its translations.
    ///
    /// ```
    /// use events_calendar_domain::event::{OverrideField, OverriddenFields};
    ///
    /// let mut overridden: OverriddenFields = "title,title@fr".parse()?;
    /// overridden.remove(OverrideField::Title);
    /// assert!(overridden.is_empty());
    /// # Ok::<(), events_calendar_domain::UnknownName>(())
    /// ```
    pub fn remove(&mut self, field: OverrideField) {
        self.fields.remove(&field);
        self.translations.retain(|(one, _)| *one != field);
    }

    /// The names of the fields, each once, in the order of [`OverrideField::ALL`].
    pub fn names(&self) -> Vec<&'static str> {
        let translated = |field| self.translations.iter().any(|(one, _)| *one == field);
        let fields = OverrideField::ALL.into_iter();
        let fields = fields.filter(|field| self.contains(*field) || translated(*field));
        fields.map(OverrideField::name).collect()
    }
}

impl FromIterator<OverrideField> for OverriddenFields {
    fn from_iter<T: IntoIterator<Item = OverrideField>>(fields: T) -> Self {
        Self {
            fields: fields.into_iter().collect(),
            translations: BTreeSet::new(),
        }
    }
}

impl fmt::Display for OverriddenFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.fields.iter().map(|field| field.name().to_owned());
        let translations = self.translations.iter();
        let translations =
            translations.map(|(field, language)| format!("{field}@{}", language.code()));
        f.write_str(&fields.chain(translations).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for OverriddenFields {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut overridden = Self::default();
        for name in text.split(',').filter(|name| !name.is_empty()) {
            match name.split_once('@') {
                Some((field, language)) => {
                    overridden.insert_translation(field.parse()?, language.parse()?);
                }
                None => overridden.insert(name.parse()?),
            }
        }
        Ok(overridden)
    }
}
