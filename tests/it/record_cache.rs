//! A store with a record cache answers as a store without one, after any write of any process.

mod random_writes;

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use adapters_db::SeaOrmStore;
use app::{
    ports::{Repositories, SlugRequest, SlugRequests, Store},
    resource::Resource,
    term::TermKind,
    test_support::{START, at, event, tag, venue},
};
use domain::{
    Category, Event, Id, Language, Organizer, Record, Stored, Tag, Term, Translation, Venue,
    policy::{Caller, Visibility},
    slug::Slug,
    text::Title,
};
use port_tests::{Dice, add_users};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend};
use tests::{both_stores, db::TestDb};

use self::random_writes::{Writes, slug};

/// The size of a cache that holds all records of a test.
const BYTES: u64 = 8 << 20;

/// Two stores with a record cache and one without, over one database.
struct Stores {
    caching: [SeaOrmStore; 2],
    uncached: SeaOrmStore,
}

impl Stores {
    async fn open(db: &TestDb) -> Self {
        let caching = async || db.another(|options| options.cache_bytes = BYTES).await;
        let stores = Self {
            caching: [caching().await, caching().await],
            uncached: db.another(|options| options.cache_bytes = 0).await,
        };
        add_users(&stores.uncached).await;
        stores
    }

    /// Compares all reads of all stores.
    async fn compare(&self, slugs: &[Slug], what: &str) {
        for (n, store) in self.caching.iter().enumerate() {
            let reads = store.reads().await.unwrap();
            for from in [store as &dyn Repositories, &*reads] {
                let what = format!("store {n}, {what}");
                self.compare_kind::<Event>(from, slugs, &what).await;
                self.compare_kind::<Venue>(from, slugs, &what).await;
                self.compare_kind::<Organizer>(from, slugs, &what).await;
                self.compare_kind::<Category>(from, slugs, &what).await;
                self.compare_kind::<Tag>(from, slugs, &what).await;
                self.compare_terms::<domain::term::Categories>(from, &what).await;
                self.compare_terms::<domain::term::Tags>(from, &what).await;
                self.compare_events(from, &what).await;
            }
        }
    }

    async fn compare_kind<R: Resource>(&self, from: &dyn Repositories, slugs: &[Slug], what: &str) {
        let (kept, read) = (R::repository(from), R::repository(&self.uncached));
        let expected = read.find_many(&ids()).await.unwrap();
        assert_eq!(kept.find_many(&ids()).await.unwrap(), expected, "{what}");
        for slug in slugs {
            let expected = read.find_by_slug(slug).await.unwrap();
            let found = kept.find_by_slug(slug).await.unwrap();
            assert_eq!(found, expected, "{slug}, {what}");
        }
    }

    async fn compare_terms<X: TermKind>(&self, from: &dyn Repositories, what: &str) {
        for now in [START, "2030-03-01 00:00:00", "2031-01-01 00:00:00"] {
            let sorted = async |from| {
                let repository = X::repository(from);
                let mut terms = repository.find_with_counts(&ids(), at(now)).await.unwrap();
                terms.sort_by_key(|one| one.term.id);
                terms
            };
            let expected = sorted(&self.uncached).await;
            assert_eq!(sorted(from).await, expected, "{now}, {what}");
        }
    }

    async fn compare_events(&self, from: &dyn Repositories, what: &str) {
        let visibility = Visibility::new(Caller::Anonymous, at(START));
        let sorted = async |from: &dyn Repositories| {
            let mut linked = from.events().linkable_ids(&ids(), &visibility).await.unwrap();
            linked.sort_unstable();
            let mut images = from.images().find_many(&ids()).await.unwrap();
            images.sort_by_key(|image| image.id);
            (linked, images)
        };
        let expected = sorted(&self.uncached).await;
        assert_eq!(sorted(from).await, expected, "{what}");
    }
}

/// Every ID that the test may have assigned.
fn ids<R>() -> Vec<Id<R>> {
    (1..=60).map(Id::from_raw).collect()
}

/// Writes at random through all stores, and compares all reads after each write.
async fn write_at_random(db: &TestDb, seed: u64) {
    let stores = Stores::open(db).await;
    let mut dice = Dice(seed);
    let slugs: Vec<_> = (0..4).map(slug).collect();
    let mut done = HashSet::new();
    for round in 0..100 {
        let writer = match dice.roll(3) {
            0 => &stores.uncached,
            1 => &stores.caching[0],
            _ => &stores.caching[1],
        };
        let unit = writer.begin().await.unwrap();
        let what = Writes { dice: &mut dice, unit: &*unit }.write(round).await;
        let context = format!("seed {seed}, round {round}: {what}");
        if dice.once_in(8) {
            unit.rollback().await.unwrap();
        } else {
            unit.commit().await.unwrap();
            done.insert(what);
        }
        stores.compare(&slugs, &context).await;
    }
    assert!(done.len() > 10, "{done:?}");
}

#[both_stores]
async fn random_writes_are_seen(first: TestDb) {
    let second = first.empty().await;
    second.store.migrate().await.unwrap();
    for (db, seed) in [(first, 7), (second, 1_000_003)] {
        Box::pin(write_at_random(&db, seed)).await;
    }
}

/// A read of a cached record sends no statement.
#[tokio::test]
async fn cached_records_are_not_read_again() {
    let db = TestDb::sqlite().await;
    let store = db.another(|options| options.cache_bytes = BYTES).await;
    add_users(&store).await;
    let unit = store.begin().await.unwrap();
    let kept = venue("Mill").insert(&*unit).await;
    let other = venue("Hall").insert(&*unit).await;
    unit.commit().await.unwrap();
    let slug = kept.slug().unwrap().clone();
    let read = async || {
        let before = db.statements();
        let reads = store.reads().await.unwrap();
        let id = reads.venues().find_by_slug(&slug).await.unwrap();
        let found = reads.venues().find(id.unwrap()).await.unwrap();
        assert_eq!(found.unwrap(), kept);
        db.statements() - before
    };
    read().await;
    assert_eq!(read().await, 0);
    let unit = store.begin().await.unwrap();
    unit.venues().delete(other.id).await.unwrap();
    unit.commit().await.unwrap();
    // Only the changed record is read again.
    assert_eq!(read().await, 1);
    assert_eq!(read().await, 0);
}

/// Readers of an event that changes all the time see one whole state, no older than the last one
/// acknowledged before their read.
#[both_stores(threads = 2)]
async fn readers_see_one_state_of_now(db: &TestDb) {
    let stores = Stores::open(db).await;
    let state = |number: usize| {
        let mut event =
            event(&format!("State {number}")).ticket(&format!("State {number}")).build();
        let title = format!("State {number}").parse::<Title>().unwrap();
        let translation = Translation { title: Some(title), ..Translation::default() };
        event.translations.put(Language::French, translation);
        event
    };
    let unit = stores.uncached.begin().await.unwrap();
    let request: SlugRequests = SlugRequest::new(slug(0)).into();
    let mut now = unit.events().insert(state(0), request).await.unwrap();
    unit.commit().await.unwrap();
    let id = now.id;
    let acknowledged = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);

    let write = async {
        for number in 1..=1500 {
            let store = &stores.caching[number % 2];
            let mut next = state(number);
            next.details.uid.clone_from(&now.details.uid);
            let unit = store.begin().await.unwrap();
            now = unit.events().update(&now, next, SlugRequests::default()).await.unwrap();
            unit.commit().await.unwrap();
            acknowledged.store(number, Ordering::SeqCst);
        }
        ended.store(true, Ordering::SeqCst);
    };
    let read = async |store: &SeaOrmStore, for_request: bool| {
        let mut reads = 0;
        while !ended.load(Ordering::SeqCst) {
            let before = acknowledged.load(Ordering::SeqCst);
            let found = if for_request {
                let reads = store.reads().await.unwrap();
                reads.events().find(id).await
            } else {
                store.events().find(id).await
            };
            let event = found.unwrap().unwrap();
            let number: usize = event.title.as_str()["State ".len()..].parse().unwrap();
            assert!(number >= before, "{number} after {before}");
            let ticket = &event.details.tickets[0].name;
            let french = event.translations.get(Language::French).unwrap();
            assert_eq!(ticket, &event.title);
            assert_eq!(french.title.as_ref(), Some(&event.title));
            reads += 1;
            tokio::task::yield_now().await;
        }
        reads
    };
    let ((), reads) = tokio::join!(write, async {
        tokio::join!(
            read(&stores.caching[0], false),
            read(&stores.caching[0], true),
            read(&stores.caching[1], true),
            read(&stores.caching[1], false),
            read(&stores.uncached, false),
        )
    });
    assert!(<[usize; 5]>::from(reads).iter().all(|reads| *reads > 0), "nobody waits for ever");
}

/// Records this number of changes of other tags in the change log.
async fn note_many(connection: &DatabaseConnection, changes: usize) {
    if connection.get_database_backend() == DbBackend::Postgres {
        let burn = format!(
            "DO $$ BEGIN FOR n IN 1..{changes} LOOP
                BEGIN
                    INSERT INTO change (kind, record_id) VALUES ('tag', 1000000 + n);
                EXCEPTION WHEN division_by_zero THEN NULL;
                END;
            END LOOP; END $$"
        );
        connection.execute_unprepared(&burn).await.unwrap();
        for _ in 0..1000 {
            let note = "INSERT INTO change (kind, record_id) VALUES ('tag', 1000000)";
            connection.execute_unprepared(note).await.unwrap();
        }
    } else {
        let note = format!(
            "WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many LIMIT {changes})
             INSERT INTO change (kind, record_id) SELECT 'tag', 1000000 + n FROM many"
        );
        connection.execute_unprepared(&note).await.unwrap();
    }
}

/// A changed record leaves the cache even if the change log was pruned meanwhile.
#[both_stores]
async fn a_pruned_log_is_noticed(db: &TestDb) {
    let stores = Stores::open(db).await;
    let store = &stores.caching[0];
    let unit = store.begin().await.unwrap();
    let kept: Stored<Term<_>> = tag("Jazz").insert(&*unit).await;
    unit.commit().await.unwrap();
    let connection = Database::connect(&db.url).await.unwrap();
    for (round, changes) in [10, 999, 1000, 1001, 12_000, 30_000].into_iter().enumerate() {
        assert!(store.tags().find(kept.id).await.unwrap().is_some());
        let name = format!("Jazz {round}");
        let update = format!("UPDATE tag SET name = '{name}' WHERE id = {}", kept.id.get());
        connection.execute_unprepared(&update).await.unwrap();
        note_many(&connection, changes).await;
        let found = store.tags().find(kept.id).await.unwrap().unwrap();
        assert_eq!(found.name.as_str(), name, "with {changes} others");
    }
    let count = "SELECT COUNT(*) AS changes FROM change";
    let count = sea_orm::Statement::from_string(connection.get_database_backend(), count);
    let mut left = i64::MAX;
    // On PostgreSQL, the transaction that prunes may belong to another database of the server.
    for _ in 0..20 {
        let row = connection.query_one_raw(count.clone()).await.unwrap();
        left = row.unwrap().try_get("", "changes").unwrap();
        if left <= 12_000 {
            break;
        }
        note_many(&connection, 0).await;
    }
    assert!(left <= 12_000, "{left} are left");
}
