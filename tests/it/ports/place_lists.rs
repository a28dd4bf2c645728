//! Lists of venues and organizers hold what [`PlaceFilter::matches`] says, in the order of
//! [`PlaceFilter::compare`].

use app::{
    place::Place,
    ports::{SlugRequests, Store},
    resource::Resource,
    test_support::{EntryBuilder, organizer, venue},
};
use domain::{
    Entry, Event, Id, Language, OrganizerDetails, Record, Status, Stored, VenueDetails,
    entry::EntryId,
    event::counts_for_links,
    place::{LinkedEvents, PlaceFilter},
    policy::Visibility,
    query::Statuses,
    search::FieldSearch,
    web_url::WebUrl,
};

use tests::every_store;

use super::{
    event_lists::{Links, varied},
    lists::{compare, compare_pages, readers},
    sample::{Dice, Sample, add_users, change, ids, remove, translate, user_id},
};

const NAMES: [&str; 10] = [
    "Théâtre du Temple",
    "theatre du temple",
    "100% Bar_1",
    "100 Bar 1",
    "مسرح المدينة",
    "🎪 Tent",
    "O'Neil's",
    "Straße 5",
    "back\\slash",
    "東京",
];

/// Texts of the fields besides the name.
const TEXTS: [&str; 9] = [
    "",
    "",
    "100, avenue du Temple",
    "Genève",
    "Lyon 69-001",
    "+41 (22) 100-00",
    "100%_off",
    "🎪",
    "شارع",
];

const DATES: [&str; 4] =
    ["2029-05-01 12:00:00", "2029-11-01 00:00:00", "2029-11-01 00:00:01", "2029-11-30 12:00:00"];

const STATUSES: [Status; 8] = [
    Status::Publish,
    Status::Publish,
    Status::Publish,
    Status::Future,
    Status::Draft,
    Status::Pending,
    Status::Private,
    Status::Trash,
];

const SEARCHES: [&str; 18] = [
    "temple",
    "TEMPLE 100",
    "100, Temple",
    "temple geneve",
    "théâtre",
    "100%",
    "_",
    "bar_1",
    "69-001",
    "-",
    "!!!",
    "مسرح",
    "🎪",
    "straße",
    "slash",
    "example",
    "東京",
    "nowhere",
];

/// The fields that differ between the two kinds.
trait Listed: Place<Filter = PlaceFilter<Self>> {
    fn builder(name: &str) -> EntryBuilder<Self>;
    fn fill(&mut self, dice: &mut Dice);
    /// The links of an event to some of these places.
    fn links(ids: Vec<EntryId<Self>>) -> Links;
}

fn website(dice: &mut Dice) -> Option<WebUrl> {
    let some = Some("https://Temple.example/100%25".parse::<WebUrl>().unwrap());
    some.filter(|_| dice.once_in(3))
}

fn no_links() -> Links {
    Links { venues: Vec::new(), organizers: Vec::new(), categories: Vec::new(), tags: Vec::new() }
}

impl Listed for VenueDetails {
    fn builder(name: &str) -> EntryBuilder<Self> {
        venue(name)
    }

    fn fill(&mut self, dice: &mut Dice) {
        let texts = [
            &mut self.address,
            &mut self.city,
            &mut self.country,
            &mut self.province,
            &mut self.state,
            &mut self.stateprovince,
            &mut self.zip,
            &mut self.phone,
        ];
        for text in texts {
            dice.pick(&TEXTS).clone_into(text);
        }
        self.website = website(dice);
    }

    fn links(ids: Vec<EntryId<Self>>) -> Links {
        Links { venues: ids, ..no_links() }
    }
}

impl Listed for OrganizerDetails {
    fn builder(name: &str) -> EntryBuilder<Self> {
        organizer(name)
    }

    fn fill(&mut self, dice: &mut Dice) {
        for text in [&mut self.phone, &mut self.email] {
            dice.pick(&TEXTS).clone_into(text);
        }
        self.website = website(dice);
    }

    fn links(ids: Vec<EntryId<Self>>) -> Links {
        Links { organizers: ids, ..no_links() }
    }
}

/// A place with random values in every field that filters and orders use.
fn varied_place<D: Listed>(dice: &mut Dice) -> Entry<D> {
    let status = dice.pick(&STATUSES);
    let builder = D::builder(dice.pick(&NAMES))
        .author(user_id(dice.roll(3)))
        .description(dice.pick(&TEXTS))
        .excerpt(dice.pick(&TEXTS));
    let builder = match status {
        Status::Future => {
            builder.scheduled(dice.pick(&["2030-01-01 00:00:00", "2030-07-01 00:00:00"]))
        }
        _ => builder.dated(dice.pick(&DATES)).status(status),
    };
    let language = dice.pick(&Language::ALL);
    builder
        .with(|place| {
            place.details.fill(dice);
            place.language = language;
            translate(dice, place, D::TEXT_FIELDS, &NAMES, &TEXTS);
        })
        .build()
}

/// The list that the domain computes for these places and events.
fn expected<D: Listed>(
    places: &[Stored<Entry<D>>],
    events: &[Stored<Event>],
    filter: &PlaceFilter<D>,
    visibility: &Visibility,
) -> Vec<EntryId<D>> {
    let linked = |id: EntryId<D>| {
        let of_place = events.iter().filter(|event| D::of_event(event).contains(&id));
        let mut counting = of_place.filter(|event| counts_for_links(event, visibility)).peekable();
        LinkedEvents {
            any: counting.peek().is_some(),
            upcoming: counting.any(|event| event.details.when.start().utc >= visibility.now),
        }
    };
    let places = places.iter().cloned();
    let mut rows: Vec<_> = places.map(|place| place.localized(visibility.language)).collect();
    rows.retain(|place| filter.matches(place, visibility, linked(place.id)));
    rows.sort_by(|a, b| PlaceFilter::compare(a, b));
    ids(&rows)
}

/// Each filter alone, and some together.
fn filters<D: Listed>(dice: &mut Dice, places: &[EntryId<D>]) -> Vec<PlaceFilter<D>> {
    let usual = PlaceFilter::default;
    let mut filters = vec![usual()];
    let statuses = Status::ALL.into_iter().map(|status| vec![status]);
    let statuses = statuses.chain([vec![], Status::ALL.to_vec()]);
    filters.extend(
        statuses.map(|statuses| PlaceFilter { statuses: Statuses(Some(statuses)), ..usual() }),
    );
    filters.extend(
        SEARCHES.map(|search| PlaceFilter { search: Some(FieldSearch::parse(search)), ..usual() }),
    );
    let include = vec![places[3], Id::from_raw(9999), places[0], places[3]];
    filters.extend([vec![], include].map(|ids| PlaceFilter { include: Some(ids), ..usual() }));
    for has_events in [None, Some(true), Some(false)] {
        for only_with_upcoming in [true, false] {
            for statuses in [None, Some(Status::ALL.to_vec())] {
                filters.push(PlaceFilter {
                    has_events,
                    only_with_upcoming,
                    statuses: Statuses(statuses),
                    ..usual()
                });
            }
        }
    }
    for _ in 0..40 {
        let mut filter = PlaceFilter {
            has_events: dice.pick(&[None, None, Some(true), Some(false)]),
            only_with_upcoming: dice.once_in(3),
            ..usual()
        };
        if dice.once_in(2) {
            filter.statuses = Statuses(Some(dice.some(&Status::ALL, 6)));
        }
        if dice.once_in(2) {
            filter.search = Some(FieldSearch::parse(dice.pick(&SEARCHES)));
        }
        if dice.once_in(2) {
            filter.include = Some(dice.some(places, 20));
        }
        filters.push(filter);
    }
    filters
}

async fn check<D: Listed>(store: &dyn Store)
where
    Entry<D>: Sample + Record<Filter = PlaceFilter<D>>,
{
    let mut dice = Dice(3);
    add_users(store).await;
    let unit = store.begin().await.unwrap();
    let repository = Entry::<D>::repository(&*unit);
    let mut all = Vec::new();
    for _ in 0..30 {
        let place = varied_place::<D>(&mut dice);
        all.push(repository.insert(place, SlugRequests::default()).await.unwrap().id);
    }
    // Some places have many events, and some have none.
    let links = D::links(all[..15].to_vec());
    let mut all_events = Vec::new();
    for _ in 0..70 {
        let event = varied(&mut dice, &links);
        all_events.push(unit.events().insert(event, SlugRequests::default()).await.unwrap().id);
    }
    unit.commit().await.unwrap();
    compare_all::<D>(store, &mut dice, &all, &all_events).await;

    for event in store.events().find_many(&all_events).await.unwrap() {
        match dice.roll(3) {
            0 => assert!(remove(store, event.id).await),
            1 => {}
            _ => {
                let content = varied(&mut dice, &links).in_place_of(&event.content);
                change(store, &event, content, None).await;
            }
        }
    }
    for place in found::<Entry<D>>(store, &all).await {
        match dice.roll(4) {
            0 => assert!(remove(store, place.id).await),
            1 => {}
            _ => {
                change(store, &place, varied_place(&mut dice), None).await;
            }
        }
    }
    compare_all::<D>(store, &mut dice, &all, &all_events).await;
}

async fn found<R: Resource>(store: &dyn Store, ids: &[Id<R>]) -> Vec<Stored<R>> {
    R::repository(store.repositories()).find_many(ids).await.unwrap()
}

async fn compare_all<D: Listed>(
    store: &dyn Store,
    dice: &mut Dice,
    all: &[EntryId<D>],
    all_events: &[Id<Event>],
) where
    Entry<D>: Resource + Record<Filter = PlaceFilter<D>>,
{
    let places = found::<Entry<D>>(store, all).await;
    let events = found::<Event>(store, all_events).await;
    let readers = readers();
    for (n, filter) in filters::<D>(dice, all).iter().enumerate() {
        for reader in readers.iter().skip(n % 3).step_by(3) {
            let expected = expected(&places, &events, filter, reader);
            compare::<Entry<D>>(store, reader, filter, &expected).await;
        }
    }
    let with_events = PlaceFilter { has_events: Some(true), ..PlaceFilter::default() };
    for filter in [PlaceFilter::default(), with_events] {
        for reader in readers.iter().step_by(5) {
            let expected = expected(&places, &events, &filter, reader);
            compare_pages::<Entry<D>>(store, reader, &filter, &expected).await;
        }
    }
}

/// Venues, before and after changes of venues and their events.
#[every_store]
async fn venues(store: &dyn Store) {
    check::<VenueDetails>(store).await;
}

/// Organizers, before and after changes of organizers and their events.
#[every_store]
async fn organizers(store: &dyn Store) {
    check::<OrganizerDetails>(store).await;
}
