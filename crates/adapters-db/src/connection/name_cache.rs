//! A cache of the records that a transaction found by name.

use std::{
    any::Any,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use domain::{Kind, Record, Stored, text::fold};

/// The records found under folded names, in a transaction that is the only writer. An entry is
/// valid until the transaction itself changes a record.
#[derive(Debug, Default)]
pub(crate) struct NameCache(Mutex<HashMap<Kind, HashMap<String, Found>>>);

type Found = Arc<dyn Any + Send + Sync>;

impl NameCache {
    fn tables(&self) -> MutexGuard<'_, HashMap<Kind, HashMap<String, Found>>> {
        // No code under the lock panics half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names not cached yet.
    pub(crate) fn unknown<R: Record>(&self, names: &[String]) -> Vec<String> {
        let tables = self.tables();
        let known = tables.get(&R::KIND);
        let is_unknown = |name: &&String| known.is_none_or(|known| !known.contains_key(*name));
        names.iter().filter(is_unknown).cloned().collect()
    }

    /// The records of some names, sorted by ID; none unless all names are cached.
    pub(crate) fn find<R: Record>(&self, names: &[String]) -> Option<Vec<Stored<R>>> {
        let tables = self.tables();
        let known = tables.get(&R::KIND)?;
        let mut found = Vec::new();
        for name in names {
            found.extend_from_slice(known.get(name)?.downcast_ref::<Vec<Stored<R>>>()?);
        }
        sort_by_id(&mut found);
        Some(found)
    }

    /// Caches all records of some names.
    pub(crate) fn add<R: Record>(&self, names: Vec<String>, records: &[Stored<R>]) {
        let mut tables = self.tables();
        let known = tables.entry(R::KIND).or_default();
        for name in names {
            let is_named =
                |record: &&Stored<R>| record.titles().any(|title| fold(title.as_str()) == name);
            let found: Vec<_> = records.iter().filter(is_named).cloned().collect();
            known.insert(name, Arc::new(found));
        }
    }

    /// Discards the names of one kind, after a record of it is added.
    pub(crate) fn forget<R: Record>(&self) {
        self.tables().remove(&R::KIND);
    }

    /// Discards all names, after a record is changed or deleted, or a write is undone.
    pub(crate) fn forget_all(&self) {
        self.tables().clear();
    }
}

/// Sorts records by ID and removes duplicates.
pub(crate) fn sort_by_id<R: Record>(records: &mut Vec<Stored<R>>) {
    records.sort_unstable_by_key(|record| record.id);
    records.dedup_by_key(|record| record.id);
}
