//! Venues and organizers, and what a list of them is filtered and sorted by.

mod organizer;
mod venue;

use std::cmp::Ordering;

use crate::{
    Entry, Stored,
    entry::{Details, EntryId},
    policy::Visibility,
    query::Statuses,
    search::{FieldSearch, Searchable},
};

pub use organizer::{Organizer, OrganizerDetails};
pub use venue::{Venue, VenueDetails};

/// The filter of a list of venues or organizers. The newest publication comes first.
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

/// The events of a venue or an organizer that a reader may list.
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
    /// # use domain::{*, place::*, policy::*, text::Title, time::*};
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
    /// # use domain::{*, place::*, text::Title, time::*};
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
