//! Use cases of events.

mod changes;
mod cost_write;
mod filter;
mod links;
mod own_page;
mod publicity;
mod recurrence;
mod series;
mod series_fields;
mod tickets;
mod view;

use async_trait::async_trait;
use domain::{Event, Language, Stored, event::EventDetails, slug::Slug};

use crate::{
    entry::{EntryChanges, EntryKind},
    error::AppError,
    ports::{Repositories, Repository, SlugRequests},
    request::{RecordKey, Request},
    resource::{Changed, Located},
};

pub use crate::resource::SlotChanges;
use changes::EventChanges;
pub use domain::event::Scope;
pub(crate) use filter::EventFilterInput;
pub use filter::{EVENT_ORDERS, default_window};
pub(crate) use filter::{Unbounded, is_default_end, read_window};
pub(crate) use links::{PlaceRef, TermRef, check_parent};
pub(crate) use recurrence::{RecurrenceChange, SentRule};
pub(crate) use series::OccurrenceBatch;
pub(crate) use series_fields::{Reset, read_scope};
pub(crate) use tickets::TicketFields;
pub use view::EventView;
pub(crate) use view::occurrence_uid;

#[async_trait]
impl EntryKind for EventDetails {
    const TITLE_FIELD: &'static str = "title";
    type Changes = EventChanges;
    type FilterInput = EventFilterInput;
    type View = EventView;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Event> {
        repositories.events()
    }

    async fn locate(
        repositories: &dyn Repositories,
        key: &RecordKey<Event>,
        for_update: bool,
    ) -> Result<Option<Located<Event>>, AppError> {
        series::locate(repositories, key, for_update).await
    }

    async fn locate_former(
        repositories: &dyn Repositories,
        slug: &Slug,
    ) -> Result<Option<(Located<Event>, Language)>, AppError> {
        series::locate_former(repositories, slug).await
    }

    async fn create(
        changes: (EntryChanges, EventChanges),
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Event>, AppError> {
        series::create(changes, request, unit).await
    }

    async fn change(
        changes: (EntryChanges, EventChanges),
        before: Located<Event>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<Event>, AppError> {
        Box::pin(series::change(changes, before, request, unit)).await
    }

    async fn put_in_trash(
        before: Located<Event>,
        trashed: (Event, SlugRequests),
        scope: Option<Scope>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Event>, AppError> {
        Box::pin(series::put_in_trash(before, trashed, scope, request, unit)).await
    }

    async fn remove(
        before: Located<Event>,
        scope: Option<Scope>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        series::remove(before, scope, request, unit).await
    }
}
