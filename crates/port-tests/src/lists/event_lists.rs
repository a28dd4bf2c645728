//! Lists of events hold what [`EventFilter::matches`] says, in the order of
//! [`EventFilter::compare`].

use app::{
    ports::{SlugRequests, Store},
    test_support::{at, event},
};
use domain::{
    Event, EventId, Id, Language, Status, Stored, TextField, VenueId,
    cost::Cost,
    event::{EventFilter, EventSort, SeriesListing, Window},
    geo::{Circle, Position},
    query::Statuses,
    search::Search,
    text::fold,
    time::Timestamp,
};

use crate::{
    Dice,
    lists::{Events, RIGHT, WRONG, compare, compare_pages, readers},
    random_series::{add_series, shuffle_events},
    sample::{DATES, Links, edit, found, ids, in_unit, remove, staged, translate, user_id},
};

/// Titles, some of which fold to the same, with characters that are special in patterns and orders
/// of databases.
const TITLES: [&str; 16] = [
    "Été à la plage",
    "ete a la plage",
    "ÉTÉ",
    "Zoo",
    "100% off_sale",
    "100 off-sale",
    "50\\50 [a-z]* ?",
    "O'Neil's",
    "مهرجان الموسيقى",
    "🎉 party",
    "Straße",
    "strasse",
    "Concert a b",
    "Concert ab",
    "concert-ab",
    "東京",
];

/// Descriptions and excerpts.
const TEXTS: [&str; 8] = [
    "",
    "Zoo du nord",
    "<b>Plage</b> &amp; soleil\n\nautre ligne",
    "50% de réduction, 100_percent",
    "مُوسِيقَى حية",
    "back\\slash and 'quotes' \"double\"",
    "secret garden 🎉",
    "strasse",
];

/// Starts before, at and after the moments of the readers.
const STARTS: [&str; 6] = [
    "2029-05-01 00:00:00",
    "2029-12-31 23:59:59",
    "2030-01-01 00:00:00",
    "2030-01-01 00:00:01",
    "2030-06-01 10:00:00",
    "2031-06-01 10:00:00",
];

/// Costs, most of them none.
const COSTS: [&str; 9] = ["", "", "", "0", "Free", "0-5", "7 €", "donation", "2 for $0"];

/// Cities, two of which fold to the same.
const CITIES: [&str; 4] = ["Genève", "GENEVE", "Lyon", ""];

/// How long events last, in seconds.
const LENGTHS: [i64; 4] = [0, 1, 7200, 250_000];

/// An event with random values in every field that filters and orders use.
pub fn varied(dice: &mut Dice, links: &Links) -> Event {
    let mut builder = event(dice.pick(&TITLES))
        .description(dice.pick(&TEXTS))
        .excerpt(dice.pick(&TEXTS))
        .categories(&dice.some(&links.categories, 3))
        .tags(&dice.some(&links.tags, 3))
        .organizers(&dice.some(&links.organizers, 2));
    let start = at(dice.pick(&STARTS));
    let end = start.saturating_add(dice.pick(&LENGTHS));
    builder = staged(dice, builder).lasting(&start.to_string(), &end.to_string());
    if dice.once_in(3) {
        builder = builder.ticket("Seat").ticket("Seat at the table");
    }
    if dice.once_in(3) {
        builder = builder.password_hash(dice.pick(&[RIGHT, RIGHT, WRONG]));
    }
    let event = builder.with(|event| {
        if !links.venues.is_empty() && dice.once_in(2) {
            event.details.venue = Some(dice.pick(&links.venues));
        }
        event.details.hide_from_listings = dice.once_in(4);
        event.details.featured = dice.once_in(3);
        event.details.cost = Cost::parse(&[dice.pick(&COSTS)]).unwrap();
        for ticket in &mut event.details.tickets {
            ticket.price = dice.pick(&["0", "0.00", "0", "12.50"]).parse().unwrap();
        }
        event.language = dice.pick(&Language::ALL);
        translate(dice, event, &[], &TITLES, &TEXTS);
        event.modified = at(dice.pick(&DATES));
        // An unpublished event keeps its former publication time.
        if event.published_at.is_none() && dice.once_in(3) {
            event.published_at = Some(event.modified);
        }
    });
    event.build()
}

/// Adds varied events in one unit of work, of which some are series with their occurrences.
pub async fn add_events(
    store: &dyn Store,
    dice: &mut Dice,
    links: &Links,
    count: usize,
) -> Vec<EventId> {
    in_unit(store, async |to| {
        let mut added = Vec::new();
        for _ in 0..count {
            let mut content = varied(dice, links);
            if !added.is_empty() && dice.once_in(4) {
                content.details.parent = Some(dice.pick(&added));
            }
            if dice.once_in(9) {
                let varied = |dice: &mut Dice| varied(dice, links);
                added.extend(add_series(to, dice, content, varied).await);
                continue;
            }
            added.push(to.events().insert(content, SlugRequests::default()).await.unwrap().id);
        }
        added
    })
    .await
}

/// Positions of venues, the first two 10 km apart, the last one 340 km from them.
fn positions() -> [Position; 3] {
    [(48.8566, 2.3522), (48.8, 2.25), (51.5074, -0.1278)]
        .map(|(latitude, longitude)| Position::new(latitude, longitude).unwrap())
}

/// Gives a venue a city, in some languages another one.
async fn settle(store: &dyn Store, dice: &mut Dice, id: VenueId) {
    let venue = found(store, id).await.unwrap();
    edit(store, &venue, |venue| {
        dice.pick(&CITIES).clone_into(&mut venue.details.city);
        translate(dice, venue, &[TextField::City], &TITLES, &CITIES);
    })
    .await;
}

/// Adds varied events, and the records that they link. One venue has no position, and is a draft.
async fn add_world(store: &dyn Store, dice: &mut Dice, events: usize) -> (Links, Vec<EventId>) {
    let links = in_unit(store, async |to| Links::add(to, &["A", "B", "C", "D"]).await).await;
    for (id, position) in links.venues.iter().zip(positions()) {
        let venue = found(store, *id).await.unwrap();
        edit(store, &venue, |venue| venue.details.position = Some(position)).await;
    }
    for id in &links.venues {
        settle(store, dice, *id).await;
    }
    let last = found(store, links.venues[3]).await.unwrap();
    edit(store, &last, |venue| venue.move_to(Status::Draft, at(DATES[0]))).await;
    let added = add_events(store, dice, &links, events).await;
    (links, added)
}

fn usual() -> EventFilter {
    EventFilter::default()
}

/// The ID of no record.
const UNKNOWN: i64 = 9999;

/// A filter by the links of each kind.
fn linking(Links { categories, tags, venues, organizers }: Links) -> [EventFilter; 4] {
    [
        EventFilter { categories: Some(categories), ..usual() },
        EventFilter { tags: Some(tags), ..usual() },
        EventFilter { venues: Some(venues), ..usual() },
        EventFilter { organizers: Some(organizers), ..usual() },
    ]
}

/// Each filter by itself.
fn narrowings(events: &[EventId], links: &Links) -> Vec<EventFilter> {
    let mut filters = vec![usual()];
    let statuses = Status::ALL.into_iter().map(|status| vec![status]).chain([
        vec![],
        vec![Status::Publish, Status::Future],
        vec![Status::Draft, Status::Pending, Status::Private],
        Status::ALL.to_vec(),
    ]);
    filters.extend(
        statuses.map(|statuses| EventFilter { statuses: Statuses(Some(statuses)), ..usual() }),
    );
    filters.extend((0..3).map(|index| EventFilter { author: Some(user_id(index)), ..usual() }));
    for statuses in [None, Some(Status::ALL.to_vec())] {
        let statuses = Statuses(statuses);
        filters.push(EventFilter { with_hidden: true, statuses, ..usual() });
    }
    let every_third: Vec<_> = events.iter().copied().step_by(3).collect();
    let with_unknown = vec![events[5], Id::from_raw(UNKNOWN), events[1], events[5]];
    let includes = [vec![], every_third, with_unknown, events.to_vec()];
    filters.extend(includes.into_iter().map(|ids| EventFilter { include: Some(ids), ..usual() }));
    filters.extend(SEARCHES.map(|search| EventFilter { search: Search::parse(search), ..usual() }));
    filters.extend(windows().into_iter().map(|window| EventFilter { window, ..usual() }));
    for date in DATES.map(at) {
        filters.push(EventFilter { modified_after: Some(date), ..usual() });
        filters.push(EventFilter { modified_before: Some(date), ..usual() });
    }
    filters.push(EventFilter {
        modified_after: Some(at(DATES[0])),
        modified_before: Some(at(DATES[3])),
        ..usual()
    });
    for n in 0..4 {
        let (one, two) = (n, (n + 2) % 4);
        filters.extend(linking(Links {
            categories: vec![links.categories[one], links.categories[two]],
            tags: vec![links.tags[one]],
            venues: vec![links.venues[two], links.venues[one]],
            organizers: vec![links.organizers[one], Id::from_raw(UNKNOWN)],
        }));
    }
    filters.extend(linking(Links::default()));
    filters.extend(linking(Links {
        categories: vec![Id::from_raw(UNKNOWN)],
        tags: vec![Id::from_raw(UNKNOWN)],
        venues: vec![Id::from_raw(UNKNOWN)],
        organizers: vec![Id::from_raw(UNKNOWN)],
    }));
    for wanted in [true, false] {
        filters.push(EventFilter { featured: Some(wanted), ..usual() });
        filters.push(EventFilter { ticketed: Some(wanted), ..usual() });
        filters.push(EventFilter { free: Some(wanted), ..usual() });
    }
    for cities in [vec!["geneve"], vec!["lyon", "geneve"], vec!["lyon"], vec!["nowhere"], vec![]] {
        filters.push(EventFilter { cities: Some(folded(&cities)), ..usual() });
    }
    filters
}

fn folded(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| fold(name)).collect()
}

const SEARCHES: [&str; 31] = [
    "été",
    "PLAGE",
    "plage soleil",
    "plage -soleil",
    "-plage",
    "\"la plage\"",
    "\"plage zoo\"",
    "\"plage & soleil\"",
    "zoo nord",
    "%",
    "_",
    "100%",
    "f_s",
    "\\",
    "k\\s",
    "[a-z]",
    "*",
    "?",
    "'",
    "o'neil",
    "موسيقى",
    "مُوسِيقَى",
    "🎉",
    "-🎉 -zoo",
    "straße",
    "東",
    "ab",
    "secret",
    "nothing at all",
    "amp",
    "strong",
];

fn windows() -> Vec<Window> {
    let mut windows = Vec::new();
    for start in STARTS {
        let start = Some(at(start));
        windows.extend([
            Window { start_min: start, ..Window::default() },
            Window { start_max: start, ..Window::default() },
            Window { end_min: start, ..Window::default() },
            Window { end_max: start, ..Window::default() },
            Window {
                start_min: Some(at("2029-12-31 00:00:00")),
                start_max: start,
                end_min: start,
                end_max: Some(at("2030-06-01 12:00:00")),
            },
        ]);
    }
    windows.push(Window {
        start_min: Some(Timestamp::MIN),
        start_max: Some(Timestamp::MAX),
        end_min: Some(Timestamp::MIN),
        end_max: Some(Timestamp::MAX),
    });
    windows.push(Window { start_min: Some(Timestamp::MAX), ..Window::default() });
    windows
}

const SORTS: [EventSort; 6] = [
    EventSort::Start,
    EventSort::End,
    EventSort::Date,
    EventSort::Modified,
    EventSort::Title,
    EventSort::Id,
];

const LISTINGS: [SeriesListing; 4] = [
    SeriesListing::Occurrences,
    SeriesListing::Occurrences,
    SeriesListing::First,
    SeriesListing::Series,
];

/// Filters by what only series have, alone and with others.
fn of_series(all: &[Stored<Event>]) -> Vec<EventFilter> {
    let mut filters = Vec::new();
    for series in [SeriesListing::First, SeriesListing::Series] {
        filters.push(EventFilter { series, ..usual() });
        filters.push(EventFilter { series, descending: true, ..usual() });
        filters.push(EventFilter { series, sort: EventSort::Title, ..usual() });
        filters.push(EventFilter { series, search: Search::parse("zoo"), ..usual() });
        let windows = windows().into_iter();
        filters.extend(windows.map(|window| EventFilter { series, window, ..usual() }));
    }
    for event in all.iter().filter(|event| event.series().is_some()) {
        let belongs = |one: &&Stored<Event>| {
            let occurrence = one.occurrence();
            one.id == event.id || occurrence.is_some_and(|of| of.series == event.id)
        };
        let family = ids(all.iter().filter(belongs));
        for series in [SeriesListing::Occurrences, SeriesListing::First, SeriesListing::Series] {
            filters.push(EventFilter { series, parent: Some(event.id), ..usual() });
            filters.push(EventFilter { series, include: Some(family.clone()), ..usual() });
        }
    }
    filters
}

/// A filter with several conditions.
fn mixed(dice: &mut Dice, events: &[EventId], links: &Links) -> EventFilter {
    EventFilter {
        series: dice.pick(&LISTINGS),
        sort: dice.pick(&SORTS),
        descending: dice.once_in(2),
        statuses: Statuses(dice.once_in(2).then(|| dice.some(&Status::ALL, 6))),
        include: dice.once_in(3).then(|| dice.some(events, 40)),
        with_hidden: dice.once_in(4),
        author: dice.once_in(4).then(|| user_id(dice.pick(&[0, 1, 2]))),
        window: if dice.once_in(3) { dice.pick(&windows()) } else { Window::default() },
        modified_after: dice.once_in(4).then(|| at(dice.pick(&DATES))),
        modified_before: dice.once_in(4).then(|| at(dice.pick(&DATES))),
        search: Search::parse(if dice.once_in(3) { dice.pick(&SEARCHES) } else { "" }),
        categories: dice.once_in(3).then(|| dice.some(&links.categories, 4)),
        tags: dice.once_in(4).then(|| dice.some(&links.tags, 4)),
        venues: dice.once_in(4).then(|| dice.some(&links.venues, 4)),
        organizers: dice.once_in(4).then(|| dice.some(&links.organizers, 4)),
        featured: dice.once_in(4).then(|| dice.once_in(2)),
        ticketed: dice.once_in(6).then(|| dice.once_in(2)),
        free: dice.once_in(6).then(|| dice.once_in(2)),
        cities: dice.once_in(6).then(|| folded(&dice.some(&CITIES[1..3], 2))),
        located: dice.once_in(6).then(|| dice.once_in(2)),
        near: dice.once_in(6).then(|| {
            let center = dice.pick(&positions());
            Circle::new(center, dice.pick(&[1.0, 20.0, 500.0])).unwrap()
        }),
        parent: (!events.is_empty() && dice.once_in(6)).then(|| dice.pick(events)),
    }
}

/// Compares 100 mixed lists, each for some readers.
async fn compare_mixed(store: &dyn Store, dice: &mut Dice, links: &Links, all: &[EventId]) {
    let events = Events::of(store).await;
    let readers = readers();
    for _ in 0..100 {
        let filter = mixed(dice, all, links);
        for reader in dice.some(&readers, 4) {
            compare::<Event>(store, &reader, &filter, &events.list(&filter, &reader)).await;
        }
    }
}

/// Each filter alone and some together, each order, each reader, pages of several sizes.
pub async fn each_filter_for_each_reader(store: &dyn Store) {
    let mut dice = Dice(1);
    let (links, all) = add_world(store, &mut dice, 72).await;
    let events = Events::of(store).await;
    assert_eq!(ids(&events.all), all);
    let readers = readers();
    let filters = [narrowings(&all, &links), of_series(&events.all)].concat();
    for (n, filter) in filters.iter().enumerate() {
        // The default list for all readers, each other list for every third reader in turn.
        let some = readers.iter().skip(n % 3).step_by(if n == 0 { 1 } else { 3 });
        for reader in some {
            compare::<Event>(store, reader, filter, &events.list(filter, reader)).await;
        }
    }
    for (n, sort) in SORTS.into_iter().enumerate() {
        for descending in [false, true] {
            let filter = EventFilter { sort, descending, ..usual() };
            for reader in readers.iter().skip(n % 4).step_by(8) {
                let expected = events.list(&filter, reader);
                compare_pages::<Event>(store, reader, &filter, &expected).await;
            }
        }
    }
    let searched = EventFilter {
        search: Search::parse("a"),
        categories: Some(links.categories[..3].to_vec()),
        include: Some(all.clone()),
        sort: EventSort::Title,
        ..usual()
    };
    for filter in [searched, mixed(&mut dice, &[], &links)] {
        for reader in readers.iter().step_by(8) {
            let expected = events.list(&filter, reader);
            compare_pages::<Event>(store, reader, &filter, &expected).await;
        }
    }
    compare_mixed(store, &mut dice, &links, &all).await;
}

/// A search with many excluded words, for which the store does not read all texts, finds the same.
pub async fn many_words_are_excluded(store: &dyn Store) {
    add_world(store, &mut Dice(3), 80).await;
    let events = Events::of(store).await;
    for search in ["", "soleil", "-zoo -\"la plage\"", "a -🎉", "-a -soleil"] {
        let mut search = Search::parse(search);
        search.excluded.extend((0..300).map(|number| format!("unheard {number}")));
        let filter = EventFilter { search, ..usual() };
        for reader in readers().iter().step_by(8) {
            let expected = events.list(&filter, reader);
            compare_pages::<Event>(store, reader, &filter, &expected).await;
        }
    }
}

/// Lists show changed events as they are now, and no deleted ones.
pub async fn lists_follow_changes(store: &dyn Store) {
    let mut dice = Dice(2);
    let (links, all) = add_world(store, &mut dice, 36).await;
    shuffle_events(store, &mut dice, |dice| varied(dice, &links)).await;
    settle(store, &mut dice, links.venues[0]).await;
    settle(store, &mut dice, links.venues[1]).await;
    assert!(remove(store, links.categories[0]).await);
    assert!(remove(store, links.tags[1]).await);
    assert!(remove(store, links.venues[2]).await);
    assert!(remove(store, links.organizers[3]).await);
    compare_mixed(store, &mut dice, &links, &all).await;
    let left = Events::of(store).await;
    for filter in of_series(&left.all) {
        for reader in readers().iter().step_by(5) {
            compare::<Event>(store, reader, &filter, &left.list(&filter, reader)).await;
        }
    }
    for reader in readers() {
        compare::<Event>(store, &reader, &usual(), &left.list(&usual(), &reader)).await;
    }
}
