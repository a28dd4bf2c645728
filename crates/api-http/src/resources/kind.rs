//! The kinds of records as REST resources.

use app::{
    event::EventView,
    place::PlaceView,
    term::{TermKind, TermView},
};
use domain::{Entry, Event, Organizer, Status, Term, Venue, time::Timestamp};
use forms::Form;
use http_service::{record::ShownRecord, response::LastChange, site::Site};
use interchange::table::{Column, EVENT_COLUMNS, ORGANIZER_COLUMNS, VENUE_COLUMNS};
use serde::Serialize;

use crate::record::{EventRecord, Extent, OrganizerRecord, TermRecord, VenueRecord};

/// A kind of record as a REST resource.
pub(crate) trait RestResource: Form + ShownRecord {
    /// The record as JSON.
    type Record<'a>: Serialize;

    /// Makes the JSON of a record.
    fn record<'a>(view: &'a Self::View, site: &Site, extent: Extent) -> Self::Record<'a>;

    /// The time of the last change of everything that a view shows.
    fn last_change(view: &Self::View) -> LastChange;

    /// The columns of the list as a table; empty if there is no such table.
    fn columns() -> &'static [Column<Self::View>] {
        &[]
    }
}

impl RestResource for Event {
    type Record<'a> = EventRecord<'a>;

    fn record<'a>(view: &'a EventView, site: &Site, extent: Extent) -> EventRecord<'a> {
        EventRecord::new(view, site, extent)
    }

    fn last_change(view: &EventView) -> LastChange {
        let venue = view
            .venue
            .iter()
            .map(|venue| changed(&venue.entry, venue.status));
        let organizers = view
            .organizers
            .iter()
            .map(|one| changed(&one.entry, one.status));
        let own = changed(&view.event, view.status);
        let last = venue.chain(organizers).fold(own, Timestamp::max);
        // Linking, unlinking or hiding a record leaves no date.
        LastChange::NotBefore(last)
    }

    fn columns() -> &'static [Column<Self::View>] {
        EVENT_COLUMNS
    }
}

impl RestResource for Venue {
    type Record<'a> = VenueRecord<'a>;

    fn record<'a>(view: &'a Self::View, site: &Site, extent: Extent) -> VenueRecord<'a> {
        VenueRecord::new(view, site, extent)
    }

    fn last_change(view: &Self::View) -> LastChange {
        last_change_of_place(view)
    }

    fn columns() -> &'static [Column<Self::View>] {
        VENUE_COLUMNS
    }
}

impl RestResource for Organizer {
    type Record<'a> = OrganizerRecord<'a>;

    fn record<'a>(view: &'a Self::View, site: &Site, extent: Extent) -> OrganizerRecord<'a> {
        OrganizerRecord::new(view, site, extent)
    }

    fn last_change(view: &Self::View) -> LastChange {
        last_change_of_place(view)
    }

    fn columns() -> &'static [Column<Self::View>] {
        ORGANIZER_COLUMNS
    }
}

impl<X: TermKind> RestResource for Term<X> {
    type Record<'a> = TermRecord<'a>;

    fn record<'a>(view: &'a TermView<X>, site: &Site, _extent: Extent) -> TermRecord<'a> {
        TermRecord::new(view, site)
    }

    fn last_change(_view: &TermView<X>) -> LastChange {
        LastChange::Unknown
    }
}

/// The last change of a venue or organizer. A change of its image has no date.
fn last_change_of_place<D>(view: &PlaceView<D>) -> LastChange {
    let own = changed(&view.entry, view.status);
    match view.entry.image {
        None => LastChange::At(own),
        Some(_) => LastChange::NotBefore(own),
    }
}

/// The last change of an entry. The publication of a scheduled entry is a change.
fn changed<D>(entry: &Entry<D>, status: Status) -> Timestamp {
    let published = entry.published_at.filter(|_| status == Status::Publish);
    published.map_or(entry.modified, |published| published.max(entry.modified))
}
