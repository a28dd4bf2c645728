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
    entry::EntryId, event::linked_events, place::PlaceFilter, policy::Visibility, query::Statuses,
    search::FieldSearch, web_url::WebUrl,
};

use super::event_lists::{add_events, varied};
use crate::{
    Dice,
    lists::{compare, compare_pages, readers},
    random_series::shuffle_events,
    sample::{Links, Sample, all, ids, in_unit, shuffle, staged, translate},
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
pub trait Listed: Place<Filter = PlaceFilter<Self>> {
    fn builder(name: &str) -> EntryBuilder<Self>;
    fn fill(&mut self, dice: &mut Dice);
    /// The links of an event to some of these places.
    fn links(ids: Vec<EntryId<Self>>) -> Links;
}

fn website(dice: &mut Dice) -> Option<WebUrl> {
    let some = Some("https://Temple.example/100%25".parse::<WebUrl>().unwrap());
    some.filter(|_| dice.once_in(3))
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
        Links { venues: ids, ..Links::default() }
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
        Links { organizers: ids, ..Links::default() }
    }
}

/// A place with random values in every field that filters and orders use.
fn varied_place<D: Listed>(dice: &mut Dice) -> Entry<D> {
    let builder =
        D::builder(dice.pick(&NAMES)).description(dice.pick(&TEXTS)).excerpt(dice.pick(&TEXTS));
    let place = staged(dice, builder).with(|place| {
        place.details.fill(dice);
        place.language = dice.pick(&Language::ALL);
        translate(dice, place, D::TEXT_FIELDS, &NAMES, &TEXTS);
    });
    place.build()
}

/// The list that the domain computes for these places and events.
fn expected<D: Listed>(
    places: &[Stored<Entry<D>>],
    events: &[Stored<Event>],
    filter: &PlaceFilter<D>,
    visibility: &Visibility,
) -> Vec<EntryId<D>> {
    let events = events.iter().map(|event| &event.content);
    let linked = |id: EntryId<D>| {
        let of_place = events.clone().filter(|event| D::of_event(event).contains(&id));
        linked_events(of_place, visibility)
    };
    ids(&filter.list(places, linked, visibility))
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
        filters.push(PlaceFilter {
            has_events: dice.pick(&[None, None, Some(true), Some(false)]),
            only_with_upcoming: dice.once_in(3),
            statuses: Statuses(dice.once_in(2).then(|| dice.some(&Status::ALL, 6))),
            search: dice.once_in(2).then(|| FieldSearch::parse(dice.pick(&SEARCHES))),
            include: dice.once_in(2).then(|| dice.some(places, 20)),
        });
    }
    filters
}

/// Lists of places, before and after changes of the places and their events.
pub async fn places<D: Listed>(store: &dyn Store)
where
    Entry<D>: Sample + Record<Filter = PlaceFilter<D>>,
{
    let mut dice = Dice(3);
    let added = in_unit(store, async |to| {
        let mut added = Vec::new();
        for _ in 0..30 {
            let place = varied_place::<D>(&mut dice);
            let place = Entry::<D>::repository(to).insert(place, SlugRequests::default()).await;
            added.push(place.unwrap().id);
        }
        added
    })
    .await;
    // Some places have many events, and some have none.
    let links = D::links(added[..15].to_vec());
    add_events(store, &mut dice, &links, 70).await;
    compare_all::<D>(store, &mut dice, &added).await;

    shuffle_events(store, &mut dice, |dice| varied(dice, &links)).await;
    shuffle(store, &mut dice, varied_place::<D>).await;
    compare_all::<D>(store, &mut dice, &added).await;
}

async fn compare_all<D: Listed>(store: &dyn Store, dice: &mut Dice, added: &[EntryId<D>])
where
    Entry<D>: Resource + Record<Filter = PlaceFilter<D>>,
{
    let (places, events) = (all::<Entry<D>>(store).await, all::<Event>(store).await);
    let readers = readers();
    for (n, filter) in filters::<D>(dice, added).iter().enumerate() {
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
