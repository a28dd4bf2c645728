//! A store of which single ports are replaced.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use domain::{
    Organizer, Venue,
    term::{Categories, Tags},
};

use crate::ports::{
    AuditTrail, DataVersion, Duplicates, EventRepository, IdempotencyKeys, ImageRepository,
    ImportLedger, Journal, OccurrenceRepository, Repositories, Repository, ReviewRepository,
    SecretFeeds, Settings, SignInRepository, Sources, Store, StoreError, TermRepository,
    Tombstones, UnitOfWork, UserRepository,
};

/// A store of which single ports are replaced, by implementations of one's own or by mocks.
///
/// Plain reads and units of work alike use the replaced ports; the rest is the store below. A write to a replaced port is not part
/// of the unit of work: a rollback does not undo it. Clones share the store and its ports.
///
/// ```
/// use events_calendar_app::{
///     ports::{MockRepository, Repositories, Store, StoreOverlay},
///     test_support::InMemoryStore,
/// };
/// use domain::{Venue, VenueId};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut venues = MockRepository::<Venue>::new();
/// venues.expect_delete().times(1).returning(|_| Ok(true));
/// let store = StoreOverlay::over(InMemoryStore::new()).with_venues(venues);
///
/// let unit = store.begin().await?;
/// assert!(unit.venues().delete(VenueId::from_raw(7)).await?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct StoreOverlay {
    store: Arc<dyn Store>,
    ports: Arc<Ports>,
    journal: Option<Arc<dyn Journal>>,
}

impl StoreOverlay {
    /// Another store, of which ports are to be replaced.
    ///
    /// ```
    /// use events_calendar_app::{
    ///     ports::{MockUserRepository, Repositories, StoreError, StoreOverlay},
    ///     test_support::{InMemoryStore, add_user, in_unit, venue},
    /// };
    /// use domain::Role;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), StoreError> {
    /// let memory = InMemoryStore::new();
    /// add_user(&memory, "ada", Role::Author).await;
    /// let mill = in_unit(&memory, async |unit| venue("Old Mill").insert(unit).await).await;
    ///
    /// let mut users = MockUserRepository::new();
    /// users.expect_list().returning(|| Ok(Vec::new()));
    /// let store = StoreOverlay::over(memory).with_users(users);
    /// assert_eq!(store.users().list().await?, []);
    /// assert_eq!(store.venues().find(mill.id).await?, Some(mill));
    /// # Ok(())
    /// # }
    /// ```
    pub fn over(store: impl Store + 'static) -> Self {
        Self {
            store: Arc::new(store),
            ports: Arc::default(),
            journal: None,
        }
    }

    /// Replaces the journal.
    ///
    /// ```
    /// use events_calendar_app::{
    ///     ports::{JournalCursor, MockJournal, Store, StoreError, StoreOverlay},
    ///     test_support::InMemoryStore,
    /// };
    /// use domain::policy::Reach;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), StoreError> {
    /// let mut journal = MockJournal::new();
    /// let last = JournalCursor { number: 7, nonce: 5 };
    /// journal.expect_last_visible().returning(move |_| Ok(last));
    /// let store = StoreOverlay::over(InMemoryStore::new()).with_journal(journal);
    /// assert_eq!(store.journal().last_visible(Reach::Published).await?, last);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_journal(mut self, journal: impl Journal + 'static) -> Self {
        self.journal = Some(Arc::new(journal));
        self
    }
}

impl fmt::Debug for StoreOverlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreOverlay").finish_non_exhaustive()
    }
}

/// Writes, for each port, the field of the replacement, the method that sets it, and the methods
/// that choose between it and the port of the store.
macro_rules! ports {
    ($($port:ident, $with:ident: $trait:path;)*) => {
        /// The replaced ports.
        #[derive(Clone, Default)]
        struct Ports {
            $($port: Option<Arc<dyn $trait>>,)*
        }

        impl Ports {
            fn is_empty(&self) -> bool {
                true $(&& self.$port.is_none())*
            }
        }

        impl StoreOverlay {
            $(
                #[doc = concat!("Replaces the port `", stringify!($port), "`.")]
                #[must_use]
                pub fn $with(mut self, port: impl $trait + 'static) -> Self {
                    Arc::make_mut(&mut self.ports).$port = Some(Arc::new(port));
                    self
                }
            )*
        }

        impl Repositories for StoreOverlay {
            $(fn $port(&self) -> &dyn $trait {
                match &self.ports.$port {
                    Some(port) => &**port,
                    None => self.store.$port(),
                }
            })*
        }

        impl Repositories for UnitOverlay {
            $(fn $port(&self) -> &dyn $trait {
                match &self.ports.$port {
                    Some(port) => &**port,
                    None => self.unit.$port(),
                }
            })*
        }
    };
}

ports! {
    events, with_events: EventRepository;
    occurrences, with_occurrences: OccurrenceRepository;
    venues, with_venues: Repository<Venue>;
    organizers, with_organizers: Repository<Organizer>;
    categories, with_categories: TermRepository<Categories>;
    tags, with_tags: TermRepository<Tags>;
    images, with_images: ImageRepository;
    users, with_users: UserRepository;
    sign_ins, with_sign_ins: SignInRepository;
    reviews, with_reviews: ReviewRepository;
    imports, with_imports: ImportLedger;
    settings, with_settings: Settings;
    idempotency, with_idempotency: IdempotencyKeys;
    tombstones, with_tombstones: Tombstones;
    secret_feeds, with_secret_feeds: SecretFeeds;
    sources, with_sources: Sources;
    duplicates, with_duplicates: Duplicates;
    audit, with_audit: AuditTrail;
}

#[async_trait]
impl Store for StoreOverlay {
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let unit = self.store.begin().await?;
        let ports = Arc::clone(&self.ports);
        Ok(Box::new(UnitOverlay { unit, ports }))
    }

    /// None if a port is replaced: the store does not see its changes.
    async fn version(&self) -> Result<Option<DataVersion>, StoreError> {
        if self.ports.is_empty() {
            self.store.version().await
        } else {
            Ok(None)
        }
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }

    fn journal(&self) -> &dyn Journal {
        match &self.journal {
            Some(journal) => &**journal,
            None => self.store.journal(),
        }
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}

/// A unit of work with the replaced ports of its store.
struct UnitOverlay {
    unit: Box<dyn UnitOfWork>,
    ports: Arc<Ports>,
}

#[async_trait]
impl UnitOfWork for UnitOverlay {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.unit.commit().await
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.unit.rollback().await
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let unit = self.unit.nested().await?;
        let ports = Arc::clone(&self.ports);
        Ok(Box::new(Self { unit, ports }))
    }
}
