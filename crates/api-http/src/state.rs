//! What handlers share.

use std::sync::Arc;

use app::{Calendar, auth::Accounts};
use ipnet::IpNet;

use crate::{
    browsers::Origins,
    budget::Budget,
    cors::Trusted,
    describe::Document,
    guesses::Guesses,
    headers::Caching,
    in_flight,
    limits::{Limits, Lists, Room, Uploads},
    mount::{MountPath, Mounts},
    pieces::Pieces,
    proxies::Proxies,
    throttle::Throttle,
    urls::Site,
};

/// What handlers share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AppState {
    pub(crate) calendar: Calendar,
    pub(crate) accounts: Accounts,
    public_url: Arc<str>,
    /// The site to requests that choose nothing.
    pub(crate) site: Arc<Site>,
    pub(crate) mounts: Arc<Mounts>,
    pub(crate) throttle: Arc<Throttle>,
    pub(crate) guesses: Arc<Guesses>,
    pub(crate) proxies: Proxies,
    pub(crate) limits: Limits,
    pub(crate) room: Room,
    pub(crate) caching: Caching,
    pub(crate) trusted: Trusted,
    pub(crate) document: Arc<Document>,
    pub(crate) uploads: Uploads,
    pub(crate) lists: Lists,
    /// Bodies and answers, by their bytes.
    pub(crate) in_flight: Budget,
    /// How many bytes what is kept of answers may take.
    pub(crate) cache_bytes: u64,
    pub(crate) pieces: Arc<Pieces>,
    /// Whether each request is logged.
    pub(crate) access_log: bool,
}

/// How many bytes what is kept of answers may take, unless told otherwise.
const CACHE_BYTES: u64 = 48 * 1024 * 1024;

impl AppState {
    /// State of a service that is reached at `public_url`, such as `https://cal.example`.
    pub fn new(calendar: Calendar, accounts: Accounts, public_url: &str) -> Self {
        let site = Arc::new(Site::new(public_url, calendar.site()));
        Self {
            calendar,
            accounts,
            public_url: public_url.into(),
            site,
            mounts: Arc::new(Mounts::new(&[])),
            throttle: Arc::default(),
            guesses: Arc::default(),
            proxies: Proxies::default(),
            limits: Limits::default(),
            room: Room::new(Limits::default()),
            caching: Caching::default(),
            trusted: Trusted::default(),
            document: Arc::default(),
            uploads: Uploads::default(),
            lists: Lists::default(),
            in_flight: in_flight::budget(),
            cache_bytes: CACHE_BYTES,
            pieces: Arc::new(Pieces::new(0)),
            access_log: false,
        }
    }

    /// The same, with the interface served under more paths than its namespace.
    #[must_use]
    pub fn mounted_at(self, paths: &[MountPath]) -> Self {
        Self {
            mounts: Arc::new(Mounts::new(paths)),
            ..self
        }
    }

    /// The same with a name of the site, which the discovery object and the pages show.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.site = Arc::new(self.site.named(name));
        self
    }

    /// The same behind proxies of these networks, which are trusted to say from which address they were
    /// asked.
    #[must_use]
    pub fn behind(self, proxies: &[IpNet]) -> Self {
        let proxies = Proxies::new(proxies);
        Self { proxies, ..self }
    }

    /// The same with other bounds on work.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let room = Room::new(limits);
        Self {
            limits,
            room,
            ..self
        }
    }

    /// The same, where each request is logged or not; see [`ACCESS_LOG`](crate::ACCESS_LOG).
    #[must_use]
    pub fn with_access_log(self, access_log: bool) -> Self {
        Self { access_log, ..self }
    }

    /// The same, where bodies of requests and answers may take so many bytes at once.
    #[must_use]
    pub fn with_in_flight_bytes(self, bytes: usize) -> Self {
        let in_flight = in_flight::budget_of(bytes);
        Self { in_flight, ..self }
    }

    /// The same, where others may keep what everybody may read: for so many seconds without asking
    /// whether it is still good, and for so many more while they ask.
    #[must_use]
    pub fn with_public_caching(self, max_age_seconds: u32, stale_seconds: u32) -> Self {
        let caching = Caching::new(max_age_seconds, stale_seconds);
        Self { caching, ..self }
    }

    /// The same, where so many bytes at the most are taken by what is kept to be sent again, for as long
    /// as it is right. With 0 nothing is kept.
    #[must_use]
    pub fn with_cache_bytes(self, cache_bytes: u64) -> Self {
        Self {
            cache_bytes,
            ..self
        }
    }

    /// The origins that belong to this site or are trusted by it.
    pub(crate) fn origins(&self) -> Origins {
        Origins::new(&self.public_url, self.trusted.clone())
    }

    /// How many bytes pieces of lists may take: a third.
    fn piece_bytes(&self) -> u64 {
        self.cache_bytes / 3
    }

    /// How many bytes whole answers may take: all that pieces leave.
    pub(crate) fn answer_bytes(&self) -> u64 {
        self.cache_bytes - self.piece_bytes()
    }

    /// The same with nothing kept yet, as each service has to begin: others may be set to something
    /// else.
    pub(crate) fn forgetting(self) -> Self {
        let pieces = Arc::new(Pieces::new(self.piece_bytes()));
        Self { pieces, ..self }
    }

    /// The same, where pages of these origins, such as `https://cal.example`, may use the credentials
    /// that a browser keeps.
    #[must_use]
    pub fn with_trusted_origins(self, origins: impl IntoIterator<Item = String>) -> Self {
        let trusted = Trusted::new(origins);
        Self { trusted, ..self }
    }

    /// The same, where the pages of records are not shown here but at `site_url`: addresses of pages
    /// lead there, and whoever asks for a page here is sent there.
    #[must_use]
    pub fn with_site_url(mut self, site_url: &str) -> Self {
        self.site = Arc::new(self.site.with_pages_at(site_url));
        self
    }
}
