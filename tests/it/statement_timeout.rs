//! A search that takes too long is broken off, and keeps nobody else waiting.

use std::time::Duration;

use adapters_db::{DbOptions, connect};
use app::{
    ports::{Repositories, SlugRequests, Store, StoreError},
    test_support::{at, event, user},
};
use domain::{
    Role,
    page::PageRequest,
    policy::{Caller, Visibility},
    query::{EventFilter, Query},
    search::Search,
};
use tests::db::TestDb;

/// How many events a search must read.
const EVENTS: usize = 60;

/// A list of the events that contain none of a hundred words.
fn without_many_words() -> Query<EventFilter> {
    let excluded: Vec<_> = (0..100).map(|number| format!("-absent{number}")).collect();
    Query {
        visibility: Visibility::new(Caller::Anonymous, at("2030-01-01 00:00:00")),
        filter: EventFilter {
            search: Search::parse(&excluded.join(" ")),
            ..EventFilter::default()
        },
        page: PageRequest::new(1, 10, 100),
    }
}

async fn a_long_search_is_broken_off(db: &TestDb) {
    let unit = db.store.begin().await.unwrap();
    unit.users().insert(user("ada", Role::Author)).await.unwrap();
    let description = "a long text ".repeat(2000);
    for number in 0..EVENTS {
        let concert = event(&format!("Concert {number}")).description(&description).build();
        unit.events().insert(concert, SlugRequests::default()).await.unwrap();
    }
    unit.commit().await.unwrap();

    let query = without_many_words();
    let hurried = db.hurried(Duration::from_millis(50)).await;
    for _ in 0..2 {
        let broken_off = hurried.events().page(&query).await;
        assert!(matches!(broken_off, Err(StoreError::Unavailable(_))), "{broken_off:?}");
    }
    hurried.close().await.unwrap();

    assert_eq!(db.store.events().page(&query).await.unwrap().total, EVENTS as u64);
}

#[tokio::test]
async fn on_sqlite() {
    let db = TestDb::sqlite().await;
    a_long_search_is_broken_off(&db).await;

    // Only searches are measured here: whatever else is read follows an index.
    let query = Query { filter: EventFilter::default(), ..without_many_words() };
    let hurried = db.hurried(Duration::ZERO).await;
    assert_eq!(hurried.events().page(&query).await.unwrap().total, EVENTS as u64);
    hurried.close().await.unwrap();
}

#[tokio::test]
async fn on_postgres() {
    if let Some(db) = TestDb::postgres().await {
        a_long_search_is_broken_off(&db).await;
    }
}

#[tokio::test]
async fn an_absent_server_is_named_with_the_reason() {
    let url = "postgres://me:hidden@127.0.0.1:1/calendar";
    let error = connect(&DbOptions::new(url)).await.unwrap_err().to_string();
    assert!(error.contains("127.0.0.1:1/calendar"), "{error}");
    assert!(error.to_lowercase().contains("refused"), "{error}");
    assert!(!error.contains("hidden"), "{error}");
}
