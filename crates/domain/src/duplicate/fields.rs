//! The fields that a merged record may take from the other one.

use crate::{
    Entry, FieldName, Kind, OrganizerDetails, TextField, VenueDetails, entry::Details,
    event::EventDetails,
};

/// The fields that a record of a kind may take from the one that is merged into it. Status, author, password and visibility
/// are always its own.
///
/// ```
/// use events_calendar_domain::{FieldName, Kind, duplicate::takeable_fields};
/// assert!(takeable_fields(Kind::Event).contains(&FieldName::Title));
/// assert!(!takeable_fields(Kind::Event).contains(&FieldName::Password));
/// assert!(takeable_fields(Kind::Tag).is_empty());
/// ```
pub const fn takeable_fields(kind: Kind) -> &'static [FieldName] {
    match kind {
        Kind::Event => EventDetails::TAKEABLE,
        Kind::Venue => VenueDetails::TAKEABLE,
        Kind::Organizer => OrganizerDetails::TAKEABLE,
        Kind::Category | Kind::Tag => &[],
    }
}

impl<D: Details> Entry<D> {
    /// Takes a field of another entry, in all languages. Returns `false`, without a change, for a field that is not
    /// [takeable](takeable_fields), and for a text if the two are written in different languages.
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, UserId, Venue, VenueDetails, time::Timestamp};
    /// let now = Timestamp::from_seconds(0).unwrap();
    /// let venue = |city: &str| {
    ///     let details = VenueDetails { city: city.to_owned(), ..VenueDetails::default() };
    ///     Venue::new(UserId::from_raw(1), "Mill".parse().unwrap(), details, now)
    /// };
    /// let (mut mill, other) = (venue(""), venue("Lyon"));
    /// assert!(!mill.has_equal_field(&other, FieldName::City));
    /// assert!(mill.take_field(&other, FieldName::City));
    /// assert!(mill == other && mill.has_equal_field(&other, FieldName::City));
    /// assert!(!mill.take_field(&other, FieldName::Author));
    /// ```
    pub fn take_field(&mut self, from: &Self, field: FieldName) -> bool {
        let text = D::TEXT_FIELDS
            .iter()
            .find(|text| text.name() == field.as_str());
        let is_title = field == FieldName::title_of(D::KIND);
        let is_text = is_title
            || text.is_some()
            || matches!(field, FieldName::Description | FieldName::Excerpt);
        if is_text && self.language != from.language {
            return false;
        }
        match field {
            _ if is_title => self.title = from.title.clone(),
            FieldName::Description => self.description = from.description.clone(),
            FieldName::Excerpt => self.excerpt = from.excerpt.clone(),
            FieldName::Image => self.image = from.image,
            _ if !self.details.take_field(&from.details, field) => return false,
            _ => {}
        }
        if is_text {
            self.take_translations(from, field, text.copied());
        }
        true
    }

    /// The translations of one text.
    fn take_translations(&mut self, from: &Self, field: FieldName, text: Option<TextField>) {
        for language in crate::Language::ALL {
            let theirs = from.translations.get(language).cloned().unwrap_or_default();
            let mut own = self.translations.take(language);
            match (field, text) {
                (_, Some(text)) => {
                    own.text_fields.remove(&text);
                    let texts = theirs.text_fields.into_iter();
                    own.text_fields
                        .extend(texts.filter(|(one, _)| *one == text));
                }
                (FieldName::Description, _) => own.description = theirs.description,
                (FieldName::Excerpt, _) => own.excerpt = theirs.excerpt,
                _ => own.title = theirs.title,
            }
            self.translations.put(language, own);
        }
    }

    /// Whether a field has the value that it has in another entry, in all languages.
    pub fn has_equal_field(&self, other: &Self, field: FieldName) -> bool {
        let mut taken = self.clone();
        taken.take_field(other, field) && taken == *self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{UserId, time::*};

    /// A takeable field that no code takes would be refused at run time.
    fn check<D: Details>(details: D) {
        let now = Timestamp::from_seconds(0).unwrap();
        let mut entry = Entry::new(UserId::from_raw(1), "Fair".parse().unwrap(), details, now);
        let other = entry.clone();
        for field in takeable_fields(D::KIND) {
            assert!(entry.take_field(&other, *field), "{field:?}");
        }
        for field in [
            FieldName::Status,
            FieldName::Author,
            FieldName::Password,
            FieldName::HideFromListings,
            FieldName::Slug,
        ] {
            assert!(!entry.take_field(&other, field), "{field:?}");
        }
    }

    #[test]
    fn every_takeable_field_is_taken() {
        let noon = parse_civil("2027-03-09 12:00:00").unwrap();
        let when = EventTime::new(Zone::utc(), noon, noon, false).unwrap();
        check(EventDetails::new(when, "uid".to_owned()));
        check(VenueDetails::default());
        check(OrganizerDetails::default());
    }
}
