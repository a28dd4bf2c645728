//! The state that handlers share.

use std::{sync::Arc, time::Duration};

use app::{Calendar, auth::Accounts, event::EventView, ports::CalendarFormat};
use axum::{http::HeaderMap, response::Response};
use futures_util::{FutureExt as _, future::BoxFuture};
use ipnet::IpNet;
use tokio::sync::Semaphore;

use interchange::ReadableFormat;

use crate::{
    cache::PublicCaching,
    embedding::{self, EmbedAncestor},
    face::{FixedFace, LiveFace},
    limits::{
        Budget, ConcurrencyLimit, Limits, ListLimit, LoginThrottle, PasswordThrottle, Proxies,
        UPLOADS, in_flight,
    },
    notifier::{DEFAULT_MAX_WAITING, News},
    origins::{SiteOrigins, TrustedOrigins},
    preview::BackForm,
    site::{BasePathPattern, BasePaths, Site},
};

/// Makes the page of an event that is not stored, as visitors would see it, with a form above it.
pub type EventPreview = fn(&AppState, &EventView, BackForm) -> Response;

/// The checks of a program for `/readyz`, beyond those of the service itself: whether the database answers and takes writes.
///
/// ```
/// use std::sync::Arc;
///
/// use events_calendar_http_service::{AppState, Readiness, test_support::Service};
/// use app::{auth::Accounts, test_support::{FixedClock, InMemoryStore, calendar}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let store = InMemoryStore::new();
/// let accounts = Accounts::new(Arc::new(store.clone()), Arc::new(FixedClock::default()));
/// let full_disk = Readiness::new(async || vec!["the disk is full".to_owned()]);
/// let state = AppState::new(calendar(store).await, accounts, "https://cal.example").with_readiness(full_disk);
/// let answer = Service::new(state, [api_http::endpoints()]).get("/readyz").await;
/// assert_eq!(answer.status, 503);
/// assert!(answer.text().contains("the disk is full"));
/// # }
/// ```
#[derive(Clone)]
pub struct Readiness(Arc<Check>);

type Check = dyn Fn() -> BoxFuture<'static, Vec<String>> + Send + Sync;

impl std::fmt::Debug for Readiness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Readiness(…)")
    }
}

impl Readiness {
    /// The checks by a function, which returns the problems by which the service is not ready, in English, for its operator.
    pub fn new<F>(problems: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Vec<String>> + Send + 'static,
    {
        Self(Arc::new(move || problems().boxed()))
    }

    /// The present problems.
    pub async fn problems(&self) -> Vec<String> {
        (self.0)().await
    }
}

/// The state that handlers share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AppState {
    /// The use cases.
    pub calendar: Calendar,
    /// Users and their credentials.
    pub accounts: Accounts,
    public_url: Arc<str>,
    /// The site under its default base path and language.
    pub site: Arc<Site>,
    /// All base paths of the interface.
    pub base_paths: Arc<BasePaths>,
    /// Lockouts after wrong credentials.
    pub login_throttle: Arc<LoginThrottle>,
    /// Lockouts after wrong passwords of events.
    pub password_throttle: Arc<PasswordThrottle>,
    /// The trusted proxies, which name the addresses of clients.
    pub proxies: Proxies,
    pub(crate) limits: Limits,
    /// The limit of requests in progress.
    pub concurrency: ConcurrencyLimit,
    pub(crate) caching: PublicCaching,
    pub(crate) trusted: TrustedOrigins,
    /// Permits of uploads.
    pub uploads: Arc<Semaphore>,
    /// Permits of list rows.
    pub list_limit: ListLimit,
    /// The budget of request and response bodies.
    pub in_flight: Budget,
    /// Size of the response cache in bytes.
    pub(crate) cache_bytes: u64,
    /// Whether each request is logged.
    pub(crate) access_log: bool,
    /// The checks of the program for `/readyz`.
    pub readiness: Option<Readiness>,
    /// Whether requests are counted and timed.
    pub(crate) is_measured: bool,
    /// The format of calendar files; none if the service has none.
    pub calendar_format: Option<Arc<dyn CalendarFormat>>,
    /// The format of calendar files that can be imported.
    pub importable: Option<Arc<dyn ReadableFormat>>,
    /// The name of feeds; if none, the host.
    pub feed_name: Option<Arc<str>>,
    /// The time after which subscribers should read a feed again.
    pub feed_refresh: Duration,
    /// The news of the calendar, for requests that wait for them.
    pub news: News,
    /// Whether all methods but reads are refused.
    pub(crate) is_read_only: bool,
    /// The sites that may show the pages below `/embed/` in a frame, as `frame-ancestors` names them; `None`
    /// if there are no such pages.
    pub embed_ancestors: Option<Arc<str>>,
    /// The page of an event that is not stored; `None` if no adapter of the service has pages.
    pub event_preview: Option<EventPreview>,
}

/// Default size of the response cache in bytes.
const CACHE_BYTES: u64 = 48 * 1024 * 1024;

/// Default time after which subscribers should read a feed again.
const FEED_REFRESH: Duration = Duration::from_hours(1);

impl AppState {
    /// The state of a service at `public_url`, such as `https://cal.example`. The calendar has the settings
    /// of a site [at this URL](app::site::Site::at).
    pub fn new(calendar: Calendar, accounts: Accounts, public_url: &str) -> Self {
        let site = Arc::new(Site::new(public_url, calendar.site()));
        Self {
            news: News::of(calendar.clone(), DEFAULT_MAX_WAITING),
            is_read_only: false,
            calendar,
            accounts,
            public_url: public_url.into(),
            site,
            base_paths: Arc::new(BasePaths::new(&[])),
            login_throttle: Arc::default(),
            password_throttle: Arc::default(),
            proxies: Proxies::default(),
            limits: Limits::default(),
            concurrency: ConcurrencyLimit::new(Limits::default()),
            caching: PublicCaching::default(),
            trusted: TrustedOrigins::default(),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            list_limit: ListLimit::default(),
            in_flight: in_flight::budget(),
            cache_bytes: CACHE_BYTES,
            access_log: false,
            readiness: None,
            is_measured: false,
            calendar_format: None,
            importable: None,
            feed_name: None,
            feed_refresh: FEED_REFRESH,
            embed_ancestors: None,
            event_preview: None,
        }
    }

    /// Sets the most requests that wait for changes, streams among them.
    #[must_use]
    pub fn with_max_waiting(mut self, requests: u32) -> Self {
        self.news = News::of(self.calendar.clone(), requests);
        self
    }

    /// Whether the service refuses all methods but reads, with 403.
    #[must_use]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.is_read_only = read_only;
        self
    }

    /// Adds calendar files in a format.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use events_calendar_http_service::{AppState, test_support::Service};
    /// use app::{auth::Accounts, test_support::{FixedClock, InMemoryStore, calendar}};
    /// use app::{feed::{CalendarHeader, FeedItem}, ports::{CalendarFormat, CalendarWriter}};
    /// use std::io::{Result, Write};
    ///
    /// /// A file with nothing but a first line. The crate `adapters-ical` has a format to use.
    /// #[derive(Debug)]
    /// struct Nothing;
    /// impl CalendarFormat for Nothing {
    ///     fn media_type(&self) -> &'static str { "text/calendar" }
    ///     fn writer(&self, _: CalendarHeader) -> Box<dyn CalendarWriter> { Box::new(Self) }
    /// }
    /// impl CalendarWriter for Nothing {
    ///     fn begin(&mut self, sink: &mut dyn Write) -> Result<()> { writeln!(sink, "BEGIN:VCALENDAR") }
    ///     fn item(&mut self, _: &FeedItem, _: &mut dyn Write) -> Result<()> { Ok(()) }
    ///     fn end(&mut self, _: &mut dyn Write) -> Result<()> { Ok(()) }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let store = InMemoryStore::new();
    /// let accounts = Accounts::new(Arc::new(store.clone()), Arc::new(FixedClock::default()));
    /// let state = AppState::new(calendar(store).await, accounts, "https://cal.example");
    /// let service = Service::new(state.with_calendar_files(Nothing), [api_http::endpoints()]);
    /// let feed = service.get("/cal/events/v1/events.ics").await;
    /// assert_eq!(feed.text(), "BEGIN:VCALENDAR\n");
    /// # }
    /// ```
    #[must_use]
    pub fn with_calendar_files(mut self, format: impl CalendarFormat + 'static) -> Self {
        self.calendar_format = Some(Arc::new(format));
        self
    }

    /// Takes imports of calendar files in a format.
    #[must_use]
    pub fn with_imports(mut self, format: impl ReadableFormat + 'static) -> Self {
        self.importable = Some(Arc::new(format));
        self
    }

    /// Offers no calendar files.
    #[must_use]
    pub fn without_calendar_files(mut self) -> Self {
        self.calendar_format = None;
        self
    }

    /// Sets the name of feeds, and the time after which subscribers should read them again. Without
    /// a name, feeds have the name of the host.
    #[must_use]
    pub fn with_feeds(mut self, name: Option<&str>, refresh: Duration) -> Self {
        self.feed_name = name.map(Into::into);
        self.feed_refresh = refresh;
        self
    }

    /// Sets the base paths of the interface beside the namespace.
    #[must_use]
    pub fn mounted_at(mut self, paths: &[BasePathPattern]) -> Self {
        self.base_paths = Arc::new(BasePaths::new(paths));
        self
    }

    /// Sets the path that old addresses of events have instead of `/events`, after the base paths.
    #[must_use]
    pub fn with_old_events_at(mut self, path: Option<&BasePathPattern>) -> Self {
        let base_paths = BasePaths::clone(&self.base_paths);
        self.base_paths = Arc::new(base_paths.with_old_events(path));
        self
    }

    /// Sets the face of the site on pages: the values that the settings of the program fix. Stored values are read by
    /// [`LiveFace::refresh`].
    #[must_use]
    pub fn with_face(mut self, fixed: FixedFace) -> Self {
        self.site = Arc::new(self.site.with_face(LiveFace::new(fixed)));
        self
    }

    /// Serves pages below `/embed/`, which these sites may show in a frame.
    #[must_use]
    pub fn embedded_by(mut self, ancestors: &[EmbedAncestor]) -> Self {
        self.embed_ancestors = embedding::directive(ancestors).map(Into::into);
        self
    }

    /// Sets the networks of trusted proxies, which may name the address of a client.
    #[must_use]
    pub fn behind(mut self, proxies: &[IpNet]) -> Self {
        self.proxies = Proxies::new(proxies);
        self
    }

    /// Sets the limits of requests.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.concurrency = ConcurrencyLimit::new(limits);
        self
    }

    /// Turns the access log on or off; see [`ACCESS_LOG`](crate::ACCESS_LOG).
    #[must_use]
    pub fn with_access_log(mut self, access_log: bool) -> Self {
        self.access_log = access_log;
        self
    }

    /// Adds checks to `/readyz`.
    #[must_use]
    pub fn with_readiness(mut self, readiness: Readiness) -> Self {
        self.readiness = Some(readiness);
        self
    }

    /// Lets the service count and time requests, by the recorder that the program installed before for the facade
    /// [`metrics`].
    #[must_use]
    pub fn with_metrics(mut self, is_measured: bool) -> Self {
        self.is_measured = is_measured;
        self
    }

    /// Sets the budget of request and response bodies, in bytes.
    #[must_use]
    pub fn with_in_flight_bytes(mut self, bytes: usize) -> Self {
        self.in_flight = in_flight::budget_of(bytes);
        self
    }

    /// Allows shared caches to store public responses for `max_age_seconds`, and to use them for
    /// `stale_seconds` more while they revalidate.
    #[must_use]
    pub fn with_public_caching(mut self, max_age_seconds: u32, stale_seconds: u32) -> Self {
        self.caching = PublicCaching::new(max_age_seconds, stale_seconds);
        self
    }

    /// Sets the size of the response cache, in bytes. 0 turns it off.
    #[must_use]
    pub fn with_cache_bytes(mut self, cache_bytes: u64) -> Self {
        self.cache_bytes = cache_bytes;
        self
    }

    /// The origin of this site, and the trusted ones.
    pub(crate) fn origins(&self) -> SiteOrigins {
        SiteOrigins::new(&self.public_url, self.trusted.clone())
    }

    /// Whether a page of this service sent a request, and not one of any other origin, even a trusted one.
    pub fn is_own_page(&self, headers: &HeaderMap) -> bool {
        self.origins().is_own(headers)
    }

    /// Sets the trusted origins, such as `https://cal.example`. Their pages may use the credentials
    /// that a browser stores.
    #[must_use]
    pub fn with_trusted_origins(mut self, origins: impl IntoIterator<Item = String>) -> Self {
        self.trusted = TrustedOrigins::new(origins);
        self
    }

    /// Sets the address of another site that shows the pages of records. Page URLs lead there, and
    /// page requests are redirected.
    #[must_use]
    pub fn with_site_url(mut self, site_url: &str) -> Self {
        self.site = Arc::new(self.site.with_pages_at(site_url));
        self
    }
}
