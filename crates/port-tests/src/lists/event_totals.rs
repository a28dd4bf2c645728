//! The totals of lists of events, in every window and after every write.
//!
//! A store may know totals without counting. Events start, end and last here around the borders of
//! the buckets of such a store.

use std::iter::repeat_with;

use app::{
    ports::{SlugRequests, Store},
    test_support::{START, at, caller, category, event, venue},
};
use domain::{
    Category, Event, Role,
    event::{EventFilter, EventSort, Window},
    geo::{Circle, Position},
    page::PageRequest,
    policy::{Caller, Visibility},
    time::Timestamp,
};

use crate::{
    Dice,
    lists::{Events, RIGHT, compare_page, moments},
    random_series::{add_series, shuffle_events},
    sample::{Links, Sample, all, change, edit, in_unit, remove, staged, user_id},
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

/// Degrees of latitude on one meridian.
const LATITUDES: [f64; 3] = [0.0, 0.2, 1.0];

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

fn varied(dice: &mut Dice, links: &Links) -> Event {
    let start = moment(dice);
    let end = start.saturating_add(dice.pick(&LENGTHS));
    let mut builder = staged(dice, event("E"))
        .lasting(&start.to_string(), &end.to_string())
        .categories(&dice.some(&links.categories, 3))
        .tags(&dice.some(&links.tags, 3))
        .organizers(&dice.some(&links.organizers, 2));
    if !dice.once_in(4) {
        builder = builder.venue(dice.pick(&links.venues));
    }
    if dice.once_in(8) {
        builder = builder.hidden();
    }
    if dice.once_in(6) {
        builder = builder.password_hash(RIGHT);
    }
    builder.build()
}

/// Adds events, and the records that they link.
pub(super) async fn add_world(store: &dyn Store, dice: &mut Dice) -> Links {
    in_unit(store, async |to| {
        let mut venues = Vec::new();
        for latitude in LATITUDES {
            let there = Position::new(latitude, 7.0).unwrap();
            let venue = venue("V").with(|venue| venue.details.position = Some(there));
            venues.push(venue.insert(to).await.id);
        }
        let links = Links { venues, ..Links::add(to, &["A", "B", "C"]).await };
        for _ in 0..80 {
            let content = varied(dice, &links);
            if dice.once_in(8) {
                add_series(to, dice, content, |dice| varied(dice, &links)).await;
            } else {
                to.events().insert(content, SlugRequests::default()).await.unwrap();
            }
        }
        links
    })
    .await
}

pub(super) fn window(dice: &mut Dice) -> Window {
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

fn filter(dice: &mut Dice, links: &Links) -> EventFilter {
    let mut filter = EventFilter {
        window: window(dice),
        sort: dice.pick(&[EventSort::Start, EventSort::Start, EventSort::End]),
        descending: dice.once_in(3),
        ..EventFilter::default()
    };
    for _ in 0..dice.roll(3) {
        match dice.roll(5) {
            0 => filter.categories = Some(dice.some(&links.categories, 2)),
            1 => filter.tags = Some(vec![dice.pick(&links.tags)]),
            2 => filter.venues = Some(dice.some(&links.venues, 3)),
            3 => filter.organizers = Some(vec![dice.pick(&links.organizers)]),
            _ => {
                let center = Position::new(0.1, 7.0).unwrap();
                filter.near = Circle::new(center, dice.pick(&[1.0, 20.0, 500.0])).ok();
            }
        }
    }
    filter
}

/// Compares some pages, with the totals of their lists.
async fn compare_some_pages(store: &dyn Store, dice: &mut Dice, links: &Links) {
    let events = Events::of(store).await;
    let mut held = 0;
    for _ in 0..300 {
        let filter = filter(dice, links);
        let visibility = Visibility::new(Caller::Anonymous, dice.pick(&moments()));
        let expected = events.list(&filter, &visibility);
        held += expected.len();
        let number = u64::try_from(dice.roll(4)).unwrap() + 1;
        let page = PageRequest::new(number, dice.pick(&[1, 3, 10]), 10);
        compare_page::<Event>(store, &visibility, &filter, page, &expected).await;
    }
    assert!(held > 500, "{held}");
}

/// Totals of lists of every window and every filter, after every kind of write of events and of series.
pub async fn lists_tell_their_length(store: &dyn Store) {
    let mut dice = Dice(5);
    let links = add_world(store, &mut dice).await;
    compare_some_pages(store, &mut dice, &links).await;
    for event in all::<Event>(store).await {
        if event.occurrence().is_some() {
            continue;
        }
        match dice.roll(5) {
            0 => assert!(remove(store, event.id).await),
            1 => {
                edit(store, &event, |event| event.details.hide_from_listings ^= true).await;
            }
            2 => {
                let password = varied(&mut dice, &links).details.password;
                edit(store, &event, |event| event.details.password = password).await;
            }
            _ if event.series().is_some() => {
                let other = varied(&mut dice, &links).details;
                edit(store, &event, |event| {
                    let details = &mut event.details;
                    (details.categories, details.tags) = (other.categories, other.tags);
                    (details.venue, details.organizers) = (other.venue, other.organizers);
                })
                .await;
            }
            _ => {
                let content = varied(&mut dice, &links).in_place_of(&event.content);
                change(store, &event, content, None).await;
            }
        }
    }
    compare_some_pages(store, &mut dice, &links).await;
    shuffle_events(store, &mut dice, |dice| varied(dice, &links)).await;
    compare_some_pages(store, &mut dice, &links).await;
    assert!(remove(store, links.venues[0]).await);
    assert!(remove(store, links.organizers[1]).await);
    assert!(remove(store, links.categories[2]).await);
    assert!(remove(store, links.tags[0]).await);
    let mut events = all::<Event>(store).await;
    events.retain(|event| event.occurrence().is_none());
    let unit = store.begin().await.unwrap();
    for event in &events[..20] {
        assert!(unit.events().delete(event.id).await.unwrap());
    }
    unit.rollback().await.unwrap();
    compare_some_pages(store, &mut dice, &links).await;
}

/// Totals of lists by categories that are added, moved and deleted, with their descendants.
pub async fn lists_follow_the_tree(store: &dyn Store) {
    let mut dice = Dice(6);
    let mut links = add_world(store, &mut dice).await;
    for round in 0..12 {
        for _ in 0..2 {
            let name = format!("Category {}", links.categories.len());
            let parent = dice.pick(&links.categories);
            let added = category(&name).below(parent);
            links.categories.push(in_unit(store, async |to| added.insert(to).await.id).await);
        }
        for event in all::<Event>(store).await {
            if event.occurrence().is_none() && dice.once_in(3) {
                let categories = dice.some(&links.categories, 4);
                edit(store, &event, |event| event.details.categories = categories).await;
            }
        }
        for _ in 0..3 {
            let categories = all::<Category>(store).await;
            let moved = dice.pick(&categories);
            let parent = Some(dice.pick(&links.categories)).filter(|_| !dice.once_in(4));
            let subtree =
                EventFilter { categories: Some(vec![moved.id]), ..EventFilter::default() };
            let subtree = subtree.with_descendants(&categories).categories.unwrap();
            let parent = parent.filter(|id| !subtree.contains(id));
            edit(store, &moved, |category| category.parent = parent).await;
        }
        if round % 2 == 1 {
            let gone = links.categories.remove(dice.roll(links.categories.len()));
            assert!(remove(store, gone).await);
        }
        compare_trees(store, &mut dice, &links).await;
    }
    compare_some_pages(store, &mut dice, &links).await;
}

/// Compares the list of each category, and of some together.
async fn compare_trees(store: &dyn Store, dice: &mut Dice, links: &Links) {
    let events = Events::of(store).await;
    let alone = links.categories.iter().map(|id| vec![*id]);
    let some = dice.some(&links.categories, 3);
    for ids in alone.chain([some]) {
        let filter = EventFilter { categories: Some(ids), ..EventFilter::default() };
        for caller in [Caller::Anonymous, caller(user_id(1), Role::Editor)] {
            let visibility = Visibility::new(caller, at(START));
            let (page, expected) = (PageRequest::new(1, 2, 10), events.list(&filter, &visibility));
            compare_page::<Event>(store, &visibility, &filter, page, &expected).await;
        }
    }
}
