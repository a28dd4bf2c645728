//! Records with given IDs, and the reads of whole stores.

use app::{
    ports::{GivenOccurrence, Store, StoreError},
    test_support::{START, at, event, user},
};
use domain::{Event, Id, Language, Role, Stored};

use super::images::image;
use crate::{
    sample::{Sample, add, found, in_unit, remove, set_override, slug, try_in_unit},
    series::occurrences::{jazz, of_series, plain, slots},
};

/// A user gets a given ID, unless the ID or the login is taken.
pub async fn a_user_gets_a_given_id(store: &dyn Store) {
    let given = |id, name: &str| Stored {
        id: Id::from_raw(id),
        revision: 1,
        content: user(name, Role::Author),
    };
    let insert =
        async |user| in_unit(store, async |to| to.users().insert_at(user).await.unwrap()).await;
    assert!(insert(given(7, "ada")).await);
    assert_eq!(store.users().list().await.unwrap(), [given(7, "ada")]);
    for taken in [given(7, "bob"), given(8, "ADA")] {
        assert!(!insert(taken).await);
    }
    assert!(insert(given(3, "bob")).await);
    let next = in_unit(store, async |to| to.users().insert(user("cy", Role::Author)).await).await;
    assert!(next.unwrap().unwrap().id.get() > 7);
}

/// An image gets a given ID, unless the ID or the name is taken.
pub async fn an_image_gets_a_given_id(store: &dyn Store) {
    let given =
        |id, name: &str| Stored { id: Id::from_raw(id), revision: 1, content: image(name, None) };
    let insert =
        async |image| try_in_unit(store, async |to| to.images().insert_at(image).await).await;
    let bank = given(7, "2029/05/bank");
    insert(bank.clone()).await.unwrap();
    assert_eq!(store.images().find_many(&[bank.id]).await.unwrap(), [bank]);
    for taken in [given(7, "2029/05/mill"), given(8, "2029/05/bank")] {
        let refused = insert(taken).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
    let next = try_in_unit(store, async |to| to.images().insert(image("2029/05/mill", None)).await);
    assert!(next.await.unwrap().id.get() > 7);
}

/// Occurrences get given IDs and revisions; later events have greater IDs.
pub async fn occurrences_get_given_ids(store: &dyn Store) {
    let (series, ids) = jazz(store).await;
    let other = event("Other").repeating("FREQ=WEEKLY;COUNT=3", at(START));
    let other = in_unit(store, async |to| other.insert(to).await).await;
    let all = slots(&other);
    let given = |id: i64, index: usize| GivenOccurrence {
        id: Id::from_raw(id),
        slot: all[index],
        revision: 4,
    };
    let insert = async |given: Vec<GivenOccurrence>| {
        try_in_unit(store, async |to| to.occurrences().insert_at(&other, &given).await).await
    };
    insert(vec![given(900, 0), given(800, 1)]).await.unwrap();
    insert(Vec::new()).await.unwrap();
    let stored =
        [plain(&other, Id::from_raw(900), all[0]), plain(&other, Id::from_raw(800), all[1])];
    assert_eq!(of_series(store, other.id).await, stored);
    let first = found::<Event>(store, Id::from_raw(900)).await.unwrap();
    assert_eq!((first.revision, &first.title), (4, &other.title));
    let taken_slot = insert(vec![given(901, 1)]).await;
    assert!(matches!(taken_slot, Err(StoreError::Conflict)), "{taken_slot:?}");
    let taken_id = insert(vec![given(ids[0].get(), 2)]).await;
    assert!(matches!(taken_id, Err(StoreError::Conflict)), "{taken_id:?}");
    assert_eq!(of_series(store, other.id).await, stored);
    assert_eq!(of_series(store, series.id).await.len(), 6);
    let next = in_unit(store, async |to| event("Next").insert(to).await).await;
    assert!(next.id.get() > 900);
}

/// All records are read in parts, in the order of their IDs.
pub async fn ids_are_read_in_parts<R: Sample>(store: &dyn Store) {
    let mut ids = Vec::new();
    for name in ["A", "B", "C", "D"] {
        ids.push(add(store, R::sample(name), name).await.id);
    }
    remove(store, ids.remove(1)).await;
    let repository = R::repository(store.repositories());
    for (after, limit, expected) in [
        (None, 2, &ids[..2]),
        (None, 9, &ids[..]),
        (Some(ids[0]), 1, &ids[1..2]),
        (Some(ids[2]), 9, &[]),
        (None, 0, &[]),
    ] {
        assert_eq!(
            repository.ids_after(after, limit).await.unwrap(),
            expected,
            "{after:?} {limit}"
        );
    }
}

/// Series and overrides are read, plain occurrences are not.
pub async fn the_ids_of_plain_occurrences_are_not_read(store: &dyn Store) {
    let (series, ids) = jazz(store).await;
    let own = found(store, ids[2]).await.unwrap();
    in_unit(store, async |to| set_override(to, &series, &own, own.content.clone()).await.unwrap())
        .await;
    let read = store.repositories().events().ids_after(None, 9).await.unwrap();
    assert_eq!(read, [series.id, ids[2]]);
    assert_eq!(of_series(store, series.id).await.len(), 6);
}

/// The former slugs of records are those that lead to them.
pub async fn former_slugs_are_read_by_record<R: Sample>(store: &dyn Store) {
    let [first, second] = ["first", "second"];
    let first = add(store, R::sample("First"), first).await.id;
    let second = add(store, R::sample("Second"), second).await.id;
    let (old, older) = ((Language::English, slug("old")), (Language::French, slug("ancien")));
    in_unit(store, async |unit| {
        let repository = R::repository(unit);
        repository.give_up_slugs(first, &[old.clone(), older.clone()]).await.unwrap();
        repository.give_up_slugs(second, std::slice::from_ref(&old)).await.unwrap();
    })
    .await;
    let repository = R::repository(store.repositories());
    let read = repository.former_slugs(&[second, first]).await.unwrap();
    assert_eq!(read, [(first, older.0, older.1), (second, old.0, old.1)]);
    assert_eq!(repository.former_slugs(&[]).await.unwrap(), []);
}

/// A snapshot is one state of the store; nothing can be written to it.
pub async fn a_snapshot_is_one_state<R: Sample>(store: &dyn Store) {
    let first = add(store, R::sample("First"), "first").await;
    let snapshot = store.snapshot().await.unwrap();
    let repository = R::repository(&*snapshot);
    assert_eq!(repository.find(first.id).await.unwrap(), Some(first.clone()));
    drop(snapshot);
    let second = add(store, R::sample("Second"), "second").await;
    let snapshot = store.snapshot().await.unwrap();
    let repository = R::repository(&*snapshot);
    assert_eq!(repository.ids_after(None, 9).await.unwrap(), [first.id, second.id]);
}
