//! The numbers of events by each value of a filter.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use domain::{
    CategoryId, Event, EventId, Venue,
    event::EventFilter,
    policy::{Caller, Guarded, Visibility},
    text::fold,
};

use super::{state::State, tables::RecordTable};
use crate::ports::{CityTally, Tally};

/// Counts the events with these IDs that everybody can list and open.
pub(super) fn tally(state: &State, ids: &[EventId], visibility: &Visibility) -> Tally {
    let anybody = Visibility::new(Caller::Anonymous, visibility.now);
    let listed = Event::list(state, &EventFilter::default(), &anybody).into_iter();
    let counted = listed.filter(|id| ids.contains(id));
    let events = counted.filter_map(|id| Event::find(state, id));
    let mut tally = Tally::default();
    for event in events.filter(|event| event.details.password.is_none()) {
        let details = &event.details;
        count(
            &mut tally.categories,
            with_ancestors(state, &details.categories),
        );
        count(&mut tally.tags, details.tags.iter().copied().collect());
        count(
            &mut tally.organizers,
            details.organizers.iter().copied().collect(),
        );
        count(&mut tally.venues, details.venue.into_iter().collect());
        let venue = details
            .venue
            .and_then(|id| Some((id, Venue::find(state, id)?)));
        let shown = venue.filter(|(_, venue)| venue.is_linkable(visibility));
        let city = shown.map(|(id, venue)| (id, fold(venue.shown_city(visibility.language))));
        if let Some((venue, city)) = city.filter(|(_, city)| !city.is_empty()) {
            let there = tally.cities.entry(city);
            let there = there.or_insert(CityTally { events: 0, venue });
            there.events += 1;
            there.venue = there.venue.min(venue);
        }
        let (free, ticketed) = (details.is_free(), !details.tickets.is_empty());
        tally.free += u64::from(free);
        tally.not_free += u64::from(!free);
        tally.ticketed += u64::from(ticketed);
        tally.not_ticketed += u64::from(!ticketed);
    }
    tally
}

fn count<T: Eq + Hash>(counts: &mut HashMap<T, u64>, values: HashSet<T>) {
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
}

fn with_ancestors(state: &State, ids: &[CategoryId]) -> HashSet<CategoryId> {
    let mut all = HashSet::new();
    let mut next = ids.to_vec();
    while let Some(id) = next.pop() {
        if all.insert(id) {
            next.extend(
                state
                    .categories
                    .get(id)
                    .and_then(|category| category.parent),
            );
        }
    }
    all
}
