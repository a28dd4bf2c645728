//! Rows of imports, and settings.

use app::{
    ports::{FieldDigests, ImportedRecord, Store, StoreError},
    test_support::{at, event, venue},
};
use domain::{Kind, recurrence::Slot};

use crate::sample::{add, in_unit, is_imported};

/// An imported row is identified by its digest and ordinal.
pub async fn an_imported_row_is_remembered(store: &dyn Store) {
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
pub async fn a_row_is_imported_once(store: &dyn Store) {
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

/// An event that a source brought.
fn brought(source: &str, uid: &str, id: i64) -> ImportedRecord {
    ImportedRecord {
        source: source.to_owned(),
        kind: Kind::Event,
        uid: uid.to_owned(),
        id,
        sequence: 3,
        stamp: Some(at("2030-01-01 00:00:00")),
        digest: "5f".to_owned(),
        slot: None,
        fields: FieldDigests::default(),
    }
}

/// A record is found by its source, kind and identifier, and the last state of it is remembered.
pub async fn a_record_of_a_source_is_remembered(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await.id.get();
    let hall = add(store, venue("Hall").build(), "hall").await.id.get();
    let first = brought("festival", "a@x", fair);
    let later = ImportedRecord {
        sequence: 4,
        stamp: None,
        digest: "60".to_owned(),
        slot: Some(Slot::of_day("2030-01-08".parse().unwrap())),
        fields: "title=5f venue=60".parse().unwrap(),
        ..first.clone()
    };
    let upper = brought("festival", "A@x", fair);
    let other = brought("market", "a@x", fair);
    let of_venue = ImportedRecord { kind: Kind::Venue, ..brought("festival", "a@x", hall) };
    in_unit(store, async |unit| {
        for record in [&first, &upper, &other, &of_venue, &later] {
            unit.imports().remember(record).await.unwrap();
        }
    })
    .await;
    let uids = ["a@x", "b@x", "A@x"].map(str::to_owned);
    let imports = store.imports();
    let found = imports.find("festival", Kind::Event, &uids).await.unwrap();
    assert_eq!(found, [upper.clone(), later.clone()]);
    assert_eq!(
        imports.find("market", Kind::Event, &uids).await.unwrap(),
        std::slice::from_ref(&other)
    );
    assert_eq!(imports.find("festival", Kind::Venue, &uids).await.unwrap(), [of_venue]);
    assert_eq!(imports.find("Festival", Kind::Event, &uids).await.unwrap(), []);
    assert_eq!(imports.find("festival", Kind::Event, &[]).await.unwrap(), []);
    let of_fair = imports.of_records(Kind::Event, &[fair, 77]).await.unwrap();
    assert_eq!(of_fair, [upper, later, other]);
    assert!(imports.of_records(Kind::Tag, &[fair]).await.unwrap().is_empty());
    assert!(imports.of_records(Kind::Event, &[]).await.unwrap().is_empty());
}

/// The records of a source come in pages, in the order of the bytes of their identifiers.
pub async fn the_records_of_a_source_come_in_pages(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await.id.get();
    in_unit(store, async |unit| {
        for uid in ["é", "b", "a", "B", "a b"] {
            unit.imports().remember(&brought("festival", uid, fair)).await.unwrap();
        }
        unit.imports().remember(&brought("market", "c", fair)).await.unwrap();
    })
    .await;
    let page = async |after| {
        let page = store.imports().page("festival", Kind::Event, after, 2).await.unwrap();
        page.into_iter().map(|one| one.uid).collect::<Vec<_>>()
    };
    assert_eq!(page("").await, ["B", "a"]);
    assert_eq!(page("a").await, ["a b", "b"]);
    assert_eq!(page("b").await, ["é"]);
    assert!(page("é").await.is_empty());
}

/// The ledger forgets a record that is deleted, and keeps those of other kinds with the same ID.
pub async fn a_deleted_record_has_no_source(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await;
    let hall = add(store, venue("Hall").build(), "hall").await;
    assert_eq!(fair.id.get(), hall.id.get());
    let of_venue = ImportedRecord { kind: Kind::Venue, ..brought("festival", "v", hall.id.get()) };
    in_unit(store, async |unit| {
        for record in [&brought("festival", "e", fair.id.get()), &of_venue] {
            unit.imports().remember(record).await.unwrap();
        }
    })
    .await;
    in_unit(store, async |unit| unit.events().delete(fair.id).await).await.unwrap();
    let ids = [fair.id.get()];
    let rows = |kind| store.imports().of_records(kind, &ids);
    assert!(rows(Kind::Event).await.unwrap().is_empty());
    assert_eq!(rows(Kind::Venue).await.unwrap(), [of_venue]);
}

/// A second `get_or_insert` of a setting returns the first value.
pub async fn the_first_setting_stays(store: &dyn Store) {
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

/// Events are found by their UIDs, letter by letter.
pub async fn events_are_found_by_uid(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await;
    let uids = [fair.details.uid.clone(), fair.details.uid.to_uppercase() + "x", String::new()];
    assert_eq!(store.events().find_uids(&uids).await.unwrap(), [(uids[0].clone(), fair.id)]);
    assert_eq!(store.events().find_uids(&[]).await.unwrap(), []);
    assert_eq!(store.events().find_uids(&uids[1..]).await.unwrap(), []);
}

/// Events are found by their folded title and their start.
pub async fn events_are_found_by_title_and_start(store: &dyn Store) {
    let fair = add(store, event("Fête").build(), "fair").await;
    let other = add(store, event("fete").build(), "other").await;
    add(store, event("Market").build(), "market").await;
    let start = fair.details.when.start().utc;
    let found = async |title, start| store.events().find_titled(title, start).await.unwrap();
    assert_eq!(found("fete", start).await, [fair.id, other.id]);
    assert_eq!(found("Fête", start).await, []);
    assert_eq!(found("fete", at("1999-01-01 00:00:00")).await, []);
}
