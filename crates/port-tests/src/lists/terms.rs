//! Queries of terms only.

use app::{
    ports::{Repositories, Store},
    term::TermKind,
    test_support::{EntryBuilder, START, at, category, event, tag},
};
use domain::{
    Category, CategoryId, Event, Id, Stage, Status, Stored, TagId, Term,
    event::EventFilter,
    page::PageRequest,
    policy::{Caller, Visibility},
    query::Query,
    term::{Categories, Tags},
    time::Timestamp,
};

use crate::sample::{add, change, counts, edit, found, remove};

/// The number of events that carry a category and a tag, a year after the start of the tests if
/// `later`.
async fn both_counts(
    store: &dyn Repositories,
    category: CategoryId,
    tag: TagId,
    later: bool,
) -> [u64; 2] {
    let now = at(if later { "2031-01-01 00:00:00" } else { START });
    let categories = counts(store.categories(), &[category], now).await;
    let tags = counts(store.tags(), &[tag], now).await;
    [categories[&category], tags[&tag]]
}

async fn category_and_tag(store: &dyn Store) -> (Stored<Category>, Stored<domain::Tag>) {
    let category = add(store, category("Music").build(), "music").await;
    (category, add(store, tag("Jazz").build(), "jazz").await)
}

/// Counts exclude unpublished, trashed and locked events, and include events hidden from lists.
/// Lists include locked events, and exclude hidden ones. Both follow the rules of the domain.
pub async fn counts_are_of_what_everybody_may_see(store: &dyn Store) {
    let (category, tag) = category_and_tag(store).await;
    let event = || event("Concert").categories(&[category.id]).tags(&[tag.id]);
    let mut events = vec![event().scheduled(START), event().scheduled("2030-01-01 00:00:01")];
    for status in [Status::Publish, Status::Draft, Status::Pending, Status::Private, Status::Trash]
    {
        let published = |entry: &mut Event| entry.published_at = Some(at(START));
        events.push(event().status(status).with(published));
    }
    events.extend(events.clone().into_iter().map(EntryBuilder::hidden));
    events.extend(events.clone().into_iter().map(|event| event.password_hash("5f")));
    let (mut counted, mut listed) = (Vec::new(), Vec::new());
    for (n, event) in events.into_iter().enumerate() {
        let mut event = event.build();
        event.details.uid = format!("{n}@example.org");
        let event = add(store, event, "x").await;
        let due = event.published_at.filter(|_| event.stage == Stage::Published);
        counted.extend(due.filter(|_| event.counts_for_terms()));
        listed.extend(due.filter(|_| event.is_listed()));
        for (later, now) in [(false, START), (true, "2031-01-01 00:00:00")] {
            let until_now =
                |due: &[Timestamp]| due.iter().filter(|due| **due <= at(now)).count() as u64;
            let counts = both_counts(store.repositories(), category.id, tag.id, later).await;
            assert_eq!(counts, [until_now(&counted); 2], "after event {n}");
            let query = Query {
                visibility: Visibility::new(Caller::Anonymous, at(now)),
                filter: EventFilter::default(),
                page: PageRequest::new(1, 1, 100),
            };
            let page = store.events().page(&query).await.unwrap();
            assert_eq!(page.total, until_now(&listed), "after event {n}");
        }
    }
    assert_eq!([counted.len(), listed.len()], [6, 6]);
    let before = both_counts(store.repositories(), category.id, tag.id, true).await;
    add(store, event().categories(&[]).tags(&[]).build(), "x").await;
    let after = both_counts(store.repositories(), category.id, tag.id, true).await;
    assert_eq!(after, before, "an event without terms");
    let none = store.categories().find_with_counts(&[], at(START)).await.unwrap();
    assert!(none.is_empty());
}

/// Counts follow a change, a move to the trash, a revival and a deletion of an event.
pub async fn counts_follow_changes(store: &dyn Store) {
    let (category, tag) = category_and_tag(store).await;
    // A clone is the same event, by its UID.
    let both = event("Concert").categories(&[category.id]).tags(&[tag.id]);
    let both = || both.clone();
    let mut record = add(store, both().build(), "x").await;
    let changes = [
        (both().status(Status::Trash), [0, 0]),
        (both(), [1, 1]),
        (both().categories(&[]), [0, 1]),
        (both().tags(&[]), [1, 0]),
        (both().password_hash("5f"), [0, 0]),
        (both().hidden(), [1, 1]),
        (both().scheduled("2030-06-01 00:00:00"), [0, 0]),
        (both().status(Status::Private), [0, 0]),
        (both(), [1, 1]),
    ];
    for (n, (content, expected)) in changes.into_iter().enumerate() {
        record = change(store, &record, content.build(), None).await;
        let now = both_counts(store.repositories(), category.id, tag.id, false).await;
        assert_eq!(now, expected, "after change {n}");
    }
    // A unit that is rolled back does not count.
    let unit = store.begin().await.unwrap();
    assert!(unit.events().delete(record.id).await.unwrap());
    let within = both_counts(&*unit, category.id, tag.id, false).await;
    assert_eq!(within, [0, 0]);
    unit.rollback().await.unwrap();
    assert_eq!(both_counts(store.repositories(), category.id, tag.id, false).await, [1, 1]);
    assert!(remove(store, record.id).await);
    assert_eq!(both_counts(store.repositories(), category.id, tag.id, false).await, [0, 0]);
}

/// A tree: 1 above 2 above 3 … above 12; 13 below 2; 14 above 15.
async fn add_tree(store: &dyn Store) {
    let unit = store.begin().await.unwrap();
    for number in 1..=15_i64 {
        let name = category(&format!("Category {number}"));
        let parent = match number {
            1 | 14 => None,
            13 => Some(2),
            other => Some(other - 1),
        };
        let term = match parent {
            Some(parent) => name.below(Id::from_raw(parent)),
            None => name,
        };
        assert_eq!(term.insert(&*unit).await.id.get(), number);
    }
    unit.commit().await.unwrap();
}

async fn above<X: TermKind>(store: &dyn Repositories, numbers: &[i64]) -> Vec<i64> {
    let requested: Vec<Id<Term<X>>> = numbers.iter().copied().map(Id::from_raw).collect();
    let terms = X::repository(store).with_ancestors(&requested).await.unwrap();
    let mut found = Vec::new();
    for term in terms {
        assert_eq!(X::repository(store).find(term.id).await.unwrap().as_ref(), Some(&term));
        found.push(term.id.get());
    }
    found.sort_unstable();
    found
}

async fn move_category(store: &dyn Store, number: i64, parent: Option<i64>) {
    let term: Stored<Category> = found(store, Id::from_raw(number)).await.unwrap();
    edit(store, &term, |term| term.parent = parent.map(Id::from_raw)).await;
}

/// Terms with all their ancestors, each once.
pub async fn ancestors(store: &dyn Store) {
    add_tree(store).await;
    let repositories = store.repositories();
    assert_eq!(above::<Categories>(repositories, &[]).await, [0; 0]);
    assert_eq!(above::<Categories>(repositories, &[1]).await, [1]);
    assert_eq!(above::<Categories>(repositories, &[13]).await, [1, 2, 13]);
    let deep: Vec<_> = (1..=12).collect();
    assert_eq!(above::<Categories>(repositories, &[12]).await, deep);
    assert_eq!(above::<Categories>(repositories, &[2, 13, 15, 2, 1]).await, [1, 2, 13, 14, 15]);
    assert_eq!(above::<Categories>(repositories, &[99]).await, [0; 0]);
    move_category(store, 2, Some(15)).await;
    assert_eq!(above::<Categories>(repositories, &[13]).await, [2, 13, 14, 15]);
    move_category(store, 2, None).await;
    assert_eq!(above::<Categories>(repositories, &[13]).await, [2, 13]);
    add(store, tag("Jazz").build(), "jazz").await;
    assert_eq!(above::<Tags>(repositories, &[1]).await, [1]);
}
