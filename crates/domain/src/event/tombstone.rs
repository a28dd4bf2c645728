//! Tombstones: what is left of events that are not public any more.

use super::{Event, EventFilter, Window, filter::any_of};
use crate::{
    CategoryId, EventId, OrganizerId, Stored, TagId, VenueId,
    recurrence::DateValue,
    slug::Slug,
    time::{Days, Timestamp, Zone},
};

/// The record that an event stopped being public: everybody could list it, or the occurrences of its
/// series, and now cannot.
///
/// It holds what the feeds in which the event was need to show it as cancelled, and no text.
///
/// ```
/// # use events_calendar_domain::{event::*, *, text::Title, time::*};
/// # let now = Timestamp::from_seconds(1_800_000_000).unwrap();
/// let noon = parse_civil("2027-04-17 12:00:00").unwrap();
/// let when = EventTime::new("Europe/Paris".parse()?, noon, noon, false)?;
/// let mut details = EventDetails::new(when, "a@cal.example".to_owned());
/// details.tags = vec![TagId::from_raw(3)];
/// let mut content = Entry::new(UserId::from_raw(1), "Walk".parse::<Title>()?, details, now);
/// content.move_to(Status::Publish, now);
/// assert!(content.is_public(now));
/// let event = Stored { id: EventId::from_raw(1), revision: 1, content };
///
/// let tombstone = Tombstone::of(&event, Vec::new(), now);
/// assert_eq!(tombstone.start.to_string(), "2027-04-17T10:00:00Z");
/// assert_eq!(tombstone.sequence, 1);
///
/// // It belongs to the feeds with the filters that the event matched, and to none with another filter.
/// let tagged = |id| EventFilter { tags: Some(vec![TagId::from_raw(id)]), ..EventFilter::default() };
/// assert!(tombstone.matches(&EventFilter::default()) && tombstone.matches(&tagged(3)));
/// assert!(!tombstone.matches(&tagged(4)));
/// let featured = EventFilter { featured: Some(false), ..EventFilter::default() };
/// assert!(!tombstone.matches(&featured));
///
/// // Feeds show it until the end of the 30th day.
/// let shown_since = |days: i64| Tombstone::shown_since(&Zone::utc(), now.saturating_add(days * 86_400));
/// assert!(tombstone.ended >= shown_since(30));
/// assert!(tombstone.ended < shown_since(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// The ID of the event, which may not exist any more.
    pub event: EventId,
    /// The unique identifier of the event.
    pub uid: String,
    /// The last public slug of the original.
    pub slug: Option<Slug>,
    /// One more than the last public sequence.
    pub sequence: i64,
    /// The instant since which the event is not public.
    pub ended: Timestamp,
    /// The last public start: a day, or an instant.
    pub start: DateValue,
    /// The last public start and end; for a series, those of its first and its last occurrence.
    pub period: (Timestamp, Timestamp),
    /// Whether the event is a series.
    pub repeats: bool,
    /// Its last public categories, and those above them.
    pub categories: Vec<CategoryId>,
    /// Its last public tags.
    pub tags: Vec<TagId>,
    /// Its last public venue.
    pub venue: Option<VenueId>,
    /// Its last public organizers.
    pub organizers: Vec<OrganizerId>,
}

impl Tombstone {
    /// The number of days for which feeds show a tombstone.
    ///
    /// ```
    /// use events_calendar_domain::event::Tombstone;
    ///
    /// assert_eq!(Tombstone::DAYS, 30);
    /// ```
    pub const DAYS: u64 = 30;

    /// The tombstone of a public event at `now`. `categories` are those of the event and all above
    /// them. A locked event matched no filter by what it names.
    pub fn of(event: &Stored<Event>, categories: Vec<CategoryId>, now: Timestamp) -> Self {
        let details = &event.details;
        let start = details.when.start();
        let mut tombstone = Self {
            event: event.id,
            uid: details.uid.clone(),
            slug: event.slug.clone(),
            sequence: details.sequence + 1,
            ended: now,
            start: if details.when.all_day() {
                DateValue::Day(start.local.date())
            } else {
                DateValue::Instant(start.utc)
            },
            period: (start.utc, last_end(event)),
            repeats: event.series().is_some(),
            categories: Vec::new(),
            tags: Vec::new(),
            venue: None,
            organizers: Vec::new(),
        };
        if details.password.is_none() {
            tombstone.categories = categories;
            tombstone.tags.clone_from(&details.tags);
            tombstone.venue = details.venue;
            tombstone.organizers.clone_from(&details.organizers);
        }
        tombstone
    }

    /// Whether a feed with this filter held the event: by dates, IDs, categories, tags, venues and
    /// organizers. A feed with any other filter shows no tombstone. A series counts as if it
    /// happened all the time from its first to its last occurrence.
    pub fn matches(&self, filter: &EventFilter) -> bool {
        let EventFilter {
            include,
            window,
            categories,
            tags,
            venues,
            organizers,
            ..
        } = filter;
        let plain = EventFilter {
            include: include.clone(),
            window: *window,
            categories: categories.clone(),
            tags: tags.clone(),
            venues: venues.clone(),
            organizers: organizers.clone(),
            series: filter.series,
            ..EventFilter::default()
        };
        *filter == plain
            && include.as_ref().is_none_or(|ids| ids.contains(&self.event))
            && self.is_within(window)
            && any_of(categories.as_ref(), &self.categories)
            && any_of(tags.as_ref(), &self.tags)
            && any_of(venues.as_ref(), self.venue.as_slice())
            && any_of(organizers.as_ref(), &self.organizers)
    }

    fn is_within(&self, window: &Window) -> bool {
        let (first, last) = self.period;
        if !self.repeats {
            return window.holds(first, last);
        }
        let begins = |bound: Option<Timestamp>| bound.is_none_or(|min| min <= last);
        let ends = |bound: Option<Timestamp>| bound.is_none_or(|max| first <= max);
        begins(window.start_min)
            && begins(window.end_min)
            && ends(window.start_max)
            && ends(window.end_max)
    }

    /// The least [`ended`](Self::ended) of the tombstones that feeds show at `now`: the beginning of a day
    /// in the zone of the site. Feeds change on account of it with the day alone.
    pub fn shown_since(zone: &Zone, now: Timestamp) -> Timestamp {
        let today = zone.at(now).local.date();
        let first = today.checked_sub_days(Days::new(Self::DAYS));
        zone.start_of_day(first.unwrap_or(today))
    }
}

/// The end of an event, or of the last occurrence of a series.
fn last_end(event: &Event) -> Timestamp {
    let own = event.details.when.end().utc;
    let Some(series) = event.series() else {
        return own;
    };
    if series.recurrence.is_endless() {
        return Timestamp::MAX;
    }
    let occurrences = series.recurrence.occurrences(..Timestamp::MAX);
    let ends = occurrences.map(|one| one.when.end().utc);
    ends.max().unwrap_or(own)
}
