//! Feeds: the events of a list as a calendar file, and files of single events.

mod batch;
mod item;
mod pruning;
mod secret;
mod tombstones;
mod version;
mod whole_list;

use std::ops::RangeInclusive;

use domain::{
    Event, EventId, Filter as _, Record, Stored,
    event::{EventFilter, SeriesListing, Tombstone},
    policy::{Caller, Visibility},
    time::{Datelike as _, Timestamp},
};

use self::batch::Batch;
pub(super) use self::version::Changes;
pub use self::{
    secret::{FreshFeed, OpenedFeed, SecretFeedWrite},
    version::FeedVersion,
    whole_list::WholeList,
};
use super::{Calendar, find_readable, view};
use crate::{
    error::AppError,
    event::{EventQuery, EventView},
    feed::{FeedItem, FeedUrls},
    ports::Repositories,
    request::RecordKey,
    resource::Resource as _,
    search_queue::Client,
    write::ReadOptions,
};

/// The number of records that a feed or a table reads at once. More would take more memory, and are
/// hardly faster.
const BATCH: usize = 16;

/// The events of a feed, which are read as it is written.
///
/// ```
/// use events_calendar_app::{event::EventQuery, feed::FeedUrls, test_support::*, write::{NewEvent, ReadOptions}};
/// use domain::{Event, EventId, Image, Role, policy::Caller, time::{Datelike as _, EventTime, Zone, parse_civil}};
///
/// struct Urls;
/// impl FeedUrls for Urls {
///     fn page(&self, _: &Event, id: Option<EventId>) -> String {
///         id.map_or_else(String::new, |id| format!("https://cal.example/?p={id}"))
///     }
///
///     fn image(&self, image: &Image) -> String {
///         format!("https://cal.example/media/{}", image.name)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = InMemoryStore::new();
/// let editor = add_user(&store, "ada", Role::Editor).await;
/// let calendar = calendar(store).await;
/// let start = calendar.now().saturating_add(86_400).civil();
/// let when = EventTime::new(Zone::utc(), start, start, false)?;
/// calendar.create(editor, &NewEvent::builder("Fair".parse()?, when).build()).await?;
///
/// let (all, options) = (EventQuery::default(), ReadOptions::default());
/// let mut feed = calendar.feed(Caller::Anonymous, None, all, true, &options).await?;
/// assert_eq!((feed.len(), feed.is_empty(), feed.subject()), (1, false, None));
/// assert_eq!(*feed.years().end(), calendar.now().civil().year() + 10);
/// let items = calendar.next_items(&mut feed, &Urls).await?.unwrap();
/// assert!(items[0].uid().ends_with("@localhost"));
/// assert!(calendar.next_items(&mut feed, &Urls).await?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Feed {
    visibility: Visibility,
    filter: EventFilter,
    ids: std::vec::IntoIter<EventId>,
    subject: Option<String>,
    /// None if the feed shows none, or all are shown.
    tombstones: Option<tombstones::Rest>,
}

impl Feed {
    /// The number of events and series that are not read yet, without those that were withdrawn.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether all events are read.
    pub fn is_empty(&self) -> bool {
        self.ids.len() == 0
    }

    /// The name of the category, tag, venue or organizer that the feed is about, if it is about one
    /// alone.
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// The years for which the file defines its time zones, besides those of its events: of the window,
    /// if it is bounded on both sides, to ten years ahead at least. A series is in a feed whole, and its
    /// rule goes on behind the window.
    pub fn years(&self) -> RangeInclusive<i32> {
        let window = &self.filter.window;
        let last = window.latest_start();
        let until = last.map_or(self.ahead(), |last| last.max(self.ahead()));
        let from = window.start_min.into_iter().chain(window.end_min).min();
        let from = from.filter(|_| last.is_some()).unwrap_or(until);
        from.civil().year()..=until.civil().year()
    }

    /// The instant up to which occurrences are in the feed.
    fn until(&self) -> Timestamp {
        let last = self.filter.window.latest_start();
        last.map_or(self.ahead(), |last| last.min(self.ahead()))
    }

    fn ahead(&self) -> Timestamp {
        self.visibility.now.saturating_add(AHEAD)
    }
}

/// The time ahead for which occurrences that differ by a change of time are named, in seconds: ten
/// years.
const AHEAD: i64 = 10 * 366 * 86_400;

impl Calendar {
    /// The feed of the events that the caller may list and that match the filters of a list. Events
    /// that repeat are in it by their series. With `shows_tombstones`, events that were public within
    /// the last [`Tombstone::DAYS`] days and that the caller cannot list any more follow at its end.
    ///
    /// # Errors
    ///
    /// [`AppError`]: filters that name a record that does not exist, more events than the
    /// site allows, or too many searches.
    #[tracing::instrument(name = "app.feed", skip_all)]
    pub async fn feed(
        &self,
        caller: Caller,
        client: Client,
        query: EventQuery,
        shows_tombstones: bool,
        options: &ReadOptions,
    ) -> Result<Feed, AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.bulk_reads().await?;
        let filter = EventFilter {
            series: SeriesListing::Series,
            ..Event::look_up(query, &request, &*reads).await?
        };
        let visibility = request.visibility();
        let client = searches(&filter).then_some(client);
        let ids = self
            .whole_ids::<Event>(&*reads, client, &visibility, &filter)
            .await?;
        let subject = subject(&filter, &visibility, &*reads).await?;
        let tombstones = shows_tombstones.then(|| tombstones::Rest {
            since: Tombstone::shown_since(&self.site.zone, visibility.now),
            last: String::new(),
        });
        Ok(Feed {
            visibility,
            filter,
            ids: ids.into_iter(),
            subject,
            tombstones,
        })
    }

    /// Reads the next items of a feed; none after the last one. Events that were withdrawn since the
    /// feed began are left out.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn next_items(
        &self,
        feed: &mut Feed,
        urls: &dyn FeedUrls,
    ) -> Result<Option<Vec<FeedItem>>, AppError> {
        let until = feed.until();
        let ids: Vec<_> = feed.ids.by_ref().take(BATCH).collect();
        let reads = self.store.bulk_reads().await?;
        if ids.is_empty() {
            return feed.next_tombstones(&*reads).await;
        }
        let batch = Batch {
            visibility: &feed.visibility,
            filter: &feed.filter,
            repositories: &*reads,
            until,
        };
        batch.items(&ids, urls).await.map(Some)
    }

    /// One event as the item of a calendar file, with its view. A series is the item of all its
    /// occurrences. An event that was public within the last [`Tombstone::DAYS`] days, and that the
    /// caller may neither read nor list, has no view.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::ReadOptions};
    /// use domain::{EventId, policy::Caller};
    /// # use events_calendar_app::{feed::FeedUrls, test_support::{InMemoryStore, calendar}};
    /// # use domain::{Event, Image};
    /// # struct Urls;
    /// # impl FeedUrls for Urls {
    /// #     fn page(&self, _: &Event, _: Option<EventId>) -> String { String::new() }
    /// #     fn image(&self, _: &Image) -> String { String::new() }
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let calendar = calendar(InMemoryStore::new()).await;
    /// let (key, options) = (EventId::from_raw(7).into(), ReadOptions::default());
    /// let file = calendar.event_item(Caller::Anonymous, key, &options, &Urls).await;
    /// assert!(matches!(file, Err(AppError::NotFound(_))));
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Calendar::get`].
    #[tracing::instrument(name = "app.event_item", skip_all)]
    pub async fn event_item(
        &self,
        caller: Caller,
        key: RecordKey<Event>,
        options: &ReadOptions,
        urls: &dyn FeedUrls,
    ) -> Result<(FeedItem, Option<EventView>), AppError> {
        let request = self.request_with(caller, options);
        let reads = self.store.reads().await?;
        let repositories = &*reads;
        let visibility = request.visibility();
        let record = match find_readable::<Event>(repositories, &key, &visibility).await {
            Ok(record) => record,
            Err(refused @ AppError::Store(_)) => return Err(refused),
            Err(refused) => {
                let since = Tombstone::shown_since(&self.site.zone, visibility.now);
                let item = tombstones::withdrawn(&key, since, &visibility, repositories);
                return item.await?.map(|item| (item, None)).ok_or(refused);
            }
        };
        let request = request.about(&key, &record.content);
        let shown: EventView = view(repositories, &request, record, None).await?;
        let filter = EventFilter::default();
        let batch = Batch {
            visibility: &visibility,
            filter: &filter,
            repositories,
            until: visibility.now.saturating_add(AHEAD),
        };
        let item = batch.item(shown.clone(), urls).await?;
        Ok((item, Some(shown)))
    }

    /// Whether an event that nobody may list now was public within the last [`Tombstone::DAYS`] days.
    ///
    /// # Errors
    ///
    /// If the store cannot answer.
    pub async fn is_withdrawn(&self, key: RecordKey<Event>) -> Result<bool, AppError> {
        let options = ReadOptions::default();
        let request = self.request_with(Caller::Anonymous, &options);
        let reads = self.store.reads().await?;
        let visibility = request.visibility();
        let since = Tombstone::shown_since(&self.site.zone, visibility.now);
        let found = tombstones::withdrawn(&key, since, &visibility, &*reads);
        Ok(found.await?.is_some())
    }
}

/// Whether the list of a feed waits in the queue of searches.
fn searches(filter: &EventFilter) -> bool {
    let plain = EventFilter {
        series: SeriesListing::Occurrences,
        ..filter.clone()
    };
    plain.scans()
}

/// The name of the only category, tag, venue or organizer that a filter names.
async fn subject(
    filter: &EventFilter,
    visibility: &Visibility,
    repositories: &dyn Repositories,
) -> Result<Option<String>, AppError> {
    fn only<T: Copy>(ids: Option<&Vec<T>>) -> Option<T> {
        match ids?[..] {
            [id] => Some(id),
            _ => None,
        }
    }
    let count = |ids: Option<usize>| ids.unwrap_or_default();
    let named = count(filter.categories.as_ref().map(Vec::len))
        + count(filter.tags.as_ref().map(Vec::len))
        + count(filter.venues.as_ref().map(Vec::len))
        + count(filter.organizers.as_ref().map(Vec::len));
    if named != 1 {
        return Ok(None);
    }
    let name = if let Some(id) = only(filter.categories.as_ref()) {
        title(repositories.categories().find(id).await?, visibility)
    } else if let Some(id) = only(filter.tags.as_ref()) {
        title(repositories.tags().find(id).await?, visibility)
    } else if let Some(id) = only(filter.venues.as_ref()) {
        title(repositories.venues().find(id).await?, visibility)
    } else if let Some(id) = only(filter.organizers.as_ref()) {
        title(repositories.organizers().find(id).await?, visibility)
    } else {
        None
    };
    Ok(name)
}

fn title<R: Record>(record: Option<Stored<R>>, visibility: &Visibility) -> Option<String> {
    let shown = record?.localized(visibility.language);
    Some(shown.title().as_str().to_owned())
}
