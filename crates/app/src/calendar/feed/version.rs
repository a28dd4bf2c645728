//! The versions of feeds.

use std::sync::{Arc, Mutex, PoisonError};

use domain::{
    policy::{Caller, Visibility},
    time::{NaiveDate, Timestamp},
};

use crate::{
    calendar::{CacheEpoch, Calendar},
    error::AppError,
};

/// The state on which a feed depends, besides its address, its caller and the settings. While two versions are
/// equal, the feed is the same.
///
/// ```
/// use app::{ports::StoreError, test_support::{InMemoryStore, calendar, in_unit, tag}};
/// use domain::policy::Caller;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let calendar = calendar(store.clone()).await;
/// let before = calendar.feed_version(Caller::Anonymous).await?;
/// assert_eq!(calendar.feed_version(Caller::Anonymous).await?, before);
/// in_unit(&store, async |unit| tag("Loud").insert(unit).await).await;
/// assert_ne!(calendar.feed_version(Caller::Anonymous).await?, before);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedVersion {
    /// The number of the last entry of the journal that the caller could see.
    pub entry: u64,
    /// The latest scheduled publication that took effect.
    pub due: Option<Timestamp>,
    /// The day of the window, in the zone of the site.
    pub day: NaiveDate,
}

/// The version of feeds for callers who see public records alone, with the epoch in which it was read.
#[derive(Clone, Debug, Default)]
pub(in crate::calendar) struct CachedVersion(Arc<Mutex<Option<(CacheEpoch, FeedVersion)>>>);

impl CachedVersion {
    /// The version, if it was read in this epoch.
    fn get(&self, epoch: CacheEpoch) -> Option<FeedVersion> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (of_epoch, version) = (*cached)?;
        (of_epoch == epoch).then_some(version)
    }

    fn set(&self, epoch: CacheEpoch, version: FeedVersion) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((epoch, version));
    }
}

impl Calendar {
    /// The version of all feeds for a caller. It covers every write acknowledged before.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn feed_version(&self, caller: Caller) -> Result<FeedVersion, AppError> {
        if !Visibility::new(caller, self.now()).is_public() {
            let entry = self.store.journal().end().await?.number;
            return self.version_at(entry).await;
        }
        // The epoch is read first: a version that is cached for it has every write before it.
        let epoch = self.cache_epoch().await?;
        if let Some(version) = epoch.and_then(|epoch| self.public_feeds.get(epoch)) {
            return Ok(version);
        }
        let entry = self.store.journal().last_public().await?;
        let version = self.version_at(entry).await?;
        if let Some(epoch) = epoch {
            self.public_feeds.set(epoch, version);
        }
        Ok(version)
    }

    /// The version with the number of the last entry.
    async fn version_at(&self, entry: u64) -> Result<FeedVersion, AppError> {
        let now = self.now();
        Ok(FeedVersion {
            entry,
            due: self.store.journal().last_due(now).await?,
            day: self.site.zone.at(now).local.date(),
        })
    }
}
