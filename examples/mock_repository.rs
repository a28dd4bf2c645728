//! A test with a mock of one repository: it says what the store answers, and fails unless the use
//! case asks exactly once. The rest of the store is in memory.
//!
//! Run it with `cargo test -p examples --test mock_repository`.

use app::{
    AppError,
    input::Fields,
    ports::{MockRepository, StoreError},
    request::RecordKey,
    test_support::{StoreDouble, calendar, predicate::eq},
};
use domain::{Venue, VenueId, policy::Caller};

#[tokio::test]
async fn a_database_that_is_gone_is_reported() {
    let id = VenueId::from_raw(7);
    let mut venues = MockRepository::<Venue>::new();
    let gone = || StoreError::Unavailable("no route to the database".to_owned());
    venues
        .expect_find()
        .with(eq(id))
        .times(1)
        .returning(move |_| Err(gone()));

    let calendar = calendar(StoreDouble::default().with_venues(venues)).await;
    let (fields, key) = (Fields::default(), RecordKey::Id(id));
    let found = calendar.get::<Venue>(Caller::Anonymous, key, &fields).await;
    let error = found.expect_err("the mock fails");

    println!("{error}");
    assert!(matches!(error, AppError::Store(StoreError::Unavailable(_))));
}
