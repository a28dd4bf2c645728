use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, sea_query::Query};
use tempfile::TempDir;
use tokio::task::{JoinHandle, yield_now};

use super::*;
use crate::{DbOptions, SeaOrmStore, connect};

/// A database with a table of notes, and a table whose rows must reference a note at the commit.
struct Notes {
    store: SeaOrmStore,
    writer: GroupCommit,
    _folder: TempDir,
}

impl Notes {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite://{}/notes.db", folder.path().display());
        let store = connect(&DbOptions::new(url)).await.unwrap();
        let writer = store.group_commit.clone().unwrap();
        let notes = Self {
            store,
            writer,
            _folder: folder,
        };
        let schema = "CREATE TABLE note (id INTEGER PRIMARY KEY); \
             CREATE TABLE link (note INTEGER REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED)";
        notes.store.writer.execute_unprepared(schema).await.unwrap();
        notes
    }

    /// The notes that readers outside of the group see.
    async fn there(&self) -> Vec<i64> {
        read(&self.store.reader.connection).await
    }

    async fn begin(&self) -> WriteUnit {
        self.writer.begin().await.unwrap()
    }

    /// Queues a unit behind the running one.
    async fn queue(&self) -> JoinHandle<Result<WriteUnit, StoreError>> {
        let writer = self.writer.clone();
        let waiting = tokio::spawn(async move { writer.begin().await });
        yield_now().await;
        waiting
    }

    /// Two units of one group: the first has written a note and waits for the second.
    async fn two(&self, note: i64) -> (JoinHandle<Result<(), StoreError>>, WriteUnit) {
        let first = self.begin().await;
        let second = self.queue().await;
        first.write(note).await.unwrap();
        (tokio::spawn(first.keep()), second.await.unwrap().unwrap())
    }

    /// A later unit commits its note, the only one.
    async fn still_commits(&self) {
        let unit = self.begin().await;
        unit.write(7).await.unwrap();
        unit.keep().await.unwrap();
        assert_eq!(self.there().await, [7]);
    }
}

async fn read(connection: &Connection) -> Vec<i64> {
    let select = Statement::from_string(DbBackend::Sqlite, "SELECT id FROM note ORDER BY id");
    let rows = connection.query_all_raw(select).await.unwrap();
    rows.iter()
        .map(|row| row.try_get("", "id").unwrap())
        .collect()
}

impl WriteUnit {
    async fn run(&self, sql: &str) -> Result<(), DbErr> {
        self.session
            .connection
            .execute_unprepared(sql)
            .await
            .map(drop)
    }

    async fn write(&self, id: i64) -> Result<(), DbErr> {
        self.run(&format!("INSERT INTO note VALUES ({id})")).await
    }

    async fn execute_deferred(&self, id: i64) {
        let insert = Query::insert()
            .into_table("note")
            .columns(["id"])
            .values_panic([id.into()])
            .take();
        self.session
            .connection
            .execute_deferred(&insert)
            .await
            .unwrap();
    }

    async fn count(&self) -> Result<i64, DbErr> {
        let count = Statement::from_string(DbBackend::Sqlite, "SELECT COUNT(*) AS notes FROM note");
        let row = self.session.connection.query_one_raw(count).await?;
        row.unwrap().try_get("", "notes")
    }

    async fn keep(self) -> Result<(), StoreError> {
        Box::new(self).commit().await
    }
}

#[tokio::test]
async fn nobody_sees_a_unit_before_its_group_is_kept() {
    let notes = Notes::new().await;
    let (first, second) = notes.two(1).await;
    second.write(2).await.unwrap();
    assert_eq!(notes.there().await, [0; 0]);
    assert!(!first.is_finished());
    second.keep().await.unwrap();
    first.await.unwrap().unwrap();
    assert_eq!(notes.there().await, [1, 2]);
}

#[tokio::test]
async fn units_that_fail_spare_the_others() {
    let notes = Notes::new().await;
    let mut units = Vec::new();
    for id in 0..300 {
        let writer = notes.writer.clone();
        units.push(tokio::spawn(async move {
            let unit = writer.begin().await.unwrap();
            unit.write(id).await.unwrap();
            match id % 5 {
                0 => {
                    assert!(unit.write(id).await.is_err(), "the key is taken");
                    Box::new(unit).rollback().await.unwrap();
                }
                1 => drop(unit),
                2 => {
                    let nested = unit.nested().await.unwrap();
                    drop(nested);
                    unit.keep().await.unwrap();
                }
                _ => unit.keep().await.unwrap(),
            }
            id
        }));
    }
    let mut expected = Vec::new();
    for unit in units {
        let id = unit.await.unwrap();
        if id % 5 > 1 {
            expected.push(id);
        }
    }
    assert_eq!(notes.there().await, expected);
}

#[tokio::test]
async fn who_undoes_waits_until_what_he_saw_is_kept() {
    let notes = Notes::new().await;
    let (_first, second) = notes.two(1).await;
    Box::new(second).rollback().await.unwrap();
    assert_eq!(notes.there().await, [1]);
}

#[tokio::test]
async fn a_group_is_kept_when_its_last_unit_is_dropped() {
    let notes = Notes::new().await;
    let (first, second) = notes.two(1).await;
    second.write(2).await.unwrap();
    drop(second);
    first.await.unwrap().unwrap();
    assert_eq!(notes.there().await, [1]);
}

#[tokio::test]
async fn a_group_that_cannot_be_kept_fails_for_all() {
    let notes = Notes::new().await;
    for _ in 0..2 {
        let (first, second) = notes.two(1).await;
        second.run("INSERT INTO link VALUES (99)").await.unwrap();
        assert!(second.keep().await.is_err());
        assert!(first.await.unwrap().is_err());
        assert_eq!(notes.there().await, [0; 0]);
    }
    notes.still_commits().await;
}

/// SQLite ends a transaction in this way when the disk is full.
#[tokio::test]
async fn a_transaction_that_ends_by_itself_fails_for_all() {
    /// A statement that fails and rolls back the whole transaction.
    const BREAK: &str = "INSERT OR ROLLBACK INTO note VALUES (5), (5)";

    let notes = Notes::new().await;
    for drops in [false, true] {
        let (first, second) = notes.two(1).await;
        let third = notes.queue().await;
        second.write(2).await.unwrap();
        assert!(second.run(BREAK).await.is_err());
        if drops {
            drop(second);
        } else {
            let undone = Box::new(second).rollback().await;
            assert!(undone.is_err(), "there was nothing left to undo");
        }
        let failed = first.await.unwrap();
        assert!(
            matches!(failed, Err(StoreError::Unavailable(_))),
            "{failed:?}"
        );
        assert_eq!(notes.there().await, [0; 0]);
        drop(third.await.unwrap().unwrap());
    }
    let alone = notes.begin().await;
    assert!(alone.run(BREAK).await.is_err());
    assert!(alone.keep().await.is_err());
    notes.still_commits().await;
}

#[tokio::test]
async fn who_no_longer_waits_keeps_nobody_waiting() {
    let notes = Notes::new().await;
    let first = notes.begin().await;
    let gone = notes.queue().await;
    let second = notes.queue().await;
    gone.abort();
    first.write(1).await.unwrap();
    let first = tokio::spawn(Box::new(first).commit());
    let second = second.await.unwrap().unwrap();
    second.write(2).await.unwrap();
    // The caller of the second unit is cancelled during the commit. That unit may be committed or
    // not; the others are committed.
    let ending = tokio::spawn(second.keep());
    yield_now().await;
    ending.abort();
    first.await.unwrap().unwrap();
    let there = notes.there().await;
    assert!(there == [1] || there == [1, 2], "{there:?}");
    let unit = notes.begin().await;
    unit.write(3).await.unwrap();
    unit.keep().await.unwrap();
}

/// The first statements of a unit are sent together with its savepoint. Wherever the unit is
/// cancelled, the other units are committed.
#[tokio::test]
async fn who_is_broken_off_takes_nobody_along() {
    let notes = Notes::new().await;
    let mut expected = Vec::new();
    for round in 0..60 {
        let id = round * 10;
        let (first, second) = notes.two(id).await;
        let third = notes.queue().await;
        let broken = tokio::spawn(async move {
            second.execute_deferred(id + 1).await;
            second.count().await.unwrap();
            second.write(id + 2).await.unwrap();
            std::future::pending::<()>().await;
        });
        for _ in 0..round % 12 {
            yield_now().await;
        }
        broken.abort();
        let third = third.await.unwrap().unwrap();
        third.execute_deferred(id + 3).await;
        third.keep().await.unwrap();
        first.await.unwrap().unwrap();
        expected.extend([id, id + 3]);
    }
    assert_eq!(notes.there().await, expected);
}

#[tokio::test]
async fn what_is_put_off_is_done_in_its_order() {
    let notes = Notes::new().await;
    let unit = notes.begin().await;
    unit.execute_deferred(1).await;
    assert_eq!(unit.count().await.unwrap(), 1);
    unit.execute_deferred(2).await;
    let undone = unit.nested().await.unwrap();
    unit.execute_deferred(3).await;
    drop(undone);
    unit.execute_deferred(4).await;
    let committed = unit.nested().await.unwrap();
    unit.execute_deferred(5).await;
    committed.commit().await.unwrap();
    unit.keep().await.unwrap();
    assert_eq!(notes.there().await, [1, 2, 4, 5]);
}

#[tokio::test]
async fn what_was_put_off_and_fails_undoes_its_unit_alone() {
    let notes = Notes::new().await;
    let (first, second) = notes.two(1).await;
    let third = notes.queue().await;
    second.execute_deferred(2).await;
    second.execute_deferred(1).await;
    let second = tokio::spawn(second.keep());
    let third = third.await.unwrap().unwrap();
    third.execute_deferred(3).await;
    assert_eq!(third.count().await.unwrap(), 2);
    third.keep().await.unwrap();
    first.await.unwrap().unwrap();
    let refused = second.await.unwrap();
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert_eq!(notes.there().await, [1, 3]);
}

#[tokio::test]
async fn a_unit_in_which_something_failed_is_not_kept() {
    let notes = Notes::new().await;
    let unit = notes.begin().await;
    unit.execute_deferred(1).await;
    unit.execute_deferred(1).await;
    assert!(unit.count().await.is_err());
    assert!(unit.keep().await.is_err());
    assert_eq!(notes.there().await, [0; 0]);
}

#[tokio::test]
async fn patience_ends() {
    let mut notes = Notes::new().await;
    notes.writer.begin_timeout = Duration::from_millis(10);
    let first = notes.begin().await;
    let refused = notes.writer.begin().await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable(_))),
        "{refused:?}"
    );
    first.write(1).await.unwrap();
    first.keep().await.unwrap();
    assert_eq!(notes.there().await, [1]);
}
