//! The tables of the in-memory store, one for each kind of record.

use domain::{
    Entry, Event, EventId, Id, Organizer, OrganizerId, Record, Stored, Term, Venue, VenueId,
    entry::EntryId,
    event::{EventDetails, EventFilter, OccurrenceOf, Repetition},
    place::PlaceFilter,
    policy::Visibility,
    term::{Categories, Tags, TermFilter},
    time::Timestamp,
};

use super::state::{State, Table};
use crate::{place::Place, ports::StoreError, term::TermKind};

/// A kind of record that has a table in the in-memory store.
pub(super) trait RecordTable: Record {
    fn table(state: &State) -> &Table<Self>;
    fn table_mut(state: &mut State) -> &mut Table<Self>;

    /// The record with an ID, also one that is in no row of the table.
    fn find(state: &State, id: Id<Self>) -> Option<Stored<Self>> {
        Self::table(state).get(id).cloned()
    }

    /// Whether there is a record with an ID.
    fn holds(state: &State, id: Id<Self>) -> bool {
        Self::table(state).holds(id)
    }

    /// Whether the slugs of the record are in the registry of slugs.
    fn registers_slugs(&self) -> bool {
        true
    }

    /// Refuses references to records that do not exist, as foreign keys do.
    fn check(&self, own: Option<Id<Self>>, state: &State) -> Result<(), StoreError>;

    /// The IDs of all records that match a filter, in order.
    fn list(state: &State, filter: &Self::Filter, visibility: &Visibility) -> Vec<Id<Self>>;

    /// Deletes a record with the references of other records to it. Returns whether it existed.
    fn delete(state: &mut State, id: Id<Self>) -> bool;
}

fn ids<R: Record>(rows: impl IntoIterator<Item = Stored<R>>) -> Vec<Id<R>> {
    rows.into_iter().map(|row| row.id).collect()
}

/// Fails unless all referenced records exist.
fn must<R: RecordTable>(
    state: &State,
    named: impl IntoIterator<Item = Id<R>>,
) -> Result<(), StoreError> {
    match named.into_iter().find(|id| !R::holds(state, *id)) {
        Some(id) => Err(broken(&format!("there is no {} {id}", R::KIND))),
        None => Ok(()),
    }
}

fn broken(rule: &str) -> StoreError {
    StoreError::Internal(rule.to_owned())
}

/// Removes from all events their references to a deleted record.
fn unlink(state: &mut State, unlink: impl Fn(&mut EventDetails)) {
    for event in state.events.contents_mut() {
        unlink(&mut event.details);
    }
}

impl RecordTable for Event {
    fn table(state: &State) -> &Table<Self> {
        &state.events
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        &mut state.events
    }

    fn find(state: &State, id: EventId) -> Option<Stored<Self>> {
        let event = state.events.get(id).cloned();
        event.or_else(|| state.plain_occurrence(id))
    }

    fn holds(state: &State, id: EventId) -> bool {
        state.events.holds(id) || state.occurrences.contains_key(&id)
    }

    fn registers_slugs(&self) -> bool {
        self.occurrence().is_none()
    }

    fn check(&self, own: Option<EventId>, state: &State) -> Result<(), StoreError> {
        state.check_user(self.author)?;
        let details = &self.details;
        must(state, details.categories.iter().copied())?;
        must(state, details.tags.iter().copied())?;
        must(state, details.venue)?;
        must(state, details.organizers.iter().copied())?;
        must(state, details.parent)?;
        let is_twin =
            |other: &&Stored<Event>| Some(other.id) != own && other.details.uid == details.uid;
        match state.events.rows.values().find(is_twin) {
            Some(twin) => Err(broken(&format!("event {} has the same UID", twin.id))),
            None => Ok(()),
        }
    }

    fn list(state: &State, filter: &EventFilter, visibility: &Visibility) -> Vec<EventId> {
        let filter = filter
            .clone()
            .with_descendants(state.categories.rows.values());
        let venue = |id| Some(&state.venues.get(id)?.content);
        let plain: Vec<_> = state
            .plain_occurrences(|row| filter.window.holds(row.start, row.end))
            .collect();
        ids(filter.list(state.events.rows.values().chain(&plain), venue, visibility))
    }

    fn delete(state: &mut State, id: EventId) -> bool {
        let existed = Self::holds(state, id);
        state.occurrences.remove(&id);
        let parts = state.occurrences.extract_if(.., |_, row| row.series == id);
        let parts: Vec<_> = parts.map(|(id, _)| id).collect();
        for id in parts.into_iter().chain([id]) {
            state.events.rows.remove(&id);
            state.remarks.remove(&id);
            state.verified.remove(&id);
            state.proposals.remove(&id);
            unlink(state, |event| {
                event.parent.take_if(|parent| *parent == id);
            });
        }
        existed
    }
}

impl RecordTable for Venue {
    fn table(state: &State) -> &Table<Self> {
        &state.venues
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        &mut state.venues
    }

    fn check(&self, _: Option<VenueId>, state: &State) -> Result<(), StoreError> {
        state.check_user(self.author)
    }

    fn list(state: &State, filter: &Self::Filter, visibility: &Visibility) -> Vec<VenueId> {
        list_places(state, filter, visibility)
    }

    fn delete(state: &mut State, id: VenueId) -> bool {
        unlink(state, |event| {
            event.venue.take_if(|venue| *venue == id);
        });
        state.venues.rows.remove(&id).is_some()
    }
}

impl RecordTable for Organizer {
    fn table(state: &State) -> &Table<Self> {
        &state.organizers
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        &mut state.organizers
    }

    fn check(&self, _: Option<OrganizerId>, state: &State) -> Result<(), StoreError> {
        state.check_user(self.author)
    }

    fn list(state: &State, filter: &Self::Filter, visibility: &Visibility) -> Vec<OrganizerId> {
        list_places(state, filter, visibility)
    }

    fn delete(state: &mut State, id: OrganizerId) -> bool {
        unlink(state, |event| event.organizers.retain(|one| *one != id));
        state.organizers.rows.remove(&id).is_some()
    }
}

fn list_places<D: Place>(
    state: &State,
    filter: &PlaceFilter<D>,
    visibility: &Visibility,
) -> Vec<EntryId<D>>
where
    Entry<D>: RecordTable,
{
    let events = |id| state.linked_events::<D>(id, visibility);
    let places = Entry::<D>::table(state).rows.values();
    ids(filter.list(places, events, visibility))
}

/// A kind of term that has a table in the in-memory store.
pub(super) trait TermTable: TermKind {
    fn table(state: &State) -> &Table<Term<Self>>;
    fn table_mut(state: &mut State) -> &mut Table<Term<Self>>;
    /// The IDs of the terms that count an event.
    fn counted(event: &Event) -> &[Id<Term<Self>>];
    /// The number of public events that carry a term. A series counts once.
    fn count(state: &State, id: Id<Term<Self>>, now: Timestamp) -> u64 {
        let events = state.events.rows.values();
        let carrying = events.filter(|event| Self::counted(event).contains(&id));
        carrying.filter(|event| event.is_counted(now)).count() as u64
    }

    /// The IDs of an event's terms in this taxonomy, all of them and those that are its own.
    fn of_details(event: &mut EventDetails) -> [Option<&mut Vec<Id<Term<Self>>>>; 2];
}

fn occurrence(repetition: &mut Repetition) -> Option<&mut OccurrenceOf> {
    match repetition {
        Repetition::Occurrence(occurrence) => Some(occurrence),
        Repetition::Once | Repetition::Series(_) => None,
    }
}

impl TermTable for Categories {
    fn table(state: &State) -> &Table<Term<Self>> {
        &state.categories
    }

    fn table_mut(state: &mut State) -> &mut Table<Term<Self>> {
        &mut state.categories
    }

    fn counted(event: &Event) -> &[Id<Term<Self>>] {
        event.counted_categories()
    }

    fn of_details(event: &mut EventDetails) -> [Option<&mut Vec<Id<Term<Self>>>>; 2] {
        let own = occurrence(&mut event.repetition).map(|one| &mut one.own_categories);
        [Some(&mut event.categories), own]
    }
}

impl TermTable for Tags {
    fn table(state: &State) -> &Table<Term<Self>> {
        &state.tags
    }

    fn table_mut(state: &mut State) -> &mut Table<Term<Self>> {
        &mut state.tags
    }

    fn counted(event: &Event) -> &[Id<Term<Self>>] {
        event.counted_tags()
    }

    fn of_details(event: &mut EventDetails) -> [Option<&mut Vec<Id<Term<Self>>>>; 2] {
        let own = occurrence(&mut event.repetition).map(|one| &mut one.own_tags);
        [Some(&mut event.tags), own]
    }
}

impl<X: TermTable> RecordTable for Term<X> {
    fn table(state: &State) -> &Table<Self> {
        X::table(state)
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        X::table_mut(state)
    }

    fn check(&self, _: Option<Id<Self>>, state: &State) -> Result<(), StoreError> {
        must(state, self.parent)
    }

    fn list(state: &State, filter: &TermFilter<X>, visibility: &Visibility) -> Vec<Id<Self>> {
        let count = |id| X::count(state, id, visibility.now);
        ids(filter.list(X::table(state).rows.values(), count, visibility.language))
    }

    fn delete(state: &mut State, id: Id<Self>) -> bool {
        let Some(gone) = X::table_mut(state).rows.remove(&id) else {
            return false;
        };
        for child in X::table_mut(state).rows.values_mut() {
            if child.parent == Some(id) {
                child.content.parent = gone.parent;
                child.revision += 1;
            }
        }
        unlink(state, |event| {
            for terms in X::of_details(event).into_iter().flatten() {
                terms.retain(|term| *term != id);
            }
        });
        true
    }
}
