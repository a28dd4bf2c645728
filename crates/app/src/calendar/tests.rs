//! Writes when the store fails.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use domain::{
    Organizer, Role, Venue, VenueId,
    term::{Categories, Tags},
};
use serde_json::json;

use super::{ATTEMPTS, Calendar};
use crate::{
    error::AppError,
    input::Fields,
    ports::{
        EventRepository, IdempotencyKeys, ImageRepository, ImportLedger, MockRepository,
        Repositories, Repository, Settings, Store, StoreError, TermRepository, UnitOfWork,
        UserRepository,
    },
    site::Site,
    test_support::{FixedClock, InMemoryStore, caller, no_media, user},
};

/// An in-memory store, some of whose units fail.
#[derive(Clone, Default)]
struct Faulty {
    inner: InMemoryStore,
    /// Replaces the venues of each unit.
    venues: Option<Arc<MockRepository<Venue>>>,
    /// The errors of the next commits.
    commits: Arc<Mutex<VecDeque<StoreError>>>,
}

struct FaultyUnit {
    inner: Box<dyn UnitOfWork>,
    venues: Option<Arc<MockRepository<Venue>>>,
    commit: Option<StoreError>,
}

macro_rules! repositories {
    ($($venues:tt)*) => {
        fn events(&self) -> &dyn EventRepository {
            self.inner.events()
        }
        $($venues)*
        fn organizers(&self) -> &dyn Repository<Organizer> {
            self.inner.organizers()
        }
        fn categories(&self) -> &dyn TermRepository<Categories> {
            self.inner.categories()
        }
        fn tags(&self) -> &dyn TermRepository<Tags> {
            self.inner.tags()
        }
        fn images(&self) -> &dyn ImageRepository {
            self.inner.images()
        }
        fn users(&self) -> &dyn UserRepository {
            self.inner.users()
        }
        fn imports(&self) -> &dyn ImportLedger {
            self.inner.imports()
        }
        fn settings(&self) -> &dyn Settings {
            self.inner.settings()
        }
        fn idempotency(&self) -> &dyn IdempotencyKeys {
            self.inner.idempotency()
        }
    };
}

impl Repositories for Faulty {
    repositories! {
        fn venues(&self) -> &dyn Repository<Venue> {
            self.inner.venues()
        }
    }
}

impl Repositories for FaultyUnit {
    repositories! {
        fn venues(&self) -> &dyn Repository<Venue> {
            match &self.venues {
                Some(mock) => &**mock,
                None => self.inner.venues(),
            }
        }
    }
}

#[async_trait]
impl Store for Faulty {
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        let inner = self.inner.begin().await?;
        Ok(Box::new(FaultyUnit {
            inner,
            venues: self.venues.clone(),
            commit: self.commits.lock().unwrap().pop_front(),
        }))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.inner.ping().await
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}

#[async_trait]
impl UnitOfWork for FaultyUnit {
    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        match self.commit {
            Some(error) => Err(error),
            None => self.inner.commit().await,
        }
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.inner.rollback().await
    }

    async fn nested(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        self.inner.nested().await
    }
}

impl Faulty {
    /// A store whose next commits fail with these errors.
    fn at_commit(errors: impl IntoIterator<Item = StoreError>) -> Self {
        Self {
            commits: Arc::new(Mutex::new(errors.into_iter().collect())),
            ..Self::default()
        }
    }

    /// A store with mocked venues: each of `attempts` inserts fails with `error`; the test fails on
    /// more or fewer inserts.
    fn at_venues(attempts: usize, error: fn() -> StoreError) -> Self {
        let mut venues = MockRepository::new();
        venues
            .expect_insert()
            .times(attempts)
            .returning(move |_, _| Err(error()));
        Self {
            venues: Some(Arc::new(venues)),
            ..Self::default()
        }
    }

    /// Adds a venue, as an editor does.
    async fn add_a_venue(&self) -> Result<Venue, AppError> {
        let unit = self.inner.begin().await.unwrap();
        let ada = unit.users().insert(user("ada", Role::Editor)).await;
        let ada = ada.unwrap().unwrap().id;
        unit.commit().await.unwrap();
        let store = Arc::new(self.inner.clone());
        let mut calendar = Calendar::new(
            store,
            Arc::new(FixedClock::default()),
            no_media(),
            Site::default(),
        )
        .await
        .unwrap();
        calendar.store = Arc::new(self.clone());
        let mut fields = Fields::default();
        fields.body.insert("venue".to_owned(), json!("Old Mill"));
        let editor = caller(ada, Role::Editor);
        let made = calendar.create::<Venue>(editor, &fields).await?;
        Ok(made.entry.content)
    }

    /// The number of stored venues.
    async fn kept(&self) -> usize {
        let ids: Vec<_> = (1..10).map(VenueId::from_raw).collect();
        self.inner.venues().find_many(&ids).await.unwrap().len()
    }
}

fn away() -> StoreError {
    StoreError::Unavailable("gone".to_owned())
}

#[tokio::test]
async fn what_was_not_committed_is_not_reported_as_added() {
    let store = Faulty::at_commit([away()]);
    let answer = store.add_a_venue().await;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Unavailable(_)))),
        "{answer:?}"
    );
    assert_eq!(store.kept().await, 0);
}

#[tokio::test]
async fn a_conflict_is_tried_again_from_the_beginning() {
    let store = Faulty::at_commit([StoreError::Conflict, StoreError::Conflict]);
    let venue = store.add_a_venue().await.unwrap();
    assert_eq!(venue.title.as_str(), "Old Mill");
    assert_eq!(store.kept().await, 1);
    assert!(store.commits.lock().unwrap().is_empty());
}

#[tokio::test]
async fn conflicts_without_end_are_given_up() {
    let store = Faulty::at_venues(ATTEMPTS as usize, || StoreError::Conflict);
    let answer = store.add_a_venue().await;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Conflict))),
        "{answer:?}"
    );
}

#[tokio::test]
async fn another_failure_is_not_tried_again() {
    let store = Faulty::at_venues(1, away);
    let answer = store.add_a_venue().await;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Unavailable(_)))),
        "{answer:?}"
    );
}
