//! Lists of events near a point, and of events whose venue has a position, hold what
//! [`EventFilter::matches`] says: every store computes the same distances.

use app::{
    ports::{SlugRequests, Store},
    test_support::{event, venue},
};
use domain::{
    Event, Venue,
    event::{EventFilter, EventSort},
    geo::{Circle, Position},
};

use crate::{
    Dice,
    lists::{Events, RIGHT, WRONG, compare, readers},
    sample::{all, ids, shuffle, staged, user_id},
};

/// Degrees of latitude and longitude: near each other across the date line, at the poles, one place
/// in two spellings, some metres apart.
const PLACES: [(f64, f64); 18] = [
    (0.0, 179.9),
    (0.0, -179.9),
    (0.1, 180.0),
    (0.1, -180.0),
    (-17.5, 178.2),
    (-17.5, -178.2),
    (66.6, 179.99),
    (90.0, 0.0),
    (90.0, 180.0),
    (89.9, 120.0),
    (89.9, -60.0),
    (-90.0, 17.0),
    (-89.95, -163.0),
    (48.858_370, 2.294_481),
    (48.858_380, 2.294_481),
    (48.8, 2.6),
    (0.0, 0.0),
    (-0.0, -0.0),
];

/// Kilometres: from a metre to a quarter of a meridian and nearly half of the earth's
/// circumference.
const RADII: [f64; 9] = [0.001, 0.01, 1.112, 12.0, 25.0, 400.0, 10_007.543, 10_007.6, 20_000.0];

/// A place of [`PLACES`], or a random one, in whole thousandths of a degree.
fn place(dice: &mut Dice) -> Position {
    let thousandths = |n: usize| f64::from(u32::try_from(n).unwrap()) / 1000.0;
    let (latitude, longitude) = if dice.once_in(2) {
        dice.pick(&PLACES)
    } else {
        (thousandths(dice.roll(180_001)) - 90.0, thousandths(dice.roll(360_001)) - 180.0)
    };
    Position::new(latitude, longitude).unwrap()
}

/// A circle around a place; its border may lead through another.
fn circle(dice: &mut Dice) -> Circle {
    let (center, other) = (place(dice), place(dice));
    let through = center.distance_km(other);
    let radius = if dice.once_in(3) && (0.001..20_000.0).contains(&through) {
        through
    } else {
        dice.pick(&RADII)
    };
    Circle::new(center, radius).unwrap()
}

/// A venue; seven of eight have a position.
fn somewhere(dice: &mut Dice) -> Venue {
    let position = (!dice.once_in(8)).then(|| place(dice));
    staged(dice, venue("V")).with(|venue| venue.details.position = position).build()
}

async fn add_world(store: &dyn Store, dice: &mut Dice) {
    let unit = store.begin().await.unwrap();
    let mut venues = Vec::new();
    for _ in 0..60 {
        let venue = unit.venues().insert(somewhere(dice), SlugRequests::default()).await;
        venues.push(venue.unwrap().id);
    }
    for n in 0..100 {
        let mut builder = event("E").author(user_id(dice.roll(3)));
        if n % 10 > 0 {
            builder = builder.venue(dice.pick(&venues));
        }
        if dice.once_in(8) {
            builder = staged(dice, builder);
        }
        if dice.once_in(8) {
            builder = builder.hidden();
        }
        if dice.once_in(4) {
            builder = builder.password_hash(dice.pick(&[RIGHT, WRONG]));
        }
        unit.events().insert(builder.build(), SlugRequests::default()).await.unwrap();
    }
    unit.commit().await.unwrap();
}

/// Compares some lists; returns the number of events in all of them.
async fn compare_lists(store: &dyn Store, dice: &mut Dice) -> usize {
    let (events, venues) = (Events::of(store).await, ids(&all::<Venue>(store).await));
    let readers = readers();
    let mut held = 0;
    for n in 0..150 {
        let near = (n % 10 > 1).then(|| circle(dice));
        let filter = EventFilter {
            near,
            located: (near.is_none() || dice.once_in(4)).then_some(n % 2 == 0),
            venues: dice.once_in(8).then(|| dice.some(&venues, 40)),
            sort: dice.pick(&[EventSort::Start, EventSort::Title, EventSort::Id]),
            descending: dice.once_in(2),
            ..EventFilter::default()
        };
        for reader in dice.some(&readers, 3) {
            let expected = events.list(&filter, &reader);
            compare::<Event>(store, &reader, &filter, &expected).await;
            held += expected.len();
        }
    }
    held
}

/// Circles of every size, everywhere, for each reader.
pub async fn events_near_a_point(store: &dyn Store) {
    let mut dice = Dice(3);
    add_world(store, &mut dice).await;
    assert!(compare_lists(store, &mut dice).await > 1000);
}

/// A venue that moves, appears or is deleted changes the lists of its events.
pub async fn lists_follow_venues(store: &dyn Store) {
    let mut dice = Dice(4);
    add_world(store, &mut dice).await;
    shuffle(store, &mut dice, somewhere).await;
    assert!(compare_lists(store, &mut dice).await > 500);
}
