//! Data versions are equal exactly if nothing was written in between.

use std::path::PathBuf;

use adapters_db::SeaOrmStore;
use app::{
    ports::{DataVersion, Repositories, Store},
    test_support::{tag, user, venue},
};
use domain::Role;
use sea_orm::{ConnectionTrait, Database};
use tests::{both_stores, db::TestDb};

/// A cache size with which the store reports data versions.
const BYTES: u64 = 1 << 20;

async fn version(store: &SeaOrmStore) -> DataVersion {
    store.version().await.unwrap().unwrap()
}

/// Adds a user in a unit of its own.
async fn write(store: &SeaOrmStore, name: &str) {
    let unit = store.begin().await.unwrap();
    tag(name).insert(&*unit).await;
    unit.commit().await.unwrap();
}

/// Two stores over one database, like those of two processes.
async fn two(db: &TestDb) -> [SeaOrmStore; 2] {
    let one = db.another(|options| options.cache_bytes = BYTES).await;
    let two = db.another(|options| options.cache_bytes = BYTES).await;
    [one, two]
}

/// The versions of both stores, read twice without a write in between. The read is repeated if they
/// differ: on PostgreSQL, writes to other databases of the server change them too.
async fn unchanged(stores: &[SeaOrmStore]) -> Vec<DataVersion> {
    for _ in 0..100 {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for versions in [&mut before, &mut after] {
            for store in stores {
                versions.push(version(store).await);
            }
        }
        if before == after {
            return before;
        }
    }
    panic!("nothing was written");
}

#[both_stores]
async fn each_write_is_seen_everywhere(db: &TestDb) {
    let stores = two(db).await;
    for round in 0..50 {
        let before = unchanged(&stores).await;
        write(&stores[round % 2], &format!("tag {round}")).await;
        for (store, before) in stores.iter().zip(&before) {
            assert_ne!(version(store).await, *before, "round {round}");
        }
    }
}

#[tokio::test]
async fn without_memory_no_state_is_told() {
    let db = TestDb::sqlite().await;
    let store = db.another(|options| options.cache_bytes = 0).await;
    assert_eq!(store.version().await.unwrap(), None);
}

#[tokio::test]
async fn what_is_undone_changes_nothing_on_sqlite() {
    let db = TestDb::sqlite().await;
    let [store, _] = two(&db).await;
    write(&store, "first").await;
    let before = version(&store).await;
    let unit = store.begin().await.unwrap();
    unit.users().insert(user("ada", Role::Author)).await.unwrap();
    for number in 0..200 {
        venue(&format!("Venue {number}")).description(&"long ".repeat(2000)).insert(&*unit).await;
    }
    unit.rollback().await.unwrap();
    assert_eq!(version(&store).await, before);
}

/// No data version recurs after a checkpoint of the write-ahead log.
#[tokio::test]
async fn a_log_that_starts_again_is_told_from_the_one_before() {
    let db = TestDb::sqlite().await;
    let [store, other] = two(&db).await;
    let connection = Database::connect(&db.url).await.unwrap();
    let mut last = version(&store).await;
    for round in 0..30 {
        let checkpoint = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"][round % 4];
        let checkpoint = format!("PRAGMA wal_checkpoint({checkpoint})");
        connection.execute_unprepared(&checkpoint).await.unwrap();
        write(&other, &format!("tag {round}")).await;
        let now = version(&store).await;
        assert_ne!(now, last, "round {round}");
        last = now;
    }
}

/// A store whose `-shm` file was replaced reports no data version.
#[tokio::test]
async fn an_index_that_was_replaced_tells_nothing() {
    for remove in [true, false] {
        let db = TestDb::sqlite().await;
        let [store, _] = two(&db).await;
        write(&store, "first").await;
        version(&store).await;
        let index = PathBuf::from(format!("{}-shm", db.url.trim_start_matches("sqlite://")));
        let content = std::fs::read(&index).unwrap();
        std::fs::remove_file(&index).unwrap();
        if !remove {
            std::fs::write(&index, content).unwrap();
        }
        assert_eq!(store.version().await.unwrap(), None);
        // Reads then bypass the cache.
        let tags = store.tags().find_many(&[domain::Id::from_raw(1)]).await;
        assert_eq!(tags.unwrap().len(), 1);
    }
}
