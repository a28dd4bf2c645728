//! Use cases of events.

mod changes;
mod filter;
mod links;
mod tickets;
mod view;

use async_trait::async_trait;
use domain::{Event, Stored, event::EventDetails, policy::Visibility, web_url::WebUrl};

use crate::{
    entry::EntryKind,
    error::AppError,
    input::Input,
    ports::{Repositories, Repository},
    request::{Purpose, Request},
};

pub use changes::EventChanges;
pub use filter::{EVENT_ORDERS, EventFilterInput, default_window};
pub use links::{OrganizerRef, TermRef, VenueRef};
pub use view::EventView;

#[async_trait]
impl EntryKind for EventDetails {
    const TITLE_FIELD: &'static str = "title";
    type Changes = EventChanges;
    type FilterInput = EventFilterInput;
    type View = EventView;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Event> {
        repositories.events()
    }

    fn read(input: &mut Input<'_>, request: &Request<'_>, purpose: Purpose) -> EventChanges {
        EventChanges::read(input, request, purpose)
    }

    fn parse_html(changes: &mut EventChanges, input: &mut Input<'_>) {
        changes.parse_html(input);
    }

    async fn lock_for(changes: &EventChanges, unit: &dyn Repositories) -> Result<(), AppError> {
        if changes.has_parent() {
            unit.events().lock_tree().await?;
        }
        Ok(())
    }

    fn image_urls(changes: &EventChanges) -> Vec<&WebUrl> {
        changes.image_urls()
    }

    async fn apply(
        before: Option<&Stored<Event>>,
        changes: EventChanges,
        request: &Request<'_>,
        unit: &dyn Repositories,
        input: &mut Input<'_>,
    ) -> Result<Self, AppError> {
        changes.apply(before, request, unit, input).await
    }

    async fn views(
        entries: Vec<Stored<Event>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<EventView>, AppError> {
        view::load(entries, visibility, repositories).await
    }
}
