//! The use cases on all kinds of record.

mod agenda;
mod audit;
mod cache_epoch;
mod changes;
mod delete;
mod duplicates;
mod event_times;
mod feed;
mod get;
mod idempotency;
pub(crate) mod images;
mod list;
mod occurrences;
mod password_attempt;
mod precondition;
mod review;
mod revisions;
mod rights;
mod site;
mod sources;
mod unit;
mod work;
mod write_health;
mod writes;

use std::{sync::Arc, time::Duration};

use domain::{
    Kind, Secret,
    policy::{Caller, Capability},
    time::{NaiveDate, Timestamp},
};

use crate::{
    calendar::images::{FetchLocks, PageFetches},
    cpu_limiter::CpuLimiter,
    error::AppError,
    hashing::HashKey,
    ports::{Clock, Media, Store},
    request::{FetchedImages, Request},
    resource::{Resource, check_not_merged, find_readable, view},
    search_queue::{self, SearchQueue},
    site::Site,
    write::ReadOptions,
};

pub(crate) use crate::resource::{find, find_for_change};
pub use agenda::{Agenda, Tallied, Tallying};
pub use cache_epoch::CacheEpoch;
use cache_epoch::EpochCache;
pub use changes::{
    Delta, Following, FoundChanges, ListChanges, NewsMark, SyncItem, SyncRecord, Synced,
};
use delete::Delete;
pub use delete::Deleted;
pub use duplicates::{DuplicateRecord, DuplicateView, Found, MergeWrite, Undone};
use feed::Changes;
pub use feed::{Feed, FeedVersion, FreshFeed, OpenedFeed, SecretFeedWrite, WholeList};
pub use get::EventPass;
pub use get::IndexableRecords;
pub(crate) use idempotency::IdempotentWork;
pub use idempotency::{IdempotencyKey, Idempotent};
pub use images::Upload;
pub(crate) use list::bounded;
pub use list::{FoundPage, Indexed};
pub use occurrences::{ExtendedSeries, OccurrenceQuery};
pub use password_attempt::PasswordAttempt;
pub use precondition::Precondition;
pub use review::{ProposalTexts, Proposed};
pub use revisions::Restored;
pub use sources::{LeasedSource, SourceWrite};
pub use unit::{CreateOptions, Unit, Updated, restore_secret};
pub use work::Work;
use write_health::WriteHealth;
pub use writes::Prepared;

/// The use cases. Cheap to clone.
///
/// ```
/// use std::sync::Arc;
///
/// use events_calendar_app::{Calendar, ports::{Media, SystemClock}, site::Site, test_support::InMemoryStore};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // In a program: a store of `adapters-db`, and the files of `adapters-media`.
/// let (store, clock) = (Arc::new(InMemoryStore::new()), Arc::new(SystemClock));
/// let site = Site::at("https://cal.example");
/// let calendar = Calendar::new(store, clock, Media::none(), site).await?;
///
/// assert_eq!(calendar.site().host, "cal.example");
/// assert!(calendar.now().seconds() > 0);
/// assert!(calendar.monotonic() <= calendar.monotonic());
/// assert_eq!(calendar.search_queue().waiting(), 0);
/// assert_eq!(calendar.view_queue().waiting(), 0);
/// assert_eq!(calendar.cpu_limiter().run(3, || 1 + 1).await?, 2);
/// calendar.ping().await?;
/// assert!(!calendar.writes_are_failing());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Calendar {
    pub(crate) store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    pub(crate) site: Arc<Site>,
    pub(crate) hash_key: HashKey,
    pub(crate) media: Media,
    pub(crate) fetch_locks: FetchLocks,
    page_fetches: Arc<PageFetches>,
    pub(crate) cpu_limiter: CpuLimiter,
    search_queue: SearchQueue,
    view_queue: SearchQueue,
    /// The last public changes, for versions of feeds.
    public_feeds: EpochCache<Changes>,
    /// The first and the last day with a public event, for [`Agenda::extent`].
    extent: EpochCache<Option<[NaiveDate; 2]>>,
    write_health: WriteHealth,
}

impl std::fmt::Debug for Calendar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calendar")
            .field("site", &self.site)
            .finish_non_exhaustive()
    }
}

impl Calendar {
    /// Use cases over a store.
    ///
    /// # Errors
    ///
    /// If the store cannot read or store the secret for the hashes of event passwords.
    pub async fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        media: Media,
        site: Site,
    ) -> Result<Self, AppError> {
        let hash_key = HashKey::load(&*store).await?;
        Ok(Self {
            store,
            clock,
            site: Arc::new(site),
            hash_key,
            media,
            fetch_locks: FetchLocks::default(),
            page_fetches: Arc::default(),
            cpu_limiter: CpuLimiter::default(),
            search_queue: SearchQueue::default(),
            view_queue: SearchQueue::with_turns(search_queue::turns() - 1),
            public_feeds: EpochCache::default(),
            extent: EpochCache::default(),
            write_health: WriteHealth::default(),
        })
    }

    /// The store.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// The secret with which event passwords are hashed.
    pub fn secret(&self) -> &Secret {
        self.hash_key.secret()
    }

    /// The settings of the site.
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// The permits for CPU-bound work.
    pub fn cpu_limiter(&self) -> &CpuLimiter {
        &self.cpu_limiter
    }

    /// The queue of searches.
    pub fn search_queue(&self) -> &SearchQueue {
        &self.search_queue
    }

    /// The queue of views of the calendar with the numbers of their filters, which cost as much as searches.
    /// It is another one, so that searches delay no view. It has one turn fewer: the threads of views have the
    /// priority of those of lists, and a view is over soon.
    pub fn view_queue(&self) -> &SearchQueue {
        &self.view_queue
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// See [`Clock::monotonic`].
    pub fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }

    /// The current epoch; none if the store does not report one. Then answers must not be cached.
    ///
    /// ```
    /// use events_calendar_app::{calendar::CacheEpoch, ports::{DataVersion, MockStore, Store}, test_support::{InMemoryStore, calendar}};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut store = MockStore::new();
    /// let start = InMemoryStore::new().begin().await?;
    /// store.expect_begin().return_once(|| Ok(start));
    /// store.expect_version().times(2).returning(|| Ok(Some(DataVersion::new(1))));
    /// store.expect_version().returning(|| Ok(Some(DataVersion::new(2))));
    /// let calendar = calendar(store).await;
    ///
    /// // A result of an epoch may be used again while it lasts.
    /// let epoch: Option<CacheEpoch> = calendar.cache_epoch().await?;
    /// assert_eq!(calendar.cache_epoch().await?, epoch);
    /// assert_ne!(calendar.cache_epoch().await?, epoch);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if the store does not answer.
    pub async fn cache_epoch(&self) -> Result<Option<CacheEpoch>, AppError> {
        let now = self.now();
        let data = self.store.version().await?;
        Ok(data.map(|data| CacheEpoch { data, now }))
    }

    /// Whether the store answers.
    ///
    /// # Errors
    ///
    /// [`AppError::Store`] if it does not.
    pub async fn ping(&self) -> Result<(), AppError> {
        Ok(self.store.ping().await?)
    }

    /// Whether the store failed the last write of this process, as it does while the disk is full.
    pub fn writes_are_failing(&self) -> bool {
        self.write_health.is_failing()
    }

    /// A request made now, for a read.
    pub(crate) fn request_with<'a>(
        &'a self,
        caller: Caller,
        options: &'a ReadOptions,
    ) -> Request<'a> {
        let password = options.password.as_ref();
        Request {
            password: password.map(|password| Secret::new(password.expose().as_str())),
            opened: options.opened.as_ref(),
            language: options.language,
            ..self.request_of(caller)
        }
    }

    /// A request made now, in the language of the site.
    pub(crate) fn request_of(&self, caller: Caller) -> Request<'_> {
        Request {
            caller,
            password: None,
            opened: None,
            now: self.clock.now(),
            site: &self.site,
            hash_key: &self.hash_key,
            language: None,
            images: FetchedImages::NONE,
            wanted_id: None,
            wanted_image_id: None,
            wanted_slug: None,
            wanted_modified: None,
            origin: None,
            announces_moves: true,
            occurrences_before: None,
            warnings: None,
        }
    }
}

/// Checks that the caller has a right; an anonymous caller must authenticate first.
///
/// ```
/// use events_calendar_app::{AppError, calendar::require};
/// use domain::policy::{Caller, Capability};
///
/// let refused = require(Caller::Anonymous, Capability::Upload);
/// assert!(matches!(refused, Err(AppError::Unauthenticated)));
/// ```
///
/// # Errors
///
/// [`AppError::Unauthenticated`] or [`AppError::Forbidden`].
pub fn require(caller: Caller, right: Capability) -> Result<(), AppError> {
    permit(caller, caller.can(right))
}

/// The number of old entries that are deleted at once.
const OLD_AT_ONCE: u64 = 10_000;

impl Calendar {
    /// Deletes the entries that are older than some days, [`OLD_AT_ONCE`] at once, so that others write meanwhile.
    /// `delete` deletes at most as many of those before an instant. Returns how many were deleted.
    async fn delete_old<Deletion>(
        &self,
        days: u32,
        delete: impl Fn(Timestamp) -> Deletion,
    ) -> Result<u64, AppError>
    where
        Deletion: Future<Output = Result<u64, AppError>>,
    {
        let before = self.now().saturating_add(-86_400 * i64::from(days));
        let mut deleted = 0;
        loop {
            let now = delete(before).await?;
            deleted += now;
            if now < OLD_AT_ONCE {
                return Ok(deleted);
            }
        }
    }
}

/// Checks that the caller has a right in the collection of a kind.
///
/// # Errors
///
/// As for [`require`].
pub(crate) fn require_in(caller: Caller, kind: Kind, right: Capability) -> Result<(), AppError> {
    permit(caller, caller.can_in(kind, right))
}

/// Refuses a caller who lacks a right.
fn permit(caller: Caller, has_right: bool) -> Result<(), AppError> {
    match caller {
        _ if has_right => Ok(()),
        Caller::Anonymous => Err(AppError::Unauthenticated),
        Caller::User { .. } => Err(AppError::Forbidden),
    }
}

/// Checks that the caller may write records of this kind.
pub(crate) fn require_write<R: Resource>(caller: Caller) -> Result<(), AppError> {
    require(caller, Capability::Write(R::KIND))
}

#[cfg(test)]
mod tests;
