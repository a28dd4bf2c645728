//! Several servers on one PostgreSQL, as far as one process can show it: `tests/many-servers/run` shows
//! the rest.

use std::{
    task::{Context, Waker},
    time::Duration,
};

use adapters_db::{DbOptions, SeaOrmStore, connect};
use app::{
    ports::{SlugRequests, Store},
    test_support::venue,
};
use domain::{Stored, Venue};
use port_tests::add_users;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use tests::db::TestDb;
use tokio::time::sleep;

/// A cache size with which the store reports data versions.
const BYTES: u64 = 1 << 20;

async fn write(store: &SeaOrmStore, name: &str) -> Stored<Venue> {
    let unit = store.begin().await.unwrap();
    let venues = unit.venues();
    let added = venues.insert(venue(name).build(), SlugRequests::default());
    let added = added.await.unwrap();
    unit.commit().await.unwrap();
    added
}

#[tokio::test]
async fn what_others_write_may_be_seen_later_if_that_is_good_enough() {
    let Some(db) = TestDb::postgres().await else {
        return;
    };
    add_users(&db.store).await;
    let store = db.another(|options| {
        options.cache_bytes = BYTES;
        options.max_staleness = Duration::from_hours(1);
    });
    let store = store.await;
    let before = store.version().await.unwrap();
    write(&db.store, "of another").await;
    assert_eq!(store.version().await.unwrap(), before);
    write(&store, "our own").await;
    let after = store.version().await.unwrap();
    assert_ne!(after, before);
    assert_eq!(store.version().await.unwrap(), after);
    store.close().await.unwrap();
}

/// A cancelled `begin` leaves no transaction open.
#[tokio::test]
async fn what_was_begun_for_nobody_is_undone() {
    let Some(db) = TestDb::postgres().await else {
        return;
    };
    for polls in (1..6).rev().cycle().take(25) {
        let mut begun = db.store.begin();
        for _ in 0..polls {
            let mut context = Context::from_waker(Waker::noop());
            if begun.as_mut().poll(&mut context).is_ready() {
                break;
            }
            sleep(Duration::from_millis(1)).await;
        }
    }
    let watcher = Database::connect(&db.url).await.unwrap();
    let open = Statement::from_string(
        DbBackend::Postgres,
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() \
            AND state LIKE 'idle in transaction%'",
    );
    let mut left = Vec::new();
    for _ in 0..100 {
        left = watcher.query_all_raw(open.clone()).await.unwrap();
        if left.is_empty() {
            return;
        }
        sleep(Duration::from_millis(50)).await;
    }
    panic!("{} transactions were left open", left.len());
}

/// A primary in the place of the replica is rejected, and the primary serves all reads.
#[tokio::test]
async fn what_is_no_replica_is_not_read() {
    let Some(db) = TestDb::postgres().await else {
        return;
    };
    add_users(&db.store).await;
    for url in [db.url.clone(), "postgres://me@127.0.0.1:1/calendar".to_owned()] {
        let store = db.another(|options| {
            options.cache_bytes = BYTES;
            options.read_url = Some(url.into());
        });
        let store = store.await;
        for name in ["one", "two"] {
            let before = store.version().await.unwrap();
            let added = write(&store, name).await;
            assert_ne!(store.version().await.unwrap(), before);
            let found = store.repositories().venues().find(added.id).await.unwrap();
            assert_eq!(found, Some(added));
        }
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_file_has_no_replica() {
    let mut options = DbOptions::new("sqlite:///nowhere/calendar.db");
    options.read_url = Some("postgres://me:hidden@host/name".to_owned().into());
    let error = connect(&options).await.unwrap_err().to_string();
    assert!(error.starts_with("only PostgreSQL has replicas"), "{error}");
}
