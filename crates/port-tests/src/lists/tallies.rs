//! The numbers of events by each value of a filter, compared with the list that has this value as a filter.

use std::collections::HashMap;

use app::{
    ports::{CityTally, Store, Tally},
    test_support,
};
use domain::{
    Category, Event, EventId, Id, Language, Organizer, Record, Status, Tag, TextField, Translation,
    Venue,
    cost::Cost,
    event::{EventFilter, Window},
    policy::{Caller, Guarded, Visibility},
    text::fold,
};

use crate::{
    Dice,
    lists::{
        Events,
        event_totals::{add_world, window},
        moments,
    },
    sample::{Links, all, edit, found, ids},
};

/// The cities of the venues, in the original and in French. The second is that of a private venue.
const CITIES: [[&str; 2]; 6] = [
    ["Lyon", "Lyon"],
    ["Lyon", "Lyon"],
    ["LYON", "Lyon"],
    ["Geneva", "Genève"],
    ["", ""],
    ["Genève", "Genève"],
];

/// Events and series of which some are free or have tickets, at venues in cities that languages name
/// differently, one of them private; a category below another.
async fn add_varied_world(store: &dyn Store, dice: &mut Dice) -> Links {
    let links = add_world(store, dice).await;
    let child = found::<Category>(store, links.categories[1]).await.unwrap();
    edit(store, &child, |category| category.parent = Some(links.categories[0])).await;
    for (id, [original, french]) in links.venues.iter().zip(CITIES) {
        let venue = found::<Venue>(store, *id).await.unwrap();
        edit(store, &venue, |venue| {
            venue.details.city = original.into();
            let text_fields = [(TextField::City, french.to_owned())].into();
            let translation = Translation { text_fields, ..Translation::default() };
            venue.translations_mut().put(Language::French, translation);
        })
        .await;
    }
    let hidden = found::<Venue>(store, links.venues[1]).await.unwrap();
    edit(store, &hidden, |venue| venue.move_to(Status::Private, venue.date)).await;
    let tickets = test_support::event("E").ticket("Seat").build().details.tickets;
    for event in all::<Event>(store).await {
        let (is_free, is_sold) = (dice.once_in(2), dice.once_in(2));
        if event.occurrence().is_none() {
            edit(store, &event, |event| {
                event.details.cost = Cost::parse(&[if is_free { "0" } else { "5" }]).unwrap();
                event.details.tickets = if is_sold { tickets.clone() } else { Vec::new() };
            })
            .await;
        }
    }
    links
}

/// The events of a list by each value of a filter, as lists with that value say.
async fn expected(
    store: &dyn Store,
    events: &Events,
    list: &EventFilter,
    visibility: &Visibility,
) -> Tally {
    let length = |filter| events.list(&filter, visibility).len() as u64;
    let tags = all::<Tag>(store).await;
    let organizers = all::<Organizer>(store).await;
    let mut tally = Tally {
        categories: by(&ids(&events.categories), |id| {
            length(EventFilter { categories: Some(vec![id]), ..list.clone() })
        }),
        tags: by(&ids(&tags), |id| length(EventFilter { tags: Some(vec![id]), ..list.clone() })),
        organizers: by(&ids(&organizers), |id| {
            length(EventFilter { organizers: Some(vec![id]), ..list.clone() })
        }),
        venues: by(&ids(&events.venues), |id| {
            length(EventFilter { venues: Some(vec![id]), ..list.clone() })
        }),
        free: length(EventFilter { free: Some(true), ..list.clone() }),
        not_free: length(EventFilter { free: Some(false), ..list.clone() }),
        ticketed: length(EventFilter { ticketed: Some(true), ..list.clone() }),
        not_ticketed: length(EventFilter { ticketed: Some(false), ..list.clone() }),
        ..Tally::default()
    };
    for venue in events.venues.iter().filter(|venue| venue.is_linkable(visibility)) {
        let city = fold(venue.shown_city(visibility.language));
        let filter = EventFilter { cities: Some(vec![city.clone()]), ..list.clone() };
        if !city.is_empty() && tally.venues.contains_key(&venue.id) {
            let there = CityTally { events: length(filter), venue: venue.id };
            let there = tally.cities.entry(city).or_insert(there);
            there.venue = there.venue.min(venue.id);
        }
    }
    tally
}

/// The numbers of events by record, without those that are 0.
fn by<R: 'static>(ids: &[Id<R>], length: impl Fn(Id<R>) -> u64) -> HashMap<Id<R>, u64> {
    let counts = ids.iter().map(|id| (*id, length(*id)));
    counts.filter(|(_, events)| *events > 0).collect()
}

/// Each number is the length of the list with this value as a filter. Events that not everybody can list, and
/// locked ones, do not count, also if their IDs are given.
pub async fn each_number_is_that_of_a_list(store: &dyn Store) {
    let (mut dice, mut others) = (Dice(13), Dice(15));
    add_varied_world(store, &mut dice).await;
    let events = Events::of(store).await;
    let (mut counted, mut in_cities, mut locked) = (0, 0, 0);
    for round in 0..30 {
        let now = dice.pick(&moments());
        let language = Language::ALL[round % 3];
        let visibility = Visibility { language, ..Visibility::new(Caller::Anonymous, now) };
        let list = EventFilter { window: window(&mut dice), ..EventFilter::default() };
        let listed = events.list(&list, &visibility);
        let everywhere = events.list(&EventFilter::default(), &visibility);
        let hidden = ids(&events.all).into_iter().filter(|id| !everywhere.contains(id));
        let given: Vec<EventId> =
            listed.iter().copied().chain(hidden).chain(listed.first().copied()).collect();
        let expected = expected(store, &events, &list, &visibility).await;
        // The given events alone count, whatever else the window has.
        for window in [None, Some(list.window), Some(Window::default()), Some(window(&mut others))]
        {
            let tally = store.events().tally(&given, window, &visibility).await.unwrap();
            assert_eq!(tally, expected, "{list:?} {window:?} {now}");
        }
        let tally = expected;
        counted += tally.free + tally.not_free;
        in_cities += tally.cities.values().map(|city| city.events).sum::<u64>();
        locked += listed.len() as u64 - tally.free - tally.not_free;
    }
    assert!(counted > 500 && in_cities > 200 && locked > 40, "{counted} {in_cities} {locked}");
}

/// No event has no numbers, nor do IDs without an event.
pub async fn a_tally_of_nothing(store: &dyn Store) {
    let visibility = Visibility::new(Caller::Anonymous, moments()[0]);
    for ids in [vec![], vec![EventId::from_raw(999_999)]] {
        assert_eq!(store.events().tally(&ids, None, &visibility).await.unwrap(), Tally::default());
    }
}
