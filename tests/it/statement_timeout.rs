//! The time limit of statements, and the error of an unreachable server.

use std::time::Duration;

use adapters_db::{DbOptions, connect};
use app::{
    ports::{Repositories, SlugRequests, Store, StoreError},
    test_support::{at, event},
};
use domain::{
    event::{EventFilter, EventSort},
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    search::Search,
};
use port_tests::add_users;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement, TransactionTrait};
use tests::{both_stores, db::TestDb};

/// The number of events that a search reads.
const EVENTS: usize = 60;

/// A slow search: the events that contain none of 100 phrases, of which the index knows only the words.
fn without_many_phrases() -> Query<EventFilter> {
    let excluded: Vec<_> = (0..100).map(|number| format!("-\"text text{number}\"")).collect();
    Query {
        visibility: Visibility::new(Caller::Anonymous, at("2030-01-01 00:00:00")),
        filter: EventFilter {
            search: Search::parse(&excluded.join(" ")),
            ..EventFilter::default()
        },
        page: PageRequest::new(1, 10, 100),
    }
}

/// A search over the limit fails with `Unavailable`, and leaves the store usable.
#[both_stores]
async fn a_slow_search_is_cancelled(db: &TestDb) {
    add_users(&db.store).await;
    let unit = db.store.begin().await.unwrap();
    let description = "a long text ".repeat(2000);
    for number in 0..EVENTS {
        let concert = event(&format!("Concert {number}")).description(&description).build();
        unit.events().insert(concert, SlugRequests::default()).await.unwrap();
    }
    unit.commit().await.unwrap();

    let query = without_many_phrases();
    let hurried = db.hurried(Duration::from_millis(50)).await;
    for _ in 0..2 {
        let cancelled = hurried.events().page(&query).await;
        assert!(matches!(cancelled, Err(StoreError::Unavailable(_))), "{cancelled:?}");
    }
    hurried.close().await.unwrap();

    assert_eq!(db.store.events().page(&query).await.unwrap().total, EVENTS as u64);

    if db.url.starts_with("sqlite") {
        // On SQLite the limit holds for searches alone: other reads follow an index.
        let query = Query { filter: EventFilter::default(), ..without_many_phrases() };
        let hurried = db.hurried(Duration::ZERO).await;
        assert_eq!(hurried.events().page(&query).await.unwrap().total, EVENTS as u64);
        hurried.close().await.unwrap();
    }
}

/// PostgreSQL stops the statement of a search that its caller drops. (For SQLite, the read pool has a
/// test of its own.)
#[both_stores]
async fn an_abandoned_search_is_stopped(db: &TestDb) {
    const BLOCKED: &str = "SELECT count(*) AS n FROM pg_stat_activity \
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    if db.url.starts_with("sqlite") {
        return;
    }
    // Only the caller ends the statement.
    let store = db.hurried(Duration::from_hours(1)).await;
    let other = Database::connect(&db.url).await.unwrap();
    let until_blocked = async |statements: i64| {
        let blocked = async || {
            let select = Statement::from_string(DbBackend::Postgres, BLOCKED);
            let row = other.query_one_raw(select).await.unwrap().unwrap();
            row.try_get::<i64>("", "n").unwrap()
        };
        while blocked().await != statements {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let filter = EventFilter { sort: EventSort::Title, ..EventFilter::default() };
    let query = Query { filter, ..without_many_phrases() };
    let lock = other.begin().await.unwrap();
    lock.execute_unprepared("LOCK TABLE event IN ACCESS EXCLUSIVE MODE").await.unwrap();
    tokio::select! {
        page = store.events().page(&query) => panic!("{page:?}"),
        () = until_blocked(1) => {}
    }
    let stopped = tokio::time::timeout(Duration::from_secs(30), until_blocked(0)).await;
    assert!(stopped.is_ok());
    lock.rollback().await.unwrap();
    assert_eq!(store.events().page(&query).await.unwrap().total, 0);
    store.close().await.unwrap();
}

#[tokio::test]
async fn an_absent_server_is_named_with_the_reason() {
    let url = "postgres://me:hidden@127.0.0.1:1/calendar";
    let error = connect(&DbOptions::new(url)).await.unwrap_err().to_string();
    assert!(error.contains("127.0.0.1:1/calendar"), "{error}");
    assert!(error.to_lowercase().contains("refused"), "{error}");
    assert!(!error.contains("hidden"), "{error}");
}
