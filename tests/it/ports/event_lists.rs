//! Lists of events hold what [`EventFilter::matches`] says, in the order of
//! [`EventFilter::compare`].

use app::{
    ports::{Repositories, SlugRequests, Store},
    test_support::{EntryBuilder, at, category, event, organizer, tag, venue},
};
use domain::{
    CategoryId, Event, EventId, Id, Language, OrganizerId, Status, Stored, TagId, VenueId,
    event::{EventDetails, EventFilter, EventSort, Window},
    policy::Visibility,
    query::Statuses,
    search::Search,
    time::Timestamp,
};

use tests::every_store;

use super::{
    lists::{RIGHT, WRONG, compare, compare_pages, readers},
    sample::{Dice, Sample, add_users, change, ids, remove, translate, user_id},
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

/// How long events last, in seconds.
const LENGTHS: [i64; 4] = [0, 1, 7200, 250_000];

/// Publication dates.
const DATES: [&str; 4] =
    ["2029-05-01 12:00:00", "2029-11-01 00:00:00", "2029-11-01 00:00:01", "2029-11-30 12:00:00"];

/// Dates of scheduled events: at the moments of the readers and around them.
const SCHEDULED: [&str; 4] =
    ["2030-01-01 00:00:00", "2030-01-01 00:00:01", "2030-07-01 00:00:00", "2040-01-01 00:00:00"];

const STATUSES: [Status; 10] = [
    Status::Publish,
    Status::Publish,
    Status::Publish,
    Status::Publish,
    Status::Future,
    Status::Future,
    Status::Draft,
    Status::Pending,
    Status::Private,
    Status::Trash,
];

/// Records that events link.
pub(super) struct Links {
    pub(super) venues: Vec<VenueId>,
    pub(super) organizers: Vec<OrganizerId>,
    pub(super) categories: Vec<CategoryId>,
    pub(super) tags: Vec<TagId>,
}

impl Links {
    async fn add(to: &dyn Repositories) -> Self {
        let mut links = Self {
            venues: Vec::new(),
            organizers: Vec::new(),
            categories: Vec::new(),
            tags: Vec::new(),
        };
        for name in ["A", "B", "C", "D"] {
            links.venues.push(venue(name).insert(to).await.id);
            links.organizers.push(organizer(name).insert(to).await.id);
            links.categories.push(category(name).insert(to).await.id);
            links.tags.push(tag(name).insert(to).await.id);
        }
        links
    }
}

/// An event with random values in every field that filters and orders use.
pub(super) fn varied(dice: &mut Dice, links: &Links) -> Event {
    let mut builder: EntryBuilder<EventDetails> = event(dice.pick(&TITLES))
        .author(user_id(dice.roll(3)))
        .description(dice.pick(&TEXTS))
        .excerpt(dice.pick(&TEXTS))
        .categories(&dice.some(&links.categories, 3))
        .tags(&dice.some(&links.tags, 3))
        .organizers(&dice.some(&links.organizers, 2));
    let status = dice.pick(&STATUSES);
    builder = match status {
        Status::Future => builder.scheduled(dice.pick(&SCHEDULED)),
        _ => builder.dated(dice.pick(&DATES)).status(status),
    };
    if !links.venues.is_empty() && dice.once_in(2) {
        builder = builder.venue(dice.pick(&links.venues));
    }
    let start = at(dice.pick(&STARTS));
    let end = start.saturating_add(dice.pick(&LENGTHS));
    builder = builder.lasting(&start.to_string(), &end.to_string());
    if dice.once_in(4) {
        builder = builder.hidden();
    }
    if dice.once_in(3) {
        builder = builder.featured();
    }
    if dice.once_in(3) {
        builder = builder.ticket("Seat").ticket("Seat at the table");
    }
    if dice.once_in(3) {
        builder = builder.password_hash(dice.pick(&[RIGHT, RIGHT, WRONG]));
    }
    let modified = at(dice.pick(&DATES));
    let was_public = dice.once_in(3);
    let language = dice.pick(&Language::ALL);
    let event = builder.with(|event| {
        event.language = language;
        translate(dice, event, &[], &TITLES, &TEXTS);
        event.modified = modified;
        // An unpublished event keeps its former publication time.
        if was_public && event.published_at.is_none() {
            event.published_at = Some(modified);
        }
    });
    event.build()
}

/// Adds varied events, and the records that they link, in one unit of work.
async fn add_world(store: &dyn Store, dice: &mut Dice, events: usize) -> (Links, Vec<EventId>) {
    add_users(store).await;
    let unit = store.begin().await.unwrap();
    let links = Links::add(&*unit).await;
    let mut added = Vec::new();
    for _ in 0..events {
        let content = varied(dice, &links);
        added.push(unit.events().insert(content, SlugRequests::default()).await.unwrap().id);
    }
    unit.commit().await.unwrap();
    (links, added)
}

/// The list that the domain computes for these events.
fn expected(
    events: &[Stored<Event>],
    filter: &EventFilter,
    visibility: &Visibility,
) -> Vec<EventId> {
    let events = events.iter().cloned();
    let mut rows: Vec<_> = events.map(|event| event.localized(visibility.language)).collect();
    rows.retain(|event| filter.matches(event, None, visibility));
    rows.sort_by(|a, b| filter.compare(a, b));
    ids(&rows)
}

fn usual() -> EventFilter {
    EventFilter::default()
}

/// Each filter by itself.
fn narrowings(events: &[EventId], links: &Links) -> Vec<EventFilter> {
    let mut filters = vec![usual()];
    let unknown = 9999;
    let mut statuses: Vec<_> = Status::ALL.into_iter().map(|status| vec![status]).collect();
    statuses.push(vec![]);
    statuses.push(vec![Status::Publish, Status::Future]);
    statuses.push(vec![Status::Draft, Status::Pending, Status::Private]);
    statuses.push(Status::ALL.to_vec());
    filters.extend(
        statuses
            .into_iter()
            .map(|statuses| EventFilter { statuses: Statuses(Some(statuses)), ..usual() }),
    );
    let every_third: Vec<_> = events.iter().copied().step_by(3).collect();
    let with_unknown = vec![events[5], Id::from_raw(unknown), events[1], events[5]];
    let includes = [vec![], every_third, with_unknown, events.to_vec()];
    filters.extend(includes.into_iter().map(|ids| EventFilter { include: Some(ids), ..usual() }));
    filters.extend(
        searches()
            .into_iter()
            .map(|search| EventFilter { search: Search::parse(search), ..usual() }),
    );
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
        filters.push(EventFilter {
            categories: Some(vec![links.categories[one], links.categories[two]]),
            ..usual()
        });
        filters.push(EventFilter { tags: Some(vec![links.tags[one]]), ..usual() });
        filters.push(EventFilter {
            venues: Some(vec![links.venues[two], links.venues[one]]),
            ..usual()
        });
        filters.push(EventFilter {
            organizers: Some(vec![links.organizers[one], Id::from_raw(unknown)]),
            ..usual()
        });
    }
    let none_and_unknown = [vec![], vec![unknown]];
    for ids in &none_and_unknown {
        filters.push(EventFilter {
            categories: Some(ids.iter().copied().map(Id::from_raw).collect()),
            ..usual()
        });
        filters.push(EventFilter {
            tags: Some(ids.iter().copied().map(Id::from_raw).collect()),
            ..usual()
        });
        filters.push(EventFilter {
            venues: Some(ids.iter().copied().map(Id::from_raw).collect()),
            ..usual()
        });
        filters.push(EventFilter {
            organizers: Some(ids.iter().copied().map(Id::from_raw).collect()),
            ..usual()
        });
    }
    for wanted in [true, false] {
        filters.push(EventFilter { featured: Some(wanted), ..usual() });
        filters.push(EventFilter { ticketed: Some(wanted), ..usual() });
    }
    filters
}

fn searches() -> Vec<&'static str> {
    vec![
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
    ]
}

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

/// A filter with several conditions.
fn mixed(dice: &mut Dice, events: &[EventId], links: &Links) -> EventFilter {
    let mut filter =
        EventFilter { sort: dice.pick(&SORTS), descending: dice.once_in(2), ..usual() };
    if dice.once_in(2) {
        filter.statuses = Statuses(Some(dice.some(&Status::ALL, 6)));
    }
    if dice.once_in(3) {
        filter.include = Some(dice.some(events, 40));
    }
    if dice.once_in(3) {
        filter.window = dice.pick(&windows());
    }
    if dice.once_in(4) {
        filter.modified_after = Some(at(dice.pick(&DATES)));
    }
    if dice.once_in(4) {
        filter.modified_before = Some(at(dice.pick(&DATES)));
    }
    if dice.once_in(3) {
        filter.search = Search::parse(dice.pick(&searches()));
    }
    if dice.once_in(3) {
        filter.categories = Some(dice.some(&links.categories, 4));
    }
    if dice.once_in(4) {
        filter.tags = Some(dice.some(&links.tags, 4));
    }
    if dice.once_in(4) {
        filter.venues = Some(dice.some(&links.venues, 4));
    }
    if dice.once_in(4) {
        filter.organizers = Some(dice.some(&links.organizers, 4));
    }
    if dice.once_in(4) {
        filter.featured = Some(dice.once_in(2));
    }
    if dice.once_in(6) {
        filter.ticketed = Some(dice.once_in(2));
    }
    filter
}

/// Compares 100 mixed lists, each for some readers.
async fn compare_mixed(store: &dyn Store, dice: &mut Dice, links: &Links, all: &[EventId]) {
    let events = store.events().find_many(all).await.unwrap();
    let readers = readers();
    for _ in 0..100 {
        let filter = mixed(dice, all, links);
        for reader in dice.some(&readers, 4) {
            let expected = expected(&events, &filter, &reader);
            compare::<Event>(store, &reader, &filter, &expected).await;
        }
    }
}

/// Each filter alone and some together, each order, each reader, pages of several sizes.
#[every_store]
async fn each_filter_for_each_reader(store: &dyn Store) {
    let mut dice = Dice(1);
    let (links, all) = add_world(store, &mut dice, 72).await;
    let events = store.events().find_many(&all).await.unwrap();
    assert_eq!(ids(&events), all);
    let readers = readers();
    for (n, filter) in narrowings(&all, &links).into_iter().enumerate() {
        // The default list for all readers, each other list for every third reader in turn.
        let some = readers.iter().skip(n % 3).step_by(if n == 0 { 1 } else { 3 });
        for reader in some {
            let expected = expected(&events, &filter, reader);
            compare::<Event>(store, reader, &filter, &expected).await;
        }
    }
    for (n, sort) in SORTS.into_iter().enumerate() {
        for descending in [false, true] {
            let filter = EventFilter { sort, descending, ..usual() };
            for reader in readers.iter().skip(n % 4).step_by(8) {
                let expected = expected(&events, &filter, reader);
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
            let expected = expected(&events, &filter, reader);
            compare_pages::<Event>(store, reader, &filter, &expected).await;
        }
    }
    compare_mixed(store, &mut dice, &links, &all).await;
}

/// A search with many excluded words, for which the store does not read all texts, finds the same.
#[every_store]
async fn many_words_are_excluded(store: &dyn Store) {
    let mut dice = Dice(3);
    let (_, all) = add_world(store, &mut dice, 240).await;
    let events = store.events().find_many(&all).await.unwrap();
    let unheard = (0..300).map(|number| format!("unheard {number}"));
    let unheard: Vec<_> = unheard.collect();
    for search in ["", "soleil", "-zoo -\"la plage\"", "a -🎉", "-a -soleil"] {
        let mut search = Search::parse(search);
        search.excluded.extend(unheard.iter().cloned());
        let filter = EventFilter { search, ..usual() };
        for reader in readers().iter().step_by(8) {
            let expected = expected(&events, &filter, reader);
            compare_pages::<Event>(store, reader, &filter, &expected).await;
        }
    }
}

/// Lists show changed events as they are now, and no deleted ones.
#[every_store]
async fn lists_follow_changes(store: &dyn Store) {
    let mut dice = Dice(2);
    let (links, all) = add_world(store, &mut dice, 36).await;
    for event in store.events().find_many(&all).await.unwrap() {
        match dice.roll(4) {
            0 => assert!(remove(store, event.id).await),
            1 => {}
            _ => {
                let content = varied(&mut dice, &links).in_place_of(&event.content);
                change(store, &event, content, None).await;
            }
        }
    }
    assert!(remove(store, links.categories[0]).await);
    assert!(remove(store, links.tags[1]).await);
    assert!(remove(store, links.venues[2]).await);
    assert!(remove(store, links.organizers[3]).await);
    compare_mixed(store, &mut dice, &links, &all).await;
    let left = store.events().find_many(&all).await.unwrap();
    let usual = usual();
    for reader in readers() {
        let expected = expected(&left, &usual, &reader);
        compare::<Event>(store, &reader, &usual, &expected).await;
    }
}
