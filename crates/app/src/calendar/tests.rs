//! Writes when the store fails.

use std::sync::Arc;

use domain::{Role, Venue, VenueId};
use serde_json::json;

use super::{ATTEMPTS, Calendar};
use crate::{
    error::AppError,
    input::Fields,
    ports::{Repositories, Store, StoreError},
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
