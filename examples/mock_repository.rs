//! A test with a mock of one repository: it says what the store answers, and fails unless the use
//! case asks exactly once. The rest of the store is in memory.
//!
//! Run it with `cargo test -p examples --test mock_repository`.

use app::{
    AppError,
    ports::{MockRepository, StoreError},
    test_support::{StoreDouble, calendar, predicate::eq},
    write::ReadOptions,
};
use domain::{Venue, VenueId, policy::Caller};

#[tokio::test]
async fn a_database_that_is_gone_is_reported() {
    let id = VenueId::from_raw(7);
    let mut venues = MockRepository::<Venue>::new();
    let gone = || StoreError::Unavailable("no route to the database".to_owned());
    venues.expect_find().with(eq(id)).times(1).returning(move |_| Err(gone()));

    let calendar = calendar(StoreDouble::default().with_venues(venues)).await;
    let (options, nobody) = (ReadOptions::default(), Caller::Anonymous);
    let found = calendar.get::<Venue>(nobody, id.into(), &options).await;
    let error = found.expect_err("the mock fails");

    println!("{error}");
    assert!(matches!(error, AppError::Store(StoreError::Unavailable(_))));
}
