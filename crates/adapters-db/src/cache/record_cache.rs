//! A cache of records.
//!
//! Each use first evicts the records that changed since the last use, in any process and by any
//! statement. A cached record therefore equals the one in the database.

use std::{
    any::Any,
    collections::HashMap,
    fmt,
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard,
        atomic::{AtomicU64, Ordering},
    },
};

use app::ports::{DataVersion, StoreError};
use domain::{Id, Stored};
use metrics::{Counter, counter};
use quick_cache::{Weighter, sync::Cache};
use tokio::sync::Mutex;

use crate::cache::{ChangeLog, Cursor, DataVersionTracker};

/// The minimum weight of a cached record, with its place in the cache, in bytes.
const RECORD: u64 = 1500;

/// The key of a cache entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CacheKey {
    /// The record of a table.
    Record(&'static str, i64),
    /// The term of a table, with its number of events and how long that number is valid.
    Counted(&'static str, i64),
    /// The ID of the record that had a slug. A reader checks that the record still has it.
    Slug(&'static str, String),
}

#[derive(Clone)]
struct Entry {
    value: Arc<dyn Any + Send + Sync>,
    weight: u64,
}

#[derive(Clone, Debug)]
struct ByBytes;

impl Weighter<CacheKey, Entry> for ByBytes {
    fn weight(&self, _key: &CacheKey, entry: &Entry) -> u64 {
        RECORD + entry.weight
    }
}

/// The cached records of one database.
pub(crate) struct RecordCache {
    changes: ChangeLog,
    /// Reports the current version without a statement, if set. Equal versions mean that nothing
    /// changed.
    versions: Option<Arc<DataVersionTracker>>,
    entries: Cache<CacheKey, Entry, ByBytes>,
    caught_up: RwLock<CaughtUp>,
    /// The number of the last eviction that ended. The lock admits one eviction at a time.
    turn: Mutex<u64>,
    /// The number of evictions that have begun.
    begun: AtomicU64,
    hits: Counter,
    misses: Counter,
}

/// The changes that were evicted already.
#[derive(Debug, Default)]
struct CaughtUp {
    cursor: Option<Cursor>,
    version: Option<DataVersion>,
    /// Increases with each eviction that removes an entry.
    epoch: u64,
}

impl fmt::Debug for RecordCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordCache")
            .field("changes", &self.changes)
            .field("entries", &self.entries.len())
            .finish_non_exhaustive()
    }
}

impl RecordCache {
    /// An empty cache of at most `bytes`, by estimate.
    pub(crate) fn new(
        changes: ChangeLog,
        versions: Option<Arc<DataVersionTracker>>,
        bytes: u64,
    ) -> Self {
        let items = usize::try_from(bytes / RECORD).unwrap_or(usize::MAX);
        let lookups =
            |result| counter!("events_calendar_record_cache_lookups_total", "result" => result);
        Self {
            changes,
            versions,
            entries: Cache::with_weighter(items, bytes, ByBytes),
            caught_up: RwLock::default(),
            turn: Mutex::default(),
            begun: AtomicU64::new(0),
            hits: lookups("hit"),
            misses: lookups("miss"),
        }
    }

    /// The size of the entries, in bytes, by estimate.
    pub(crate) fn bytes(&self) -> u64 {
        self.entries.weight()
    }

    /// Evicts all records that changed until now. False if the changes are unknown: then no entry
    /// may be used.
    pub(crate) async fn evict_changed(&self) -> Result<bool, StoreError> {
        let version = match &self.versions {
            None => None,
            Some(versions) => match versions.current().await? {
                None => return Ok(false),
                version if self.caught_up().version == version => return Ok(true),
                version => version,
            },
        };
        let before = self.begun.load(Ordering::SeqCst);
        let mut ended = self.turn.lock().await;
        if *ended > before {
            // An eviction that began after this call has covered all changes before the call.
            return Ok(true);
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let cursor = self.caught_up().cursor.clone();
        let changes = match self.changes.since(cursor.as_ref()).await {
            Ok(changes) => changes,
            Err(error) => {
                // The database still answers reads that are not cached.
                tracing::debug!(cause = %error, "the changes are unknown");
                return Ok(false);
            }
        };
        let mut caught_up = self
            .caught_up
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        match changes.records {
            None => {
                self.entries.clear();
                caught_up.epoch += 1;
            }
            Some(records) => {
                caught_up.epoch += u64::from(!records.is_empty());
                for (table, id) in records {
                    self.forget(&table, id);
                }
            }
        }
        caught_up.cursor = Some(changes.cursor);
        caught_up.version = version;
        drop(caught_up);
        *ended = number;
        Ok(true)
    }

    fn forget(&self, table: &str, id: i64) {
        for known in TABLES {
            if known == table {
                self.entries.remove(&CacheKey::Record(known, id));
                self.entries.remove(&CacheKey::Counted(known, id));
            }
        }
    }

    fn caught_up(&self) -> RwLockReadGuard<'_, CaughtUp> {
        self.caught_up
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handle of the cache for one session.
#[derive(Clone, Debug)]
pub(crate) struct CacheHandle {
    cache: Arc<RecordCache>,
    /// Whether the eviction for the current request is done.
    is_current: bool,
}

impl CacheHandle {
    pub(crate) fn new(cache: Arc<RecordCache>) -> Self {
        Self {
            cache,
            is_current: false,
        }
    }

    /// A handle for the reads of a request that begins now; none if nothing may be cached.
    pub(crate) async fn for_request(&self) -> Result<Option<Self>, StoreError> {
        let cache = Arc::clone(&self.cache);
        Ok(cache.evict_changed().await?.then_some(Self {
            cache,
            is_current: true,
        }))
    }

    /// The size of the cached records, in bytes, by estimate.
    pub(crate) fn bytes(&self) -> u64 {
        self.cache.bytes()
    }

    /// The cache as it is now; none if nothing may be cached.
    pub(crate) async fn snapshot(&self) -> Result<Option<CacheSnapshot<'_>>, StoreError> {
        if !self.is_current && !self.cache.evict_changed().await? {
            return Ok(None);
        }
        Ok(Some(CacheSnapshot {
            cache: &self.cache,
            epoch: self.cache.caught_up().epoch,
        }))
    }
}

/// The cache after an eviction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheSnapshot<'a> {
    cache: &'a RecordCache,
    epoch: u64,
}

impl CacheSnapshot<'_> {
    /// The cached value of a key.
    pub(crate) fn get<T: Clone + Send + Sync + 'static>(&self, key: &CacheKey) -> Option<T> {
        let Some(entry) = self.cache.entries.get(key) else {
            self.cache.misses.increment(1);
            return None;
        };
        self.cache.hits.increment(1);
        entry.value.downcast_ref::<T>().cloned()
    }

    /// Caches a value that was read after this snapshot, unless it may have changed meanwhile.
    pub(crate) fn put<T: Send + Sync + 'static>(&self, key: CacheKey, value: T, weight: usize) {
        // The lock orders the insertion before or after any eviction.
        let caught_up = self.cache.caught_up();
        if caught_up.epoch == self.epoch {
            let entry = Entry {
                value: Arc::new(value),
                weight: weight as u64,
            };
            self.cache.entries.insert(key, entry);
        }
        drop(caught_up);
    }
}

/// A lookup of many records of a table: first in the cache, then in the database.
pub(crate) struct BatchLookup<'a, R> {
    cache: Option<CacheSnapshot<'a>>,
    table: &'static str,
    ids: Vec<Id<R>>,
    found: HashMap<Id<R>, Stored<R>>,
    /// The IDs to read from the database.
    pub(crate) missing: Vec<i64>,
}

impl<'a, R: Clone + Send + Sync + 'static> BatchLookup<'a, R> {
    pub(crate) fn new(
        cache: Option<CacheSnapshot<'a>>,
        table: &'static str,
        ids: Vec<Id<R>>,
    ) -> Self {
        let mut found = HashMap::with_capacity(ids.len());
        let mut missing = Vec::new();
        for &id in &ids {
            match cache.and_then(|cache| cache.get(&CacheKey::Record(table, id.get()))) {
                Some(record) => {
                    found.insert(id, record);
                }
                None => missing.push(id.get()),
            }
        }
        Self {
            cache,
            table,
            ids,
            found,
            missing,
        }
    }

    /// Adds the missing records that `known` returns. They are not cached.
    pub(crate) fn add_known(&mut self, known: impl Fn(Id<R>) -> Option<Stored<R>>) {
        let found = &mut self.found;
        self.missing.retain(|id| {
            let record = known(Id::from_raw(*id));
            let is_missing = record.is_none();
            found.extend(record.map(|record| (record.id, record)));
            is_missing
        });
    }

    /// Adds a record that was read from the database.
    pub(crate) fn add(&mut self, record: Stored<R>, weight: usize) {
        if let Some(cache) = self.cache {
            let key = CacheKey::Record(self.table, record.id.get());
            cache.put(key, record.clone(), weight);
        }
        self.found.insert(record.id, record);
    }

    /// Adds a record that follows from others. It is not cached.
    pub(crate) fn add_shown(&mut self, record: Option<Stored<R>>) {
        self.found.extend(record.map(|record| (record.id, record)));
    }

    /// A record that was found.
    pub(crate) fn get(&self, id: Id<R>) -> Option<&Stored<R>> {
        self.found.get(&id)
    }

    /// The IDs of which no record was found.
    pub(crate) fn absent(&self) -> impl Iterator<Item = i64> {
        let absent = self.ids.iter().filter(|id| !self.found.contains_key(id));
        absent.map(|id| id.get())
    }

    /// All records that were found, in the order of the IDs.
    pub(crate) fn in_order(mut self) -> Vec<Stored<R>> {
        let records = self.ids.iter().filter_map(|id| self.found.remove(id));
        records.collect()
    }
}

/// The tables whose records are cached.
const TABLES: [&str; 7] = [
    "event",
    "occurrence",
    "venue",
    "organizer",
    "category",
    "tag",
    "image",
];

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use sea_orm::ConnectionTrait;
    use tempfile::TempDir;

    use super::*;
    use crate::{DbOptions, SeaOrmStore, connect};

    /// A new database, and the handle of its cache.
    async fn new_store() -> (TempDir, SeaOrmStore, CacheHandle) {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/calendar.db", folder.path().display());
        let store = connect(&DbOptions::new(url)).await.unwrap();
        store.migrate().await.unwrap();
        let handle = store.reader.cache.clone().unwrap();
        (folder, store, handle)
    }

    async fn note(store: &SeaOrmStore, tag: i64) {
        let note = format!("INSERT INTO change (kind, record_id) VALUES ('tag', {tag})");
        store.writer.execute_unprepared(&note).await.unwrap();
    }

    #[tokio::test]
    async fn what_may_have_changed_while_it_was_read_is_not_kept() {
        let (_folder, store, handle) = new_store().await;
        let key = CacheKey::Record("tag", 1);

        let before = handle.snapshot().await.unwrap().unwrap();
        note(&store, 1).await;
        let after = handle.snapshot().await.unwrap().unwrap();
        // The value was read before the change, and is put after its eviction.
        before.put(key.clone(), "old", 0);
        assert_eq!(after.get::<&str>(&key), None);
        after.put(key.clone(), "new", 0);
        assert_eq!(after.get(&key), Some("new"));

        note(&store, 2).await;
        let later = handle.snapshot().await.unwrap().unwrap();
        assert_eq!(
            later.get(&key),
            Some("new"),
            "only changed records are evicted"
        );
        note(&store, 1).await;
        let later = handle.snapshot().await.unwrap().unwrap();
        assert_eq!(later.get::<&str>(&key), None);
    }

    #[tokio::test]
    async fn nothing_is_kept_of_a_file_whose_content_was_replaced() {
        let (_folder, store, handle) = new_store().await;
        note(&store, 1).await;
        let key = CacheKey::Record("tag", 1);
        let before = handle.snapshot().await.unwrap().unwrap();
        before.put(key.clone(), "old", 0);
        assert_eq!(before.get(&key), Some("old"));

        // The backup API does so when it copies another database into this file.
        let replaced = "PRAGMA schema_version = 1000000";
        store.writer.execute_unprepared(replaced).await.unwrap();
        let after = handle.snapshot().await.unwrap().unwrap();
        assert_eq!(after.get::<&str>(&key), None);
    }
}
