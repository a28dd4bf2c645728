//! The in-memory stores of tombstones and of secret feeds.

use std::ops::Bound;

use async_trait::async_trait;
use domain::{
    EventId, Id, Stored, User, UserId,
    event::Tombstone,
    slug::Slug,
    time::{NaiveDate, Timestamp},
};

use super::{session::Session, state::State};
use crate::ports::{NewSecretFeed, SecretFeed, SecretFeeds, StoreError, Tombstones};

impl State {
    /// The last one of some tombstones.
    fn last_tombstone(&self, is_asked: impl Fn(&Tombstone) -> bool) -> Option<Tombstone> {
        let asked = self.tombstones.values().filter(|one| is_asked(one));
        asked.max_by_key(|one| one.ended).cloned()
    }
}

#[async_trait]
impl Tombstones for Session {
    async fn put(&self, tombstone: &Tombstone) -> Result<(), StoreError> {
        self.write(|state| {
            let uid = tombstone.uid.clone();
            state.tombstones.insert(uid, tombstone.clone());
            Ok(())
        })
    }

    async fn remove(&self, uid: &str) -> Result<(), StoreError> {
        self.write(|state| {
            state.tombstones.remove(uid);
            Ok(())
        })
    }

    async fn find(&self, event: EventId) -> Result<Option<Tombstone>, StoreError> {
        self.read(|state| state.last_tombstone(|one| one.event == event))
    }

    async fn find_by_slug(&self, slug: &Slug) -> Result<Option<Tombstone>, StoreError> {
        self.read(|state| state.last_tombstone(|one| one.slug.as_ref() == Some(slug)))
    }

    async fn page(
        &self,
        since: Timestamp,
        after: &str,
        limit: u64,
    ) -> Result<Vec<Tombstone>, StoreError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        self.read(|state| {
            let rest = state
                .tombstones
                .range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
            let rest = rest.map(|(_, one)| one).filter(|one| one.ended >= since);
            rest.take(limit).cloned().collect()
        })
    }

    async fn prune(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.write(|state| {
            let all = state.tombstones.len();
            state.tombstones.retain(|_, one| one.ended >= before);
            Ok((all - state.tombstones.len()) as u64)
        })
    }
}

#[async_trait]
impl SecretFeeds for Session {
    async fn insert(
        &self,
        feed: NewSecretFeed,
        limit: u64,
    ) -> Result<Option<SecretFeed>, StoreError> {
        self.write(|state| {
            state.check_user(feed.owner)?;
            let own = state
                .feeds
                .values()
                .filter(|one| one.details.owner == feed.owner);
            if own.count() as u64 >= limit {
                return Ok(None);
            }
            state.last_feed += 1;
            let feed = SecretFeed {
                id: Id::from_raw(state.last_feed),
                details: feed,
                last_used: None,
            };
            state.feeds.insert(feed.id, feed.clone());
            Ok(Some(feed))
        })
    }

    async fn find(&self, id: Id<SecretFeed>) -> Result<Option<SecretFeed>, StoreError> {
        self.read(|state| state.feeds.get(&id).cloned())
    }

    async fn find_by_key(
        &self,
        hash: &str,
    ) -> Result<Option<(SecretFeed, Stored<User>)>, StoreError> {
        self.read(|state| {
            let mut feeds = state.feeds.values();
            let feed = feeds.find(|feed| feed.details.key_hash.expose() == hash)?;
            Some((feed.clone(), state.users.get(feed.details.owner)?.clone()))
        })
    }

    async fn list(&self, owner: Option<UserId>) -> Result<Vec<SecretFeed>, StoreError> {
        self.read(|state| {
            let feeds = state.feeds.values();
            feeds
                .filter(|feed| owner.is_none_or(|owner| owner == feed.details.owner))
                .cloned()
                .collect()
        })
    }

    async fn set_last_used(&self, id: Id<SecretFeed>, day: NaiveDate) -> Result<(), StoreError> {
        self.write(|state| {
            if let Some(feed) = state.feeds.get_mut(&id) {
                feed.last_used = Some(day);
            }
            Ok(())
        })
    }

    async fn delete(&self, id: Id<SecretFeed>) -> Result<bool, StoreError> {
        self.write(|state| Ok(state.feeds.remove(&id).is_some()))
    }
}
