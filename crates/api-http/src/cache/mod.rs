//! Caches with room for so many bytes.

pub(crate) mod control;
pub(crate) mod response_cache;

use std::hash::Hash;

use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter, sync};

/// Into how many parts the room is divided, each with a lock of its own.
const PARTS: usize = 4;

/// What an entry takes beside what stands in it.
pub(crate) const ENTRY_BYTES: usize = 512;

/// A cache that is as full as its room allows.
pub(crate) type Cache<K, V> = sync::Cache<K, V, Weight>;

/// What can be kept in a [`Cache`].
pub(crate) trait Measured {
    /// How many bytes its entry takes, with its key.
    fn size(&self) -> u64;
}

/// Entries weigh what they take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight;

impl<K, V: Measured> Weighter<K, V> for Weight {
    fn weight(&self, _key: &K, value: &V) -> u64 {
        value.size()
    }
}

/// A cache with room for so many bytes; none if there is no room. How many entries there will be is
/// guessed from what one usually takes.
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
