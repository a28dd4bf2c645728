//! Records that a unit of work looked up at once, before it asks for each.

use std::{
    any::Any,
    collections::HashMap,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use domain::{Id, Kind, Record, Stored};

use super::NameCache;

/// The records that a unit of work is about to look up. Each answers one lookup: a later one may
/// follow a lock, and must see what other transactions have committed since. It then serves the
/// view of the record that names it.
#[derive(Debug, Default)]
pub(crate) struct Prefetched {
    names: NameCache,
    records: Mutex<HashMap<(Kind, i64), PrefetchedRecord>>,
}

#[derive(Debug)]
struct PrefetchedRecord {
    /// A `Stored<R>` of the kind in the key.
    stored: Box<dyn Any + Send>,
    /// Whether it has answered a lookup.
    is_used: bool,
}

impl Prefetched {
    /// The records of names.
    pub(crate) fn names(&self) -> &NameCache {
        &self.names
    }

    /// Takes the records of some names, sorted by ID; none unless all names were prefetched.
    pub(crate) fn take_named<R: Record>(&self, names: &[String]) -> Option<Vec<Stored<R>>> {
        let found = self.names.find(names);
        self.names.forget::<R>();
        found
    }

    /// Adds records by their IDs.
    pub(crate) fn add_records<R: Record>(&self, found: Vec<Stored<R>>) {
        self.records().extend(found.into_iter().map(|record| {
            let key = (R::KIND, record.id.get());
            let record = PrefetchedRecord {
                stored: Box::new(record),
                is_used: false,
            };
            (key, record)
        }));
    }

    /// Looks up records by their IDs, each for the first time; none unless all were prefetched.
    pub(crate) fn look_up<R: Record>(&self, ids: &[Id<R>]) -> Option<Vec<Stored<R>>> {
        let mut records = self.records();
        let is_unused = |id: &Id<R>| {
            let record = records.get(&(R::KIND, id.get()));
            record.is_some_and(|record| !record.is_used)
        };
        if !ids.iter().all(is_unused) {
            return None;
        }
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            let record = records.get_mut(&(R::KIND, id.get()))?;
            // An ID may be there twice.
            if !mem::replace(&mut record.is_used, true) {
                found.push(record.stored.downcast_ref::<Stored<R>>()?.clone());
            }
        }
        Some(found)
    }

    /// Takes the record of an ID for a view, if it was prefetched.
    pub(crate) fn take_record<R: Record>(&self, id: Id<R>) -> Option<Stored<R>> {
        let record = self.records().remove(&(R::KIND, id.get()))?;
        Some(*record.stored.downcast().ok()?)
    }

    /// Discards the records of IDs, before a change of one of them or of what is named.
    pub(crate) fn forget_records(&self) {
        self.records().clear();
    }

    fn records(&self) -> MutexGuard<'_, HashMap<(Kind, i64), PrefetchedRecord>> {
        // No code under the lock panics half-way.
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
