//! The audit trail.

use app::{
    audit::digested,
    ports::{AuditEntry, Store},
    test_support::{at, venue},
};
use domain::{
    FieldName, Language, Role, UserId,
    audit::{
        AuditAction, AuditChannel, AuditFilter, AuditedKind, FieldChange, TrailValues, ValueChange,
    },
    page::PageRequest,
};

use crate::sample::{add, in_unit};

fn change(field: FieldName, language: Option<Language>, change: ValueChange) -> FieldChange {
    FieldChange { field, language, change }
}

/// An entry of a request, with a change of each form.
fn entry(record: i64, revision: i64, time: &str) -> AuditEntry {
    let part = ValueChange::Part { start: 70, end: 3, old: "é".to_owned(), new: String::new() };
    AuditEntry {
        number: 0,
        at: at(time),
        user: Some(UserId::from_raw(1)),
        user_name: Some("ada".to_owned()),
        channel: AuditChannel::Token,
        channel_name: Some("3".to_owned()),
        address: Some("2001:db8::7".to_owned()),
        request_id: Some("4f2a".to_owned()),
        action: AuditAction::Update,
        kind: AuditedKind::Venue,
        record,
        revision,
        changes: vec![
            change(FieldName::City, None, ValueChange::of(None, Some("Lyon \"1\"\n"))),
            change(FieldName::Venue, Some(Language::French), ValueChange::of(Some(""), None)),
            change(FieldName::Description, None, part),
            change(FieldName::Password, None, ValueChange::Secret),
        ],
    }
}

/// An entry of a job, by nobody and without a change.
fn of_job(time: &str) -> AuditEntry {
    AuditEntry {
        user: None,
        user_name: None,
        channel: AuditChannel::Job,
        channel_name: None,
        address: None,
        request_id: None,
        action: AuditAction::Delete,
        kind: AuditedKind::Event,
        changes: Vec::new(),
        ..entry(1, 0, time)
    }
}

async fn put(store: &dyn Store, entries: &[AuditEntry]) {
    in_unit(store, async |unit| {
        for entry in entries {
            unit.audit().add(entry).await.unwrap();
        }
    })
    .await;
}

/// The numbers of the entries in a list.
async fn numbers(store: &dyn Store, filter: AuditFilter) -> Vec<i64> {
    let page = store.audit().page(&filter, PageRequest::new(1, 100, 100)).await.unwrap();
    assert_eq!(page.total, page.rows.len() as u64);
    page.rows.iter().map(|entry| entry.number).collect()
}

/// Entries are found as they were, the newest first.
pub async fn entries_are_found_as_they_were(store: &dyn Store) {
    let entries = [entry(1, 1, "2030-01-01 09:00:00"), of_job("2030-01-01 08:00:00")];
    put(store, &entries).await;
    let all = AuditFilter::default();
    let page = store.audit().page(&all, PageRequest::new(1, 10, 100)).await.unwrap();
    let [first, second] = entries;
    let expected = [AuditEntry { number: 2, ..second }, AuditEntry { number: 1, ..first }];
    assert_eq!(page.rows, expected);
}

/// Each filter restricts the list, and pages lead through it.
pub async fn entries_are_filtered(store: &dyn Store) {
    let times = ["2030-01-01 09:00:00", "2030-01-02 09:00:00", "2030-01-03 09:00:00"];
    let [first, second, third] = times;
    put(store, &[entry(1, 1, first), entry(1, 2, second), entry(2, 1, third), of_job(third)]).await;
    let all = AuditFilter::default;
    for (filter, expected) in [
        (all(), &[4, 3, 2, 1][..]),
        (AuditFilter { kind: Some(AuditedKind::Venue), ..all() }, &[3, 2, 1]),
        (AuditFilter { kind: Some(AuditedKind::Tag), ..all() }, &[]),
        (AuditFilter { record: Some(1), ..all() }, &[4, 2, 1]),
        (AuditFilter { user: Some(UserId::from_raw(1)), ..all() }, &[3, 2, 1]),
        (AuditFilter { user: Some(UserId::from_raw(9)), ..all() }, &[]),
        (AuditFilter { action: Some(AuditAction::Delete), ..all() }, &[4]),
        (AuditFilter { from: Some(at(second)), ..all() }, &[4, 3, 2]),
        (AuditFilter { until: Some(at(second)), ..all() }, &[1]),
        (AuditFilter { below: Some(3), ..all() }, &[2, 1]),
    ] {
        assert_eq!(numbers(store, filter.clone()).await, expected, "{filter:?}");
    }
    let page = store.audit().page(&all(), PageRequest::new(2, 3, 100)).await.unwrap();
    assert_eq!((page.rows.len(), page.rows[0].number, page.total), (1, 1, 4));
}

/// An entry is a part of its unit of work, and outlives its record and its user.
pub async fn entries_belong_to_their_unit(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    unit.audit().add(&entry(1, 1, "2030-01-01 09:00:00")).await.unwrap();
    let page = unit.audit().page(&AuditFilter::default(), PageRequest::new(1, 10, 100)).await;
    assert_eq!(page.unwrap().total, 1);
    unit.rollback().await.unwrap();
    assert!(numbers(store, AuditFilter::default()).await.is_empty());

    let eve = in_unit(store, async |unit| {
        let eve = app::test_support::user("eve", Role::Author);
        unit.users().insert(eve).await.unwrap().unwrap().id
    })
    .await;
    let mill = add(store, venue("Old Mill").build(), "old-mill").await;
    let of_mill = AuditEntry { user: Some(eve), ..entry(mill.id.get(), 1, "2030-01-01 09:00:00") };
    put(store, &[of_mill]).await;
    in_unit(store, async |unit| {
        assert!(unit.venues().delete(mill.id).await.unwrap());
        assert!(unit.users().remove(eve).await.unwrap());
    })
    .await;
    let of_eve = AuditFilter { user: Some(eve), ..AuditFilter::default() };
    assert_eq!(numbers(store, of_eve).await.len(), 1);
}

/// Old entries are deleted; numbers are not used again.
pub async fn old_entries_are_pruned(store: &dyn Store) {
    let times = ["2030-01-02 09:00:00", "2030-01-01 09:00:00", "2030-01-03 09:00:00"];
    put(store, &times.map(|time| entry(1, 1, time))).await;
    let prune = async |before: &str, limit| {
        in_unit(store, async |unit| unit.audit().prune(at(before), limit).await.unwrap()).await
    };
    assert_eq!(prune("2030-01-01 09:00:00", 10).await, 0);
    assert_eq!(prune("2030-01-03 09:00:00", 1).await, 1);
    assert_eq!(numbers(store, AuditFilter::default()).await.len(), 2);
    assert_eq!(prune("2030-01-09 09:00:00", 10).await, 2);
    put(store, &[of_job("2030-01-09 09:00:00")]).await;
    assert_eq!(numbers(store, AuditFilter::default()).await, [4]);
}

/// A difference of two texts leads from the new one back to the former one.
pub async fn a_stored_difference_leads_back(store: &dyn Store) {
    let (old, new) = (format!("{}é", "a".repeat(80)), format!("{}ü!", "a".repeat(80)));
    let key = (FieldName::Description, None);
    let [old, new] = [old, new].map(|text| TrailValues::from([(key, text)]));
    let changes = FieldChange::of_values(&old, &new);
    put(store, &[AuditEntry { changes, ..entry(1, 1, "2030-01-01 09:00:00") }]).await;
    let page = store.audit().page(&AuditFilter::default(), PageRequest::new(1, 10, 100)).await;
    let mut values = new;
    assert!(page.unwrap().rows[0].changes[0].undo(&mut values));
    assert_eq!(values, old);
}

/// The values of a record are replaced by digests in all its entries, also those of the same unit of work, and in no others.
pub async fn values_are_forgotten(store: &dyn Store) {
    let time = "2030-01-01 09:00:00";
    put(store, &[entry(1, 1, time), entry(2, 1, time), of_job(time)]).await;
    in_unit(store, async |unit| {
        unit.audit().add(&entry(1, 2, time)).await.unwrap();
        unit.audit().forget_values(AuditedKind::Venue, 1).await.unwrap();
    })
    .await;
    let page = store.audit().page(&AuditFilter::default(), PageRequest::new(1, 10, 100)).await;
    let rows = page.unwrap().rows;
    for row in rows.iter().filter(|row| row.kind == AuditedKind::Venue) {
        let plain = entry(row.record, row.revision, time).changes;
        let expected = if row.record == 1 { digested(&plain) } else { plain };
        assert_eq!(row.changes, expected, "{row:?}");
    }
    // Digests stay as they are.
    in_unit(store, async |unit| {
        unit.audit().forget_values(AuditedKind::Venue, 1).await.unwrap();
    })
    .await;
    let again = store.audit().page(&AuditFilter::default(), PageRequest::new(1, 10, 100)).await;
    assert_eq!(again.unwrap().rows, rows);
}

/// A page ends early when its changes are many bytes, and its total counts all entries; so does a list of the oldest ones.
pub async fn pages_are_bounded_in_bytes(store: &dyn Store) {
    let long = "a".repeat(300_000);
    let long = ValueChange::Whole { old: None, new: Some(long) };
    let changes = vec![change(FieldName::Description, None, long)];
    let long = AuditEntry { changes, ..entry(1, 1, "2030-01-01 09:00:00") };
    put(store, &vec![long; 7]).await;
    let page = async |below| {
        let filter = AuditFilter { below, ..AuditFilter::default() };
        store.audit().page(&filter, PageRequest::new(1, 10, 100)).await.unwrap()
    };
    let numbers = |rows: &[AuditEntry]| rows.iter().map(|row| row.number).collect::<Vec<_>>();
    let first = page(None).await;
    assert_eq!((numbers(&first.rows), first.total), (vec![7, 6, 5], 7));
    let second = page(Some(5)).await;
    assert_eq!((numbers(&second.rows), second.total), (vec![4, 3, 2], 4));
    let oldest = async |after, limit| store.audit().entries_after(after, limit).await.unwrap();
    assert_eq!(numbers(&oldest(0, 10).await), [1, 2, 3]);
    assert_eq!(numbers(&oldest(3, 2).await), [4, 5]);
    assert!(oldest(7, 10).await.is_empty());
}
