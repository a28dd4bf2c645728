//! Indexes hold what [`IndexQuery::list`] says of the records and their events.

use app::{
    ports::{SlugRequests, Store},
    resource::Resource,
    test_support::{category, organizer, tag, venue},
};
use domain::{
    Category, Event, Language, Organizer, Tag, Venue,
    index::{IndexQuery, upcoming_of},
    page::{Page, PageRequest},
    policy::{Caller, Visibility},
};

use crate::{
    Dice,
    lists::{Events, event_totals::add_world, moments},
    sample::{all, edit, in_unit, staged, translate},
};

/// Titles, in no order.
const TITLES: [&str; 8] = ["zoo", "Éclair", "eclair", "Ábc", "مسرح", "100 Bars", "東京", "a b"];

/// Compares the index of a kind in each language, whole and in pages. Returns the number of events that it counts.
async fn compare<R: Resource>(store: &dyn Store, events: &Events) -> u64 {
    let (records, mut counted) = (all::<R>(store).await, 0);
    for now in moments() {
        let anybody = Visibility::new(Caller::Anonymous, now);
        let upcoming = |id| {
            let filter = upcoming_of::<R>(id, now).unwrap();
            events.list(&filter, &anybody).len() as u64
        };
        for language in Language::ALL {
            for (number, per_page) in [(1, 1000), (1, 3), (2, 3), (99, 3)] {
                let page = PageRequest::new(number, per_page, 1000);
                let query = IndexQuery { language, now, page };
                let expected = Page::of(query.list(&records, upcoming), page);
                let found = R::repository(store.repositories()).index(&query).await.unwrap();
                assert_eq!(found, expected, "{:?} {query:?}", R::KIND);
                counted += found.rows.iter().map(|entry| entry.upcoming).sum::<u64>();
            }
        }
    }
    counted
}

async fn compare_all(store: &dyn Store) {
    let events = Events::of(store).await;
    let counted = [
        compare::<Venue>(store, &events).await,
        compare::<Organizer>(store, &events).await,
        compare::<Category>(store, &events).await,
        compare::<Tag>(store, &events).await,
    ];
    assert!(counted.iter().all(|events| *events > 50), "{counted:?}");
}

/// Indexes of venues, organizers, categories and tags, before and after changes of the tree and of events.
pub async fn indexes(store: &dyn Store) {
    let mut dice = Dice(21);
    add_world(store, &mut dice).await;
    in_unit(store, async |to| {
        for title in TITLES {
            let place = staged(&mut dice, venue(title)).with(|venue| {
                translate(&mut dice, venue, &[], &TITLES, &TITLES);
            });
            to.venues().insert(place.build(), SlugRequests::default()).await.unwrap();
            staged(&mut dice, organizer(title)).insert(to).await;
            category(title).insert(to).await;
            tag(title).insert(to).await;
        }
    })
    .await;
    compare_all(store).await;

    let categories = all::<Category>(store).await;
    for (n, category) in categories.iter().enumerate().skip(1) {
        let parent = dice.once_in(3).then(|| categories[n / 2].id);
        edit(store, category, |category| category.parent = parent).await;
    }
    for event in all::<Event>(store).await {
        if event.occurrence().is_none() && dice.once_in(4) {
            edit(store, &event, |event| event.details.hide_from_listings ^= true).await;
        }
    }
    compare_all(store).await;
}

/// Events have no index.
pub async fn events_have_no_index(store: &dyn Store) {
    add_world(store, &mut Dice(22)).await;
    let page = PageRequest::new(1, 50, 100);
    let query = IndexQuery { language: Language::English, now: moments()[0], page };
    let found = store.events().index(&query).await.unwrap();
    assert_eq!(found, Page::of(Vec::new(), page));
}
