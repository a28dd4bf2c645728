//! The records that a transaction found by name.

use std::{
    any::Any,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use domain::{Kind, Record, Stored, text::fold};

/// What was found under folded names in a transaction beside which nobody else can write: it is so until
/// the transaction itself changes it.
#[derive(Debug, Default)]
pub(crate) struct NameCache(Mutex<HashMap<Kind, HashMap<String, Found>>>);

type Found = Arc<dyn Any + Send + Sync>;

impl NameCache {
    fn tables(&self) -> MutexGuard<'_, HashMap<Kind, HashMap<String, Found>>> {
        // Nothing under the lock can fail half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of some names of which nobody knows what is found.
    pub(crate) fn unknown<R: Record>(&self, names: &[String]) -> Vec<String> {
        let tables = self.tables();
        let known = tables.get(&R::KIND);
        let is_unknown = |name: &&String| known.is_none_or(|known| !known.contains_key(*name));
        names.iter().filter(is_unknown).cloned().collect()
    }

    /// The records of some names, by ID; none if that is not known of all of them.
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

    /// Adds all records of some names.
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

    /// Forgets what was found in a table, as a record is added to it.
    pub(crate) fn forget<R: Record>(&self) {
        self.tables().remove(&R::KIND);
    }

    /// Forgets everything, as something is changed, deleted or undone.
    pub(crate) fn forget_all(&self) {
        self.tables().clear();
    }
}

/// Puts records in the order of their IDs, each once.
pub(crate) fn sort_by_id<R: Record>(records: &mut Vec<Stored<R>>) {
    records.sort_unstable_by_key(|record| record.id);
    records.dedup_by_key(|record| record.id);
}
