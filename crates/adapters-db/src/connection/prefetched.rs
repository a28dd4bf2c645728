//! Records that a unit of work looked up at once, before it asks for each.

use std::{
    any::Any,
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::{Id, Kind, Record, Stored};

use super::NameCache;

/// The records that a unit of work is about to look up. Each answers one lookup: a later one may
/// follow a lock, and must see what other transactions have committed since.
#[derive(Debug, Default)]
pub(crate) struct Prefetched {
    names: NameCache,
    records: Mutex<HashMap<(Kind, i64), Box<dyn Any + Send>>>,
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
        // No code under the lock panics half-way.
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.extend(found.into_iter().map(|record| {
            let key = (R::KIND, record.id.get());
            (key, Box::new(record) as Box<dyn Any + Send>)
        }));
    }

    /// Takes the record of an ID, if it was prefetched.
    pub(crate) fn take_record<R: Record>(&self, id: Id<R>) -> Option<Stored<R>> {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let record = records.remove(&(R::KIND, id.get()))?.downcast().ok()?;
        Some(*record)
    }
}
