//! A store of this program passes the tests of the ports. It counts units of work, and stores by another store.

use std::sync::atomic::{AtomicUsize, Ordering};

use app::ports::{
    AuditTrail, Duplicates, EventRepository, IdempotencyKeys, ImageRepository, ImportLedger,
    Journal, OccurrenceRepository, Repositories, Repository, ReviewRepository, SecretFeeds,
    Settings, SignInRepository, Sources, Store, StoreError, TermRepository, Tombstones, UnitOfWork,
    UserRepository,
};
use app::test_support::InMemoryStore;
use async_trait::async_trait;
use domain::term::{Categories, Tags};
use domain::{Organizer, Venue};
use port_tests::PortTest;

#[derive(Default)]
struct Counting {
    inner: InMemoryStore,
    units: AtomicUsize,
}

macro_rules! repositories {
    ($($name:ident: $port:ty),* $(,)?) => {
        impl Repositories for Counting {
            $(fn $name(&self) -> &$port {
                self.inner.$name()
            })*
        }
    };
}

repositories! {
    events: dyn EventRepository,
    occurrences: dyn OccurrenceRepository,
    venues: dyn Repository<Venue>,
    organizers: dyn Repository<Organizer>,
    categories: dyn TermRepository<Categories>,
    tags: dyn TermRepository<Tags>,
    images: dyn ImageRepository,
    users: dyn UserRepository,
    sign_ins: dyn SignInRepository,
    reviews: dyn ReviewRepository,
    imports: dyn ImportLedger,
    settings: dyn Settings,
    idempotency: dyn IdempotencyKeys,
    tombstones: dyn Tombstones,
    secret_feeds: dyn SecretFeeds,
    sources: dyn Sources,
    duplicates: dyn Duplicates,
    audit: dyn AuditTrail,
}

#[async_trait]
impl Store for Counting {
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        self.units.fetch_add(1, Ordering::Relaxed);
        self.inner.begin().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.inner.ping().await
    }

    fn journal(&self) -> &dyn Journal {
        self.inner.journal()
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}

async fn counting(test: PortTest) {
    let store = Counting::default();
    test.run(&store).await;
    assert!(store.units.into_inner() > 0);
}

port_tests::port_tests!(counting);
