//! The record cache, and the versions and changes that keep it current.

mod change_log;
mod data_version;
mod record_cache;
#[cfg(all(feature = "sqlite", unix))]
mod wal_index;

#[cfg(all(feature = "sqlite", unix))]
pub(crate) use self::wal_index::WalIndex;
pub(crate) use self::{
    change_log::{ChangeLog, Cursor, discard_foreign_entries},
    data_version::{DataVersionTracker, StateSource},
    record_cache::{BatchLookup, CacheHandle, CacheKey, CacheSnapshot, RecordCache},
};
