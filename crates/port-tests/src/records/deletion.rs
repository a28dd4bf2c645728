//! The effects of a deletion on other records.

use std::collections::HashMap;

use app::{
    ports::Store,
    test_support::{EntryBuilder, category, event, organizer, tag, venue},
};
use domain::{
    Category, Event, Id, Organizer, Stored, Tag,
    event::{EventDetails, EventFilter},
    policy::{Caller, Visibility},
};

use crate::{
    lists::{compare, moments},
    sample::{Sample, add, change, counts, found, is_imported, remove, slug},
};

/// No lookup finds a deleted record, a second deletion reports none, and other records stay.
pub async fn a_deleted_record_is_gone<R: Sample>(store: &dyn Store) {
    let gone = add(store, R::sample("Gone"), "gone").await;
    let left = add(store, R::sample("Left"), "left").await;
    assert!(remove(store, gone.id).await);
    assert_eq!(found(store, gone.id).await, None);
    let repository = R::repository(store.repositories());
    let many = repository.find_many(&[gone.id, left.id]).await.unwrap();
    assert_eq!(many, [left]);
    assert_eq!(repository.find_by_slug(&slug("gone")).await.unwrap(), None);
    assert_eq!(repository.find_named(&["gone".to_owned()]).await.unwrap(), []);
    assert!(!remove(store, gone.id).await);
}

/// The next record that requests the slug gets it.
pub async fn its_slug_is_free<R: Sample>(store: &dyn Store) {
    let first = add(store, R::sample("One"), "uno").await;
    let second = add(store, R::sample("One"), "uno").await;
    assert!(remove(store, first.id).await);
    let third = add(store, R::sample("One"), "uno").await;
    assert_eq!(third.slug(), Some(&slug("uno")));
    assert_eq!(found(store, second.id).await, Some(second));
}

/// Adds two events that link a record, and one that does not. After the deletion of the record,
/// compares their contents with those that `without` returns.
async fn check_events<R: Sample>(
    store: &dyn Store,
    gone: Id<R>,
    naming: EntryBuilder<EventDetails>,
    others: EntryBuilder<EventDetails>,
    without: impl Fn(&mut EventDetails),
) {
    let other_uid = |n| format!("other-{n}");
    let mut events = Vec::new();
    for (n, builder) in [naming.clone(), naming, others].into_iter().enumerate() {
        let event = builder.with(|event| event.details.uid = other_uid(n)).build();
        events.push(add(store, event, "x").await);
    }
    assert!(remove(store, gone).await);
    for (n, event) in events.into_iter().enumerate() {
        let mut expected = event.content.clone();
        if n < 2 {
            without(&mut expected.details);
        }
        let after: Stored<Event> = found(store, event.id).await.unwrap();
        assert_eq!(after.content, expected);
        // A client with the present revision can change the event.
        change(store, &after, expected, None).await;
    }
}

/// Events at a deleted venue have no venue.
pub async fn events_lose_their_venue(store: &dyn Store) {
    let gone = add(store, venue("Gone").build(), "gone").await.id;
    let left = add(store, venue("Left").build(), "left").await.id;
    let (naming, others) = (event("E").venue(gone), event("E").venue(left));
    check_events(store, gone, naming, others, |details| details.venue = None).await;
}

/// Events lose the deleted one of three records in a list; the others stay, in their order.
async fn check_list<R: Sample>(store: &dyn Store, list: fn(&mut EventDetails) -> &mut Vec<Id<R>>) {
    let mut ids = Vec::new();
    for name in ["Gone", "B", "C"] {
        ids.push(add(store, R::sample(name), name).await.id);
    }
    let naming = |ids: Vec<_>| event("E").with(|event| *list(&mut event.details) = ids);
    let (all, others) = (naming(vec![ids[2], ids[0], ids[1]]), naming(vec![ids[1], ids[2]]));
    let without = |details: &mut EventDetails| {
        list(details).remove(1);
    };
    check_events(store, ids[0], all, others, without).await;
}

/// The other organizers stay, in their order.
pub async fn events_lose_their_organizer(store: &dyn Store) {
    check_list::<Organizer>(store, |details| &mut details.organizers).await;
}

/// The other categories stay, in their order.
pub async fn events_lose_their_category(store: &dyn Store) {
    check_list::<Category>(store, |details| &mut details.categories).await;
}

/// The other tags stay, in their order.
pub async fn events_lose_their_tag(store: &dyn Store) {
    check_list::<Tag>(store, |details| &mut details.tags).await;
}

/// The parts of a deleted event become events of their own.
pub async fn the_parts_of_an_event_stay(store: &dyn Store) {
    let gone = add(store, event("Festival").build(), "festival").await.id;
    let left = add(store, event("Other").build(), "other").await.id;
    let naming = event("E").with(|event| event.details.parent = Some(gone));
    let others = event("E").with(|event| event.details.parent = Some(left));
    check_events(store, gone, naming, others, |details| details.parent = None).await;
}

/// A deleted event is neither counted nor listed.
pub async fn links_of_an_event_go_with_it(store: &dyn Store) {
    let venue = add(store, venue("V").build(), "v").await;
    let organizer = add(store, organizer("O").build(), "o").await;
    let category = add(store, category("C").build(), "c").await;
    let tag = add(store, tag("T").build(), "t").await;
    let event = event("E")
        .venue(venue.id)
        .organizers(&[organizer.id])
        .categories(&[category.id])
        .tags(&[tag.id]);
    let event = add(store, event.build(), "e").await;
    assert!(remove(store, event.id).await);

    let now = moments()[0];
    let in_category = counts(store.categories(), &[category.id], now).await;
    assert_eq!(in_category, HashMap::from([(category.id, 0)]));
    let with_tag = counts(store.tags(), &[tag.id], now).await;
    assert_eq!(with_tag, HashMap::from([(tag.id, 0)]));
    let filter = EventFilter { categories: Some(vec![category.id]), ..EventFilter::default() };
    let anonymous = Visibility::new(Caller::Anonymous, now);
    compare::<Event>(store, &anonymous, &filter, &[]).await;
    // The records that it linked are unchanged.
    assert_eq!(found(store, venue.id).await, Some(venue));
    assert_eq!(found(store, organizer.id).await, Some(organizer));
    assert_eq!(found(store, category.id).await, Some(category));
    assert_eq!(found(store, tag.id).await, Some(tag));
}

/// The children of a deleted category move to its parent, or to the top.
pub async fn children_move_up(store: &dyn Store) {
    async fn parent_of(store: &dyn Store, term: &Stored<Category>) -> Option<i64> {
        let term = found(store, term.id).await.unwrap();
        term.parent.map(Id::get)
    }
    let top = add(store, category("Top").build(), "top").await;
    let middle = add(store, category("Middle").below(top.id).build(), "middle").await;
    let low = add(store, category("Low").below(middle.id).build(), "low").await;
    let twin = add(store, category("Twin").below(middle.id).build(), "twin").await;
    let lowest = add(store, category("Lowest").below(low.id).build(), "lowest").await;

    assert!(remove(store, middle.id).await);
    assert_eq!(parent_of(store, &low).await, Some(top.id.get()));
    assert_eq!(parent_of(store, &twin).await, Some(top.id.get()));
    assert_eq!(parent_of(store, &lowest).await, Some(low.id.get()));

    assert!(remove(store, top.id).await);
    assert_eq!(parent_of(store, &low).await, None);
    assert_eq!(parent_of(store, &twin).await, None);
    assert_eq!(parent_of(store, &lowest).await, Some(low.id.get()));
    let left = found(store, low.id).await.unwrap();
    change(store, &left, left.content.clone(), None).await;
}

/// The import skips the row of a deleted event.
pub async fn the_import_of_an_event_is_remembered(store: &dyn Store) {
    let event = add(store, event("E").build(), "e").await;
    let unit = store.begin().await.unwrap();
    unit.imports().record("5f", 0, event.id).await.unwrap();
    unit.commit().await.unwrap();
    assert!(remove(store, event.id).await);
    assert!(is_imported(store.imports(), "5f", 0).await.unwrap());
}
