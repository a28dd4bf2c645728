//! The fields of an organizer that no other kind has.

use domain::{Event, Organizer, OrganizerDetails, OrganizerId, web_url::WebUrl};

use super::{Place, text_fits};
use crate::{
    change::Change,
    ports::{Repositories, Repository},
};

/// The fields of a write that only organizers have.
#[derive(Clone, Debug, Default)]
pub struct OrganizerFields {
    /// Telephone number; an empty text removes it.
    pub phone: Option<String>,
    /// Web site.
    pub website: Change<WebUrl>,
    /// E-mail address; an empty text removes it.
    pub email: Option<String>,
}

impl Place for OrganizerDetails {
    type Fields = OrganizerFields;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Organizer> {
        repositories.organizers()
    }

    fn changed(mut self, fields: OrganizerFields) -> Self {
        let OrganizerFields {
            phone,
            website,
            email,
        } = fields;
        self.phone = phone.unwrap_or(self.phone);
        website.apply(&mut self.website);
        self.email = email.unwrap_or(self.email);
        self
    }

    fn fits(&self, fields: &OrganizerFields) -> bool {
        let OrganizerFields {
            phone,
            website,
            email,
        } = fields;
        text_fits(phone.as_ref(), &self.phone)
            && text_fits(email.as_ref(), &self.email)
            && website.fits(self.website.as_ref())
    }

    fn of_event(event: &Event) -> &[OrganizerId] {
        &event.details.organizers
    }
}
