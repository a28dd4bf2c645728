//! Searches see the writes of other servers and of other programs.

use app::{
    ports::{SlugRequests, Store},
    test_support::event,
};
use port_tests::{
    add_users,
    sample::{change, edit, in_unit},
    search::writes::{
        EDITS, SOME, add_events, compare, compare_some, found, starts, title, write_others,
    },
};
use sea_orm::{ConnectionTrait, Database};
use tests::{both_stores, db::TestDb};

/// Statements of another program that has no part in the index.
const FOREIGN: [&str; 8] = [
    "UPDATE event SET title = 'Bravo', title_key = 'bravo', search_text = 'bravo' WHERE id = 4",
    "UPDATE event SET description = 'hotel', search_text = 'bravo' || chr(10) || 'hotel' WHERE id = 4",
    "UPDATE event SET start_utc = start_utc - 40000000, \
        start_local = '2029-02-23 10:53:20' WHERE id = 4",
    "UPDATE event SET password_hash = '5f00' WHERE id = 4",
    "UPDATE event SET password_hash = NULL WHERE id = 4",
    "UPDATE event SET hide_from_listings = TRUE, listed = FALSE WHERE id = 4",
    "UPDATE event SET hide_from_listings = FALSE, listed = TRUE WHERE id = 4",
    "DELETE FROM event WHERE id = 4",
];

/// Each change through one of two stores is found through the other, and by a store that was opened
/// after the change; the writer is closed and opened again now and then. Many other writes come
/// between some of the changes.
#[both_stores]
async fn each_change_is_found_by_other_servers(db: &TestDb) {
    add_users(&db.store).await;
    let other = db.another(|_| ()).await;
    let mut writer = db.another(|_| ()).await;
    let mut changed = add_events(&writer).await;
    for (n, (what, change)) in EDITS.into_iter().enumerate() {
        changed = edit(&writer, &changed, change).await;
        let found = compare_some(other.repositories(), what, SOME).await;
        if n % 5 == 0 {
            write_others(if n % 10 == 0 { &other } else { &writer }, n).await;
            compare_some(other.repositories(), "after others", SOME).await;
            compare_some(writer.repositories(), "after others, by the writer", SOME).await;
        }
        if n % 3 == 0 {
            writer.close().await.unwrap();
            writer = db.another(|_| ()).await;
        }
        let opened = db.another(|options| options.cache_bytes = 0).await;
        let again = compare_some(opened.repositories(), what, SOME).await;
        assert!(n % 5 == 0 || again == found);
        opened.close().await.unwrap();
    }
    writer.close().await.unwrap();
    other.close().await.unwrap();
}

/// A unit that is committed long after its write, and after many writes of others. The starts of its
/// events are far from those of the others: it would block them if they updated the same counter.
#[tokio::test]
async fn a_late_commit_is_found() {
    let Some(db) = TestDb::postgres().await else {
        return;
    };
    let store = &db.store;
    add_users(store).await;
    let changed = add_events(store).await;
    let changed =
        edit(store, &changed, |event| starts(event, "2030-08-01 10:00:00", "2030-08-01 12:00:00"))
            .await;
    let far = |text| event(text).lasting("2030-08-01 10:00:00", "2030-08-01 12:00:00");
    let deleted = in_unit(store, async |to| far("Golf").insert(to).await.id).await;
    let late = store.begin().await.unwrap();
    let mut content = changed.content.clone();
    content.title = title("Bravo hotel");
    starts(&mut content, "2030-09-01 10:00:00", "2030-09-01 12:00:00");
    late.events().update(&changed, content, SlugRequests::default()).await.unwrap();
    let added = far("Hotel").build();
    let added = late.events().insert(added, SlugRequests::default()).await.unwrap();
    assert!(late.events().delete(deleted).await.unwrap());

    let other = db.another(|_| ()).await;
    for n in 0..3 {
        write_others(&other, n).await;
        compare(store.repositories(), "before the late commit").await;
        assert_eq!(found(store.repositories(), "hotel").await, []);
        assert_eq!(found(store.repositories(), "golf").await, [deleted]);
    }
    assert_eq!(found(&*late, "hotel").await, [added.id, changed.id]);
    assert_eq!(found(&*late, "golf").await, []);
    late.commit().await.unwrap();
    for n in 0..3 {
        for store in [store, &other] {
            assert_eq!(found(store.repositories(), "hotel").await, [added.id, changed.id]);
            assert_eq!(found(store.repositories(), "golf").await, []);
            compare(store.repositories(), "after the late commit").await;
        }
        write_others(&other, n).await;
    }
    other.close().await.unwrap();
}

/// Writes of another program are found.
#[both_stores]
async fn a_foreign_write_is_found(db: &TestDb) {
    add_users(&db.store).await;
    let changed = add_events(&db.store).await;
    assert_eq!(changed.id.get(), 4);
    let connection = Database::connect(&db.url).await.unwrap();
    let mut before = compare(db.store.repositories(), "before").await;
    for statement in FOREIGN {
        let statement = if db.url.starts_with("sqlite") {
            statement.replace("chr(10)", "char(10)")
        } else {
            statement.to_owned()
        };
        connection.execute_unprepared(&statement).await.unwrap();
        let after = compare(db.store.repositories(), &statement).await;
        assert_ne!(before, after, "{statement}");
        before = after;
    }
    connection.close().await.unwrap();
}

/// A change of all events in one statement is found.
#[both_stores]
async fn a_foreign_write_of_many_events_is_found(db: &TestDb) {
    add_users(&db.store).await;
    let changed = add_events(&db.store).await;
    write_others(&db.store, 0).await;
    let statement = "UPDATE event SET title = 'Echo', title_key = 'echo', search_text = 'echo'";
    let connection = Database::connect(&db.url).await.unwrap();
    connection.execute_unprepared(statement).await.unwrap();
    compare(db.store.repositories(), "after the statement").await;
    assert_eq!(found(db.store.repositories(), "echo").await.len(), 8);
    connection.execute_unprepared("UPDATE event SET start_utc = start_utc + 7200").await.unwrap();
    assert_eq!(found(db.store.repositories(), "echo").await.len(), 8);
    connection.close().await.unwrap();
    // The row is read again, as its revision is the same.
    let content = event("Foxtrot").with(|event| event.details.uid.clone_from(&changed.details.uid));
    change(&db.store, &changed, content.build(), None).await;
    assert_eq!(found(db.store.repositories(), "foxtrot").await, [changed.id]);
    assert_eq!(found(db.store.repositories(), "echo").await.len(), 7);
}
