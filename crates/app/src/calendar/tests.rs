//! Reads of a mocked repository, and writes when the store fails.

use domain::{Role, Venue, VenueId, policy::Caller};
use mockall::predicate::eq;

use super::work::ATTEMPTS;
use crate::{
    error::AppError,
    ports::{MockRepository, Repositories, StoreError},
    test_support::{FailingStep, InMemoryStore, StoreDouble, add_user, calendar},
    write::{NewVenue, ReadOptions},
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
    let editor = add_user(&store, "ada", Role::Editor).await;
    let calendar = calendar(store.clone()).await;
    let mill = NewVenue::builder("Old Mill".parse().unwrap()).build();
    store.fail(step, errors);
    let answer = calendar.create(editor, &mill).await;
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

/// The error of a write counts, and not that of its rollback.
#[tokio::test]
async fn a_failed_rollback_hides_no_error() {
    let store = InMemoryStore::new();
    let editor = add_user(&store, "ada", Role::Editor).await;
    let calendar = calendar(store.clone()).await;
    let mill = NewVenue::builder("Old Mill".parse().unwrap()).build();
    store.fail(FailingStep::Write, [StoreError::Conflict]);
    store.fail(FailingStep::Rollback, [away()]);
    assert!(calendar.create(editor, &mill).await.is_ok());

    store.fail(
        FailingStep::Write,
        [StoreError::Internal("full".to_owned())],
    );
    store.fail(FailingStep::Rollback, [away()]);
    let answer = calendar.create(editor, &mill).await;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Internal(_)))),
        "{answer:?}"
    );
    assert_eq!(store.failures_left(), 0);
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

#[tokio::test]
async fn a_read_asks_the_repository_once_and_reports_its_failure() {
    let mut venues = MockRepository::new();
    let id = VenueId::from_raw(7);
    venues
        .expect_find()
        .with(eq(id))
        .times(1)
        .returning(|_| Err(away()));
    let calendar = calendar(StoreDouble::default().with_venues(venues)).await;
    let answer = calendar
        .get::<Venue>(Caller::Anonymous, id.into(), &ReadOptions::default())
        .await;
    assert!(
        matches!(answer, Err(AppError::Store(StoreError::Unavailable(_)))),
        "{answer:?}"
    );
}
