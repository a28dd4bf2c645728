//! The versions of feeds.

use domain::{
    event::Window,
    policy::{Caller, Reach, Visibility},
    time::{NaiveDate, Timestamp},
};

use crate::{
    calendar::Calendar, error::AppError, event::EventQuery, ports::JournalCursor,
    write::ReadOptions,
};

/// The state on which a feed depends, besides its address, its caller and the settings. While two versions are
/// equal, the feed is the same.
///
/// ```
/// use events_calendar_app::{calendar::FeedVersion, event::EventQuery, ports::StoreError, write::ReadOptions, test_support::{InMemoryStore, calendar, in_unit, tag}};
/// use domain::policy::Caller;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let calendar = calendar(store.clone()).await;
/// let (caller, all, options) = (Caller::Anonymous, EventQuery::default(), ReadOptions::default());
/// let before: FeedVersion = calendar.feed_version(caller, &all, &options).await?;
/// assert_eq!(calendar.feed_version(caller, &all, &options).await?, before);
/// in_unit(&store, async |unit| tag("Loud").insert(unit).await).await;
/// assert_ne!(calendar.feed_version(caller, &all, &options).await?, before);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedVersion {
    /// The place behind the last entry of the journal that the caller could see.
    pub last: JournalCursor,
    /// The latest scheduled publication that took effect.
    pub due: Option<Timestamp>,
    /// The day of today, in the zone of the site.
    pub day: NaiveDate,
    /// The window of events, which dates such as `now` move within a day.
    pub window: Window,
    /// The bounds of the last change, which such dates move, too.
    pub modified: [Option<Timestamp>; 2],
}

/// The part of versions that is read from the store.
pub(in crate::calendar) type Changes = (JournalCursor, Option<Timestamp>);

impl Calendar {
    /// The version of a feed for a caller. It covers every write acknowledged before.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn feed_version(
        &self,
        caller: Caller,
        EventQuery { filter, .. }: &EventQuery,
        options: &ReadOptions,
    ) -> Result<FeedVersion, AppError> {
        let request = self.request_with(caller, options);
        let (last, due) = self.last_changes(&request.visibility()).await?;
        Ok(FeedVersion {
            last,
            due,
            day: self.site.zone.at(request.now).local.date(),
            window: filter.window,
            modified: [filter.modified_after, filter.modified_before],
        })
    }

    /// The last changes that a caller could notice. They cover every write acknowledged before.
    pub(in crate::calendar) async fn last_changes(
        &self,
        visibility: &Visibility,
    ) -> Result<Changes, AppError> {
        let (journal, reach) = (self.store.journal(), visibility.greatest_reach());
        if reach != Reach::Published {
            let last = journal.last_visible(reach).await?;
            return Ok((last, journal.last_due(self.now(), reach).await?));
        }
        // The epoch is read first: changes that are cached for it have every write before it.
        let epoch = self.cache_epoch().await?;
        if let Some(changes) = epoch.and_then(|epoch| self.public_feeds.get(epoch)) {
            return Ok(changes);
        }
        let last = journal.last_visible(reach).await?;
        let changes = (last, journal.last_due(self.now(), reach).await?);
        if let Some(epoch) = epoch {
            self.public_feeds.set(epoch, changes);
        }
        Ok(changes)
    }
}
