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

    details_fields! { Organizer;
        text Phone => phone;
        url Website => website;
        text Email => email;
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
