//! The store as a whole, and units of work.

mod audit;
mod duplicates;
mod imports;
mod overlay;
mod reviews;
mod settings;
mod sources;

use std::{fmt, ops::Deref};

use async_trait::async_trait;
use domain::{
    Organizer, Venue,
    term::{Categories, Tags},
};

use super::{
    EventRepository, IdempotencyKeys, ImageRepository, Journal, OccurrenceRepository, Repository,
    SecretFeeds, SignInRepository, StoreError, TermRepository, Tombstones, UserRepository,
};

#[cfg(any(test, feature = "test-support"))]
pub use audit::MockAuditTrail;
pub use audit::{AUDIT_PAGE_BYTES, AuditEntry, AuditTrail, entries_of_page};
#[cfg(any(test, feature = "test-support"))]
pub use duplicates::MockDuplicates;
pub use duplicates::{DuplicateFilter, Duplicates, Merge, Moved, StoredDuplicate};
#[cfg(any(test, feature = "test-support"))]
pub use imports::MockImportLedger;
pub use imports::{FieldDigests, ImportLedger, ImportedRecord};
pub use overlay::StoreOverlay;
#[cfg(any(test, feature = "test-support"))]
pub use reviews::MockReviewRepository;
pub use reviews::{EventRemark, Proposal, ReviewRepository};
#[cfg(any(test, feature = "test-support"))]
pub use settings::MockSettings;
pub use settings::{Settings, SiteChange, StoredSite, StoredSiteValue};
#[cfg(any(test, feature = "test-support"))]
pub use sources::MockSources;
pub use sources::{SourceLease, Sources, StoredSource};

/// The data version of a store: an opaque value that changes with every commit.
///
/// While two reads of it are equal, nothing was committed in between, by any process, so cached
/// results are valid. Versions have no order, and are meaningless to another store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataVersion(u64);

impl DataVersion {
    /// A version that a number identifies.
    pub fn new(number: u64) -> Self {
        Self(number)
    }
}

/// All repositories, over the committed data or over a unit of work.
pub trait Repositories: Send + Sync {
    /// Events.
    fn events(&self) -> &dyn EventRepository;
    /// The occurrences of events that repeat.
    fn occurrences(&self) -> &dyn OccurrenceRepository;
    /// Venues.
    fn venues(&self) -> &dyn Repository<Venue>;
    /// Organizers.
    fn organizers(&self) -> &dyn Repository<Organizer>;
    /// Categories.
    fn categories(&self) -> &dyn TermRepository<Categories>;
    /// Tags.
    fn tags(&self) -> &dyn TermRepository<Tags>;
    /// Images.
    fn images(&self) -> &dyn ImageRepository;
    /// Users and their tokens.
    fn users(&self) -> &dyn UserRepository;
    /// Passwords, invitations and sessions of browsers.
    fn sign_ins(&self) -> &dyn SignInRepository;
    /// Remarks of editors on events that they returned.
    fn reviews(&self) -> &dyn ReviewRepository;
    /// The ledger of imports.
    fn imports(&self) -> &dyn ImportLedger;
    /// Settings that the service itself stores.
    fn settings(&self) -> &dyn Settings;
    /// The idempotency keys.
    fn idempotency(&self) -> &dyn IdempotencyKeys;
    /// Tombstones of events.
    fn tombstones(&self) -> &dyn Tombstones;
    /// Secret feeds.
    fn secret_feeds(&self) -> &dyn SecretFeeds;
    /// Sources that are read on a schedule.
    fn sources(&self) -> &dyn Sources;
    /// Pairs of records that look alike.
    fn duplicates(&self) -> &dyn Duplicates;
    /// The audit trail.
    fn audit(&self) -> &dyn AuditTrail;
}

/// The repositories for what one request reads.
pub enum Reads<'a> {
    /// The repositories that all requests share.
    Shared(&'a dyn Repositories),
    /// Repositories for this request alone.
    Own(Box<dyn Repositories + 'a>),
}

impl<'a> Deref for Reads<'a> {
    type Target = dyn Repositories + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Shared(repositories) => *repositories,
            Self::Own(repositories) => &**repositories,
        }
    }
}

impl fmt::Debug for Reads<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reads").finish_non_exhaustive()
    }
}

/// The store. Reads go to it directly; writes MUST go to a unit of work, and may fail here.
///
/// ```
/// use events_calendar_app::{
///     ports::{
///         DataVersion, EventRepository, IdempotencyKeys, ImageRepository, ImportLedger,
///         Journal, OccurrenceFilter, OccurrenceRepository, Reads, Repositories, Repository, ReviewRepository, SecretFeeds, Settings, SignInRepository, Store,
///         TermRepository, Tombstones, UnitOfWork, UserRepository,
///     },
///     test_support::{InMemoryStore, add_user, event, tag},
/// };
/// use domain::{Organizer, Role, term::Categories};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// add_user(&store, "ada", Role::Editor).await;
/// store.ping().await?;
///
/// // Nothing of a unit is seen before its commit, and nothing of a nested one after its rollback.
/// let unit: Box<dyn UnitOfWork> = store.begin().await?;
/// let loud = tag("Loud").insert(&*unit).await;
/// let nested = unit.nested().await?;
/// tag("Quiet").insert(&*nested).await;
/// nested.rollback().await?;
/// assert_eq!(store.tags().find(loud.id).await?, None);
/// unit.commit().await?;
/// assert_eq!(store.tags().find(loud.id).await?, Some(loud));
///
/// // This store reports no data version, so that nothing it answers may be cached.
/// assert_eq!(store.version().await?, None);
/// assert_ne!(DataVersion::new(1), DataVersion::new(2));
///
/// // The repositories for one request that reads.
/// let reads: Reads<'_> = store.reads().await?;
/// let organizers: &dyn Repository<Organizer> = reads.organizers();
/// let categories: &dyn TermRepository<Categories> = reads.categories();
/// let images: &dyn ImageRepository = reads.images();
/// let users: &dyn UserRepository = reads.users();
/// let sign_ins: &dyn SignInRepository = reads.sign_ins();
/// let reviews: &dyn ReviewRepository = reads.reviews();
/// assert_eq!(users.list().await?.len(), 1);
/// assert!(store.repositories().venues().find_many(&[]).await?.is_empty());
/// assert!(store.bulk_reads().await?.venues().find_many(&[]).await?.is_empty());
///
/// // One state of the store, whatever is written meanwhile.
/// let snapshot = store.snapshot().await?;
/// assert_eq!(snapshot.users().list().await?.len(), 1);
/// drop(snapshot);
///
/// // The journal of all changes, which belongs to the store itself.
/// let journal: &dyn Journal = store.journal();
/// assert_eq!(journal.end().await?, journal.last_visible(domain::policy::Reach::Published).await?);
/// // Settings that the service itself stores.
/// let unit = store.begin().await?;
/// let settings: &dyn Settings = unit.settings();
/// settings.get_or_insert("key", "first").await?;
/// assert_eq!(settings.get_or_insert("key", "second").await?, "first");
/// let fair = event("Fair").insert(&*unit).await.id;
/// let events: &dyn EventRepository = unit.events();
/// assert!(events.find(fair).await?.is_some());
/// let ledger: &dyn ImportLedger = unit.imports();
/// ledger.record("digest of a row", 0, fair).await?;
/// let known = ledger.known(&["digest of a row".to_owned()]).await?;
/// assert!(known.contains(&("digest of a row".to_owned(), 0)));
/// let occurrences: &dyn OccurrenceRepository = unit.occurrences();
/// assert!(occurrences.of_series(fair, &OccurrenceFilter::default()).await?.is_empty());
/// let keys: &dyn IdempotencyKeys = unit.idempotency();
/// let tombstones: &dyn Tombstones = unit.tombstones();
/// let feeds: &dyn SecretFeeds = unit.secret_feeds();
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Store: Repositories {
    /// Starts a unit of work, whose writes are committed together or not at all.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError>;

    /// The text that [`Settings`] hold under a name, read without a unit of work, which may have to wait for another
    /// process that writes. `None` does not mean that there is none: a unit of work decides.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn setting(&self, _name: &str) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    /// The current data version. It covers every write acknowledged before, except that settings
    /// may allow a delay for writes of other processes. None if the store cannot report a version,
    /// or is configured not to: then no result may be cached.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn version(&self) -> Result<Option<DataVersion>, StoreError> {
        Ok(None)
    }

    /// Checks that the store answers.
    ///
    /// # Errors
    ///
    /// If it does not.
    async fn ping(&self) -> Result<(), StoreError>;

    /// The journal of changes. It reads from the store itself, never from a replica.
    fn journal(&self) -> &dyn Journal;

    /// The repositories for read-only requests. They may read from a replica that has all writes
    /// made through this store, but not yet all writes of other processes. A request MUST call this
    /// once; reads that decide about writes MUST go to the store itself.
    fn repositories(&self) -> &dyn Repositories;

    /// The repositories for a read-only request that begins now. They see every write acknowledged
    /// before, and need not check for later ones.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn reads(&self) -> Result<Reads<'_>, StoreError> {
        Ok(Reads::Shared(self.repositories()))
    }

    /// As [`Store::reads`], for a request that reads many records once: they take no room in caches.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn bulk_reads(&self) -> Result<Reads<'_>, StoreError> {
        self.reads().await
    }

    /// The repositories of one state of the store, which later writes do not change. Nothing can be
    /// written to them. Units of work may wait until they are dropped.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn snapshot(&self) -> Result<Box<dyn Repositories>, StoreError> {
        Ok(self.begin().await?)
    }
}

/// A unit of work: writes, and the reads that they depend on. Dropping it rolls it back. After
/// [`StoreError::Conflict`] in any of its methods, use cases repeat its work in a new unit, at most eight
/// times in all.
#[async_trait]
pub trait UnitOfWork: Repositories {
    /// Commits the writes durably.
    ///
    /// # Errors
    ///
    /// If the store cannot commit; then nothing is stored.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;

    /// Rolls the writes back.
    ///
    /// # Errors
    ///
    /// If the store does not answer; the writes are discarded nevertheless.
    async fn rollback(self: Box<Self>) -> Result<(), StoreError>;

    /// Starts a nested unit, which can be rolled back alone. Its commit takes effect with the
    /// commit of this unit. This unit MUST NOT be used until the nested one has ended.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError>;
}
