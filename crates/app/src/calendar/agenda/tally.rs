//! The numbers of events that the choices of filters would leave.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use domain::{
    Category, CategoryId, Event, EventId, Filter, Id, Organizer, OrganizerId, Stored, Tag, TagId,
    Venue, VenueId,
    event::{EventFilter, EventSpan},
    page::PageRequest,
    policy::{Caller, Guarded, Visibility},
    query::Query,
    text::fold,
    time::NaiveDate,
};

use crate::{
    Calendar, error::AppError, ports::Repositories, search_queue::Client, write::ReadOptions,
};

/// The longest list whose events are tallied.
const MAX_EVENTS: u64 = 500;

/// The events of a public list, counted by each value of a filter: the total of the same list with this
/// value as a further filter.
///
/// ```
/// use events_calendar_app::{calendar::{Tallied, Tally}, write::{NewEvent, ReadOptions}};
/// use domain::{event::EventFilter, time::{EventTime, Zone, parse_civil}};
/// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
/// # use domain::Role;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = InMemoryStore::new();
/// # let editor = add_user(&store, "ada", Role::Editor).await;
/// # let calendar = calendar(store).await;
/// # let nine = parse_civil("2030-03-10 09:00:00").unwrap();
/// # let when = EventTime::new(Zone::utc(), nine, nine, false)?;
///
/// calendar.create(editor, &NewEvent::builder("Fair".parse()?, when).build()).await?;
/// let (all, options) = ([EventFilter::default()], ReadOptions::default());
/// let found: Tallied = calendar.tally(None, &all, None, &options).await?.unwrap();
/// let tally: &Tally = &found.tallies[0];
/// assert_eq!((tally.free, tally.not_free, found.venues.len()), (0, 1, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// By category; events below it count.
    pub categories: HashMap<CategoryId, u64>,
    /// By tag.
    pub tags: HashMap<TagId, u64>,
    /// By venue.
    pub venues: HashMap<VenueId, u64>,
    /// By [folded](fold) city.
    pub cities: HashMap<String, u64>,
    /// By organizer.
    pub organizers: HashMap<OrganizerId, u64>,
    /// Free events.
    pub free: u64,
    /// Other events.
    pub not_free: u64,
    /// Events with tickets.
    pub ticketed: u64,
    /// Events without tickets.
    pub not_ticketed: u64,
}

/// Tallies of lists, with the records by which they count and those that their filters name, in the language of
/// the reader.
#[derive(Clone, Debug, Default)]
pub struct Tallied {
    /// The tally of each list.
    pub tallies: Vec<Tally>,
    /// Categories with those above them.
    pub categories: Vec<Stored<Category>>,
    /// Tags.
    pub tags: Vec<Stored<Tag>>,
    /// Venues.
    pub venues: Vec<Stored<Venue>>,
    /// Organizers.
    pub organizers: Vec<Stored<Organizer>>,
}

impl Calendar {
    /// Tallies the events of lists that everybody can read, each with its filter; with `days`, only those that
    /// take place on one of the days from the first to the last. None if a list has more than 500 events. The
    /// number of statements does not depend on the events.
    ///
    /// # Errors
    ///
    /// If the store cannot answer, or there are too many searches.
    #[tracing::instrument(name = "app.tally", skip_all)]
    pub async fn tally(
        &self,
        client: Client,
        filters: &[EventFilter],
        days: Option<[NaiveDate; 2]>,
        options: &ReadOptions,
    ) -> Result<Option<Tallied>, AppError> {
        let visibility = self.request_with(Caller::Anonymous, options).visibility();
        let reads = self.store.reads().await?;
        let _turn = if filters.iter().any(EventFilter::scans) {
            Some(self.search_queue.turn(client).await?)
        } else {
            None
        };
        let mut lists: Vec<Vec<EventId>> = Vec::new();
        for filter in filters {
            let query = Query {
                visibility: visibility.clone(),
                filter: filter.clone(),
                page: PageRequest::new(1, MAX_EVENTS, u32::MAX),
            };
            let list = reads.events().page(&query).await?;
            if list.total > MAX_EVENTS {
                return Ok(None);
            }
            lists.push(list.rows);
        }
        let events = Events::load(&lists, days, &visibility, &*reads).await?;
        Ok(Some(
            events
                .tallied(&lists, filters, &visibility, &*reads)
                .await?,
        ))
    }
}

/// The events that count, with what they are counted by.
struct Events(HashMap<EventId, Stored<Event>>);

impl Events {
    async fn load(
        lists: &[Vec<EventId>],
        days: Option<[NaiveDate; 2]>,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Self, AppError> {
        let ids = unique(lists.iter().flatten().copied());
        let mut events = repositories.events().find_many(&ids).await?;
        // No filter finds the content that a password locks.
        events.retain(|event| {
            let is_in_period = days.is_none_or(|[first, last]| {
                let own = EventSpan::of(event).days();
                own[0] <= last && own[1] >= first
            });
            is_in_period && event.is_public(visibility.now) && visibility.opens(event)
        });
        let events = events.into_iter().map(|event| (event.id, event));
        Ok(Self(events.collect()))
    }

    /// The tallies of the lists, with the records that they or the filters name.
    async fn tallied(
        &self,
        lists: &[Vec<EventId>],
        filters: &[EventFilter],
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Tallied, AppError> {
        let details = || self.0.values().map(|event| &event.details);
        let categories = details().flat_map(|one| &one.categories).copied();
        let categories = named(categories, filters, |filter| filter.categories.as_ref());
        let tags = details().flat_map(|one| &one.tags).copied();
        let tags = named(tags, filters, |filter| filter.tags.as_ref());
        let venues = details().filter_map(|one| one.venue);
        let venues = named(venues, filters, |filter| filter.venues.as_ref());
        let organizers = details().flat_map(|one| &one.organizers).copied();
        let organizers = named(organizers, filters, |filter| filter.organizers.as_ref());
        let categories = repositories
            .categories()
            .with_ancestors(&categories)
            .await?;
        let tags = repositories.tags().find_many(&tags).await?;
        let mut venues = repositories.venues().find_many(&venues).await?;
        venues.retain(|venue| venue.is_linkable(visibility));
        let mut organizers = repositories.organizers().find_many(&organizers).await?;
        organizers.retain(|organizer| organizer.is_linkable(visibility));

        let parents = categories.iter();
        let parents = parents.filter_map(|one| Some((one.id, one.content.parent?)));
        let parents = parents.collect();
        let cities = venues.iter().map(|venue| {
            let city = venue.shown_city(visibility.language);
            (venue.id, fold(city))
        });
        let cities = cities.collect();
        let tallies = lists.iter().map(|list| self.tally(list, &parents, &cities));
        let language = visibility.language;
        Ok(Tallied {
            tallies: tallies.collect(),
            categories: categories
                .into_iter()
                .map(|one| one.localized(language))
                .collect(),
            tags: tags
                .into_iter()
                .map(|one| one.localized(language))
                .collect(),
            venues: venues
                .into_iter()
                .map(|one| one.localized(language))
                .collect(),
            organizers: organizers
                .into_iter()
                .map(|one| one.localized(language))
                .collect(),
        })
    }

    fn tally(
        &self,
        list: &[EventId],
        parents: &HashMap<CategoryId, CategoryId>,
        cities: &HashMap<VenueId, String>,
    ) -> Tally {
        let mut tally = Tally::default();
        for event in list.iter().filter_map(|id| self.0.get(id)) {
            let details = &event.details;
            let mut categories = unique(details.categories.iter().copied());
            let mut looked_above = 0;
            while let Some(category) = categories.get(looked_above) {
                looked_above += 1;
                let above = parents.get(category).copied();
                categories.extend(above.filter(|above| !categories.contains(above)));
            }
            count(&mut tally.categories, categories);
            count(&mut tally.tags, unique(details.tags.iter().copied()));
            count(&mut tally.venues, details.venue);
            let organizers = unique(details.organizers.iter().copied());
            count(&mut tally.organizers, organizers);
            let city = details.venue.and_then(|id| cities.get(&id).cloned());
            count(&mut tally.cities, city.filter(|city| !city.is_empty()));
            *if details.is_free() {
                &mut tally.free
            } else {
                &mut tally.not_free
            } += 1;
            *if details.tickets.is_empty() {
                &mut tally.not_ticketed
            } else {
                &mut tally.ticketed
            } += 1;
        }
        tally
    }
}

fn count<T: Eq + Hash>(counts: &mut HashMap<T, u64>, values: impl IntoIterator<Item = T>) {
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
}

/// The records of events and those that filters name.
fn named<R>(
    of_events: impl Iterator<Item = Id<R>>,
    filters: &[EventFilter],
    of_filter: impl Fn(&EventFilter) -> Option<&Vec<Id<R>>>,
) -> Vec<Id<R>> {
    let of_filters = filters.iter().filter_map(of_filter).flatten().copied();
    unique(of_events.chain(of_filters))
}

fn unique<T: Copy + Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    values.filter(|value| seen.insert(*value)).collect()
}
