//! Use cases of events.
//!
//! A write as data, as the builders of [`write`](crate::write) and the crate `forms` make it:
//!
//! ```
//! use events_calendar_app::{entry::EntryFields, event::*, place::VenueWrite, write::Change};
//! use domain::{cost::Cost, event::OverrideField, ticket::{OnSale, Ticket}};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let shared = EntryFields { title: Change::Set("Fair".parse()?), ..EntryFields::default() };
//! let mill: VenueRef = PlaceRef::New(Box::new(VenueWrite::default()));
//! let host: OrganizerRef = PlaceRef::Id(7);
//! let seat = Ticket {
//!     name: "Seat".parse()?,
//!     price: "5".parse()?,
//!     currency: "EUR".parse()?,
//!     url: None,
//!     on_sale: OnSale::default(),
//! };
//! // A text that answers show means the cost that is stored.
//! let shown = Some(ShownCost::Text("€5 – €10".to_owned()));
//! let own = EventFields {
//!     start: Some("2030-03-10 09:00".to_owned()),
//!     flags: FlagChanges { featured: Some(true), ..FlagChanges::default() },
//!     cost: Some(CostWrite { shown, values: Cost::parse(&["5-10"])? }),
//!     tickets: Some(vec![TicketFields { ticket: seat, from: None, until: None }]),
//!     categories: Some(vec![TermRef::Id(3), TermRef::Name("Jazz".parse()?)]),
//!     venue: Change::Set(mill),
//!     organizers: Some(vec![host]),
//!     recurrence: Some(RecurrenceChange::Members {
//!         rule: Some(SentRule::Whole("FREQ=DAILY;COUNT=3".parse()?)),
//!         extra: None,
//!         deleted: None,
//!     }),
//!     series: SeriesChange { reset: Some(Reset::Fields(vec![OverrideField::Title])), ..SeriesChange::default() },
//!     ..EventFields::default()
//! };
//! let write = EventWrite { shared, own };
//! assert_eq!(write.own.flags.featured, Some(true));
//!
//! let query = EventQuery { venues: Some(vec![7]), ..EventQuery::default() };
//! assert!(query.slugs.is_none());
//! # Ok(())
//! # }
//! ```

mod cost;
mod fields;
mod former;
mod links;
mod own_page;
mod query;
mod recurrence;
mod review;
mod series;
mod series_change;
mod tickets;
mod tombstone;
mod view;

use async_trait::async_trait;
use domain::{
    Event, Kind, Language, Stored,
    audit::TrailValues,
    event::EventFilter,
    policy::{Caller, Visibility},
    slug::Slug,
    time::Timestamp,
    web_url::WebUrl,
};

use crate::{
    entry::{self, Changing, EntryWrite},
    error::AppError,
    fault::{FaultCollector, Warning},
    ports::{Repositories, Repository, SlugRequests},
    request::{Purpose, RecordKey, Request},
    resource::{Changed, Former, Located, Resource},
};

pub use cost::{CostWrite, ShownCost};
pub use domain::event::Scope;
pub use domain::event::SlotChanges;
pub use fields::{EventFields, FlagChanges};
pub(crate) use links::check_parent;
pub use links::{OrganizerRef, PlaceRef, TermRef, VenueRef};
pub(crate) use query::is_default_end;
pub use query::{EventQuery, Unbounded, Window, WindowBounds, default_window};
pub use recurrence::{RecurrenceChange, SentRule};
use review::Review;
pub(crate) use series::{OccurrenceBatch, locate_split};
pub use series_change::{Reset, SeriesChange};
pub use tickets::TicketFields;
pub use view::EventView;

/// The fields of an event in a write.
pub type EventWrite = EntryWrite<EventFields>;

#[async_trait]
impl Resource for Event {
    type Write = EventWrite;
    type Query = EventQuery;
    type View = EventView;

    fn repository(repositories: &dyn Repositories) -> &dyn Repository<Self> {
        repositories.events()
    }

    fn may_edit(&self, caller: Caller) -> bool {
        caller.may_edit(self)
    }

    fn check_alone(
        write: &EventWrite,
        purpose: Purpose,
        request: &Request<'_>,
        faults: &mut FaultCollector,
    ) {
        write.own.check_alone(purpose, request, faults);
    }

    fn authorize(
        write: &EventWrite,
        caller: Caller,
        before: Option<&Self>,
    ) -> Result<(), AppError> {
        let owner = before.map(|before| before.author);
        write.shared.authorize(caller, Kind::Event, owner)
    }

    fn parse_html(write: &mut EventWrite, faults: &mut FaultCollector) {
        write.shared.parse_html(faults);
        write.own.parse_html(faults);
    }

    fn image_urls(write: &EventWrite) -> Vec<&WebUrl> {
        let mut urls = write.own.image_urls();
        urls.extend(write.shared.image_url());
        urls
    }

    async fn lock_for(write: Option<&EventWrite>, unit: &dyn Repositories) -> Result<(), AppError> {
        match write {
            Some(write) => write.own.lock(unit).await,
            None => Ok(()),
        }
    }

    async fn new_content(
        write: EventWrite,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError> {
        let EntryWrite { mut shared, own } = write;
        let mut faults = FaultCollector::default();
        shared
            .check(Kind::Event, request, unit, &mut faults)
            .await?;
        let details = own.apply(None, request, unit, &mut faults).await?;
        shared.into_entry(details, request, faults)
    }

    async fn changed_content(
        write: EventWrite,
        before: &Stored<Self>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(Self, SlugRequests), AppError> {
        let EntryWrite { shared, own } = write;
        let mut changing = Changing::begin(shared, before, |_| (), request, unit).await?;
        let details = own
            .apply(Some(before), request, unit, &mut changing.faults)
            .await?;
        let (mut content, slugs) = changing.end(before, details, request)?;
        content.details.rescheduling =
            content.rescheduling_since(request.known(before), request.announces_moves, request.now);
        Ok((content, slugs))
    }

    async fn lock_for_restore(unit: &dyn Repositories) -> Result<(), AppError> {
        unit.events().lock_tree().await?;
        Ok(())
    }

    async fn former(
        present: &Located<Self>,
        values: &TrailValues,
        former: Former,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<Self, AppError> {
        former::former(present, values, former, request, repositories).await
    }

    async fn keep_links(
        content: &mut Self,
        present: &Located<Self>,
        former: Former,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<(), AppError> {
        former::keep_links(content, present, former, request, repositories).await
    }

    async fn restore(
        before: Located<Self>,
        values: &TrailValues,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<Self>, AppError> {
        Box::pin(series::restore(before, values, request, unit)).await
    }

    async fn create(
        write: EventWrite,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Self>, AppError> {
        series::create(write, request, unit).await
    }

    async fn change(
        write: EventWrite,
        before: Located<Self>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Changed<Self>, AppError> {
        let review = Review::of(&before);
        let write = review.with_place(write, &before, request, unit).await?;
        let changed = Box::pin(series::change(write, before, request, unit)).await?;
        review.end(changed.record.stage, request, unit).await?;
        Ok(changed)
    }

    async fn store(
        before: Stored<Self>,
        mut content: Self,
        slugs: SlugRequests,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Self>, AppError> {
        content.details.count_change_since(&before.details);
        tombstone::save_event(before, content, slugs, request, unit).await
    }

    fn trash(&self, now: Timestamp) -> Result<Option<(Self, SlugRequests)>, AppError> {
        entry::trash(self, now).map(Some)
    }

    async fn put_in_trash(
        before: Located<Self>,
        trashed: (Self, SlugRequests),
        scope: Option<Scope>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<Stored<Self>, AppError> {
        let review = Review::of(&before);
        let put = series::put_in_trash(before, trashed, scope, request, unit);
        let event = Box::pin(put).await?;
        review.end(event.stage, request, unit).await?;
        Ok(event)
    }

    async fn remove(
        before: Located<Self>,
        scope: Option<Scope>,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        series::remove(before, scope, request, unit).await
    }

    async fn locate(
        repositories: &dyn Repositories,
        key: &RecordKey<Self>,
        for_update: bool,
    ) -> Result<Option<Located<Self>>, AppError> {
        series::locate(repositories, key, for_update).await
    }

    async fn locate_former(
        repositories: &dyn Repositories,
        slug: &Slug,
    ) -> Result<Option<(Located<Self>, Language)>, AppError> {
        series::locate_former(repositories, slug).await
    }

    async fn look_up(
        query: EventQuery,
        request: &Request<'_>,
        repositories: &dyn Repositories,
    ) -> Result<EventFilter, AppError> {
        query.look_up(request, repositories).await
    }

    async fn load(
        events: Vec<Located<Self>>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Vec<EventView>, AppError> {
        EventView::load(events, visibility, repositories).await
    }

    fn with_effects(
        view: EventView,
        changes: Option<SlotChanges>,
        warnings: Vec<Warning>,
    ) -> EventView {
        EventView {
            changes,
            warnings,
            ..view
        }
    }
}
