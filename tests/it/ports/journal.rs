//! The journal of a database, under several units of work at once.

use std::collections::BTreeSet;

use app::{
    ports::{EntryQuery, JournalCursor, SlugRequests, Store},
    test_support::venue,
};
use port_tests::{
    add_users,
    journal::entries::entries_after,
    sample::{add, user_id},
};
use tests::{both_stores, db::TestDb};

/// On PostgreSQL a unit that commits late gets a number behind all numbers that were read before.
#[both_stores]
async fn a_late_commit_has_a_late_number(db: &TestDb) {
    if db.url.starts_with("sqlite") {
        return; // one unit of work at a time
    }
    add_users(&db.store).await;
    let journal = db.store.journal();
    let early = db.store.begin().await.unwrap();
    let slow = venue("Slow").author(user_id(0)).build();
    let slow = early.venues().insert(slow, SlugRequests::default()).await.unwrap();
    let quick = add(&db.store, venue("Quick").build(), "quick").await;
    let between = journal.end().await.unwrap();
    let found = entries_after(journal, JournalCursor::default()).await;
    assert_eq!(found.last().map(|one| one.record.id), Some(quick.id.get()));
    assert!(found.iter().all(|one| one.record.id != slow.id.get()));
    early.commit().await.unwrap();
    let found = entries_after(journal, between).await;
    assert_eq!(found.iter().map(|one| one.record.id).collect::<Vec<_>>(), [slow.id.get()]);
}

/// Writers at once: readers that follow the journal miss no commit, whoever numbers the entries.
#[both_stores]
async fn no_commit_is_missed(db: &TestDb) {
    const WRITERS: usize = 4;
    const EACH: usize = 12;
    add_users(&db.store).await;
    let write = async |writer: usize| {
        let mut made = Vec::new();
        for number in 0..EACH {
            let name = format!("Venue {writer} {number}");
            made.push(add(&db.store, venue(&name).build(), &name).await.id.get());
        }
        made
    };
    let follow = async || {
        let journal = db.store.journal();
        let (mut seen, mut cursor) = (BTreeSet::new(), JournalCursor::default());
        while seen.len() < WRITERS * EACH {
            let end = journal.end().await.unwrap();
            let new = journal
                .first_entries(&EntryQuery::between(cursor.number, end.number, 1_000))
                .await
                .unwrap();
            for entry in new {
                assert!(seen.insert(entry.record.id), "twice: {entry:?}");
            }
            cursor = end;
            tokio::task::yield_now().await;
        }
        seen
    };
    let work = async { tokio::join!(write(0), write(1), write(2), write(3), follow(), follow()) };
    let done = tokio::time::timeout(std::time::Duration::from_mins(1), work).await;
    let (a, b, c, d, seen, also_seen) = done.expect("an entry is missing");
    let made: BTreeSet<_> = [a, b, c, d].concat().into_iter().collect();
    assert_eq!((&made, &made), (&seen, &also_seen));
}
