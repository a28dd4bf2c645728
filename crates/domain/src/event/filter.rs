//! Filters and sort orders of lists of events.

use std::{cmp::Ordering, collections::HashSet};

use super::Window;
use crate::{
    Category, CategoryId, Event, EventId, Filter, OrganizerId, Stored, TagId, UserId, Venue,
    VenueId,
    geo::Circle,
    place::LinkedEvents,
    policy::{Guarded, Visibility},
    query::Statuses,
    search::Search,
    text::fold,
    time::Timestamp,
};

named_enum! {
    /// The sort key of a list of events. Ties are broken by ID, in the same direction.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum EventSort, name {
        /// Start.
        #[default]
        Start = "start_date",
        /// End.
        End = "end_date",
        /// Publication date.
        Date = "date",
        /// Time of the last change.
        Modified = "modified",
        /// Folded title.
        Title = "title",
        /// ID alone.
        Id = "id",
    }
}

/// The filter and the sort order of a list of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Included statuses.
    pub statuses: Statuses,
    /// Only these; also hidden events that the caller may edit.
    pub include: Option<Vec<EventId>>,
    /// Also hidden events that the caller may edit.
    pub with_hidden: bool,
    /// By this author.
    pub author: Option<UserId>,
    /// Bounds of the event's time.
    pub window: Window,
    /// Last changed after this time.
    pub modified_after: Option<Timestamp>,
    /// Last changed before this time.
    pub modified_before: Option<Timestamp>,
    /// Words in title, excerpt and description.
    pub search: Search,
    /// In at least one of these categories or their descendants.
    pub categories: Option<Vec<CategoryId>>,
    /// With at least one of these tags.
    pub tags: Option<Vec<TagId>>,
    /// At one of these venues.
    pub venues: Option<Vec<VenueId>>,
    /// By at least one of these organizers.
    pub organizers: Option<Vec<OrganizerId>>,
    /// Featured or not.
    pub featured: Option<bool>,
    /// With or without a venue whose position is known.
    pub located: Option<bool>,
    /// At a venue within this circle.
    pub near: Option<Circle>,
    /// At a venue in one of these cities, each [folded](fold), as the reader's language names them.
    pub cities: Option<Vec<String>>,
    /// With or without tickets.
    pub ticketed: Option<bool>,
    /// [Free](crate::event::EventDetails::is_free), or all others.
    pub free: Option<bool>,
    /// Part of this event: a sub-event, or an occurrence of this series.
    pub parent: Option<EventId>,
    /// How the list shows the events that repeat.
    pub series: SeriesListing,
    /// The sort key.
    pub sort: EventSort,
    /// Descending order.
    pub descending: bool,
}

named_enum! {
    /// How a list shows the events that repeat.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SeriesListing, name {
        /// By all occurrences that match.
        #[default]
        Occurrences = "occurrences",
        /// By the first occurrence of each series that matches, by start and ID.
        First = "first",
        /// By the record of each series, once, if one of its occurrences matches.
        Series = "series",
    }
}

impl Filter for EventFilter {
    fn scans(&self) -> bool {
        let Self {
            statuses: _,
            include: _,
            with_hidden: _,
            author,
            window: _,
            modified_after,
            modified_before,
            search,
            categories: _,
            tags: _,
            venues: _,
            organizers: _,
            featured,
            located,
            near: _,
            cities: _,
            ticketed,
            free,
            parent: _,
            series,
            sort,
            descending: _,
        } = self;
        author.is_some()
            || modified_after.is_some()
            || modified_before.is_some()
            || !search.is_empty()
            || featured.is_some()
            || located.is_some()
            || ticketed.is_some()
            || free.is_some()
            || *series != SeriesListing::Occurrences
            || *sort != EventSort::Start
    }

    fn latest_start(&self) -> Option<Timestamp> {
        let last = || self.window.latest_start().unwrap_or(Timestamp::MAX);
        self.include.is_none().then(last)
    }
}

impl EventFilter {
    /// Whether the list includes this event for this caller.
    ///
    /// A list holds the occurrences of a series. It holds the series itself if it includes its ID.
    ///
    /// Content that a password locks cannot be searched: for a locked event, the search uses the
    /// title only, and the filters by linked records exclude the event. `venue` is the venue of the
    /// event; a venue that the caller does not see does not count. An event does not know the tree
    /// of categories: the filter names descendants, see [`EventFilter::with_descendants`].
    ///
    /// ```
    /// # use events_calendar_domain::{event::{*, EventFilter}, *, policy::*, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// # let mut content = Entry::new(UserId::from_raw(1), "River cleanup".parse::<Title>()?, details, now);
    /// # content.move_to(Status::Publish, now);
    /// # let event = Stored { id: EventId::from_raw(1), revision: 1, content };
    /// let anybody = Visibility::new(Caller::Anonymous, now);
    /// assert!(EventFilter::default().matches(&event, None, &anybody));
    /// let featured = EventFilter { featured: Some(true), ..EventFilter::default() };
    /// assert!(!featured.matches(&event, None, &anybody));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches(
        &self,
        event: &Stored<Event>,
        venue: Option<&Venue>,
        visibility: &Visibility,
    ) -> bool {
        let Self {
            statuses,
            include,
            window,
            modified_after,
            modified_before,
            search,
            sort: _,
            descending: _,
            ..
        } = self;
        let details = &event.details;
        let may_list = !details.hide_from_listings
            || (self.includes_hidden() && visibility.caller.may_edit(event));
        let open = visibility.opens(event);
        (event.series().is_none() || include.is_some())
            && event.is_visible(visibility)
            && statuses.hold(event.status(visibility.now))
            && may_list
            && include.as_ref().is_none_or(|ids| ids.contains(&event.id))
            && self.author.is_none_or(|author| author == event.author)
            && window.holds(details.when.start().utc, details.when.end().utc)
            && modified_after.is_none_or(|after| after < event.modified)
            && modified_before.is_none_or(|before| event.modified < before)
            && search.matches(&searched_text(event, open))
            && (!self.asks_for_content()
                || (open && self.matches_content(event) && self.matches_venue(venue, visibility)))
    }

    /// The same filter, which also names the descendants of its categories.
    ///
    /// ```
    /// # use events_calendar_domain::{*, event::EventFilter, slug::Slug, text::Title};
    /// # let category = |id, name: &str, parent| {
    /// #     let (title, slug) = (name.parse::<Title>().unwrap(), Slug::normalize(name).unwrap());
    /// #     let content = Category { parent, ..Category::new(title, slug) };
    /// #     Stored { id: CategoryId::from_raw(id), revision: 1, content }
    /// # };
    /// let music = category(1, "Music", None);
    /// let jazz = category(2, "Jazz", Some(music.id));
    /// let filter = EventFilter { categories: Some(vec![music.id]), ..EventFilter::default() };
    /// let filter = filter.with_descendants([&music, &jazz]);
    /// assert_eq!(filter.categories, Some(vec![music.id, jazz.id]));
    /// ```
    #[must_use]
    pub fn with_descendants<'a>(
        mut self,
        categories: impl IntoIterator<Item = &'a Stored<Category>>,
    ) -> Self {
        let Some(named) = &mut self.categories else {
            return self;
        };
        let tree: Vec<_> = categories.into_iter().collect();
        let mut looked_below = 0;
        while let Some(&above) = named.get(looked_below) {
            looked_below += 1;
            for category in &tree {
                if category.parent == Some(above) && !named.contains(&category.id) {
                    named.push(category.id);
                }
            }
        }
        self
    }

    /// The list for a caller: the events that match, localized, in their order. `venue` finds a
    /// venue.
    ///
    /// A store may compute the list in any way with this result.
    ///
    /// ```
    /// # use events_calendar_domain::{event::*, policy::*, search::Search, text::Title, time::*, *};
    /// # let now = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// # let zone = "Europe/Paris".parse::<Zone>()?;
    /// # let event = |id, title: &str, day| {
    /// #     let start = parse_date(day, &zone, now).unwrap();
    /// #     let when = EventTime::between(zone.clone(), start, start, false).unwrap();
    /// #     let details = EventDetails::new(when, format!("{id}@cal.example"));
    /// #     let title = title.parse::<Title>().unwrap();
    /// #     let mut content = Entry::new(UserId::from_raw(1), title, details, now);
    /// #     content.move_to(Status::Publish, now);
    /// #     Stored { id: EventId::from_raw(id), revision: 1, content }
    /// # };
    /// let events = [
    ///     event(1, "Jazz in the park", "2027-06-12 20:00"),
    ///     event(2, "River cleanup", "2027-04-17 09:00"),
    ///     event(3, "Jazz brunch", "2027-05-01 11:00"),
    /// ];
    /// let filter = EventFilter { search: Search::parse("jazz"), ..EventFilter::default() };
    /// let anybody = Visibility::new(Caller::Anonymous, now);
    /// let list = filter.list(&events, |_| None, &anybody);
    /// let titles = list.iter().map(|event| event.title.as_str());
    /// assert!(titles.eq(["Jazz brunch", "Jazz in the park"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list<'a>(
        &self,
        events: impl IntoIterator<Item = &'a Stored<Event>>,
        venue: impl Fn(VenueId) -> Option<&'a Venue>,
        visibility: &Visibility,
    ) -> Vec<Stored<Event>> {
        let events = events.into_iter().cloned();
        let shown = events.map(|event| event.localized(visibility.language));
        let (series, mut list): (Vec<_>, Vec<_>) = shown
            .filter(|event| {
                let venue = event.details.venue.and_then(&venue);
                let lists_series = self.series == SeriesListing::Series && self.include.is_none();
                lists_series && event.series().is_some() || self.matches(event, venue, visibility)
            })
            .partition(|event| event.series().is_some() && self.include.is_none());
        if self.series != SeriesListing::Occurrences {
            list.sort_by_key(|event| (event.details.when.start().utc, event.id));
            let mut seen = HashSet::new();
            list.retain(|event| event.occurrence().is_none_or(|one| seen.insert(one.series)));
            if self.series == SeriesListing::Series && self.include.is_none() {
                list.retain(|event| event.occurrence().is_none());
                list.extend(series.into_iter().filter(|one| seen.contains(&one.id)));
            }
        }
        list.sort_by(|a, b| self.compare(a, b));
        list
    }

    /// Whether the list has hidden events that the caller may edit.
    ///
    /// ```
    /// use events_calendar_domain::event::EventFilter;
    /// assert!(!EventFilter::default().includes_hidden());
    /// assert!(EventFilter { with_hidden: true, ..EventFilter::default() }.includes_hidden());
    /// ```
    pub const fn includes_hidden(&self) -> bool {
        self.include.is_some() || self.with_hidden
    }

    /// Whether a filter depends on content that a password locks.
    ///
    /// ```
    /// use events_calendar_domain::event::EventFilter;
    /// assert!(!EventFilter::default().asks_for_content());
    /// ```
    pub fn asks_for_content(&self) -> bool {
        self.categories.is_some()
            || self.tags.is_some()
            || self.venues.is_some()
            || self.organizers.is_some()
            || self.featured.is_some()
            || self.located.is_some()
            || self.near.is_some()
            || self.cities.is_some()
            || self.ticketed.is_some()
            || self.free.is_some()
            || self.parent.is_some()
    }

    fn matches_venue(&self, venue: Option<&Venue>, visibility: &Visibility) -> bool {
        let venue = venue.filter(|venue| venue.is_linkable(visibility));
        let position = venue.and_then(|venue| venue.details.position);
        let is_there = |cities: &Vec<String>| {
            let city = venue.map(|venue| fold(venue.shown_city(visibility.language)));
            city.is_some_and(|city| cities.contains(&city))
        };
        self.located
            .is_none_or(|located| located == position.is_some())
            && self
                .near
                .is_none_or(|near| position.is_some_and(|place| near.holds(place)))
            && self.cities.as_ref().is_none_or(is_there)
    }

    fn matches_content(&self, event: &Event) -> bool {
        let details = &event.details;
        any_of(self.categories.as_ref(), &details.categories)
            && any_of(self.tags.as_ref(), &details.tags)
            && any_of(self.venues.as_ref(), details.venue.as_slice())
            && any_of(self.organizers.as_ref(), &details.organizers)
            && self
                .featured
                .is_none_or(|featured| featured == details.featured)
            && self
                .ticketed
                .is_none_or(|ticketed| ticketed != details.tickets.is_empty())
            && self.free.is_none_or(|free| free == details.is_free())
            && self.parent.is_none_or(|parent| {
                let series = event.occurrence().map(|one| one.series);
                details.parent == Some(parent) || series == Some(parent)
            })
    }

    /// Compares two events by the sort order.
    ///
    /// ```
    /// # use events_calendar_domain::{event::{*, EventFilter}, *, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// # let content = Entry::new(UserId::from_raw(1), "River cleanup".parse::<Title>()?, details, now);
    /// let first = Stored { id: EventId::from_raw(1), revision: 1, content };
    /// let second = Stored { id: EventId::from_raw(2), ..first.clone() };
    /// assert!(EventFilter::default().compare(&first, &second).is_lt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(&self, a: &Stored<Event>, b: &Stored<Event>) -> Ordering {
        let order = match self.sort {
            EventSort::Start => a.details.when.start().utc.cmp(&b.details.when.start().utc),
            EventSort::End => a.details.when.end().utc.cmp(&b.details.when.end().utc),
            EventSort::Date => a.date.cmp(&b.date),
            EventSort::Modified => a.modified.cmp(&b.modified),
            EventSort::Title => fold(a.title.as_str()).cmp(&fold(b.title.as_str())),
            EventSort::Id => Ordering::Equal,
        };
        let order = order.then(a.id.cmp(&b.id));
        if self.descending {
            order.reverse()
        } else {
            order
        }
    }
}

/// Whether an event counts for the venues and organizers that it names: the caller may list
/// it, and no password locks its links.
///
/// ```
/// # use events_calendar_domain::{event::{*, counts_for_links}, *, policy::*, text::Title, time::*};
/// # let now = Timestamp::from_seconds(0).unwrap();
/// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
/// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
/// let draft = Entry::new(UserId::from_raw(1), "River cleanup".parse::<Title>()?, details, now);
/// assert!(!counts_for_links(&draft, &Visibility::new(Caller::Anonymous, now)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn counts_for_links(event: &Event, visibility: &Visibility) -> bool {
    event.is_linkable(visibility) && !event.details.hide_from_listings && visibility.opens(event)
}

/// Whether a venue or an organizer has events that the caller may list; `events` are those that
/// name it.
///
/// ```
/// # use events_calendar_domain::{event::{*, linked_events}, *, policy::*, text::Title, time::*};
/// # let now = Timestamp::from_seconds(0).unwrap();
/// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
/// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
/// let mut event = Entry::new(UserId::from_raw(1), "River cleanup".parse::<Title>()?, details, now);
/// let anybody = Visibility::new(Caller::Anonymous, now);
/// assert!(!linked_events([&event], &anybody).any);
/// event.move_to(Status::Publish, now);
/// assert!(linked_events([&event], &anybody).upcoming);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linked_events<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    visibility: &Visibility,
) -> LinkedEvents {
    let mut linked = LinkedEvents::default();
    for event in events {
        if counts_for_links(event, visibility) {
            linked.any = true;
            // The start of a series is that of its first slot, which may be deleted.
            linked.upcoming |=
                event.series().is_none() && event.details.when.start().utc >= visibility.now;
        }
    }
    linked
}

/// The folded text that a search uses: all texts of an open event, the title of a locked one.
fn searched_text(event: &Event, open: bool) -> String {
    if open {
        event.folded_fields().join("\n")
    } else {
        fold(event.title.as_str())
    }
}

/// Whether one of the present values is wanted, or a filter does not ask.
pub(super) fn any_of<T: PartialEq>(wanted: Option<&Vec<T>>, present: &[T]) -> bool {
    wanted.is_none_or(|wanted| present.iter().any(|one| wanted.contains(one)))
}
