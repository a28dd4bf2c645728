//! The state that handlers share.

use std::sync::Arc;

use app::{Calendar, auth::Accounts};
use ipnet::IpNet;
use tokio::sync::Semaphore;

use crate::{
    cache::PublicCaching,
    describe::Document,
    limits::{
        Budget, ConcurrencyLimit, Limits, ListLimit, LoginThrottle, PasswordThrottle, Proxies,
        UPLOADS, in_flight,
    },
    origins::{SiteOrigins, TrustedOrigins},
    site::{BasePathPattern, BasePaths, Site},
};

/// The state that handlers share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AppState {
    pub(crate) calendar: Calendar,
    pub(crate) accounts: Accounts,
    public_url: Arc<str>,
    /// The site under its default base path and language.
    pub(crate) site: Arc<Site>,
    pub(crate) base_paths: Arc<BasePaths>,
    pub(crate) login_throttle: Arc<LoginThrottle>,
    pub(crate) password_throttle: Arc<PasswordThrottle>,
    pub(crate) proxies: Proxies,
    pub(crate) limits: Limits,
    pub(crate) concurrency: ConcurrencyLimit,
    pub(crate) caching: PublicCaching,
    pub(crate) trusted: TrustedOrigins,
    pub(crate) document: Arc<Document>,
    /// Permits of uploads.
    pub(crate) uploads: Arc<Semaphore>,
    pub(crate) list_limit: ListLimit,
    /// The budget of request and response bodies.
    pub(crate) in_flight: Budget,
    /// Size of the response cache in bytes.
    pub(crate) cache_bytes: u64,
    /// Whether each request is logged.
    pub(crate) access_log: bool,
}

/// Default size of the response cache in bytes.
const CACHE_BYTES: u64 = 48 * 1024 * 1024;

impl AppState {
    /// The state of a service at `public_url`, such as `https://cal.example`.
    pub fn new(calendar: Calendar, accounts: Accounts, public_url: &str) -> Self {
        let site = Arc::new(Site::new(public_url, calendar.site()));
        Self {
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
            document: Arc::default(),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            list_limit: ListLimit::default(),
            in_flight: in_flight::budget(),
            cache_bytes: CACHE_BYTES,
            access_log: false,
        }
    }

    /// Adds base paths of the interface.
    #[must_use]
    pub fn mounted_at(mut self, paths: &[BasePathPattern]) -> Self {
        self.base_paths = Arc::new(BasePaths::new(paths));
        self
    }

    /// Sets the name of the site, which the discovery object and the pages show.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.site = Arc::new(self.site.named(name));
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
