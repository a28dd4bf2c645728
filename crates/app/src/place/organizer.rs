//! The fields of an organizer that no other kind has.

use domain::{Event, Organizer, OrganizerDetails, OrganizerId, web_url::WebUrl};

use super::{Place, PlaceChanges};
use crate::{
    input::{self, FieldChange, Input},
    ports::{Repositories, Repository},
};

/// The fields of a write that only organizers have.
#[derive(Clone, Debug, Default)]
pub struct OrganizerChanges {
    phone: Option<String>,
    website: FieldChange<WebUrl>,
    email: Option<String>,
}

impl OrganizerChanges {
    /// Reads the fields.
    pub fn read(input: &mut Input<'_>) -> Self {
        Self {
            phone: input.read("phone", input::line),
            website: input.read_clearable("website", input::web_url),
            email: input.read("email", input::line),
        }
    }
}

impl PlaceChanges<OrganizerDetails> for OrganizerChanges {
    fn apply_to(self, mut details: OrganizerDetails) -> OrganizerDetails {
        let Self {
            phone,
            website,
            email,
        } = self;
        details.phone = phone.unwrap_or(details.phone);
        website.apply(&mut details.website);
        details.email = email.unwrap_or(details.email);
        details
    }

    fn fits(&self, details: &OrganizerDetails) -> bool {
        let Self {
            phone,
            website,
            email,
        } = self;
        let text_fits = |sent: &Option<String>, stored: &String| {
            sent.as_ref()
                .is_none_or(|sent| sent.is_empty() || sent == stored)
        };
        text_fits(phone, &details.phone)
            && text_fits(email, &details.email)
            && website.fits(details.website.as_ref())
    }
}

impl Place for OrganizerDetails {
    const NAME_FIELD: &'static str = "organizer";
    type Changes = OrganizerChanges;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Organizer> {
        repositories.organizers()
    }

    fn read(input: &mut Input<'_>) -> OrganizerChanges {
        OrganizerChanges::read(input)
    }

    fn of_event(event: &Event) -> &[OrganizerId] {
        &event.details.organizers
    }
}
