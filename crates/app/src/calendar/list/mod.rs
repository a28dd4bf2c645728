//! Reading a list.

mod index;
mod similar;

use domain::{
    Event, Filter, Id,
    event::{EventFilter, EventSort, SeriesListing},
    page::{Page, PageRequest},
    policy::{Caller, Visibility},
    query::Query,
    time::Timestamp,
};

use super::Calendar;
use crate::{
    error::AppError,
    event::{EventQuery, is_default_end},
    ports::{Reads, Repositories},
    resource::{self, Resource},
    search_queue::Client,
    site::{DEFAULT_RECURRENCE_MONTHS, Site},
    write::ReadOptions,
};

pub use index::Indexed;

/// The occurrences of the next 365 days are always stored, in seconds.
const ALWAYS: i64 = 365 * 86_400;

/// Default number of the events that were published last.
const NEWEST: u64 = 50;

/// Maximum number of the events that were published last.
const MAX_NEWEST: u32 = 100;

/// The same page with at most as many records as pages of the site have.
pub(crate) fn bounded(page: PageRequest, site: &Site) -> PageRequest {
    PageRequest::new(page.number(), page.per_page().into(), site.max_per_page)
}

/// A page of a list whose records are not read yet.
///
/// ```
/// use events_calendar_app::{calendar::FoundPage, term::TermQuery, write::{NewTag, ReadOptions}};
/// use domain::{Tag, page::PageRequest, policy::Caller};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
///
/// calendar.create(editor, &NewTag::builder("Loud".parse()?).build()).await?;
/// let (all, page, options) = (TermQuery::default(), PageRequest::new(1, 10, 100), ReadOptions::default());
/// let found: FoundPage<'_, Tag> = calendar.find_page(Caller::Anonymous, None, all, page, &options).await?;
/// // A server may wait here for the memory that so many records take.
/// assert_eq!(found.rows(), 1);
/// assert_eq!(found.horizon(), None);
/// assert_eq!(found.load().await?.rows[0].term.name.as_str(), "Loud");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct FoundPage<'a, R> {
    reads: Reads<'a>,
    visibility: Visibility,
    ids: Page<Id<R>>,
    horizon: Option<Timestamp>,
}

impl Calendar {
    /// Finds a page of the records that the caller may see and that match the filters. A search
    /// waits in the queue of searches, in which `client` has its share.
    ///
    /// ```
    /// use events_calendar_app::{event::EventQuery, write::ReadOptions};
    /// use domain::{Event, page::PageRequest, policy::Caller};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let (all, page, options) = (EventQuery::default(), PageRequest::new(1, 10, 100), ReadOptions::default());
    /// let found = calendar.find_page::<Event>(Caller::Anonymous, None, all, page, &options).await?;
    /// assert_eq!(found.rows(), 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: filters that name a record that does not exist, a page beyond the
    /// last, or too many searches.
    #[tracing::instrument(name = "app.list", skip_all, fields(kind = %R::KIND))]
    pub async fn find_page<R: Resource>(
        &self,
        caller: Caller,
        client: Client,
        query: R::Query,
        page: PageRequest,
        options: &ReadOptions,
    ) -> Result<FoundPage<'_, R>, AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.reads().await?;
        let query = Query {
            visibility: request.visibility(),
            filter: R::look_up(query, &request, &*reads).await?,
            page: bounded(page, &self.site),
        };
        self.run(reads, client, query).await
    }

    /// Finds the events that were published last, of those that the caller may see and that match the
    /// filters: 50, or `per_page`, at most 100. A series is one of them.
    ///
    /// ```
    /// use events_calendar_app::{event::EventQuery, write::ReadOptions};
    /// use domain::policy::Caller;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let calendar = calendar(InMemoryStore::new()).await;
    ///
    /// let (all, options) = (EventQuery::default(), ReadOptions::default());
    /// let found = calendar.find_newest(Caller::Anonymous, None, all, None, &options).await?;
    /// assert_eq!(found.rows(), 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Calendar::find_page`].
    #[tracing::instrument(name = "app.newest", skip_all)]
    pub async fn find_newest(
        &self,
        caller: Caller,
        client: Client,
        query: EventQuery,
        per_page: Option<u64>,
        options: &ReadOptions,
    ) -> Result<FoundPage<'_, Event>, AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.reads().await?;
        let filter = Event::look_up(query, &request, &*reads).await?;
        let query = Query {
            visibility: request.visibility(),
            filter: EventFilter {
                series: SeriesListing::Series,
                sort: EventSort::Date,
                descending: true,
                ..filter
            },
            page: PageRequest::new(1, per_page.unwrap_or(NEWEST), MAX_NEWEST),
        };
        self.run(reads, client, query).await
    }

    /// The filter of a list of events for a caller, with the records that it names.
    ///
    /// ```
    /// use domain::policy::Caller;
    /// use events_calendar_app::{AppError, event::EventQuery, write::ReadOptions};
    /// # use events_calendar_app::test_support::{InMemoryStore, calendar};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let calendar = calendar(InMemoryStore::new()).await;
    ///
    /// let (unknown, options) = (EventQuery { venues: Some(vec![7]), ..EventQuery::default() }, ReadOptions::default());
    /// let refused = calendar.filter(Caller::Anonymous, unknown, &options).await;
    /// assert!(matches!(refused, Err(AppError::Invalid(faults)) if faults.contains_key("venue")));
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for filters that name a record that does not exist or that the caller may not read.
    #[tracing::instrument(name = "app.filter", skip_all)]
    pub async fn filter(
        &self,
        caller: Caller,
        query: EventQuery,
        options: &ReadOptions,
    ) -> Result<EventFilter, AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.reads().await?;
        Event::look_up(query, &request, &*reads).await
    }

    /// Finds the page of a query, whose search waits in the queue of searches.
    async fn run<'a, R: Resource>(
        &'a self,
        reads: Reads<'a>,
        client: Client,
        query: Query<R::Filter>,
    ) -> Result<FoundPage<'a, R>, AppError> {
        let turn = if query.filter.scans() {
            Some(self.search_queue.turn(client).await?)
        } else {
            None
        };
        let ids = R::repository(&*reads).page(&query).await?;
        drop(turn);
        if ids.rows.is_empty() && query.page.number() > 1 {
            return Err(AppError::PageNotFound(R::KIND));
        }
        let horizon = horizon_of(&query, &self.site, &*reads).await?;
        Ok(FoundPage {
            reads,
            visibility: query.visibility,
            ids,
            horizon,
        })
    }

    /// A page of the records that the caller may see and that match a filter of the domain. A page
    /// larger than those of the site is cut. The records that the filter names are not looked up:
    /// one that does not exist matches nothing. A search waits in the queue of searches, in which
    /// `client` has its share; all callers without a client share one.
    ///
    /// ```
    /// use events_calendar_app::write::{NewTag, ReadOptions};
    /// use domain::{Tag, page::PageRequest, policy::Caller, term::{TermFilter, TermSort}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// for name in ["Loud", "Quiet"] {
    ///     calendar.create(editor, &NewTag::builder(name.parse()?).build()).await?;
    /// }
    /// let filter = TermFilter { sort: TermSort::Name, descending: true, ..TermFilter::default() };
    /// let page = PageRequest::new(1, 10, 100);
    /// let list = calendar.query::<Tag>(Caller::Anonymous, None, filter, page, &ReadOptions::default()).await?;
    /// let names: Vec<_> = list.rows.iter().map(|view| view.term.name.as_str()).collect();
    /// assert_eq!(names, ["Quiet", "Loud"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`]: a page beyond the last, or too many searches.
    #[tracing::instrument(name = "app.query", skip_all, fields(kind = %R::KIND))]
    pub async fn query<R: Resource>(
        &self,
        caller: Caller,
        client: Client,
        filter: R::Filter,
        page: PageRequest,
        options: &ReadOptions,
    ) -> Result<Page<R::View>, AppError> {
        let query = Query {
            visibility: self.request_with(caller, options).visibility(),
            filter,
            page: bounded(page, &self.site),
        };
        let reads = self.store.reads().await?;
        self.run::<R>(reads, client, query).await?.load().await
    }
}

impl<R: Resource> FoundPage<'_, R> {
    /// The number of records on the page.
    pub fn rows(&self) -> usize {
        self.ids.rows.len()
    }

    /// The instant up to which the list is complete, if its window reaches further than the
    /// occurrences of endless series are stored.
    pub fn horizon(&self) -> Option<Timestamp> {
        self.horizon
    }

    /// Reads the records.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn load(self) -> Result<Page<R::View>, AppError> {
        let repositories = &*self.reads;
        let repository = R::repository(repositories);
        let mut records = repository.find_many(&self.ids.rows).await?;
        // A record may have been withdrawn after its ID was found.
        records.retain(|record| record.is_visible(&self.visibility));
        Ok(Page {
            rows: resource::load::<R>(records, &self.visibility, repositories).await?,
            total: self.ids.total,
            request: self.ids.request,
        })
    }
}

/// The instant up to which a list is complete; none if the occurrences of all its window are stored.
async fn horizon_of<F: Filter>(
    query: &Query<F>,
    site: &Site,
    repositories: &dyn Repositories,
) -> Result<Option<Timestamp>, AppError> {
    let Visibility { now, .. } = query.visibility;
    let last = query.filter.latest_start();
    let beyond = last.filter(|last| *last > now.saturating_add(ALWAYS));
    // The default window ends before the horizon, unless that is nearer than it is by default.
    let is_stored = |last: &Timestamp| {
        site.recurrence_months >= DEFAULT_RECURRENCE_MONTHS
            && is_default_end(*last, &site.zone, now)
    };
    let Some(last) = beyond.filter(|last| !is_stored(last)) else {
        return Ok(None);
    };
    let kept_until = repositories.occurrences().horizon(now).await?;
    Ok(kept_until.filter(|kept_until| *kept_until <= last))
}
