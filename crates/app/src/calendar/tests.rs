//! Reads of a mocked repository, and writes when the store fails.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{
    Organizer, Role, Venue, VenueId,
    policy::Caller,
    term::{Categories, Tags},
};
use mockall::predicate::eq;
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
    request::RecordKey,
    site::Site,
    test_support::{FailingStep, FixedClock, InMemoryStore, caller, no_media, user},
};

/// The outcome of adding a venue while the store fails.
struct Outcome {
    answer: Result<Venue, AppError>,
    /// The number of stored venues.
    stored: usize,
    /// The number of failures that no attempt met.
    failures_left: usize,
}

/// Adds a venue, as an editor does, while a step fails with these errors, one in each attempt.
async fn add_a_venue(step: FailingStep, errors: Vec<StoreError>) -> Outcome {
    let store = InMemoryStore::new();
    let unit = store.begin().await.unwrap();
    let ada = unit.users().insert(user("ada", Role::Editor)).await;
    let editor = caller(ada.unwrap().unwrap().id, Role::Editor);
    unit.commit().await.unwrap();
    let clock = Arc::new(FixedClock::default());
    let calendar = Calendar::new(Arc::new(store.clone()), clock, no_media(), Site::default());
    let calendar = calendar.await.unwrap();
    let mut fields = Fields::default();
    fields.body.insert("venue".to_owned(), json!("Old Mill"));
    store.fail(step, errors);
    let answer = calendar.create::<Venue>(editor, &fields).await;
    let ids: Vec<_> = (1..10).map(VenueId::from_raw).collect();
    Outcome {
        answer: answer.map(|made| made.entry.content),
        stored: store.venues().find_many(&ids).await.unwrap().len(),
        failures_left: store.failures_left(),
    }
}

fn away() -> StoreError {
    StoreError::Unavailable("gone".to_owned())
}

#[tokio::test]
async fn what_was_not_committed_is_not_reported_as_added() {
    let outcome = add_a_venue(FailingStep::Commit, vec![away()]).await;
    let answer = outcome.answer;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Unavailable(_)))),
        "{answer:?}"
    );
    assert_eq!(outcome.stored, 0);
}

#[tokio::test]
async fn a_conflict_is_tried_again_from_the_beginning() {
    let conflicts = vec![StoreError::Conflict, StoreError::Conflict];
    let outcome = add_a_venue(FailingStep::Commit, conflicts).await;
    assert_eq!(outcome.answer.unwrap().title.as_str(), "Old Mill");
    assert_eq!((outcome.stored, outcome.failures_left), (1, 0));
}

#[tokio::test]
async fn conflicts_without_end_are_given_up() {
    let conflicts = vec![StoreError::Conflict; ATTEMPTS as usize];
    let outcome = add_a_venue(FailingStep::Write, conflicts).await;
    let answer = outcome.answer;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Conflict))),
        "{answer:?}"
    );
    assert_eq!((outcome.stored, outcome.failures_left), (0, 0));
}

#[tokio::test]
async fn another_failure_is_not_tried_again() {
    let outcome = add_a_venue(FailingStep::Write, vec![away(), away()]).await;
    let answer = outcome.answer;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Unavailable(_)))),
        "{answer:?}"
    );
    assert_eq!((outcome.stored, outcome.failures_left), (0, 1));
}

/// An in-memory store with mocked venues.
struct MockedVenues {
    others: InMemoryStore,
    venues: MockRepository<Venue>,
}

impl Repositories for MockedVenues {
    fn events(&self) -> &dyn EventRepository {
        self.others.events()
    }
    fn venues(&self) -> &dyn Repository<Venue> {
        &self.venues
    }
    fn organizers(&self) -> &dyn Repository<Organizer> {
        self.others.organizers()
    }
    fn categories(&self) -> &dyn TermRepository<Categories> {
        self.others.categories()
    }
    fn tags(&self) -> &dyn TermRepository<Tags> {
        self.others.tags()
    }
    fn images(&self) -> &dyn ImageRepository {
        self.others.images()
    }
    fn users(&self) -> &dyn UserRepository {
        self.others.users()
    }
    fn imports(&self) -> &dyn ImportLedger {
        self.others.imports()
    }
    fn settings(&self) -> &dyn Settings {
        self.others.settings()
    }
    fn idempotency(&self) -> &dyn IdempotencyKeys {
        self.others.idempotency()
    }
}

#[async_trait]
impl Store for MockedVenues {
    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        self.others.begin().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.others.ping().await
    }

    fn repositories(&self) -> &dyn Repositories {
        self
    }
}

#[tokio::test]
async fn a_read_asks_the_repository_once_and_reports_its_failure() {
    let mut venues = MockRepository::new();
    let id = VenueId::from_raw(7);
    venues
        .expect_find()
        .with(eq(id))
        .times(1)
        .returning(|_| Err(away()));
    let store = MockedVenues {
        others: InMemoryStore::new(),
        venues,
    };
    let clock = Arc::new(FixedClock::default());
    let calendar = Calendar::new(Arc::new(store), clock, no_media(), Site::default());
    let calendar = calendar.await.unwrap();
    let answer = calendar
        .get(
            Caller::Anonymous,
            RecordKey::<Venue>::Id(id),
            &Fields::default(),
        )
        .await;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Unavailable(_)))),
        "{answer:?}"
    );
}
