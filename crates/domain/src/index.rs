//! Indexes: the public records of a kind, each with the number of its upcoming events.
//!
//! Upcoming events are the events that the public list of a record holds and that are not over. Records with
//! upcoming events come first, each part in alphabetical order. A record of a tree follows the one above it.
//!
//! ```
//! use events_calendar_domain::{Category, Id, Language, Stored, index::IndexQuery, page::PageRequest, slug::Slug};
//! # use events_calendar_domain::time::Timestamp;
//! # let now = Timestamp::from_seconds(0).unwrap();
//!
//! let category = |id, name: &str, parent: Option<i64>| Stored {
//!     id: Id::from_raw(id),
//!     revision: 1,
//!     content: Category {
//!         parent: parent.map(Id::from_raw),
//!         ..Category::new(name.parse().unwrap(), Slug::normalize(name).unwrap())
//!     },
//! };
//! let all = [category(1, "Film", None), category(2, "Music", None), category(3, "Jazz", Some(2))];
//! let query = IndexQuery { language: Language::English, now, page: PageRequest::new(1, 50, 100) };
//! let index = query.list(&all, |id| if id.get() == 1 { 0 } else { 5 });
//! assert_eq!(index.iter().map(|entry| entry.id.get()).collect::<Vec<_>>(), [2, 3, 1]);
//! ```

use std::collections::HashMap;

use crate::{
    Id, Kind, Language, Record, Stored,
    event::{EventFilter, Window},
    page::PageRequest,
    text::fold,
    time::Timestamp,
};

/// A page of an index.
///
/// ```
/// # use events_calendar_domain::time::Timestamp;
/// # let now = Timestamp::from_seconds(0).unwrap();
/// use events_calendar_domain::{Language, Tag, index::{IndexEntry, IndexQuery}, page::{Page, PageRequest}};
///
/// let query = IndexQuery { language: Language::French, now, page: PageRequest::new(1, 50, 100) };
/// let page: Page<IndexEntry<Tag>> = Page::of(query.list::<Tag>(&[], |_| 0), query.page);
/// assert_eq!(page.total, 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexQuery {
    /// The language of the titles, by which the records are ordered.
    pub language: Language,
    /// The moment of the request.
    pub now: Timestamp,
    /// The page.
    pub page: PageRequest,
}

/// A record of an index.
///
/// ```
/// use events_calendar_domain::{Id, Tag, index::IndexEntry};
/// let entry = IndexEntry { id: Id::<Tag>::from_raw(7), upcoming: 2 };
/// assert!(entry.upcoming > 0);
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct IndexEntry<R> {
    /// The ID of the record.
    pub id: Id<R>,
    /// The number of its upcoming events.
    pub upcoming: u64,
}

impl IndexQuery {
    /// The whole index of some records. `upcoming` returns the number of upcoming events of a record.
    ///
    /// ```
    /// # use events_calendar_domain::time::Timestamp;
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// use events_calendar_domain::{Id, Language, Stored, Tag, index::IndexQuery, page::PageRequest, slug::Slug};
    ///
    /// let tag = |id, name: &str| Stored {
    ///     id: Id::from_raw(id),
    ///     revision: 1,
    ///     content: Tag::new(name.parse().unwrap(), Slug::normalize(name).unwrap()),
    /// };
    /// let query = IndexQuery { language: Language::English, now, page: PageRequest::new(1, 50, 100) };
    /// let index = query.list(&[tag(1, "Quiet"), tag(2, "Loud")], |_| 0);
    /// assert_eq!(index[0].id.get(), 2);
    /// ```
    pub fn list<'a, R: Record>(
        &self,
        records: impl IntoIterator<Item = &'a Stored<R>>,
        upcoming: impl Fn(Id<R>) -> u64,
    ) -> Vec<IndexEntry<R>> {
        let public = records
            .into_iter()
            .filter(|record| record.content.is_published(self.now));
        let mut rows: Vec<_> = public
            .map(|record| {
                let shown = record.clone().localized(self.language);
                let upcoming = upcoming(record.id);
                let key = (
                    upcoming == 0,
                    fold(shown.content.title().as_str()),
                    record.id,
                );
                (key, record.content.above(), upcoming)
            })
            .collect();
        rows.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let counts: HashMap<_, _> = rows.iter().map(|(key, _, count)| (key.2, *count)).collect();
        let tree: Vec<_> = rows.iter().map(|(key, above, _)| (key.2, *above)).collect();
        let entry = |id| IndexEntry {
            id,
            upcoming: counts.get(&id).copied().unwrap_or(0),
        };
        in_tree_order(&tree).into_iter().map(entry).collect()
    }
}

/// The events that are not over at a moment.
///
/// ```
/// # use events_calendar_domain::time::Timestamp;
/// # let now = Timestamp::from_seconds(0).unwrap();
/// let window = events_calendar_domain::index::not_over(now);
/// assert!(!window.holds(now.saturating_add(-60), now));
/// assert!(window.holds(now.saturating_add(-60), now.saturating_add(60)));
/// ```
pub fn not_over(now: Timestamp) -> Window {
    Window {
        end_min: Some(now.saturating_add(1)),
        ..Window::default()
    }
}

/// The filter of the upcoming events of a record; none for an event.
///
/// ```
/// # use events_calendar_domain::time::Timestamp;
/// # let now = Timestamp::from_seconds(0).unwrap();
/// use events_calendar_domain::{EventId, TagId, index::upcoming_of};
///
/// let free = TagId::from_raw(7);
/// assert_eq!(upcoming_of(free, now).unwrap().tags, Some(vec![free]));
/// assert!(upcoming_of(EventId::from_raw(7), now).is_none());
/// ```
pub fn upcoming_of<R: Record>(id: Id<R>, now: Timestamp) -> Option<EventFilter> {
    let mut filter = EventFilter {
        window: not_over(now),
        ..EventFilter::default()
    };
    match R::KIND {
        Kind::Event => return None,
        Kind::Venue => filter.venues = Some(vec![Id::from_raw(id.get())]),
        Kind::Organizer => filter.organizers = Some(vec![Id::from_raw(id.get())]),
        Kind::Category => filter.categories = Some(vec![Id::from_raw(id.get())]),
        Kind::Tag => filter.tags = Some(vec![Id::from_raw(id.get())]),
    }
    Some(filter)
}

/// The records of a tree, each followed by those below it. `rows` are the records, each with the one above it;
/// those that have the same one above them keep their order.
///
/// ```
/// use events_calendar_domain::{CategoryId, index::in_tree_order};
/// let [film, music, jazz] = [1, 2, 3].map(CategoryId::from_raw);
/// let rows = [(jazz, Some(film)), (music, None), (film, None)];
/// assert_eq!(in_tree_order(&rows), [music, film, jazz]);
/// ```
pub fn in_tree_order<R>(rows: &[(Id<R>, Option<Id<R>>)]) -> Vec<Id<R>> {
    let mut below: HashMap<Option<Id<R>>, Vec<Id<R>>> = HashMap::new();
    // The stack returns the last one first.
    for (id, above) in rows.iter().rev() {
        below.entry(*above).or_default().push(*id);
    }
    let mut ordered = Vec::with_capacity(rows.len());
    let mut stack = below.remove(&None).unwrap_or_default();
    while let Some(id) = stack.pop() {
        ordered.push(id);
        stack.extend(below.remove(&Some(id)).unwrap_or_default());
    }
    ordered
}
