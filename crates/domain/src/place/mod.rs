//! Venues and organizers, and the filter and sort order of their lists.
//!
//! ```
//! use events_calendar_domain::{Entry, Organizer, OrganizerDetails, UserId, Venue, VenueDetails, geo::Position};
//! # use events_calendar_domain::time::Timestamp;
//! # let (author, now) = (UserId::from_raw(1), Timestamp::from_seconds(0).unwrap());
//!
//! let details = VenueDetails {
//!     city: "Lyon".into(),
//!     position: Some(Position::new(45.764, 4.8357)?),
//!     ..VenueDetails::default()
//! };
//! let mill: Venue = Entry::new(author, "Old Mill".parse()?, details, now);
//! assert!(mill.details.show_map);
//!
//! let details = OrganizerDetails { phone: "+33 4 00".into(), ..OrganizerDetails::default() };
//! let club: Organizer = Entry::new(author, "Rowing club".parse()?, details, now);
//! assert_eq!(club.slug_from_title().as_str(), "rowing-club");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod organizer;
mod venue;

use std::cmp::Ordering;

use crate::{
    Entry, Filter, Stored,
    entry::{Details, EntryId},
    policy::{Guarded, Visibility},
    query::Statuses,
    search::FieldSearch,
};

pub use organizer::{Organizer, OrganizerDetails};
pub use venue::{Venue, VenueDetails};

/// The filter of a list of venues or organizers. Its order is by publication, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceFilter<D> {
    /// Included statuses.
    pub statuses: Statuses,
    /// Words that one field must contain.
    pub search: Option<FieldSearch>,
    /// Only these.
    pub include: Option<Vec<EntryId<D>>>,
    /// With or without an event that the caller may list.
    pub has_events: Option<bool>,
    /// Only with an event that the caller may list and that starts now or later.
    pub only_with_upcoming: bool,
}

/// Whether a venue or an organizer has events that the caller may list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkedEvents {
    /// Whether there is an event that the caller may list.
    pub any: bool,
    /// Whether there is an event that the caller may list and that starts now or later.
    pub upcoming: bool,
}

impl<D: Details> Filter for PlaceFilter<D> {
    fn scans(&self) -> bool {
        self.search.is_some() || self.has_events.is_some() || self.only_with_upcoming
    }
}

impl<D: Details> PlaceFilter<D> {
    /// Whether the list includes this venue or organizer for this caller.
    ///
    /// ```
    /// # use events_calendar_domain::{*, place::*, policy::*, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let mut content = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
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
        place.is_visible(visibility)
            && statuses.hold(place.status(visibility.now))
            && include.as_ref().is_none_or(|ids| ids.contains(&place.id))
            && search
                .as_ref()
                .is_none_or(|search| search.matches(&place.folded_fields()))
            && has_events.is_none_or(|wanted| wanted == events.any)
            && (!only_with_upcoming || events.upcoming)
    }

    /// The list for a caller: the places that match, localized, in their order. `events` tells
    /// whether a place has events, see [`linked_events`](crate::event::linked_events).
    ///
    /// ```
    /// # use events_calendar_domain::{*, place::*, policy::*, text::Title, time::*};
    /// # let at = |seconds| Timestamp::from_seconds(seconds).unwrap();
    /// # let venue = |id, name: &str| {
    /// #     let title = name.parse::<Title>().unwrap();
    /// #     let mut content = Entry::new(UserId::from_raw(1), title, VenueDetails::default(), at(0));
    /// #     content.move_to(Status::Publish, at(id));
    /// #     Stored { id: VenueId::from_raw(id), revision: 1, content }
    /// # };
    /// let venues = [venue(1, "Old Mill"), venue(2, "Town Hall")];
    /// let filter = PlaceFilter { has_events: Some(true), ..PlaceFilter::default() };
    /// let anybody = Visibility::new(Caller::Anonymous, at(10));
    /// let events = |id| LinkedEvents { any: id == venues[0].id, upcoming: false };
    /// assert_eq!(filter.list(&venues, events, &anybody), [venues[0].clone()]);
    /// let newest_first = PlaceFilter::default().list(&venues, events, &anybody);
    /// assert_eq!(newest_first[0], venues[1]);
    /// ```
    pub fn list<'a>(
        &self,
        places: impl IntoIterator<Item = &'a Stored<Entry<D>>>,
        events: impl Fn(EntryId<D>) -> LinkedEvents,
        visibility: &Visibility,
    ) -> Vec<Stored<Entry<D>>> {
        let places = places.into_iter().cloned();
        let shown = places.map(|place| place.localized(visibility.language));
        let mut list: Vec<_> = shown
            .filter(|place| self.matches(place, visibility, events(place.id)))
            .collect();
        list.sort_by(Self::compare);
        list
    }

    /// Compares two venues or organizers by the sort order.
    ///
    /// ```
    /// # use events_calendar_domain::{*, place::*, text::Title, time::*};
    /// # let now = Timestamp::from_seconds(0).unwrap();
    /// # let content = Entry::new(UserId::from_raw(1), "Old Mill".parse::<Title>()?, VenueDetails::default(), now);
    /// let first = Stored { id: VenueId::from_raw(1), revision: 1, content };
    /// let second = Stored { id: VenueId::from_raw(2), ..first.clone() };
    /// assert!(PlaceFilter::compare(&second, &first).is_lt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(a: &Stored<Entry<D>>, b: &Stored<Entry<D>>) -> Ordering {
        b.date.cmp(&a.date).then(b.id.cmp(&a.id))
    }
}
