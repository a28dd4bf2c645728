//! Concurrent units of work: each rule holds as if one had come after the other.
//!
//! A store may refuse some with [`StoreError::Conflict`]; the test repeats them, as the use cases
//! do.

use std::collections::HashSet;

use app::{
    ports::{Repositories, SiteChange, SlugRequests, Store, StoreError},
    test_support::{START, at, category, event, user},
};
use domain::{
    CategoryId, Event, Role, User, UserId,
    event::EventFilter,
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    site::SiteValue,
    time::Timestamp,
};

use crate::sample::{Sample, add, found, is_imported, request};

/// The attempts of a unit; more than there are others to conflict with.
const ATTEMPTS: usize = 30;

/// Runs the same work eight times at once, each with its number and in a unit of its own, which is
/// repeated until it has no conflict.
async fn eight<T>(
    store: &dyn Store,
    work: impl AsyncFn(&dyn Repositories, usize) -> Result<T, StoreError>,
) -> [T; 8] {
    let attempt = async |number| {
        let unit = store.begin().await?;
        let outcome = work(&*unit, number).await?;
        unit.commit().await?;
        Ok(outcome)
    };
    let done = async |number| {
        for _ in 0..ATTEMPTS {
            match attempt(number).await {
                Err(StoreError::Conflict) => tokio::task::yield_now().await,
                outcome => return outcome.unwrap(),
            }
        }
        panic!("{ATTEMPTS} conflicts");
    };
    tokio::join!(done(0), done(1), done(2), done(3), done(4), done(5), done(6), done(7)).into()
}

/// Eight records request the same slug, and each gets another.
pub async fn one_slug_for_each<R: Sample>(store: &dyn Store) {
    let mut slugs = eight(store, async |unit, _| {
        let record = R::repository(unit).insert(R::sample("Name"), request("same").into()).await?;
        Ok(record.slug().unwrap().to_string())
    })
    .await;
    slugs.sort_unstable();
    let numbered = (2..=8).map(|n| format!("same-{n}"));
    let expected: Vec<_> = std::iter::once("same".to_owned()).chain(numbered).collect();
    assert_eq!(slugs.to_vec(), expected);
}

/// Among 70 records of one name, some units add another one while others request the name again:
/// each new record gets the next number, and each old one keeps its own.
pub async fn one_slug_for_each_among_many<R: Sample>(store: &dyn Store) {
    const MANY: usize = 70;
    let mut records = Vec::new();
    for _ in 0..MANY {
        records.push(add(store, R::sample("Name"), "many").await);
    }
    let slugs = eight(store, async |unit, index| {
        let repository = R::repository(unit);
        let requests = request("many").into();
        let after = if index.is_multiple_of(2) {
            repository.insert(R::sample("Name"), requests).await?
        } else {
            let before = repository.find_for_update(records[MANY - index].id).await?.unwrap();
            repository.update(&before, before.content.clone(), requests).await?
        };
        Ok(after.slug().unwrap().to_string())
    })
    .await;
    let (mut new, mut old) = (Vec::new(), Vec::new());
    for (index, slug) in slugs.into_iter().enumerate() {
        let slugs = if index.is_multiple_of(2) { &mut new } else { &mut old };
        slugs.push(slug);
    }
    new.sort_unstable();
    assert_eq!(new, ["many-71", "many-72", "many-73", "many-74"]);
    assert_eq!(old, ["many-70", "many-68", "many-66", "many-64"]);
}

/// Eight units look up a name and add the record if it is absent: one adds it.
pub async fn one_record_of_a_name<R: Sample>(store: &dyn Store) {
    let same = ["same".to_owned()];
    let ids = eight(store, async |unit, _| {
        let repository = R::repository(unit);
        repository.lock_names(&same).await?;
        let named = repository.find_named(&same).await?;
        Ok(match named.first() {
            Some(record) => record.id,
            None => repository.insert(R::sample("Same"), request("same").into()).await?.id,
        })
    })
    .await;
    let distinct: HashSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), 1, "{:?} {ids:?}", R::KIND);
    let named = R::repository(store.repositories()).find_named(&same).await;
    assert_eq!(named.unwrap().len(), 1);
}

/// Each unit makes the next category a parent, unless that makes a circle: no circle arises.
pub async fn no_circle_of_parents(store: &dyn Store) {
    let mut ids = Vec::new();
    for number in 0..8 {
        let name = format!("Category {number}");
        ids.push(add(store, category(&name).build(), &name).await.id);
    }
    let moved = eight(store, async |unit, number| {
        let (child, parent) = (ids[number], ids[(number + 1) % ids.len()]);
        let categories = unit.categories();
        categories.lock_tree().await?;
        let above = categories.with_ancestors(&[parent]).await?;
        let fits = above.iter().all(|term| term.id != child);
        if fits {
            place_below(unit, child, parent).await?;
        }
        Ok(fits)
    });
    assert_eq!(moved.await.iter().filter(|moved| **moved).count(), 7);
}

/// Makes a category the parent of another one.
async fn place_below(
    unit: &dyn Repositories,
    child: CategoryId,
    parent: CategoryId,
) -> Result<(), StoreError> {
    let before = unit.categories().find_for_update(child).await?.unwrap();
    let mut content = before.content.clone();
    content.parent = Some(parent);
    unit.categories().update(&before, content, SlugRequests::default()).await?;
    Ok(())
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
pub async fn no_event_is_lost_on_the_move(store: &dyn Store) {
    let tops = [
        add(store, category("Top").build(), "top").await.id,
        add(store, category("Other").build(), "other").await.id,
    ];
    let moved = category("Moved").below(tops[0]).build();
    let moved = add(store, moved, "moved").await.id;
    for round in 1..=5 {
        eight(store, async |unit, number| {
            if number.is_multiple_of(4) {
                unit.categories().lock_tree().await?;
                place_below(unit, moved, tops[(round + number / 4) % 2]).await
            } else {
                let event = event("Concert").categories(&[moved]).build();
                unit.events().insert(event, SlugRequests::default()).await.map(drop)
            }
        })
        .await;
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
pub async fn no_update_is_lost(store: &dyn Store) {
    let concert = add(store, event("Concert").build(), "concert").await.id;
    let increments = eight(store, async |unit, _| {
        let before = unit.events().find_for_update(concert).await?.unwrap();
        let mut content = before.content.clone();
        content.details.sequence += 1;
        unit.events().update(&before, content, SlugRequests::default()).await
    });
    Box::pin(increments).await;
    let after = found::<Event>(store, concert).await.unwrap();
    assert_eq!((after.details.sequence, after.revision), (8, 9));
}

/// Eight units add a user of one name: one succeeds.
pub async fn one_user_of_a_name(store: &dyn Store) {
    let names = ["ada", "Ada", "ADA", "aDa"];
    let added =
        eight(store, async |unit, n| unit.users().insert(user(names[n % 4], Role::Author)).await);
    assert_eq!(added.await.iter().flatten().count(), 1);
    assert_eq!(store.users().list().await.unwrap().len(), 1);
}

/// Four units add a user by a name that is the e-mail address of the other four: one succeeds.
pub async fn one_user_of_an_address(store: &dyn Store) {
    let added = eight(store, async |unit, n| {
        let with_address =
            User { email: Some("ada@example.org".parse().unwrap()), ..user("ada", Role::Author) };
        let named_so = user("ada@example.org", Role::Author);
        unit.users().insert(if n % 2 == 0 { with_address } else { named_so }).await
    });
    assert_eq!(added.await.iter().flatten().count(), 1);
}

/// Eight units import the same row: one event results.
pub async fn one_import_of_a_row(store: &dyn Store) {
    let taken = eight(store, async |unit, _| {
        if is_imported(unit.imports(), "5f", 0).await? {
            return Ok(false);
        }
        let concert = event("Concert").build();
        let concert = unit.events().insert(concert, SlugRequests::default()).await?;
        unit.imports().record("5f", 0, concert.id).await?;
        Ok(true)
    });
    assert_eq!(taken.await.iter().filter(|taken| **taken).count(), 1);
    let named = store.events().find_named(&["concert".to_owned()]).await.unwrap();
    assert_eq!(named.len(), 1);
}

/// Each unit proposes a value of its own: all get the same.
pub async fn one_setting_of_a_name(store: &dyn Store) {
    let values =
        eight(store, async |unit, n| unit.settings().get_or_insert("secret", &n.to_string()).await)
            .await;
    let distinct: HashSet<_> = values.iter().collect();
    assert_eq!(distinct.len(), 1, "{values:?}");
}

/// Eight units change the site at one revision: one succeeds.
pub async fn one_change_of_a_revision_of_the_site(store: &dyn Store) {
    let (ann, noon) = (UserId::from_raw(1), at("2030-01-01 12:00:00"));
    let changed = eight(store, async |unit, n| {
        let footer = SiteValue::Footer(n.to_string().parse().unwrap());
        let set = [SiteChange::Set(footer)];
        unit.settings().change_site(0, &set, ann, noon).await
    });
    assert_eq!(changed.await.iter().filter(|changed| **changed).count(), 1);
    assert_eq!(store.settings().site_revision().await.unwrap(), 1);
}

/// Eight units claim one key: one stores its answer, and the others get it.
pub async fn one_answer_of_a_key(store: &dyn Store) {
    let [now, expires] = [0, 10].map(|seconds| Timestamp::from_seconds(seconds).unwrap());
    let answers = eight(store, async |unit, n| {
        let keys = unit.idempotency();
        let kept = keys.claim("key", "5f", now, expires).await?;
        let answer = kept.map_or_else(|| n.to_string(), |kept| kept.answer);
        keys.store_answer("key", &answer).await?;
        Ok(answer)
    })
    .await;
    let distinct: HashSet<_> = answers.iter().collect();
    assert_eq!(distinct.len(), 1, "{answers:?}");
}
