//! Rows of imports, and settings.

use app::{
    ports::{Store, StoreError},
    test_support::event,
};

use tests::every_store;

use super::sample::{add, in_unit, is_imported};

/// An imported row is identified by its digest and ordinal.
#[every_store]
async fn an_imported_row_is_remembered(store: &dyn Store) {
    let concert = add(store, event("Concert").build(), "concert").await;
    let unit = store.begin().await.unwrap();
    for (digest, ordinal) in [("5f", 0), ("5f", 1), ("a1", 7)] {
        assert!(!is_imported(unit.imports(), digest, ordinal).await.unwrap());
        unit.imports().record(digest, ordinal, concert.id).await.unwrap();
        assert!(is_imported(unit.imports(), digest, ordinal).await.unwrap());
    }
    unit.commit().await.unwrap();
    for (digest, ordinal, is_known) in [
        ("5f", 0, true),
        ("5f", 1, true),
        ("5f", 2, false),
        ("5F", 0, false),
        ("a1", 0, false),
        ("a1", 7, true),
        ("", 0, false),
    ] {
        let known = is_imported(store.imports(), digest, ordinal).await;
        assert_eq!(known.unwrap(), is_known, "{digest} {ordinal}");
    }
}

/// A row that is recorded twice conflicts.
#[every_store]
async fn a_row_is_imported_once(store: &dyn Store) {
    let one = add(store, event("One").build(), "one").await;
    let two = add(store, event("Two").build(), "two").await;
    let unit = store.begin().await.unwrap();
    unit.imports().record("5f", 0, one.id).await.unwrap();
    unit.commit().await.unwrap();
    for event in [one.id, two.id] {
        let unit = store.begin().await.unwrap();
        let refused = unit.imports().record("5f", 0, event).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
        unit.rollback().await.unwrap();
    }
}

/// A second `get_or_insert` of a setting returns the first value.
#[every_store]
async fn the_first_setting_stays(store: &dyn Store) {
    let odd = "🎉 'x' \"y\" \\ % مهرجان\n\t";
    for (name, value, expected) in [
        ("secret", odd, odd),
        ("secret", "other", odd),
        ("Secret", "other", "other"),
        ("empty", "", ""),
        ("empty", "full", ""),
    ] {
        let kept = in_unit(store, async |to| to.settings().get_or_insert(name, value).await);
        let kept = kept.await.unwrap();
        assert_eq!(kept, expected, "{name}");
    }
}
