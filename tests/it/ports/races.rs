//! Concurrent units of work: each rule holds as if one had come after the other.
//!
//! A store may refuse some with [`StoreError::Conflict`]; the test repeats them, as the use cases
//! do.

use std::collections::HashSet;

use app::{
    ports::{SlugRequests, Store, StoreError},
    test_support::{START, at, category, event, user},
};
use domain::{
    CategoryId, Event, Role, User,
    event::EventFilter,
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    time::Timestamp,
};

use tests::every_store;

use super::sample::{Sample, add, add_users, for_each_kind, found, is_imported, request};

/// The attempts of a unit; more than there are others to conflict with.
const ATTEMPTS: usize = 30;

/// Runs the same work eight times at once, each with its number.
async fn eight<T>(work: impl AsyncFn(usize) -> T) -> [T; 8] {
    tokio::join!(work(0), work(1), work(2), work(3), work(4), work(5), work(6), work(7),).into()
}

/// Repeats a unit until it has no conflict.
async fn until_done<T>(work: impl AsyncFn() -> Result<T, StoreError>) -> T {
    for _ in 0..ATTEMPTS {
        match work().await {
            Err(StoreError::Conflict) => tokio::task::yield_now().await,
            outcome => return outcome.unwrap(),
        }
    }
    panic!("{ATTEMPTS} conflicts");
}

/// Eight records request the same slug, and each gets another.
#[every_store]
async fn one_slug_for_each(store: &dyn Store) {
    async fn check<R: Sample>(store: &dyn Store) {
        let one = async || {
            let unit = store.begin().await?;
            let repository = R::repository(&*unit);
            let record = repository.insert(R::sample("Name"), request("same").into()).await?;
            unit.commit().await?;
            Ok(record.slug().unwrap().to_string())
        };
        let mut slugs = eight(async |_| until_done(one).await).await;
        slugs.sort_unstable();
        let numbered = (2..=8).map(|n| format!("same-{n}"));
        let expected: Vec<_> = std::iter::once("same".to_owned()).chain(numbered).collect();
        assert_eq!(slugs.to_vec(), expected);
    }
    add_users(store).await;
    for_each_kind!(check(store));
}

/// Among 70 records of one name, some units add another one while others request the name again:
/// each new record gets the next number, and each old one keeps its own.
#[every_store]
async fn one_slug_for_each_among_many(store: &dyn Store) {
    const MANY: usize = 70;
    async fn check<R: Sample>(store: &dyn Store) {
        let mut records = Vec::new();
        for _ in 0..MANY {
            records.push(add(store, R::sample("Name"), "many").await);
        }
        let one = async |place: usize| {
            let unit = store.begin().await?;
            let repository = R::repository(&*unit);
            let after = if place.is_multiple_of(2) {
                let requests = request("many").into();
                repository.insert(R::sample("Name"), requests).await?
            } else {
                let id = records[MANY - place].id;
                let before = repository.find_for_update(id).await?.unwrap();
                let content = before.content.clone();
                let requests = request("many").into();
                repository.update(&before, content, requests).await?
            };
            unit.commit().await?;
            Ok(after.slug().unwrap().to_string())
        };
        let slugs = eight(async |place| until_done(async || one(place).await).await).await;
        let (mut new, mut old) = (Vec::new(), Vec::new());
        for (place, slug) in slugs.into_iter().enumerate() {
            let slugs = if place.is_multiple_of(2) { &mut new } else { &mut old };
            slugs.push(slug);
        }
        new.sort_unstable();
        assert_eq!(new, ["many-71", "many-72", "many-73", "many-74"]);
        assert_eq!(old, ["many-70", "many-68", "many-66", "many-64"]);
    }
    add_users(store).await;
    for_each_kind!(check(store));
}

/// Eight units look up a name and add the record if it is absent: one adds it.
#[every_store]
async fn one_record_of_a_name(store: &dyn Store) {
    async fn check<R: Sample>(store: &dyn Store) {
        let one = async || {
            let unit = store.begin().await?;
            let repository = R::repository(&*unit);
            let same = ["same".to_owned()];
            repository.lock_names(&same).await?;
            let named = repository.find_named(&same).await?;
            let id = match named.first() {
                Some(record) => record.id,
                None => repository.insert(R::sample("Same"), request("same").into()).await?.id,
            };
            unit.commit().await?;
            Ok(id)
        };
        let ids = eight(async |_| until_done(one).await).await;
        let distinct: HashSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), 1, "{:?} {ids:?}", R::KIND);
        let named = R::repository(store.repositories()).find_named(&["same".to_owned()]).await;
        assert_eq!(named.unwrap().len(), 1);
    }
    add_users(store).await;
    for_each_kind!(check(store));
}

/// Each unit makes the next category a parent, unless that makes a circle: no circle arises.
#[every_store]
async fn no_circle_of_parents(store: &dyn Store) {
    add_users(store).await;
    let mut ids = Vec::new();
    for number in 0..8 {
        let name = format!("Category {number}");
        ids.push(add(store, category(&name).build(), &name).await.id);
    }
    let below_the_next = async |number: usize| {
        let (child, parent) = (ids[number], ids[(number + 1) % ids.len()]);
        let unit = store.begin().await?;
        let categories = unit.categories();
        categories.lock_tree().await?;
        let above = categories.with_ancestors(&[parent]).await?;
        let fits = above.iter().all(|term| term.id != child);
        if fits {
            let before = categories.find_for_update(child).await?.unwrap();
            let mut content = before.content.clone();
            content.parent = Some(parent);
            categories.update(&before, content, SlugRequests::default()).await?;
        }
        unit.commit().await?;
        Ok(fits)
    };
    let moved = eight(async |number| until_done(async || below_the_next(number).await).await).await;
    assert_eq!(moved.iter().filter(|moved| **moved).count(), 7);
}

/// The number of events in a category and its descendants.
async fn events_in(store: &dyn Store, category: CategoryId) -> u64 {
    let query = Query {
        visibility: Visibility::new(Caller::Anonymous, at(START)),
        filter: EventFilter { categories: Some(vec![category]), ..EventFilter::default() },
        page: PageRequest::new(1, 1, 10),
    };
    store.events().page(&query).await.unwrap().total
}

/// Some units move a category while others put events into it. In the end the events are listed
/// under the category's ancestors, and under no other category.
#[every_store]
async fn no_event_is_lost_on_the_move(store: &dyn Store) {
    add_users(store).await;
    let tops = [
        add(store, category("Top").build(), "top").await.id,
        add(store, category("Other").build(), "other").await.id,
    ];
    let moved = category("Moved").below(tops[0]).build();
    let moved = add(store, moved, "moved").await.id;
    for round in 1..=5 {
        let one = async |number: usize| {
            let unit = store.begin().await?;
            if number.is_multiple_of(4) {
                let categories = unit.categories();
                categories.lock_tree().await?;
                let before = categories.find_for_update(moved).await?.unwrap();
                let mut content = before.content.clone();
                content.parent = Some(tops[(round + number / 4) % 2]);
                categories.update(&before, content, SlugRequests::default()).await?;
            } else {
                let event = event("Concert").categories(&[moved]).build();
                unit.events().insert(event, SlugRequests::default()).await?;
            }
            unit.commit().await
        };
        eight(async |number| until_done(async || one(number).await).await).await;
        let above = store.repositories().categories().find(moved).await;
        let above = above.unwrap().unwrap().parent;
        for category in [moved].into_iter().chain(tops) {
            let holds = category == moved || Some(category) == above;
            let expected = if holds { 6 * round as u64 } else { 0 };
            assert_eq!(events_in(store, category).await, expected, "{category}");
        }
    }
}

/// Eight units increment a counter of one record: all increments count.
#[every_store]
async fn no_update_is_lost(store: &dyn Store) {
    add_users(store).await;
    let concert = add(store, event("Concert").build(), "concert").await.id;
    let one = async || {
        let unit = store.begin().await?;
        let before = unit.events().find_for_update(concert).await?.unwrap();
        let mut content = before.content.clone();
        content.details.sequence += 1;
        unit.events().update(&before, content, SlugRequests::default()).await?;
        unit.commit().await
    };
    eight(async |_| until_done(one).await).await;
    let after = found::<Event>(store, concert).await.unwrap();
    assert_eq!((after.details.sequence, after.revision), (8, 9));
}

/// Eight units add a user of one name: one succeeds.
#[every_store]
async fn one_user_of_a_name(store: &dyn Store) {
    let names = ["ada", "Ada", "ADA", "aDa"];
    let added = eight(async |n| {
        until_done(async || {
            let unit = store.begin().await?;
            let added = unit.users().insert(user(names[n % 4], Role::Author)).await?;
            unit.commit().await?;
            Ok(added)
        })
        .await
    });
    assert_eq!(added.await.iter().flatten().count(), 1);
    assert_eq!(store.users().list().await.unwrap().len(), 1);
}

/// Four units add a user by a name that is the e-mail address of the other four: one succeeds.
#[every_store]
async fn one_user_of_an_address(store: &dyn Store) {
    let added = eight(async |n| {
        until_done(async || {
            let with_address = User {
                email: Some("ada@example.org".parse().unwrap()),
                ..user("ada", Role::Author)
            };
            let named_so = user("ada@example.org", Role::Author);
            let unit = store.begin().await?;
            let new = if n % 2 == 0 { with_address } else { named_so };
            let added = unit.users().insert(new).await?;
            unit.commit().await?;
            Ok(added)
        })
        .await
    });
    assert_eq!(added.await.iter().flatten().count(), 1);
}

/// Eight units import the same row: one event results.
#[every_store]
async fn one_import_of_a_row(store: &dyn Store) {
    add_users(store).await;
    let one = async || {
        let unit = store.begin().await?;
        if is_imported(unit.imports(), "5f", 0).await? {
            unit.rollback().await?;
            return Ok(false);
        }
        let concert =
            unit.events().insert(event("Concert").build(), SlugRequests::default()).await?;
        unit.imports().record("5f", 0, concert.id).await?;
        unit.commit().await?;
        Ok(true)
    };
    let taken = eight(async |_| until_done(one).await).await;
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    let named = store.events().find_named(&["concert".to_owned()]).await.unwrap();
    assert_eq!(named.len(), 1);
}

/// Each unit proposes a value of its own: all get the same.
#[every_store]
async fn one_setting_of_a_name(store: &dyn Store) {
    let values = eight(async |n| {
        until_done(async || {
            let unit = store.begin().await?;
            let settings = unit.settings();
            let value = settings.get_or_insert("secret", &n.to_string()).await?;
            unit.commit().await?;
            Ok(value)
        })
        .await
    })
    .await;
    let distinct: HashSet<_> = values.iter().collect();
    assert_eq!(distinct.len(), 1, "{values:?}");
}

/// Eight units claim one key: one stores its answer, and the others get it.
#[every_store]
async fn one_answer_of_a_key(store: &dyn Store) {
    let (now, expires) = (instant(0), instant(10));
    let answers = eight(async |n| {
        until_done(async || {
            let unit = store.begin().await?;
            let keys = unit.idempotency();
            let kept = keys.claim("key", "5f", now, expires).await?;
            let answer = kept.map_or_else(|| n.to_string(), |kept| kept.answer);
            keys.store_answer("key", &answer).await?;
            unit.commit().await?;
            Ok(answer)
        })
        .await
    })
    .await;
    let distinct: HashSet<_> = answers.iter().collect();
    assert_eq!(distinct.len(), 1, "{answers:?}");
}

fn instant(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(seconds).unwrap()
}
