use std::collections::HashSet;

use domain::{Id, Record, Stage, time::Timestamp};

use super::*;

fn generator(seed: u64) -> Generator {
    let now = Timestamp::from_seconds(1_800_000_000).unwrap();
    Generator::new(seed, Id::from_raw(1), now)
}

fn events(seed: u64) -> EventGenerator {
    let ids = |end: i64| 1..=end;
    let related = RelatedIds {
        venues: ids(10).map(Id::from_raw).collect(),
        organizers: ids(10).map(Id::from_raw).collect(),
        categories: ids(30).map(Id::from_raw).collect(),
        tags: ids(200).map(Id::from_raw).collect(),
    };
    EventGenerator::new(generator(seed), related, 1000)
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
fn each_kind_of_event_occurs_and_slugs_are_unique() {
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

/// The output is part of the interface: calendars of different versions can be compared.
#[test]
fn a_seed_makes_the_same_records_in_every_version() {
    let mut generator = generator(7);
    let mut hash = blake3::Hasher::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(b"\n");
    };
    for category in generator.top_categories().unwrap() {
        add(category.slug.as_str());
    }
    for category in generator
        .child_categories(&[Id::from_raw(1), Id::from_raw(2)])
        .unwrap()
    {
        add(category.slug.as_str());
    }
    for tag in generator.tags().unwrap() {
        add(tag.slug.as_str());
    }
    for number in 0..50 {
        let venue = generator.venue(number).unwrap();
        add(venue.title.as_str());
        add(venue.description.as_str());
        add(&venue.details.address);
        let organizer = generator.organizer(number).unwrap();
        add(organizer.title.as_str());
        add(organizer.description.as_str());
        add(&organizer.details.phone);
    }
    let mut events = events(7);
    for number in 0..500 {
        let event = events.event(number).unwrap();
        add(event.title.as_str());
        add(event.description.as_str());
        add(event.slug.as_ref().map_or("", |slug| slug.as_str()));
        let when = &event.details.when;
        add(when.zone().name());
        add(&when.start().utc.seconds().to_string());
        add(&when.end().utc.seconds().to_string());
        for (language, translation) in event.translations.iter() {
            add(language.code());
            add(translation
                .title
                .as_ref()
                .map_or("", |title| title.as_str()));
        }
    }
    assert_eq!(
        hash.finalize().to_hex().as_str(),
        "48088c72fc290b5d1d1214e92ad35e36152df0d8593da21b9b2c8764156f449d"
    );
}
