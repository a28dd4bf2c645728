//! What the filters of lists mean, without a database.
//!
//! [`EventFilter::matches`] and its like say which records a list holds, the `compare` functions in
//! which order: a store may get there in any way, but to the same result. They are to be asked of
//! records as the reader sees them, that is [shown in](crate::Record::shown_in) the language of the
//! [`Visibility`].

use std::cmp::Ordering;

use crate::{
    CategoryId, Entry, Event, EventId, Id, OrganizerId, Record, Stage, Status, Stored, TagId, Term,
    Venue, VenueId,
    entry::{Details, EntryId},
    geo::Circle,
    page::PageRequest,
    policy::Visibility,
    search::{FieldSearch, Search, Searchable},
    slug::Slug,
    term::Taxonomy,
    text::fold,
    time::Timestamp,
};

/// A list that somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query<F> {
    /// Who asks, when, and in which language.
    pub visibility: Visibility,
    /// What the list is narrowed and ordered by.
    pub filter: F,
    /// Which page of it.
    pub page: PageRequest,
}

/// Which statuses a list holds; none named: all but the trash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses(pub Option<Vec<Status>>);

impl Statuses {
    /// Whether an entry with this status is held.
    ///
    /// ```
    /// use domain::{Status, query::Statuses};
    /// assert!(!Statuses::default().hold(Status::Trash));
    /// assert!(Statuses(Some(vec![Status::Trash])).hold(Status::Trash));
    /// ```
    pub fn hold(&self, status: Status) -> bool {
        match &self.0 {
            None => status != Status::Trash,
            Some(named) => named.contains(&status),
        }
    }
}

/// Bounds of when an event starts and ends, all inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Earliest start.
    pub start_min: Option<Timestamp>,
    /// Latest start.
    pub start_max: Option<Timestamp>,
    /// Earliest end.
    pub end_min: Option<Timestamp>,
    /// Latest end.
    pub end_max: Option<Timestamp>,
}

impl Window {
    /// Whether an event with this start and end lies within.
    ///
    /// ```
    /// use domain::{query::Window, time::Timestamp};
    /// let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// let window = Window { start_min: Some(at(10)), end_max: Some(at(20)), ..Window::default() };
    /// assert!(window.holds(at(10), at(20)));
    /// assert!(!window.holds(at(9), at(20)));
    /// ```
    pub fn holds(&self, start: Timestamp, end: Timestamp) -> bool {
        let within = |moment, min: Option<Timestamp>, max: Option<Timestamp>| {
            min.is_none_or(|min| min <= moment) && max.is_none_or(|max| moment <= max)
        };
        within(start, self.start_min, self.start_max) && within(end, self.end_min, self.end_max)
    }
}

/// What a list of events is ordered by; equal ones by ID in the same direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventSort {
    /// Moment of the start.
    #[default]
    Start,
    /// Moment of the end.
    End,
    /// Publication date.
    Date,
    /// Last change.
    Modified,
    /// Folded title.
    Title,
    /// ID alone.
    Id,
}

/// What a list of events is narrowed and ordered by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Held statuses.
    pub statuses: Statuses,
    /// Only these; hidden ones too, for who may edit them.
    pub include: Option<Vec<EventId>>,
    /// When it happens.
    pub window: Window,
    /// Changed last after this moment.
    pub modified_after: Option<Timestamp>,
    /// Changed last before this moment.
    pub modified_before: Option<Timestamp>,
    /// Words in title, excerpt or description.
    pub search: Search,
    /// In at least one of these; descendants are to be listed too.
    pub categories: Option<Vec<CategoryId>>,
    /// With at least one of these.
    pub tags: Option<Vec<TagId>>,
    /// At one of these.
    pub venues: Option<Vec<VenueId>>,
    /// By at least one of these.
    pub organizers: Option<Vec<OrganizerId>>,
    /// Featured, or not featured.
    pub featured: Option<bool>,
    /// At a venue whose position is known, or not.
    pub located: Option<bool>,
    /// At a venue within.
    pub near: Option<Circle>,
    /// With tickets, or without.
    pub ticketed: Option<bool>,
    /// Part of this event.
    pub parent: Option<EventId>,
    /// The order.
    pub sort: EventSort,
    /// From last to first.
    pub descending: bool,
}

impl EventFilter {
    /// Whether the list holds this event for this reader.
    ///
    /// Content that a password locks cannot be found: of such an event the search knows the title
    /// only, and the filters by what it is linked to leave it out. `venue` is that of the event; one
    /// that the reader does not see there is no venue.
    ///
    /// ```
    /// # use domain::{event::*, *, policy::*, query::EventFilter, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// # let mut content = Entry::new(UserId::from_raw(1), Title::parse("River cleanup")?, details, now);
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
        let may_list =
            !details.hide_from_listings || (include.is_some() && visibility.caller.may_edit(event));
        let open = visibility.opens(event);
        visibility.sees(event)
            && statuses.hold(event.status(visibility.now))
            && may_list
            && include.as_ref().is_none_or(|ids| ids.contains(&event.id))
            && window.holds(details.when.start().utc, details.when.end().utc)
            && modified_after.is_none_or(|after| after < event.modified)
            && modified_before.is_none_or(|before| event.modified < before)
            && search.matches(&searched_text(event, open))
            && (!self.asks_for_content()
                || (open && self.matches_content(event) && self.matches_venue(venue, visibility)))
    }

    /// Whether one of the filters asks for what a password locks.
    ///
    /// ```
    /// use domain::query::EventFilter;
    /// assert!(!EventFilter::default().asks_for_content());
    /// ```
    pub fn asks_for_content(&self) -> bool {
        let Self {
            categories,
            tags,
            venues,
            organizers,
            featured,
            located,
            near,
            ticketed,
            parent,
            ..
        } = self;
        categories.is_some()
            || tags.is_some()
            || venues.is_some()
            || organizers.is_some()
            || featured.is_some()
            || located.is_some()
            || near.is_some()
            || ticketed.is_some()
            || parent.is_some()
    }

    fn matches_venue(&self, venue: Option<&Venue>, visibility: &Visibility) -> bool {
        let position = venue
            .filter(|venue| visibility.links(venue))
            .and_then(|venue| venue.details.position);
        self.located
            .is_none_or(|located| located == position.is_some())
            && self
                .near
                .is_none_or(|near| position.is_some_and(|place| near.holds(place)))
    }

    fn matches_content(&self, event: &Event) -> bool {
        let Self {
            categories,
            tags,
            venues,
            organizers,
            featured,
            ticketed,
            parent,
            ..
        } = self;
        let details = &event.details;
        any_of(categories.as_ref(), &details.categories)
            && any_of(tags.as_ref(), &details.tags)
            && any_of(venues.as_ref(), details.venue.as_slice())
            && any_of(organizers.as_ref(), &details.organizers)
            && featured.is_none_or(|featured| featured == details.featured)
            && ticketed.is_none_or(|ticketed| ticketed != details.tickets.is_empty())
            && parent.is_none_or(|parent| details.parent == Some(parent))
    }

    /// Which of two events comes first.
    ///
    /// ```
    /// # use domain::{event::*, *, query::EventFilter, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
    /// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
    /// # let content = Entry::new(UserId::from_raw(1), Title::parse("River cleanup")?, details, now);
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

/// The text in which the search looks: all of an open event, the title of a locked one.
fn searched_text(event: &Event, open: bool) -> String {
    if open {
        event.folded_fields().join("\n")
    } else {
        fold(event.title.as_str())
    }
}

fn any_of<T: PartialEq>(wanted: Option<&Vec<T>>, present: &[T]) -> bool {
    wanted.is_none_or(|wanted| present.iter().any(|one| wanted.contains(one)))
}

/// What a list of venues or organizers is narrowed by. The newest publication comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceFilter<D> {
    /// Held statuses.
    pub statuses: Statuses,
    /// Words in a field.
    pub search: Option<FieldSearch>,
    /// Only these.
    pub include: Option<Vec<EntryId<D>>>,
    /// With, or without, an event that the reader may list.
    pub has_events: Option<bool>,
    /// Only with an event that the reader may list and that starts now or later.
    pub only_with_upcoming: bool,
}

// Written by hand: a derive would ask for `D: Default`.
impl<D> Default for PlaceFilter<D> {
    fn default() -> Self {
        Self {
            statuses: Statuses::default(),
            search: None,
            include: None,
            has_events: None,
            only_with_upcoming: false,
        }
    }
}

/// What a reader may know of the events of a venue or an organizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkedEvents {
    /// There is one that the reader may list.
    pub any: bool,
    /// There is one that the reader may list and that starts now or later.
    pub upcoming: bool,
}

impl<D: Details> PlaceFilter<D> {
    /// Whether the list holds this venue or organizer for this reader.
    ///
    /// ```
    /// # use domain::{*, policy::*, query::*, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let mut content = Entry::new(UserId::from_raw(1), Title::parse("Old Mill")?, VenueDetails::default(), now);
    /// # content.move_to(Status::Publish, now);
    /// # let venue = Stored { id: VenueId::from_raw(1), revision: 1, content };
    /// let anybody = Visibility::new(Caller::Anonymous, now);
    /// assert!(PlaceFilter::default().matches(&venue, &anybody, LinkedEvents::default()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches(
        &self,
        place: &Stored<Entry<D>>,
        visibility: &Visibility,
        events: LinkedEvents,
    ) -> bool {
        let Self {
            statuses,
            search,
            include,
            has_events,
            only_with_upcoming,
        } = self;
        visibility.sees(place)
            && statuses.hold(place.status(visibility.now))
            && include.as_ref().is_none_or(|ids| ids.contains(&place.id))
            && search
                .as_ref()
                .is_none_or(|search| search.matches(&place.folded_fields()))
            && has_events.is_none_or(|wanted| wanted == events.any)
            && (!only_with_upcoming || events.upcoming)
    }

    /// Which of two comes first.
    ///
    /// ```
    /// # use domain::{*, query::*, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let content = Entry::new(UserId::from_raw(1), Title::parse("Old Mill")?, VenueDetails::default(), now);
    /// let first = Stored { id: VenueId::from_raw(1), revision: 1, content };
    /// let second = Stored { id: VenueId::from_raw(2), ..first.clone() };
    /// assert!(PlaceFilter::compare(&second, &first).is_lt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(a: &Stored<Entry<D>>, b: &Stored<Entry<D>>) -> Ordering {
        b.date.cmp(&a.date).then(b.id.cmp(&a.id))
    }
}

/// Whether an event counts for the venues, organizers and terms that it names: the reader may list
/// it, and no password locks what it names.
///
/// ```
/// # use domain::{event::*, *, policy::*, query::counts_for_links, text::Title, time::*};
/// # let now = Timestamp::from_seconds(0).unwrap();
/// # let noon = parse_civil("2027-04-17 12:00:00").unwrap();
/// # let details = EventDetails::new(EventTime::new(Zone::utc(), noon, noon, false)?, "a@b".into());
/// let draft = Entry::new(UserId::from_raw(1), Title::parse("River cleanup")?, details, now);
/// assert!(!counts_for_links(&draft, &Visibility::new(Caller::Anonymous, now)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn counts_for_links(event: &Event, visibility: &Visibility) -> bool {
    visibility.sees(event)
        && event.stage != Stage::Trashed
        && !event.details.hide_from_listings
        && visibility.opens(event)
}

/// What a list of terms is ordered by; equal ones by ID in the same direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TermSort {
    /// Folded name.
    #[default]
    Name,
    /// ID alone.
    Id,
    /// Slug.
    Slug,
    /// Number of published events.
    Count,
    /// Description.
    Description,
    /// ID of the parent.
    Parent,
    /// As in [`TermFilter::include`].
    Include,
}

/// What a list of categories or tags is narrowed and ordered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermFilter<X: Taxonomy> {
    /// Part of the folded name or of the slug.
    pub search: Option<String>,
    /// Only these.
    pub include: Option<Vec<Id<Term<X>>>>,
    /// Not these.
    pub exclude: Vec<Id<Term<X>>>,
    /// Only the children of this one; `Some(None)`: only those at the top.
    pub parent: Option<Option<Id<Term<X>>>>,
    /// Only the one with this slug, in any language.
    pub slug: Option<Slug>,
    /// Only those of published events.
    pub hide_empty: bool,
    /// The order.
    pub sort: TermSort,
    /// From last to first.
    pub descending: bool,
}

// Written by hand: a derive would ask for `X: Default`.
impl<X: Taxonomy> Default for TermFilter<X> {
    fn default() -> Self {
        Self {
            search: None,
            include: None,
            exclude: Vec::new(),
            parent: None,
            slug: None,
            hide_empty: false,
            sort: TermSort::default(),
            descending: false,
        }
    }
}

impl<X: Taxonomy> TermFilter<X> {
    /// Whether the list holds this term, which `count` published events carry.
    ///
    /// ```
    /// # use domain::{*, query::TermFilter, slug::Slug, text::Title};
    /// # let content = Tag::new(Title::parse("Rust")?, Slug::normalize("rust").unwrap());
    /// # let tag = Stored { id: TagId::from_raw(1), revision: 1, content };
    /// let used = TermFilter { hide_empty: true, ..TermFilter::default() };
    /// assert!(used.matches(&tag, 1));
    /// assert!(!used.matches(&tag, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches(&self, term: &Stored<Term<X>>, count: u64) -> bool {
        let Self {
            search,
            include,
            exclude,
            parent,
            slug,
            hide_empty,
            sort: _,
            descending: _,
        } = self;
        search.as_ref().is_none_or(|part| {
            fold(term.name.as_str()).contains(part) || term.slug.as_str().contains(part)
        }) && include.as_ref().is_none_or(|ids| ids.contains(&term.id))
            && !exclude.contains(&term.id)
            && parent.is_none_or(|parent| parent == term.parent)
            && slug
                .as_ref()
                .is_none_or(|slug| term.slugs().any(|(_, one)| one == slug))
            && (!hide_empty || count > 0)
    }

    /// Which of two terms, with their counts, comes first.
    ///
    /// ```
    /// # use domain::{*, query::TermFilter, slug::Slug, text::Title};
    /// let tag = |id, name| Stored {
    ///     id: TagId::from_raw(id),
    ///     revision: 1,
    ///     content: Tag::new(Title::parse(name).unwrap(), Slug::normalize(name).unwrap()),
    /// };
    /// assert!(TermFilter::default().compare((&tag(2, "alpha"), 0), (&tag(1, "Beta"), 0)).is_lt());
    /// ```
    pub fn compare(&self, a: (&Stored<Term<X>>, u64), b: (&Stored<Term<X>>, u64)) -> Ordering {
        let ((a, a_count), (b, b_count)) = (a, b);
        let place = |id| {
            self.include
                .as_ref()
                .and_then(|ids| ids.iter().position(|one| *one == id))
        };
        let order = match self.sort {
            TermSort::Name => fold(a.name.as_str()).cmp(&fold(b.name.as_str())),
            TermSort::Id => Ordering::Equal,
            TermSort::Slug => a.slug.cmp(&b.slug),
            TermSort::Count => a_count.cmp(&b_count),
            TermSort::Description => a.description.as_str().cmp(b.description.as_str()),
            TermSort::Parent => a.parent.cmp(&b.parent),
            TermSort::Include => place(a.id).cmp(&place(b.id)),
        };
        let order = order.then(a.id.cmp(&b.id));
        if self.descending {
            order.reverse()
        } else {
            order
        }
    }
}
