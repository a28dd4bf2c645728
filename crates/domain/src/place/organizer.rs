//! Organizers.

use super::PlaceFilter;
use crate::{Entry, FieldName, Kind, audit::TrailReader, entry::Details, web_url::WebUrl};

/// A person or organization that runs events.
pub type Organizer = Entry<OrganizerDetails>;

/// The fields that only an organizer has. Absent texts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrganizerDetails {
    /// Telephone number.
    pub phone: String,
    /// The web site.
    pub website: Option<WebUrl>,
    /// E-mail address, not checked.
    pub email: String,
}

impl Details for OrganizerDetails {
    const KIND: Kind = Kind::Organizer;
    const TRASH_IS_READABLE: bool = true;
    type Filter = PlaceFilter<Self>;

    fn is_blank(&self, field: FieldName) -> bool {
        match field {
            FieldName::Phone => self.phone.is_empty(),
            FieldName::Website => self.website.is_none(),
            FieldName::Email => self.email.is_empty(),
            _ => false,
        }
    }

    fn written(&self, field: FieldName) -> Option<String> {
        let value = match field {
            FieldName::Phone => self.phone.clone(),
            FieldName::Website => self.website.as_ref()?.to_string(),
            FieldName::Email => self.email.clone(),
            _ => return None,
        };
        Some(value).filter(|value| !value.is_empty())
    }

    fn restore(&mut self, reader: &mut TrailReader<'_>) {
        reader.text(FieldName::Phone, &mut self.phone);
        reader.text(FieldName::Email, &mut self.email);
        reader.read_or_none((FieldName::Website, None), &mut self.website, |text| {
            WebUrl::of_text(text).map(Some)
        });
    }

    fn take_field(&mut self, from: &Self, field: FieldName) -> bool {
        take! { self, from, field;
            FieldName::Phone => phone;
            FieldName::Website => website;
            FieldName::Email => email;
        }
    }

    fn contact_texts(&self) -> Vec<&str> {
        let Self {
            phone,
            website,
            email,
        } = self;
        vec![phone, email, website.as_ref().map_or("", WebUrl::as_str)]
    }
}
