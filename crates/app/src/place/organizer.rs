//! The fields of an organizer that no other kind has.

use async_trait::async_trait;
use domain::{Event, Organizer, OrganizerDetails, OrganizerId, Stored, web_url::WebUrl};

use super::{Place, PlaceFilterInput, PlaceView, text_fits};
use crate::{
    entry::{DetailsChanges, EntryKind},
    error::AppError,
    input::{self, FaultCollector, FieldChange, Input},
    ports::{Repositories, Repository},
    request::{Purpose, Request},
};

/// The fields of a write that only organizers have.
#[derive(Clone, Debug, Default)]
pub struct OrganizerChanges {
    pub(crate) phone: Option<String>,
    website: FieldChange<WebUrl>,
    pub(crate) email: Option<String>,
}

#[async_trait]
impl DetailsChanges<OrganizerDetails> for OrganizerChanges {
    fn read(input: &mut Input<'_>, _request: &Request<'_>, _purpose: Purpose) -> Self {
        Self {
            phone: input.read("phone", input::line),
            website: input.read_clearable("website", input::web_url),
            email: input.read("email", input::line),
        }
    }

    fn website(&mut self) -> &mut FieldChange<WebUrl> {
        &mut self.website
    }

    async fn apply(
        self,
        before: Option<&Stored<Organizer>>,
        _request: &Request<'_>,
        _unit: &dyn Repositories,
        _faults: &mut FaultCollector,
    ) -> Result<OrganizerDetails, AppError> {
        let Self {
            phone,
            website,
            email,
        } = self;
        let mut details = before.map_or_else(OrganizerDetails::default, |one| one.details.clone());
        details.phone = phone.unwrap_or(details.phone);
        website.apply(&mut details.website);
        details.email = email.unwrap_or(details.email);
        Ok(details)
    }
}

impl EntryKind for OrganizerDetails {
    const TITLE_FIELD: &'static str = "organizer";
    type Changes = OrganizerChanges;
    type FilterInput = PlaceFilterInput;
    type View = PlaceView<Self>;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Organizer> {
        repositories.organizers()
    }
}

impl Place for OrganizerDetails {
    fn fits(&self, changes: &OrganizerChanges) -> bool {
        let OrganizerChanges {
            phone,
            website,
            email,
        } = changes;
        text_fits(phone.as_ref(), &self.phone)
            && text_fits(email.as_ref(), &self.email)
            && website.fits(self.website.as_ref())
    }

    fn of_event(event: &Event) -> &[OrganizerId] {
        &event.details.organizers
    }
}
