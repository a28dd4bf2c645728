//! The values of a record by field, as the audit trail has them, and their reading.

use std::collections::{BTreeMap, BTreeSet};

use super::{FieldName, Kind, Language, TextField, Translations};
use crate::{html::RichText, slug::Slug};

/// A field in a language: the texts of translations have one, other values none.
///
/// ```
/// use events_calendar_domain::{FieldName, Language, audit::FieldKey};
/// let translated: FieldKey = (FieldName::Title, Some(Language::French));
/// assert_eq!(translated.0.as_str(), "title");
/// ```
pub type FieldKey = (FieldName, Option<Language>);

/// The values of a record by field, as texts that forms read.
pub type TrailValues = BTreeMap<FieldKey, String>;

/// Gives the fields of a record the values of a former state. See [`Record::restore_fields`](crate::Record::restore_fields).
///
/// ```
/// use events_calendar_domain::{FieldName, audit::{TrailReader, TrailValues}};
///
/// let values = TrailValues::from([((FieldName::City, None), "Lyon".to_owned())]);
/// let mut reader = TrailReader::new(&values, None);
/// let (mut city, mut zip) = ("Vienne".to_owned(), "38200".to_owned());
/// reader.text(FieldName::City, &mut city);
/// reader.text(FieldName::Zip, &mut zip);
/// assert_eq!((city.as_str(), zip.as_str()), ("Lyon", ""));
/// assert!(reader.unread().is_empty());
/// ```
#[derive(Debug)]
pub struct TrailReader<'a> {
    values: &'a TrailValues,
    only: Option<BTreeSet<FieldKey>>,
    unread: Vec<FieldKey>,
}

impl<'a> TrailReader<'a> {
    /// A reader of values; of these fields alone, or of all.
    pub fn new(values: &'a TrailValues, only: Option<BTreeSet<FieldKey>>) -> Self {
        Self {
            values,
            only,
            unread: Vec::new(),
        }
    }

    /// Whether a field gets its former value.
    ///
    /// ```
    /// # use std::collections::BTreeSet;
    /// # use events_calendar_domain::{FieldName, audit::{TrailReader, TrailValues}};
    /// let values = TrailValues::new();
    /// let reader = TrailReader::new(&values, Some(BTreeSet::new()));
    /// assert!(!reader.covers((FieldName::City, None)));
    /// ```
    pub fn covers(&self, key: FieldKey) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&key))
    }

    /// The former value of a field; `None` for a field that had none.
    ///
    /// ```
    /// # use events_calendar_domain::{FieldName, audit::{TrailReader, TrailValues}};
    /// let values = TrailValues::from([((FieldName::City, None), "Lyon".to_owned())]);
    /// let reader = TrailReader::new(&values, None);
    /// assert_eq!(reader.value((FieldName::City, None)), Some("Lyon"));
    /// ```
    pub fn value(&self, key: FieldKey) -> Option<&'a str> {
        self.values.get(&key).map(String::as_str)
    }

    /// Reads a field that always has a value. Without a former value, it keeps the present one.
    ///
    /// ```
    /// # use events_calendar_domain::{FieldName, audit::{TrailReader, TrailValues}};
    /// let values = TrailValues::from([((FieldName::Sticky, None), "true".to_owned())]);
    /// let mut reader = TrailReader::new(&values, None);
    /// let mut sticky = false;
    /// reader.read(FieldName::Sticky, &mut sticky, |text| text.parse().ok());
    /// assert!(sticky);
    /// ```
    pub fn read<T>(&mut self, field: FieldName, to: &mut T, parse: impl FnOnce(&str) -> Option<T>) {
        let key = (field, None);
        if let Some(text) = self.value(key).filter(|_| self.covers(key)) {
            self.accept(key, to, parse(text));
        }
    }

    /// Reads a field that may have no value.
    ///
    /// ```
    /// # use events_calendar_domain::{FieldName, VenueId, audit::{TrailReader, TrailValues}};
    /// let values = TrailValues::from([((FieldName::Parent, None), "x".to_owned())]);
    /// let mut reader = TrailReader::new(&values, None);
    /// let mut venue = Some(VenueId::from_raw(7));
    /// reader.read_or_none((FieldName::Venue, None), &mut venue, |text| text.parse().ok().map(Some));
    /// assert_eq!(venue, None);
    /// reader.read_or_none((FieldName::Parent, None), &mut venue, |text| text.parse().ok().map(Some));
    /// assert_eq!(reader.unread(), [(FieldName::Parent, None)]);
    /// ```
    pub fn read_or_none<T: Default>(
        &mut self,
        key: FieldKey,
        to: &mut T,
        parse: impl FnOnce(&str) -> Option<T>,
    ) {
        if !self.covers(key) {
            return;
        }
        match self.value(key) {
            Some(text) => self.accept(key, to, parse(text)),
            None => *to = T::default(),
        }
    }

    /// Reads a text, which is empty without a value.
    pub fn text(&mut self, field: FieldName, to: &mut String) {
        self.read_or_none((field, None), to, |text| Some(text.to_owned()));
    }

    /// Sets a value that was read; a field whose value was not readable keeps the present one.
    ///
    /// ```
    /// # use events_calendar_domain::{FieldName, audit::{TrailReader, TrailValues}};
    /// let values = TrailValues::new();
    /// let mut reader = TrailReader::new(&values, None);
    /// let mut number = 1;
    /// reader.accept((FieldName::Count, None), &mut number, None);
    /// assert_eq!((number, reader.unread().len()), (1, 1));
    /// ```
    pub fn accept<T>(&mut self, key: FieldKey, to: &mut T, read: Option<T>) {
        match read {
            Some(value) => *to = value,
            None => self.unread.push(key),
        }
    }

    /// The fields whose values were not readable.
    pub fn unread(&self) -> &[FieldKey] {
        &self.unread
    }
}

/// A formatted text of a former state. It is filtered again, as one may come from an archive.
pub(crate) fn rich_text(text: &str) -> Option<RichText> {
    #[cfg(feature = "html")]
    return RichText::parse_lines(text).ok();
    #[cfg(not(feature = "html"))]
    return Some(RichText::from_stored(text.to_owned()));
}

impl Translations {
    /// Gives the texts the values of a former state. A slug of then is left to the store, which gives it out; a slug of now
    /// goes if there was none. In the trash, slugs stay.
    pub(crate) fn restore(
        &mut self,
        kind: Kind,
        original: Language,
        text_fields: &[TextField],
        in_trash: bool,
        reader: &mut TrailReader<'_>,
    ) {
        for language in Language::ALL.into_iter().filter(|one| *one != original) {
            let mut texts = self.take(language);
            let key = |field| (field, Some(language));
            let title = key(FieldName::title_of(kind));
            reader.read_or_none(title, &mut texts.title, |text| text.parse().ok().map(Some));
            for (field, rich) in [
                (FieldName::Description, &mut texts.description),
                (FieldName::Excerpt, &mut texts.excerpt),
            ] {
                reader.read_or_none(key(field), rich, |text| Some(rich_text(text)));
            }
            for field in text_fields {
                let mut text = texts.text_fields.remove(field);
                let named = key(FieldName::from(*field));
                reader.read_or_none(named, &mut text, |text| Some(Some(text.to_owned())));
                texts.text_fields.extend(text.map(|text| (*field, text)));
            }
            let slug = key(FieldName::Slug);
            if !in_trash && reader.covers(slug) && reader.value(slug).is_none() {
                texts.slug = None;
            }
            self.put(language, texts);
        }
    }

    /// Gives the texts the slugs of a former state, to show them as they were.
    pub(crate) fn restore_slugs(&mut self, reader: &mut TrailReader<'_>) {
        for language in Language::ALL {
            let mut texts = self.take(language);
            let key = (FieldName::Slug, Some(language));
            reader.read_or_none(key, &mut texts.slug, |text| {
                Some(Some(Slug::from_stored(text.to_owned())))
            });
            self.put(language, texts);
        }
    }
}
