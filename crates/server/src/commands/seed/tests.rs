use std::collections::HashSet;

use domain::{Id, Record, Stage};

use super::*;

fn events(seed: u64) -> Events {
    let ids = |end: i64| 1..=end;
    Events {
        world: World {
            seed,
            author: Id::from_raw(1),
            now: Timestamp::from_seconds(1_800_000_000).unwrap(),
        },
        named: Named {
            venues: ids(10).map(Id::from_raw).collect(),
            organizers: ids(10).map(Id::from_raw).collect(),
            categories: ids(30).map(Id::from_raw).collect(),
            tags: ids(200).map(Id::from_raw).collect(),
        },
        count: 1000,
        slugs: Slugs::default(),
    }
}

#[test]
fn the_same_seed_makes_the_same_events() {
    let (mut one, mut two, mut other) = (events(1), events(1), events(2));
    for number in 0..50 {
        let event = one.event(number).unwrap();
        assert_eq!(event, two.event(number).unwrap());
        assert_ne!(event.title, other.event(number).unwrap().title);
    }
}

#[test]
fn every_sort_of_event_is_there_and_no_slug_twice() {
    let mut events = events(1);
    let made: Vec<_> = (0..4000)
        .map(|number| events.event(number).unwrap())
        .collect();
    let mut slugs = HashSet::new();
    for event in &made {
        assert!(event.slugs().all(|(_, slug)| slugs.insert(slug.clone())));
        assert_eq!(
            event.slug.is_none(),
            matches!(event.stage, Stage::Draft | Stage::Pending)
        );
    }
    let has = |what: fn(&domain::Event) -> bool| made.iter().any(what);
    assert!(has(|event| event.stage == Stage::Private));
    assert!(has(|event| event.details.password.is_some()));
    assert!(has(|event| event.details.hide_from_listings));
    assert!(has(|event| event.date_is_chosen));
    assert!(has(|event| event.details.when.all_day()));
    assert!(has(|event| !event.translations.is_empty()));
    assert!(has(|event| !event.details.tickets.is_empty()));
    let middle = made.iter().map(Record::text_bytes).sum::<usize>() / made.len();
    assert!((1_500..3_000).contains(&middle), "{middle}");
}
