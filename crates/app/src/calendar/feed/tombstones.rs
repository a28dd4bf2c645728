//! The tombstones that calendar files show.

use std::collections::HashSet;

use domain::{
    Event, EventId, Kind,
    event::Tombstone,
    policy::{Audience, Visibility},
    time::Timestamp,
};

use super::{BATCH, Feed};
use crate::{
    error::AppError,
    feed::{FeedItem, FeedTombstone},
    ports::Repositories,
    request::RecordKey,
    resource::Resource,
};

/// The tombstones that a feed has not shown yet.
#[derive(Debug)]
pub(super) struct Rest {
    /// The earliest end that is shown.
    pub(super) since: Timestamp,
    /// The UID of the last one that was read; empty before the first one.
    pub(super) last: String,
}

impl Feed {
    /// The next tombstones; none after the last one.
    pub(super) async fn next_tombstones(
        &mut self,
        repositories: &dyn Repositories,
    ) -> Result<Option<Vec<FeedItem>>, AppError> {
        while let Some(rest) = &mut self.tombstones {
            let page = repositories.tombstones();
            let mut page = page.page(rest.since, &rest.last, BATCH as u64).await?;
            match page.last() {
                Some(last) if page.len() == BATCH => rest.last.clone_from(&last.uid),
                _ => self.tombstones = None,
            }
            page.retain(|one| one.matches(&self.filter));
            let listed = listed(&page, &self.visibility, repositories).await?;
            page.retain(|one| !listed.contains(&one.uid));
            if !page.is_empty() {
                return Ok(Some(page.into_iter().map(item).collect()));
            }
        }
        Ok(None)
    }
}

/// The item of the tombstone of an event that the caller may not list, if files show it.
pub(super) async fn withdrawn(
    key: &RecordKey<Event>,
    since: Timestamp,
    visibility: &Visibility,
    repositories: &dyn Repositories,
) -> Result<Option<FeedItem>, AppError> {
    let tombstones = repositories.tombstones();
    let found = match (named(key, repositories).await?, key) {
        (Some(id), _) => tombstones.find(id).await?,
        (None, RecordKey::Slug(slug)) => tombstones.find_by_slug(slug).await?,
        (None, _) => None,
    };
    let Some(found) = found.filter(|one| one.ended >= since) else {
        return Ok(None);
    };
    let found = [found];
    let listed = listed(&found, visibility, repositories).await?;
    let mut hidden = found.into_iter().filter(|one| !listed.contains(&one.uid));
    Ok(hidden.next().map(item))
}

/// The ID of the event that a key names.
async fn named(
    key: &RecordKey<Event>,
    repositories: &dyn Repositories,
) -> Result<Option<EventId>, AppError> {
    Ok(match key {
        RecordKey::Id(id) => Some(*id),
        RecordKey::Slug(_) => {
            let found = Event::locate(repositories, key, false).await?;
            found.and_then(|event| event.id)
        }
        RecordKey::Slot(..) | RecordKey::Unknown => None,
    })
}

/// The UIDs of the withdrawn events that the caller may list nevertheless: those that are public again,
/// and unpublished ones that the caller sees.
async fn listed(
    tombstones: &[Tombstone],
    visibility: &Visibility,
    repositories: &dyn Repositories,
) -> Result<HashSet<String>, AppError> {
    let ids: Vec<_> = tombstones.iter().map(|one| one.event).collect();
    let mut events = repositories.events().find_many(&ids).await?;
    events.retain(|event| visibility.includes(Kind::Event, &Audience::of_entry(&**event)));
    Ok(events
        .into_iter()
        .map(|event| event.content.details.uid)
        .collect())
}

fn item(tombstone: Tombstone) -> FeedItem {
    FeedItem::Tombstone(FeedTombstone {
        uid: tombstone.uid,
        stamp: tombstone.ended,
        start: tombstone.start,
        sequence: tombstone.sequence,
    })
}
