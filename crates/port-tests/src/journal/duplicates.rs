//! Pairs of records that look alike.

use app::{
    ports::{DuplicateFilter, Merge, Moved, SlugRequests, Store, StoredDuplicate},
    test_support::{at, event, venue},
};
use domain::{
    Event, FieldName, Kind, Role, Status, Stored,
    duplicate::{Duplicate, DuplicateReason, DuplicateState, Likeness},
    entry::Stage,
    event::EventFilter,
    page::PageRequest,
    policy::{Caller, Visibility},
    query::{Query, Statuses},
};

use crate::sample::{add, in_unit};

async fn events(store: &dyn Store) -> [Stored<Event>; 3] {
    [
        add(store, event("Fair").build(), "fair").await,
        add(store, event("Fair!").build(), "fair-2").await,
        add(store, event("The Fair").build(), "fair-3").await,
    ]
}

fn pair(one: &Stored<Event>, other: &Stored<Event>, score: u8) -> Duplicate {
    let reasons = vec![DuplicateReason::TitlePart, DuplicateReason::Venue];
    let records = [one, other].map(|event| (event.id.get(), event.revision));
    Duplicate::new(Kind::Event, records, Likeness { score, reasons })
}

async fn insert(store: &dyn Store, pair: Duplicate) -> StoredDuplicate {
    in_unit(store, async |to| to.duplicates().insert(&pair).await.unwrap()).await
}

fn merge(kept: &Stored<Event>) -> Merge {
    Merge {
        kept: kept.id.get(),
        fields: vec![FieldName::Title, FieldName::Website],
        before: ["one".to_owned(), "two\n\u{e9}".to_owned()],
        gone_revision: 7,
        moved: vec![
            Moved::Event { id: kept.id, beside: None },
            Moved::Import { source: "club".to_owned(), uid: "1\n".to_owned() },
            Moved::Event { id: kept.id, beside: Some(2) },
        ],
        at: at("2030-01-01 12:00:00"),
    }
}

/// A pair comes back as it was stored, with its merge.
pub async fn pairs_round_trip(store: &dyn Store) {
    let [fair, again, third] = events(store).await;
    let mut stored = insert(store, pair(&again, &fair, 90)).await;
    assert_eq!(stored.pair, pair(&fair, &again, 90));
    let other = insert(store, pair(&fair, &third, 95)).await;
    let duplicates = store.duplicates();
    assert_eq!(duplicates.find(stored.id).await.unwrap().as_ref(), Some(&stored));
    assert_eq!(duplicates.newest().await.unwrap(), Some(other.id));
    let of_pair = duplicates.of_pair(Kind::Event, stored.pair.records).await.unwrap();
    assert_eq!(of_pair.as_ref(), Some(&stored));
    assert_eq!(duplicates.of_pair(Kind::Venue, stored.pair.records).await.unwrap(), None);
    let open = duplicates.open_of(Kind::Event, fair.id.get()).await.unwrap();
    assert_eq!(open, [stored.clone(), other.clone()]);

    stored.pair.state = DuplicateState::Merged;
    stored.pair.revisions = [8, 9];
    stored.merge = Some(merge(&fair));
    assert!(in_unit(store, async |to| to.duplicates().update(&stored).await.unwrap()).await);
    assert_eq!(duplicates.find(stored.id).await.unwrap().as_ref(), Some(&stored));
    let open = duplicates.open_of(Kind::Event, fair.id.get()).await.unwrap();
    assert_eq!(open, std::slice::from_ref(&other));
    for (gone, kept) in [(&again, Some(fair.id.get())), (&fair, None), (&third, None)] {
        let found = duplicates.merged_into(Kind::Event, gone.id.get()).await.unwrap();
        assert_eq!(found, kept);
    }
    assert_eq!(duplicates.merged_into(Kind::Venue, again.id.get()).await.unwrap(), None);

    stored.pair.state = DuplicateState::Open;
    stored.merge = None;
    assert!(in_unit(store, async |to| to.duplicates().update(&stored).await.unwrap()).await);
    assert_eq!(duplicates.find(stored.id).await.unwrap().as_ref(), Some(&stored));
    assert!(in_unit(store, async |to| to.duplicates().delete(stored.id).await.unwrap()).await);
    assert!(!in_unit(store, async |to| to.duplicates().delete(stored.id).await.unwrap()).await);
    assert!(!in_unit(store, async |to| to.duplicates().update(&stored).await.unwrap()).await);
}

/// A list has the highest scores first, and only what it is asked for.
pub async fn pairs_are_listed_by_score(store: &dyn Store) {
    let [fair, again, third] = events(store).await;
    let low = insert(store, pair(&fair, &again, 70)).await;
    let high = insert(store, pair(&fair, &third, 90)).await;
    let mut closed = insert(store, pair(&again, &third, 70)).await;
    closed.pair.state = DuplicateState::Dismissed;
    in_unit(store, async |to| to.duplicates().update(&closed).await.unwrap()).await;
    let page = async |filter: DuplicateFilter, number| {
        let request = PageRequest::new(number, 2, 2);
        let page = store.duplicates().page(&filter, request).await.unwrap();
        (page.rows, page.total)
    };
    let all = DuplicateFilter::default();
    assert_eq!(page(all, 1).await, (vec![high.clone(), low.clone()], 3));
    assert_eq!(page(all, 2).await, (vec![closed.clone()], 3));
    let dismissed = DuplicateFilter { state: Some(DuplicateState::Dismissed), ..all };
    assert_eq!(page(dismissed, 1).await, (vec![closed], 1));
    let of_venues = DuplicateFilter { kind: Some(Kind::Venue), ..all };
    assert_eq!(page(of_venues, 1).await, (Vec::new(), 0));
    let of_events = DuplicateFilter { kind: Some(Kind::Event), state: Some(DuplicateState::Open) };
    assert_eq!(page(of_events, 1).await, (vec![high, low], 2));
}

/// A record that was merged is in no list, whatever is left of it in the trash.
pub async fn merged_records_are_not_listed(store: &dyn Store) {
    let [fair, again, third] = events(store).await;
    for event in [&again, &third] {
        let mut trashed = event.content.clone();
        trashed.stage = Stage::Trashed;
        in_unit(store, async |to| {
            to.events().update(event, trashed, SlugRequests::default()).await.unwrap()
        })
        .await;
    }
    let mut merged = insert(store, pair(&fair, &again, 70)).await;
    merged.pair.state = DuplicateState::Merged;
    merged.merge = Some(merge(&fair));
    in_unit(store, async |to| to.duplicates().update(&merged).await.unwrap()).await;
    let editor = Caller::of(fair.author, Role::Editor);
    let query = Query {
        visibility: Visibility::new(editor, at("2030-01-01 12:00:00")),
        filter: EventFilter {
            statuses: Statuses(Some(Status::ALL.into())),
            ..EventFilter::default()
        },
        page: PageRequest::new(1, 10, 10),
    };
    let mut page = store.events().page(&query).await.unwrap();
    page.rows.sort_unstable();
    assert_eq!((page.rows, page.total), (vec![fair.id, third.id], 2));
}

/// A pair goes with its records; a merged one stays until the record that stayed goes.
pub async fn pairs_go_with_their_records(store: &dyn Store) {
    let [fair, again, third] = events(store).await;
    let mut merged = insert(store, pair(&fair, &again, 70)).await;
    merged.pair.state = DuplicateState::Merged;
    merged.merge = Some(merge(&fair));
    in_unit(store, async |to| to.duplicates().update(&merged).await.unwrap()).await;
    let open = insert(store, pair(&again, &third, 70)).await;
    let hall = add(store, venue("Hall").build(), "hall").await;
    let delete = async |id| in_unit(store, async |to| to.events().delete(id).await.unwrap()).await;
    assert!(delete(again.id).await);
    assert_eq!(store.duplicates().find(open.id).await.unwrap(), None);
    assert_eq!(store.duplicates().find(merged.id).await.unwrap().as_ref(), Some(&merged));
    assert!(in_unit(store, async |to| to.venues().delete(hall.id).await.unwrap()).await);
    assert_eq!(store.duplicates().find(merged.id).await.unwrap().as_ref(), Some(&merged));
    assert!(delete(fair.id).await);
    assert_eq!(store.duplicates().find(merged.id).await.unwrap(), None);
}

/// A text of a record makes that record, whatever became of it since.
pub async fn records_are_kept(store: &dyn Store) {
    let fair = add(store, event("Fair").build(), "fair").await;
    let text = in_unit(store, async |to| to.events().keep(fair.id).await.unwrap()).await.unwrap();
    let mut content = fair.content.clone();
    content.title = "Other".parse().unwrap();
    in_unit(store, async |to| {
        to.events().update(&fair, content, SlugRequests::default()).await.unwrap()
    })
    .await;
    assert_eq!(store.events().kept(&text).await.unwrap().as_ref(), Some(&fair));
    assert!(in_unit(store, async |to| to.events().delete(fair.id).await.unwrap()).await);
    assert_eq!(store.events().kept(&text).await.unwrap().as_ref(), Some(&fair));
    let none = in_unit(store, async |to| to.events().keep(fair.id).await.unwrap()).await;
    assert_eq!(none, None);
    assert_eq!(store.events().kept("").await.unwrap(), None);
}

/// The position of comparisons is replaced.
pub async fn the_position_of_comparisons(store: &dyn Store) {
    assert_eq!(store.duplicates().compared().await.unwrap(), None);
    for position in ["1 2", "3"] {
        in_unit(store, async |to| to.duplicates().set_compared(position).await.unwrap()).await;
        assert_eq!(store.duplicates().compared().await.unwrap().as_deref(), Some(position));
    }
}
