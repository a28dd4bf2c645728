//! The values of a record by field, as the trail of changes has them, and their reading.

use std::collections::{BTreeMap, BTreeSet};

use super::{FieldName, Language};
use crate::html::RichText;

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
