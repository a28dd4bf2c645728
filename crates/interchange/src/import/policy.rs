//! The effect of an import on records that it brought before.

use std::{fmt, str::FromStr};

use domain::{
    Entry, OrganizerDetails, Term, TextField, VenueDetails, entry::Details, event::EventDetails,
    term::Taxonomy,
};

use forms::Fields;

/// The fields of a known record that an import changes.
///
/// ```
/// use app::test_support::venue;
/// use forms::Fields;
/// use interchange::import::{InvalidPolicy, UpdatePolicy};
/// use serde_json::json;
///
/// let body = json!({ "venue": "Mill", "city": "Lyon", "phone": "+33 1" });
/// let sent = Fields::from_body(body.as_object().unwrap().clone());
/// let mut present = venue("Old Mill").build();
/// present.details.city = "Vienne".to_owned();
///
/// let names = |policy: UpdatePolicy| {
///     let fields = policy.apply(&sent, &present);
///     fields.map(|fields| fields.body.keys().cloned().collect::<Vec<_>>().join(" "))
/// };
/// assert_eq!(names(UpdatePolicy::Overwrite).as_deref(), Some("venue city phone"));
/// assert_eq!(names(UpdatePolicy::FillBlanks).as_deref(), Some("phone"));
/// assert_eq!(names(UpdatePolicy::Keep), None);
/// assert_eq!("fill-blanks".parse(), Ok(UpdatePolicy::FillBlanks));
/// assert_eq!("merge".parse::<UpdatePolicy>(), Err(InvalidPolicy));
/// assert_eq!(UpdatePolicy::ALL.map(UpdatePolicy::name), ["overwrite", "keep", "fill-blanks"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdatePolicy {
    /// All that are sent.
    #[default]
    Overwrite,
    /// None.
    Keep,
    /// The fields that are empty in this calendar.
    FillBlanks,
}

impl UpdatePolicy {
    /// All policies.
    pub const ALL: [Self; 3] = [Self::Overwrite, Self::Keep, Self::FillBlanks];

    /// The name in requests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overwrite => "overwrite",
            Self::Keep => "keep",
            Self::FillBlanks => "fill-blanks",
        }
    }

    /// The fields of an update of a record; none if there is nothing to update.
    pub fn apply(self, sent: &Fields, present: &impl Fillable) -> Option<Fields> {
        let mut fields = sent.clone();
        match self {
            Self::Overwrite => {}
            Self::Keep => return None,
            Self::FillBlanks => fields.body.retain(|name, _| present.is_blank(name)),
        }
        (!fields.body.is_empty()).then_some(fields)
    }
}

impl fmt::Display for UpdatePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for UpdatePolicy {
    type Err = InvalidPolicy;

    fn from_str(name: &str) -> Result<Self, InvalidPolicy> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name() == name).ok_or(InvalidPolicy)
    }
}

/// The text names no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be overwrite, keep or fill-blanks")]
pub struct InvalidPolicy;

/// A record with fields that may be empty, or the details of one.
///
/// ```
/// use app::test_support::organizer;
/// use interchange::import::Fillable;
///
/// let mut ada = organizer("Ada").build();
/// assert!(ada.is_blank("email") && ada.is_blank("description"));
/// ada.details.email = "ada@fair.example".to_owned();
/// assert!(!ada.is_blank("email") && !ada.is_blank("organizer"));
/// ```
pub trait Fillable {
    /// Whether the field with this name in requests is empty. A title, a date, a status and a flag
    /// never are, nor a field that the record does not have.
    fn is_blank(&self, field: &str) -> bool;
}

impl<D: Details + Fillable> Fillable for Entry<D> {
    fn is_blank(&self, field: &str) -> bool {
        match field {
            "description" => self.description.is_empty(),
            "excerpt" => self.excerpt.is_empty(),
            "image" => self.image.is_none(),
            field => self.details.is_blank(field),
        }
    }
}

impl<X: Taxonomy> Fillable for Term<X> {
    fn is_blank(&self, field: &str) -> bool {
        match field {
            "description" => self.description.is_empty(),
            "parent" => self.parent.is_none(),
            _ => false,
        }
    }
}

impl Fillable for EventDetails {
    fn is_blank(&self, field: &str) -> bool {
        match field {
            "website" => self.website.is_none(),
            "cost" => self.cost.is_none(),
            "currency" => self.currency.is_none(),
            "tickets" => self.tickets.is_empty(),
            "categories" => self.categories.is_empty(),
            "tags" => self.tags.is_empty(),
            "venue" => self.venue.is_none(),
            "organizer" => self.organizers.is_empty(),
            "parent" => self.parent.is_none(),
            "password" => self.password.is_none(),
            _ => false,
        }
    }
}

impl Fillable for VenueDetails {
    fn is_blank(&self, field: &str) -> bool {
        let mut details = self.clone();
        let mut texts = TextField::ALL.into_iter();
        if let Some(text) = texts.find(|one| one.name() == field) {
            let text = details.text_field_mut(text);
            return text.is_some_and(|text| text.is_empty());
        }
        match field {
            "zip" => self.zip.is_empty(),
            "phone" => self.phone.is_empty(),
            "website" => self.website.is_none(),
            "geo_lat" | "geo_lng" => self.position.is_none(),
            _ => false,
        }
    }
}

impl Fillable for OrganizerDetails {
    fn is_blank(&self, field: &str) -> bool {
        match field {
            "phone" => self.phone.is_empty(),
            "website" => self.website.is_none(),
            "email" => self.email.is_empty(),
            _ => false,
        }
    }
}
