//! Caches with a memory limit.

pub(crate) mod control;
pub(crate) mod response_cache;

pub(crate) use control::{PublicCaching, REVALIDATED};
pub(crate) use response_cache::{Lookup, ResponseCache};

use std::hash::Hash;

use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter, sync};

/// The number of shards, each with a lock of its own.
const PARTS: usize = 4;

/// The overhead of an entry, in bytes.
pub(crate) const ENTRY_BYTES: usize = 512;

/// A cache that evicts entries beyond its memory limit.
pub(crate) type Cache<K, V> = sync::Cache<K, V, Weight>;

/// A value with a known size in memory.
pub(crate) trait Measured {
    /// The size of its entry with the key, in bytes.
    fn size(&self) -> u64;
}

/// Weighs entries by their size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight;

impl<K, V: Measured> Weighter<K, V> for Weight {
    fn weight(&self, _key: &K, value: &V) -> u64 {
        value.size()
    }
}

/// A cache of `bytes`, sized for entries of `usual_bytes`; none if `bytes` is 0.
pub(crate) fn with_room<K, V>(bytes: u64, usual_bytes: u64) -> Option<Cache<K, V>>
where
    K: Eq + Hash,
    V: Clone + Measured,
{
    let options = OptionsBuilder::new()
        .shards(PARTS)
        .weight_capacity(bytes)
        .estimated_items_capacity(usize::try_from(bytes / usual_bytes).unwrap_or(usize::MAX))
        .build();
    let options = options.ok().filter(|_| bytes > 0)?;
    let (hash, lifecycle) = (
        DefaultHashBuilder::default(),
        sync::DefaultLifecycle::default(),
    );
    Some(Cache::with_options(options, Weight, hash, lifecycle))
}
