//! Events by day, as everybody can list them.

mod tally;

pub use tally::{Tallied, Tallying};

use std::collections::{HashMap, HashSet};

use domain::{
    Event, EventId, Filter, Stored,
    event::{DaySpans, EventFilter, Window},
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    time::NaiveDate,
};

use super::{CacheEpoch, Calendar};
use crate::{
    error::AppError, event::EventView, ports::Reads, resource, search_queue::Client,
    write::ReadOptions,
};

/// The maximum number of events that are placed by day.
const MAX_SPANS: u64 = 50_000;

/// The events that everybody can list, for views by day. All its reads are of one request.
///
/// ```
/// use events_calendar_app::{calendar::Agenda, write::{NewEvent, ReadOptions}};
/// use domain::time::{EventTime, Zone, parse_civil};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
/// # let nine = parse_civil("2030-03-10 09:00:00").unwrap();
/// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
///
/// calendar.create(editor, &NewEvent::builder("Fair".parse()?, when).build()).await?;
/// let agenda: Agenda<'_> = calendar.agenda(&ReadOptions::default()).await?;
/// let [first, last] = agenda.extent().await?.unwrap();
/// assert_eq!((first, last), (nine.date(), nine.date()));
/// let (days, is_complete) = agenda.days(first, last).await?;
/// assert!(is_complete && agenda.has_events(first, last).await?);
/// let events = agenda.load(&days.on(first)).await?;
/// assert_eq!(events.values().next().unwrap().event.title.as_str(), "Fair");
/// assert_eq!(agenda.load_alone(&days.on(first)).await?.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Agenda<'a> {
    calendar: &'a Calendar,
    reads: Reads<'a>,
    visibility: Visibility,
    /// The filter of the events, with the client whose share of searches it takes; none for all events.
    filter: Option<(EventFilter, Client)>,
    /// The epoch that was read before the reads began.
    epoch: Option<CacheEpoch>,
}

impl Calendar {
    /// The events that everybody can list, by day.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    #[tracing::instrument(name = "app.agenda", skip_all)]
    pub async fn agenda(&self, options: &ReadOptions) -> Result<Agenda<'_>, AppError> {
        let epoch = self.cache_epoch().await?;
        Ok(Agenda {
            calendar: self,
            epoch,
            reads: self.store.reads().await?,
            visibility: self.request_with(Caller::Anonymous, options).visibility(),
            filter: None,
        })
    }
}

impl Agenda<'_> {
    /// Only the events that match a filter; the extent of the calendar stays. A search waits in the queue
    /// of searches, in which `client` has its share.
    ///
    /// ```
    /// use events_calendar_app::write::{NewEvent, ReadOptions};
    /// use domain::{event::EventFilter, time::{EventTime, Zone, parse_civil}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    /// # let nine = parse_civil("2030-03-10 09:00:00").unwrap();
    /// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    ///
    /// calendar.create(editor, &NewEvent::builder("Fair".parse()?, when).build()).await?;
    /// let featured = EventFilter { featured: Some(true), ..EventFilter::default() };
    /// let agenda = calendar.agenda(&ReadOptions::default()).await?.only(featured, None);
    /// let (days, _) = agenda.days(nine.date(), nine.date()).await?;
    /// assert!(days.on(nine.date()).is_empty() && agenda.extent().await?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn only(self, filter: EventFilter, client: Client) -> Self {
        Self {
            filter: Some((filter, client)),
            ..self
        }
    }

    /// The day on which the first event begins, and that on which the last one ends; none without events.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn extent(&self) -> Result<Option<[NaiveDate; 2]>, AppError> {
        let cached = self.epoch.and_then(|epoch| self.calendar.extent.get(epoch));
        if let Some(extent) = cached {
            return Ok(extent);
        }
        let now = self.epoch.map_or(self.visibility.now, |epoch| epoch.now);
        let extent = self.reads.events().extent(now).await?;
        let extent = extent.map(|[first, last]| [first.days()[0], last.days()[1]]);
        if let Some(epoch) = self.epoch {
            self.calendar.extent.set(epoch, extent);
        }
        Ok(extent)
    }

    /// The events of the days from the first to the last, and whether these are all: of more than 50,000,
    /// some are missing. Events of other days may be among them.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn days(
        &self,
        first: NaiveDate,
        last: NaiveDate,
    ) -> Result<(DaySpans, bool), AppError> {
        let window = DaySpans::window(first, last);
        let events = self.reads.events();
        let mut spans = events
            .spans(&window, self.visibility.now, MAX_SPANS)
            .await?;
        let is_complete = (spans.len() as u64) < MAX_SPANS;
        if let Some((filter, client)) = &self.filter {
            let matching = self.matching(filter, *client, &window).await?;
            spans.retain(|span| matching.contains(&span.id));
        }
        Ok((DaySpans::new(spans), is_complete))
    }

    /// The events of a window that match a filter, as many as are placed by day.
    async fn matching(
        &self,
        filter: &EventFilter,
        client: Client,
        window: &Window,
    ) -> Result<HashSet<EventId>, AppError> {
        let query = Query {
            visibility: self.visibility.clone(),
            filter: EventFilter {
                window: filter.window.and(window),
                ..filter.clone()
            },
            page: PageRequest::new(1, MAX_SPANS, u32::MAX),
        };
        let _turn = if query.filter.scans() {
            Some(self.calendar.search_queue.turn(client).await?)
        } else {
            None
        };
        let found = self.reads.events().page(&query).await?;
        Ok(found.rows.into_iter().collect())
    }

    /// Whether events take place on one of these days.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn has_events(&self, first: NaiveDate, last: NaiveDate) -> Result<bool, AppError> {
        if let (None, Some(core)) = (&self.filter, DaySpans::core(first, last)) {
            let events = self.reads.events();
            let begun = events.spans(&core, self.visibility.now, 1).await?;
            if !begun.is_empty() {
                return Ok(true);
            }
        }
        let (days, _) = self.days(first, last).await?;
        Ok(days.any(first, last))
    }

    /// The events with these IDs, without those that were withdrawn since they were found. The number of
    /// statements does not depend on the number of IDs.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn load(&self, ids: &[EventId]) -> Result<HashMap<EventId, EventView>, AppError> {
        let events = self.reads.events().find_many(ids).await?;
        let events = self.public(events).collect();
        let views = resource::load::<Event>(events, &self.visibility, &*self.reads).await?;
        Ok(by_id(views))
    }

    /// The same events without the records that they name, such as venues: their texts and times, for a grid.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn load_alone(
        &self,
        ids: &[EventId],
    ) -> Result<HashMap<EventId, EventView>, AppError> {
        let events = self.reads.events().find_outlines(ids).await?;
        let events = self.public(events);
        let views = events.map(|event| EventView::alone(event.into(), &self.visibility));
        Ok(by_id(views))
    }

    fn public(&self, events: Vec<Stored<Event>>) -> impl Iterator<Item = Stored<Event>> {
        let now = self.visibility.now;
        events.into_iter().filter(move |event| event.is_public(now))
    }
}

fn by_id(views: impl IntoIterator<Item = EventView>) -> HashMap<EventId, EventView> {
    let views = views.into_iter();
    views
        .filter_map(|view| Some((view.event.id?, view)))
        .collect()
}
