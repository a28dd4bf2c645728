//! The numbers of events that the choices of filters would leave.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    hash::Hash,
};

use domain::{
    Category, EventId, Filter, Id, Language, Organizer, Record, Stored, Tag, Venue,
    event::{DaySpans, EventFilter, Window},
    page::PageRequest,
    policy::{Caller, Guarded, Visibility},
    query::Query,
    time::NaiveDate,
};

use super::MAX_SPANS;
use crate::{
    Calendar,
    error::AppError,
    ports::{RelatedIds, Repositories, Tally},
    search_queue::Client,
    write::ReadOptions,
};

/// The number of records of a kind, and of cities, that a tally names: those with the most events.
const MAX_NAMED: usize = 100;

/// A list whose events are tallied. [`Tallied`] has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tallying {
    /// The events that match the filter on the days from the first to the last.
    Events(Vec<EventId>, EventFilter, [NaiveDate; 2]),
    /// The events that everybody can list and that match a filter.
    List(EventFilter),
    /// The events of the filter that take place on one of the days from the first to the last.
    Days(EventFilter, [NaiveDate; 2]),
}

/// Tallies of lists, with the records that have the most events of a list, up to 100 of a kind, and those that
/// a filter names, in the language of the reader. In each list, the events are counted by each value of a
/// filter: the total of the same list with this value as a further filter.
///
/// ```
/// use events_calendar_app::{calendar::{Tallied, Tallying}, write::{NewEvent, ReadOptions}};
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
/// let (all, options) = (EventFilter::default(), ReadOptions::default());
/// let lists = [Tallying::List(all.clone()), Tallying::Days(all.clone(), [nine.date(); 2])];
/// let found: Tallied = calendar.tally(None, &all, &lists, &options).await?.unwrap();
/// assert_eq!((found.tallies[0].free, found.tallies[0].not_free), (0, 1));
/// assert_eq!(found.tallies[0], found.tallies[1]);
/// assert!(found.venues.is_empty() && Tallied::MAX_EVENTS == 5_000);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tallied {
    /// The tally of each list.
    pub tallies: Vec<Tally>,
    /// Categories with those above them.
    pub categories: Vec<Stored<Category>>,
    /// Tags.
    pub tags: Vec<Stored<Tag>>,
    /// Venues, among them one in each city.
    pub venues: Vec<Stored<Venue>>,
    /// Organizers.
    pub organizers: Vec<Stored<Organizer>>,
}

impl Tallied {
    /// The longest list whose events are tallied.
    pub const MAX_EVENTS: u64 = 5_000;
}

impl Calendar {
    /// Tallies the events of lists. `chosen` is the filter of the reader, whose records are among those
    /// returned. None if a list has more than [`Tallied::MAX_EVENTS`] events. The number of statements does not
    /// depend on the events.
    ///
    /// # Errors
    ///
    /// If the store cannot answer, or there are too many searches.
    #[tracing::instrument(name = "app.tally", skip_all)]
    pub async fn tally(
        &self,
        client: Client,
        chosen: &EventFilter,
        lists: &[Tallying],
        options: &ReadOptions,
    ) -> Result<Option<Tallied>, AppError> {
        let visibility = self.request_with(Caller::Anonymous, options).visibility();
        let reads = self.store.reads().await?;
        let repositories = &*reads;
        let _turn = if lists.iter().any(Tallying::scans) {
            Some(self.search_queue.turn(client).await?)
        } else {
            None
        };
        let mut found = Vec::new();
        for list in lists {
            let events = list.events(&visibility, repositories).await?;
            let Some(events) = events.filter(|ids| ids.len() as u64 <= Tallied::MAX_EVENTS) else {
                return Ok(None);
            };
            found.push((events, list.window()));
        }
        let mut tallies = Vec::new();
        for (events, window) in found {
            let tally = repositories.events().tally(&events, window, &visibility);
            tallies.push(tally.await?);
        }
        let shown = with_records(tallies, chosen, &visibility, repositories);
        Ok(Some(shown.await?))
    }
}

impl Tallying {
    fn scans(&self) -> bool {
        match self {
            Self::Events(..) => false,
            Self::List(filter) | Self::Days(filter, _) => filter.scans(),
        }
    }

    /// The window of the list, if it is the only filter.
    fn window(&self) -> Option<Window> {
        let (filter, days) = match self {
            Self::Events(_, filter, days) | Self::Days(filter, days) => (filter, Some(days)),
            Self::List(filter) => (filter, None),
        };
        let alone = EventFilter {
            window: filter.window,
            ..EventFilter::default()
        };
        let days = days.map(|[first, last]| DaySpans::window(*first, *last));
        let window = days.map_or(filter.window, |days| days.and(&filter.window));
        (*filter == alone).then_some(window)
    }

    /// The events of the list; none if they are too many.
    async fn events(
        &self,
        visibility: &Visibility,
        repositories: &dyn Repositories,
    ) -> Result<Option<Vec<EventId>>, AppError> {
        let (filter, days) = match self {
            Self::Events(ids, ..) => return Ok(Some(ids.clone())),
            Self::List(filter) => (filter.clone(), None),
            Self::Days(filter, days) => {
                let window = DaySpans::window(days[0], days[1]);
                let filter = EventFilter {
                    window: filter.window.and(&window),
                    ..filter.clone()
                };
                (filter, Some((window, *days)))
            }
        };
        let query = Query {
            visibility: visibility.clone(),
            filter,
            page: PageRequest::new(1, Tallied::MAX_EVENTS, u32::MAX),
        };
        let events = repositories.events();
        let mut list = events.page(&query).await?;
        if list.total > Tallied::MAX_EVENTS {
            return Ok(None);
        }
        if let Some((window, [first, last])) = days {
            let spans = events.spans(&window, visibility.now, MAX_SPANS).await?;
            let spans = DaySpans::new(spans);
            let in_period: HashSet<_> = spans.within(first, last).collect();
            list.rows.retain(|id| in_period.contains(id));
        }
        Ok(Some(list.rows))
    }
}

/// The tallies with the records that they and a filter name.
async fn with_records(
    tallies: Vec<Tally>,
    chosen: &EventFilter,
    visibility: &Visibility,
    repositories: &dyn Repositories,
) -> Result<Tallied, AppError> {
    let mut venues = named(&tallies, chosen.venues.as_ref(), |one| &one.venues);
    for tally in &tallies {
        let cities = tally.cities.iter();
        let cities = cities.map(|(name, city)| ((name, city.venue), city.events));
        venues.extend(most(cities).map(|(_, venue)| venue));
    }
    let ids = RelatedIds {
        categories: named(&tallies, chosen.categories.as_ref(), |one| &one.categories),
        tags: named(&tallies, chosen.tags.as_ref(), |one| &one.tags),
        venues: unique(venues),
        organizers: named(&tallies, chosen.organizers.as_ref(), |one| &one.organizers),
    };
    let found = repositories.events().load_related(&ids, visibility.now);
    let mut found = found.await?;
    found.venues.retain(|venue| venue.is_linkable(visibility));
    let is_linkable = |organizer: &Stored<Organizer>| organizer.is_linkable(visibility);
    found.organizers.retain(is_linkable);
    let language = visibility.language;
    let categories = found.categories.into_iter().map(|one| one.term);
    let tags = found.tags.into_iter().map(|one| one.term);
    Ok(Tallied {
        tallies,
        categories: localized(categories, language),
        tags: localized(tags, language),
        venues: localized(found.venues, language),
        organizers: localized(found.organizers, language),
    })
}

fn localized<R: Record>(
    records: impl IntoIterator<Item = Stored<R>>,
    language: Language,
) -> Vec<Stored<R>> {
    let records = records.into_iter();
    records.map(|one| one.localized(language)).collect()
}

/// The records with the most events of each list, and those of the filter of the reader.
fn named<R>(
    tallies: &[Tally],
    chosen: Option<&Vec<Id<R>>>,
    counts: impl Fn(&Tally) -> &HashMap<Id<R>, u64>,
) -> Vec<Id<R>> {
    let of_lists = tallies.iter().flat_map(|tally| {
        let counts = counts(tally).iter();
        most(counts.map(|(id, events)| (*id, *events)))
    });
    unique(of_lists.chain(chosen.into_iter().flatten().copied()))
}

/// The values with the most events.
fn most<T: Ord>(counts: impl Iterator<Item = (T, u64)>) -> impl Iterator<Item = T> {
    let mut counts: Vec<_> = counts
        .map(|(value, events)| (Reverse(events), value))
        .collect();
    counts.sort_unstable();
    counts.into_iter().take(MAX_NAMED).map(|(_, value)| value)
}

fn unique<T: Copy + Eq + Hash>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    let values = values.into_iter();
    values.filter(|value| seen.insert(*value)).collect()
}
