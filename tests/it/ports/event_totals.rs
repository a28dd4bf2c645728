//! The totals of lists of events, in every window and after every write.
//!
//! A store may know totals without counting. Events start, end and last here around the borders of
//! the buckets of such a store.

use std::iter::{repeat_with, successors};

use app::{
    ports::{SlugRequests, Store},
    test_support::{START, at, caller, category, event, organizer, tag, venue},
};
use domain::{
    Category, CategoryId, Event, EventId, OrganizerId, Role, Status, Stored, TagId, Venue, VenueId,
    event::{EventFilter, EventSort, Window},
    geo::{Circle, Position},
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    time::Timestamp,
};

use tests::every_store;

use super::{
    lists::{RIGHT, moments},
    sample::{Dice, add_users, change, ids, in_unit, remove, user_id},
};

/// How long events last, in seconds.
const LENGTHS: [i64; 14] = [
    0,
    3_600,
    14_400,
    14_401,
    86_399,
    86_400,
    86_401,
    518_400,
    518_401,
    3_110_400,
    3_110_401,
    18_662_400,
    18_662_401,
    100_000_000,
];

const STATUSES: [Status; 8] = [
    Status::Publish,
    Status::Publish,
    Status::Publish,
    Status::Publish,
    Status::Publish,
    Status::Future,
    Status::Draft,
    Status::Trash,
];

/// Degrees of latitude on one meridian.
const LATITUDES: [f64; 3] = [0.0, 0.2, 1.0];

struct World {
    venues: Vec<VenueId>,
    organizers: Vec<OrganizerId>,
    categories: Vec<CategoryId>,
    tags: Vec<TagId>,
    events: Vec<EventId>,
}

/// A moment within four years around the start of the tests, often at the border of a bucket.
fn moment(dice: &mut Dice) -> Timestamp {
    let seconds = i64::try_from(dice.roll(126_144_000)).unwrap() - 63_072_000;
    let moment = at(START).saturating_add(seconds).seconds();
    let step = i64::try_from(dice.roll(3)).unwrap() - 1;
    let moment = match dice.roll(4) {
        0 => (moment >> 16 << 16) + step,
        1 => (moment >> 19 << 19) + step,
        _ => moment,
    };
    Timestamp::from_seconds(moment).unwrap()
}

fn varied(dice: &mut Dice, world: &World) -> Event {
    let start = moment(dice);
    let end = start.saturating_add(dice.pick(&LENGTHS));
    let mut builder = event("E")
        .author(user_id(dice.roll(3)))
        .lasting(&start.to_string(), &end.to_string())
        .categories(&dice.some(&world.categories, 3))
        .tags(&dice.some(&world.tags, 3))
        .organizers(&dice.some(&world.organizers, 2));
    builder = match dice.pick(&STATUSES) {
        Status::Future => {
            builder.scheduled(dice.pick(&["2030-01-01 00:00:01", "2030-07-01 00:00:00"]))
        }
        status => builder.status(status),
    };
    if !world.venues.is_empty() && !dice.once_in(4) {
        builder = builder.venue(dice.pick(&world.venues));
    }
    if dice.once_in(8) {
        builder = builder.hidden();
    }
    if dice.once_in(6) {
        builder = builder.password_hash(RIGHT);
    }
    builder.build()
}

async fn add_world(store: &dyn Store, dice: &mut Dice) -> World {
    add_users(store).await;
    let unit = store.begin().await.unwrap();
    let to = &*unit;
    let mut world = World {
        venues: Vec::new(),
        organizers: Vec::new(),
        categories: Vec::new(),
        tags: Vec::new(),
        events: Vec::new(),
    };
    for (name, latitude) in ["A", "B", "C"].into_iter().zip(LATITUDES) {
        let there = Position::new(latitude, 7.0).unwrap();
        let venue = venue(name).with(|venue| venue.details.position = Some(there));
        world.venues.push(venue.insert(to).await.id);
        world.organizers.push(organizer(name).insert(to).await.id);
        world.categories.push(category(name).insert(to).await.id);
        world.tags.push(tag(name).insert(to).await.id);
    }
    for _ in 0..80 {
        let content = varied(dice, &world);
        let added = unit.events().insert(content, SlugRequests::default()).await;
        world.events.push(added.unwrap().id);
    }
    unit.commit().await.unwrap();
    world
}

fn window(dice: &mut Dice) -> Window {
    let mut bounds = repeat_with(|| (!dice.once_in(3)).then(|| moment(dice)));
    let mut next = || bounds.next().flatten();
    let window = Window { start_min: next(), start_max: next(), end_min: next(), end_max: next() };
    match dice.roll(4) {
        0 => window,
        1 => Window { start_max: None, end_min: None, ..window },
        2 => Window { end_min: window.end_min, ..Window::default() },
        _ => Window::default(),
    }
}

fn filter(dice: &mut Dice, world: &World) -> EventFilter {
    let mut filter = EventFilter {
        window: window(dice),
        sort: dice.pick(&[EventSort::Start, EventSort::Start, EventSort::End]),
        descending: dice.once_in(3),
        ..EventFilter::default()
    };
    for _ in 0..dice.roll(3) {
        match dice.roll(5) {
            0 => filter.categories = Some(dice.some(&world.categories, 2)),
            1 => filter.tags = Some(vec![dice.pick(&world.tags)]),
            2 => filter.venues = Some(dice.some(&world.venues, 3)),
            3 => filter.organizers = Some(vec![dice.pick(&world.organizers)]),
            _ => {
                let center = Position::new(0.1, 7.0).unwrap();
                filter.near = Circle::new(center, dice.pick(&[1.0, 20.0, 500.0])).ok();
            }
        }
    }
    filter
}

/// These categories and their descendants.
fn below(all: &[Stored<Category>], ids: &[CategoryId]) -> Vec<CategoryId> {
    let is_below = |category: &&Stored<Category>| {
        let above = |id: &CategoryId| all.iter().find(|one| one.id == *id)?.parent;
        let mut line = successors(Some(category.id), above);
        line.any(|id| ids.contains(&id))
    };
    let below = all.iter().filter(is_below);
    below.map(|category| category.id).collect()
}

/// Compares some pages, with the totals of their lists.
async fn compare_pages(store: &dyn Store, dice: &mut Dice, world: &World) {
    let events = store.events().find_many(&world.events).await.unwrap();
    let venues = store.venues().find_many(&world.venues).await.unwrap();
    let categories = store.categories().find_many(&world.categories);
    let categories = categories.await.unwrap();
    let mut held = 0;
    for _ in 0..300 {
        let filter = filter(dice, world);
        let named = EventFilter {
            categories: filter.categories.as_ref().map(|ids| below(&categories, ids)),
            ..filter.clone()
        };
        let visibility = Visibility::new(Caller::Anonymous, dice.pick(&moments()));
        let mut rows: Vec<&Stored<Event>> = events.iter().collect();
        rows.retain(|event| {
            let venue = venues.iter().find(|venue| Some(venue.id) == event.details.venue);
            let venue: Option<&Venue> = venue.map(|venue| &venue.content);
            named.matches(event, venue, &visibility)
        });
        rows.sort_by(|a, b| filter.compare(a, b));
        held += rows.len();
        let number = u64::try_from(dice.roll(4)).unwrap() + 1;
        let page = PageRequest::new(number, dice.pick(&[1, 3, 10]), 10);
        let query = Query { visibility, filter, page };
        let answer = store.events().page(&query).await.unwrap();
        let first = usize::try_from(page.offset()).unwrap();
        let expected: Vec<_> = ids(rows.iter().copied())
            .into_iter()
            .skip(first)
            .take(usize::try_from(page.per_page()).unwrap())
            .collect();
        assert_eq!(answer.rows, expected, "{query:?}");
        assert_eq!(answer.total, rows.len() as u64, "{query:?}");
    }
    assert!(held > 500, "{held}");
}

/// Totals of lists of every window and every filter, after every kind of write.
#[every_store]
async fn lists_tell_their_length(store: &dyn Store) {
    let mut dice = Dice(5);
    let world = add_world(store, &mut dice).await;
    compare_pages(store, &mut dice, &world).await;
    for event in store.events().find_many(&world.events).await.unwrap() {
        match dice.roll(5) {
            0 => assert!(remove(store, event.id).await),
            1 => {
                let mut content = event.content.clone();
                content.details.hide_from_listings ^= true;
                change(store, &event, content, None).await;
            }
            2 => {
                let mut content = event.content.clone();
                content.details.password = varied(&mut dice, &world).details.password;
                change(store, &event, content, None).await;
            }
            _ => {
                let mut content = varied(&mut dice, &world);
                content.details.uid.clone_from(&event.details.uid);
                change(store, &event, content, None).await;
            }
        }
    }
    compare_pages(store, &mut dice, &world).await;
    assert!(remove(store, world.venues[0]).await);
    assert!(remove(store, world.organizers[1]).await);
    assert!(remove(store, world.categories[2]).await);
    assert!(remove(store, world.tags[0]).await);
    let unit = store.begin().await.unwrap();
    for id in &world.events[..20] {
        unit.events().delete(*id).await.unwrap();
    }
    unit.rollback().await.unwrap();
    compare_pages(store, &mut dice, &world).await;
}

/// Totals of lists by categories that are added, moved and deleted, with their descendants.
#[every_store]
async fn lists_follow_the_tree(store: &dyn Store) {
    let mut dice = Dice(6);
    let mut world = add_world(store, &mut dice).await;
    for round in 0..12 {
        for _ in 0..2 {
            let name = format!("Category {}", world.categories.len());
            let parent = dice.pick(&world.categories);
            let added = category(&name).below(parent);
            world.categories.push(in_unit(store, async |to| added.insert(to).await.id).await);
        }
        for event in store.events().find_many(&world.events).await.unwrap() {
            if dice.once_in(3) {
                let mut content = event.content.clone();
                content.details.categories = dice.some(&world.categories, 4);
                change(store, &event, content, None).await;
            }
        }
        for _ in 0..3 {
            let all = store.categories().find_many(&world.categories);
            let all = all.await.unwrap();
            let moved = dice.pick(&all);
            let parent = Some(dice.pick(&world.categories)).filter(|_| !dice.once_in(4));
            let makes_circle = |parent: &CategoryId| below(&all, &[moved.id]).contains(parent);
            let mut content = moved.content.clone();
            content.parent = parent.filter(|parent| !makes_circle(parent));
            change(store, &moved, content, None).await;
        }
        if round % 2 == 1 {
            let gone = world.categories.remove(dice.roll(world.categories.len()));
            assert!(remove(store, gone).await);
        }
        compare_trees(store, &mut dice, &world).await;
    }
    compare_pages(store, &mut dice, &world).await;
}

/// Compares the list of each category, and of some together.
async fn compare_trees(store: &dyn Store, dice: &mut Dice, world: &World) {
    let events = store.events().find_many(&world.events).await.unwrap();
    let categories = store.categories().find_many(&world.categories);
    let categories = categories.await.unwrap();
    let alone = world.categories.iter().map(|id| vec![*id]);
    let some = dice.some(&world.categories, 3);
    for ids in alone.chain([some]) {
        let named = below(&categories, &ids);
        for visibility in [
            Visibility::new(Caller::Anonymous, at(START)),
            Visibility::new(caller(user_id(1), Role::Editor), at(START)),
        ] {
            let filter = |ids: &[CategoryId]| EventFilter {
                categories: Some(ids.to_vec()),
                ..EventFilter::default()
            };
            let mut rows: Vec<&Stored<Event>> = events.iter().collect();
            rows.retain(|event| filter(&named).matches(event, None, &visibility));
            rows.sort_by(|a, b| filter(&named).compare(a, b));
            let expected = super::sample::ids(rows.iter().copied());
            let query =
                Query { visibility, filter: filter(&ids), page: PageRequest::new(1, 2, 10) };
            let answer = store.events().page(&query).await.unwrap();
            assert_eq!(answer.rows, expected[..expected.len().min(2)], "{query:?}");
            assert_eq!(answer.total, expected.len() as u64, "{query:?}");
        }
    }
}
