//! Former slugs of records.

use app::ports::Store;
use domain::Language;

use crate::sample::{Sample, add, change, id_of_slug, in_unit, remove, request, slug};

/// Records in a unit of its own that a record gave up a slug.
async fn give_up<R: Sample>(store: &dyn Store, id: domain::Id<R>, language: Language, text: &str) {
    let slugs = [(language, slug(text))];
    let noted = in_unit(store, async |unit| R::repository(unit).give_up_slugs(id, &slugs).await);
    noted.await.unwrap();
}

/// The last record that gave up a slug, as committed.
async fn last<R: Sample>(store: &dyn Store, text: &str) -> Option<(domain::Id<R>, Language)> {
    let repository = R::repository(store.repositories());
    repository.find_by_former_slug(&slug(text)).await.unwrap()
}

/// A former slug leads to the last record that gave it up, with its language. The present slug of a
/// record is no former slug.
pub async fn the_last_record_is_found<R: Sample>(store: &dyn Store) {
    let first = add(store, R::sample("First"), "first").await.id;
    let second = add(store, R::sample("Second"), "second").await.id;
    assert_eq!(last::<R>(store, "old").await, None);
    give_up(store, first, Language::English, "old").await;
    assert_eq!(last(store, "old").await, Some((first, Language::English)));
    give_up(store, second, Language::Arabic, "old").await;
    assert_eq!(last(store, "old").await, Some((second, Language::Arabic)));
    give_up(store, first, Language::French, "old").await;
    assert_eq!(last(store, "old").await, Some((first, Language::French)));
    assert_eq!(last::<R>(store, "first").await, None);
    assert_eq!(id_of_slug::<R>(store, "old").await, None);
}

/// A record may give up several slugs at once. A new record may take one; the former slug stays.
pub async fn a_former_slug_is_free<R: Sample>(store: &dyn Store) {
    let record = add(store, R::sample("First"), "old").await;
    change(store, &record, record.content.clone(), Some(request("new"))).await;
    let slugs = [(Language::English, slug("old")), (Language::French, slug("vieux"))];
    let noted =
        in_unit(store, async |unit| R::repository(unit).give_up_slugs(record.id, &slugs).await);
    noted.await.unwrap();
    let other = add(store, R::sample("Second"), "old").await;
    assert_eq!(other.slug(), Some(&slug("old")));
    assert_eq!(id_of_slug::<R>(store, "old").await, Some(other.id));
    let english = Some((record.id, Language::English));
    assert_eq!(last(store, "old").await, english);
    let french = Some((record.id, Language::French));
    assert_eq!(last(store, "vieux").await, french);
}

/// The deletion of a record deletes its former slugs, and those of no other record.
pub async fn a_deleted_record_leaves_none<R: Sample>(store: &dyn Store) {
    let first = add(store, R::sample("First"), "first").await.id;
    let second = add(store, R::sample("Second"), "second").await.id;
    for text in ["old", "older"] {
        give_up(store, first, Language::English, text).await;
    }
    give_up(store, second, Language::English, "other").await;
    assert!(remove(store, first).await);
    assert_eq!(last::<R>(store, "old").await, None);
    assert_eq!(last::<R>(store, "older").await, None);
    assert_eq!(last(store, "other").await, Some((second, Language::English)));
}

/// A unit that is rolled back records no former slug.
pub async fn a_unit_undoes_its_notes<R: Sample>(store: &dyn Store) {
    let id = add(store, R::sample("First"), "first").await.id;
    let slugs = [(Language::English, slug("old"))];
    let unit = store.begin().await.unwrap();
    let repository = R::repository(&*unit);
    repository.give_up_slugs(id, &slugs).await.unwrap();
    let within = repository.find_by_former_slug(&slug("old")).await;
    assert_eq!(within.unwrap(), Some((id, Language::English)));
    unit.rollback().await.unwrap();
    assert_eq!(last::<R>(store, "old").await, None);
}
