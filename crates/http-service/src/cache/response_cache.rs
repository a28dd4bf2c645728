//! Whole responses, cached until the data or the second of the clock changes.
//!
//! A response may be cached if it depends on nothing but the address, the data and the clock. A
//! [`CacheEpoch`] stands for data and clock: an entry holds the epoch that was read *before* its
//! response was made, and is sent only while the current epoch equals it. The face of the pages, which has a revision of
//! its own, is the third part of an epoch. A write that commits
//! while a response is being made therefore invalidates the entry, whether or not the response
//! shows it.

use std::{sync::Arc, time::Duration};

use app::{Calendar, calendar::CacheEpoch, search_queue::Client};
use axum::http::Uri;
use domain::Language;
use futures_util::future::Shared;
use metrics::gauge;
use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};
use tokio::time::timeout;

use super::in_progress::{InProgress, Work};
use crate::{
    face::LiveFace,
    limits::ConcurrencyLimit,
    response::{BufferedResponse, Preferences},
    site::{BasePaths, route_path},
};

/// The number of shards, each with a lock of its own.
const SHARDS: usize = 4;

/// The overhead of an entry, in bytes.
const ENTRY_BYTES: usize = 512;

/// The largest cached response takes this fraction of the cache: an eighth.
const LARGEST_SHARE: u64 = 8;

/// The expected size of a response, in bytes.
const USUAL_BYTES: u64 = 16 * 1024;

/// The timeout of reading the epoch. With a slower store, the cache saves no time.
const EPOCH_TIMEOUT: Duration = Duration::from_millis(500);

/// The cached responses of one service.
#[derive(Debug)]
pub(crate) struct ResponseCache {
    entries: Option<Entries<Epoch>>,
    /// By slot, whether the client accepts problem details as the body of an error, and the client,
    /// if other clients may not join.
    in_progress: InProgress<(Slot, bool, Option<Client>)>,
    calendar: Calendar,
    concurrency: ConcurrencyLimit,
    base_paths: Arc<BasePaths>,
    face: LiveFace,
}

/// The state that all cached responses depend on: data and clock, and the revision of the face of the pages.
type Epoch = (CacheEpoch, i64);

/// Responses by path and query as sent, after the language of one that depends on it; `P` is the epoch. Entries
/// beyond the memory limit are evicted.
#[derive(Debug)]
struct Entries<P> {
    cache: Cache<Box<str>, Entry<P>, Weight>,
    largest: u64,
}

#[derive(Clone, Debug)]
struct Entry<P> {
    epoch: P,
    response: Arc<BufferedResponse>,
    /// The size with the key, in bytes.
    size: u64,
}

/// Weighs entries by their size.
#[derive(Clone, Copy, Debug)]
struct Weight;

impl<K, P> Weighter<K, Entry<P>> for Weight {
    fn weight(&self, _key: &K, entry: &Entry<P>) -> u64 {
        entry.size
    }
}

impl<P: Clone> Entries<P> {
    /// A cache of `bytes`; none if that is 0.
    fn new(bytes: u64) -> Option<Self> {
        let options = OptionsBuilder::new()
            .shards(SHARDS)
            .weight_capacity(bytes)
            .estimated_items_capacity(usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX))
            .build();
        let options = options.ok().filter(|_| bytes > 0)?;
        let (hash, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Some(Self {
            cache: Cache::with_options(options, Weight, hash, lifecycle),
            largest: bytes / LARGEST_SHARE,
        })
    }

    /// Stores a response, unless it is too large.
    fn insert(&self, key: Box<str>, epoch: P, response: BufferedResponse) -> Arc<BufferedResponse> {
        let size = (key.len() + ENTRY_BYTES + response.size()) as u64;
        if size > self.largest {
            return Arc::new(response);
        }
        let response = Arc::new(response.compact());
        let entry = Entry {
            epoch,
            response: Arc::clone(&response),
            size,
        };
        self.cache.insert(key, entry);
        response
    }
}

/// The result of a cache lookup.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// The cached response is current.
    Hit(Arc<BufferedResponse>),
    /// No current response is cached; a new one may be stored in the slot.
    Miss(Slot),
    /// The response to this request is not cached.
    Bypass,
}

/// The place of a response in the cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    key: Box<str>,
    /// The epoch before the response was made.
    epoch: Epoch,
}

impl ResponseCache {
    /// An empty cache of `bytes`. Each service has its own, as configurations differ.
    pub(crate) fn new(
        bytes: u64,
        calendar: Calendar,
        concurrency: ConcurrencyLimit,
        base_paths: Arc<BasePaths>,
        face: LiveFace,
    ) -> Self {
        Self {
            entries: Entries::new(bytes),
            in_progress: InProgress::default(),
            calendar,
            concurrency,
            base_paths,
            face,
        }
    }

    /// Looks up the response to a `GET` of an address by an anonymous client. An entry without bytes
    /// is the response to a client that has them. `language` is that of a response which depends on
    /// `Accept-Language`: each language has an entry.
    pub(crate) async fn find(
        &self,
        address: &Uri,
        language: Option<Language>,
        preferences: &Preferences,
    ) -> Lookup {
        let (Some(entries), Some(key)) = (&self.entries, address.path_and_query()) else {
            return Lookup::Bypass;
        };
        // Addresses begin with a slash, so that no key is that of another address.
        let key: Box<str> = match language {
            Some(language) => format!("{language}{key}").into(),
            None => key.as_str().into(),
        };
        let entry = entries.cache.get(&key);
        if entry.is_none() && !route_path::tells_of_records(address.path(), &self.base_paths) {
            return Lookup::Bypass;
        }
        // The epoch is read after the entry: an equal one proves that nothing changed until now.
        let Some(epoch) = self.epoch().await else {
            return Lookup::Bypass;
        };
        match entry {
            Some(entry) if entry.epoch == epoch && entry.response.answers(preferences) => {
                Lookup::Hit(entry.response)
            }
            _ => Lookup::Miss(Slot { key, epoch }),
        }
    }

    /// The current epoch, if the store reports one. The read counts against the concurrency limit,
    /// as the store may be slow.
    async fn epoch(&self) -> Option<Epoch> {
        let face = self.face.revision();
        let _permit = self.concurrency.try_acquire().ok()?;
        match timeout(EPOCH_TIMEOUT, self.calendar.cache_epoch()).await {
            Ok(Ok(epoch)) => Some((epoch?, face)),
            Ok(Err(error)) => {
                tracing::debug!(cause = %error, "the store reports no cache epoch");
                None
            }
            Err(_) => None,
        }
    }

    /// The response that is in progress for a slot. If there is none, `begin` makes it.
    pub(crate) fn join(
        &self,
        slot: &Slot,
        is_problem: bool,
        alone: Option<Client>,
        begin: impl FnOnce() -> Work,
    ) -> Shared<Work> {
        self.in_progress
            .join(&(slot.clone(), is_problem, alone), begin)
    }

    /// Stores a response, unless it is too large.
    pub(crate) fn insert(&self, slot: Slot, response: BufferedResponse) -> Arc<BufferedResponse> {
        match &self.entries {
            Some(entries) => {
                let response = entries.insert(slot.key, slot.epoch, response);
                #[expect(clippy::cast_precision_loss, reason = "a gauge needs no exact number")]
                gauge!("events_calendar_response_cache_bytes").set(entries.cache.weight() as f64);
                response
            }
            None => Arc::new(response),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::Bytes, http::Response};

    use super::*;

    fn text(length: usize) -> BufferedResponse {
        let (parts, ()) = Response::new(()).into_parts();
        BufferedResponse::new(parts, Bytes::from(vec![b'x'; length]), None)
    }

    #[test]
    fn many_responses_fit_in_the_cache() {
        const ROOM: u64 = 1024 * 1024;
        let cache = Entries::new(ROOM).unwrap();
        for n in 0..2000 {
            cache.insert(format!("/events?page={n}").into(), 1, text(n * 13 % 20_000));
            assert!(cache.cache.weight() <= ROOM);
        }
        let bytes: usize = cache
            .cache
            .iter()
            .map(|(_, entry)| entry.response.size())
            .sum();
        assert!(ROOM / 2 < bytes as u64 && bytes as u64 <= ROOM, "{bytes}");
        // The last response to an address replaces the former.
        cache.insert("/".into(), 1, text(10));
        cache.insert("/".into(), 2, text(10));
        assert_eq!(cache.cache.get("/").map(|entry| entry.epoch), Some(2));
    }

    #[test]
    fn a_response_that_is_too_large_is_not_stored() {
        let cache = Entries::new(1024 * 1024).unwrap();
        cache.insert("/small".into(), 1, text(50_000));
        cache.insert("/large".into(), 1, text(200_000));
        assert!(cache.cache.get("/small").is_some());
        assert!(cache.cache.get("/large").is_none());
        assert!(Entries::<u64>::new(0).is_none());
    }
}
