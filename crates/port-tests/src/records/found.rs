//! Finding and changing records.

use app::ports::{SlugRequest, Store, StoreError};

use domain::{Id, Stored, text::fold};

use crate::sample::{Sample, add, change, found, id_of_slug, ids, remove, slug, try_change};

/// An insert returns the stored record, at revision 1.
pub async fn an_inserted_record_is_found<R: Sample>(store: &dyn Store) {
    let content = R::sample("Old Mill");
    let stored = add(store, content.clone(), "old-mill").await;
    assert_eq!(stored.revision, 1);
    assert_eq!(stored.content, content.with_slug(Some(&slug("old-mill"))));
    assert_eq!(found(store, stored.id).await.as_ref(), Some(&stored));

    let unit = store.begin().await.unwrap();
    let repository = R::repository(&*unit);
    let for_update = repository.find_for_update(stored.id).await.unwrap();
    assert_eq!(for_update.as_ref(), Some(&stored));
    unit.rollback().await.unwrap();
}

/// IDs count from 1 in each kind; the ID of a deleted record is not reused.
pub async fn ids_count_from_one_and_are_not_used_again<R: Sample>(store: &dyn Store) {
    let mut numbers = Vec::new();
    for n in 0..4 {
        let record = add(store, R::sample("Same"), "x").await;
        numbers.push(record.id.get());
        if n > 0 {
            assert!(remove(store, record.id).await);
        }
    }
    assert_eq!(numbers, [1, 2, 3, 4]);
}

/// A record gets a given ID unless another one has it; then nothing changes. The next ID is greater.
pub async fn a_record_gets_a_given_id<R: Sample>(store: &dyn Store) {
    async fn add_at<R: Sample>(store: &dyn Store, id: i64, name: &str) -> Option<Stored<R>> {
        let unit = store.begin().await.unwrap();
        let repository = R::repository(&*unit);
        let request = SlugRequest::new(slug("same"));
        let content = R::sample(name);
        let record = Stored { id: Id::from_raw(id), revision: 4, content };
        let added = repository.insert_at(record, request.into()).await.unwrap();
        unit.commit().await.unwrap();
        added
    }
    const LAST: i64 = 2_147_483_647;
    let first = add_at::<R>(store, 1, "First").await.unwrap();
    assert_eq!((first.id.get(), first.revision), (1, 4));
    assert_eq!(found(store, first.id).await, Some(first.clone()));
    let seventh = add_at::<R>(store, 7, "Seventh").await.unwrap();
    assert_eq!(seventh.slug(), Some(&slug("same-2")));
    for id in [1, 7] {
        assert_eq!(add_at::<R>(store, id, "Other").await, None);
    }
    assert_eq!(found(store, first.id).await, Some(first));
    assert_eq!(add::<R>(store, R::sample("Eighth"), "x").await.id.get(), 8);
    assert_eq!(add_at::<R>(store, 3, "Third").await.unwrap().id.get(), 3);
    assert_eq!(add_at::<R>(store, 9, "Ninth").await.unwrap().id.get(), 9);
    assert_eq!(add::<R>(store, R::sample("Tenth"), "x").await.id.get(), 10);
    assert!(add_at::<R>(store, 50_000, "Far").await.is_some());
    assert_eq!(add::<R>(store, R::sample("Next"), "x").await.id.get(), 50_001);
    assert!(add_at::<R>(store, LAST, "Last").await.is_some());
    assert_eq!(add::<R>(store, R::sample("Next"), "x").await.id.get(), LAST + 1);
    // Also an ID of a deleted record is free.
    assert!(remove(store, seventh.id).await);
    assert!(add_at::<R>(store, 7, "Seventh").await.is_some());
    assert_eq!(id_of_slug::<R>(store, "same").await, Some(Id::from_raw(1)));
}

/// An absent record is an answer, not an error.
pub async fn an_absent_record_is_not_found<R: Sample>(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    let repository = R::repository(&*unit);
    for number in [i64::MIN, -1, 0, 1, i64::MAX] {
        let id = Id::from_raw(number);
        assert_eq!(repository.find(id).await.unwrap(), None);
        assert_eq!(repository.find_for_update(id).await.unwrap(), None);
        assert_eq!(repository.find_many(&[id]).await.unwrap(), []);
        assert!(!repository.delete(id).await.unwrap());
    }
    assert_eq!(repository.find_by_slug(&slug("x")).await.unwrap(), None);
    assert_eq!(repository.find_by_slug(&slug("")).await.unwrap(), None);
    assert_eq!(repository.find_named(&["x".to_owned()]).await.unwrap(), []);
    assert_eq!(repository.find_named(&[String::new()]).await.unwrap(), []);
    unit.commit().await.unwrap();
}

/// `find_many` returns records in the requested order, each once, without absent ones.
pub async fn many_are_found_in_the_order_asked<R: Sample>(store: &dyn Store) {
    let mut records = Vec::new();
    for name in ["A", "B", "C", "D"] {
        records.push(add(store, R::sample(name), name).await);
    }
    remove(store, records[1].id).await;
    let repository = R::repository(store.repositories());
    let requested = [4, 2, 99, 1, 4, 3, 1, 0].map(Id::from_raw);
    let found = repository.find_many(&requested).await.unwrap();
    let expected = [3, 0, 2].map(|index: usize| records[index].clone());
    assert_eq!(found, expected);
    assert_eq!(repository.find_many(&[]).await.unwrap(), []);
    let thousand: Vec<_> = (1..=1000).rev().map(Id::from_raw).collect();
    let found = repository.find_many(&thousand).await.unwrap();
    assert_eq!(ids(&found), [4, 3, 1].map(Id::from_raw));
}

/// A slug leads to its record and to no other; the store compares letter case.
pub async fn records_are_found_by_slug<R: Sample>(store: &dyn Store) {
    for text in ["mill", "mill_1", "mill-1", "millx1", "مهرجان", "東京", "été"] {
        let record = add(store, R::sample("Mill"), text).await;
        let repository = R::repository(store.repositories());
        let by_slug = repository.find_by_slug(&slug(text)).await.unwrap();
        assert_eq!(by_slug, Some(record.id), "{text}");
    }
    let repository = R::repository(store.repositories());
    for text in ["mil", "mill%", "MILL", "mill ", "ete", ""] {
        assert_eq!(repository.find_by_slug(&slug(text)).await.unwrap(), None, "{text}");
    }
}

/// The folded name is compared as a whole; records come by ID, and changes take effect.
pub async fn records_are_found_by_folded_name<R: Sample>(store: &dyn Store) {
    async fn named<R: Sample>(store: &dyn Store, name: &str) -> Vec<i64> {
        let found =
            R::repository(store.repositories()).find_named(&[name.to_owned()]).await.unwrap();
        found.iter().map(|record| record.id.get()).collect()
    }
    let names = ["Café", "CAFE", "Café du Nord", "cafe\u{301}", "caf_", "مُوسِيقَى", "🎉"];
    let mut records = Vec::new();
    for name in names {
        records.push(add(store, R::sample(name), "x").await);
    }
    assert_eq!(named::<R>(store, &fold("CAFÉ")).await, [1, 2, 4]);
    assert_eq!(named::<R>(store, "caf_").await, [5]);
    assert_eq!(named::<R>(store, &fold("موسيقى")).await, [6]);
    assert_eq!(named::<R>(store, "🎉").await, [7]);
    assert_eq!(named::<R>(store, "Café").await, [0; 0]);
    assert_eq!(named::<R>(store, "cafe%").await, [0; 0]);

    let several = ["caf_", "cafe", "none"].map(str::to_owned);
    let found = R::repository(store.repositories()).find_named(&several).await;
    let ids: Vec<_> = found.unwrap().iter().map(|record| record.id.get()).collect();
    assert_eq!(ids, [1, 2, 4, 5]);
    assert_eq!(R::repository(store.repositories()).find_named(&[]).await.unwrap(), []);

    let content = records[1].content.clone().named("Zoo");
    change(store, &records[1], content, None).await;
    remove(store, records[3].id).await;
    assert_eq!(named::<R>(store, "cafe").await, [1]);
    assert_eq!(named::<R>(store, "zoo").await, [2]);

    let unit = store.begin().await.unwrap();
    let repository = R::repository(&*unit);
    let zoos = repository.find_named(&["zoo".to_owned()]).await.unwrap();
    assert_eq!(zoos, [repository.find(records[1].id).await.unwrap().unwrap()]);
    unit.commit().await.unwrap();
}

/// An update returns the stored record.
pub async fn each_update_raises_the_revision<R: Sample>(store: &dyn Store) {
    let mut record = add(store, R::sample("One"), "one").await;
    for (name, revision) in [("Two", 2), ("Three", 3), ("Three", 4)] {
        let content = record.content.clone().named(name);
        let after = change(store, &record, content.clone(), None).await;
        assert_eq!(after.id, record.id);
        assert_eq!(after.revision, revision);
        assert_eq!(after.content, content);
        assert_eq!(found(store, record.id).await.as_ref(), Some(&after));
        record = after;
    }
}

/// An update of an older revision conflicts and changes nothing.
pub async fn a_stale_update_conflicts<R: Sample>(store: &dyn Store) {
    let first = add(store, R::sample("One"), "one").await;
    let second = change(store, &first, first.content.clone().named("Two"), None).await;
    for request in [None, Some(crate::sample::request("three"))] {
        let content = first.content.clone().named("Three");
        let refused = try_change(store, &first, content, request).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
    assert_eq!(found(store, first.id).await, Some(second));
    let by_slug = id_of_slug::<R>(store, "three").await;
    assert_eq!(by_slug, None);
}

/// A deleted record cannot be changed.
pub async fn an_update_of_a_deleted_record_conflicts<R: Sample>(store: &dyn Store) {
    let record = add(store, R::sample("One"), "one").await;
    assert!(remove(store, record.id).await);
    for request in [None, Some(crate::sample::request("two"))] {
        let content = record.content.clone();
        let refused = try_change(store, &record, content, request).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
    assert_eq!(found(store, record.id).await, None);
}
