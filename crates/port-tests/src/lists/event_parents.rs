//! Events that are parts of other events.

use app::{
    ports::Store,
    test_support::{at, caller, event},
};
use domain::{
    Event, EventId, Id, Role, Status,
    event::EventFilter,
    policy::{Caller, Guarded, Visibility},
};

use crate::{
    lists::{RIGHT, compare, moments, readers},
    sample::{add, ids, user_id},
};

/// Adds an event that is a part of another one.
async fn part(store: &dyn Store, title: &str, of: Option<EventId>) -> EventId {
    let event = event(title).with(|event| event.details.parent = of);
    add(store, event.build(), title).await.id
}

/// `ancestors` returns the event itself and each of its ancestors.
pub async fn lineages(store: &dyn Store) {
    let festival = part(store, "festival", None).await;
    let day = part(store, "day", Some(festival)).await;
    let concert = part(store, "concert", Some(day)).await;
    part(store, "other day", Some(festival)).await;
    for (id, expected) in [
        (festival, vec![festival]),
        (day, vec![day, festival]),
        (concert, vec![concert, day, festival]),
        (Id::from_raw(99), vec![]),
    ] {
        let mut lineage = store.events().ancestors(id).await.unwrap();
        lineage.sort_unstable();
        let mut expected: Vec<EventId> = expected;
        expected.sort_unstable();
        assert_eq!(lineage, expected);
    }
}

/// `linkable_ids` returns the IDs of the events to which the reader may refer.
pub async fn linked_events(store: &dyn Store) {
    let mut all = Vec::new();
    for (n, status) in Status::ALL.into_iter().cycle().take(12).enumerate() {
        let builder = event("E").author(user_id(n % 3));
        let builder = match status {
            Status::Future => builder.scheduled("2030-07-01 00:00:00"),
            _ => builder.status(status),
        };
        let builder = if n > 6 { builder.hidden() } else { builder };
        all.push(add(store, builder.build(), &format!("e-{n}")).await);
    }
    let mut requested = ids(&all);
    requested.extend([Id::from_raw(99), all[0].id]);
    for reader in readers() {
        let mut linked = store.events().linkable_ids(&requested, &reader).await.unwrap();
        linked.sort_unstable();
        let expected = all.iter().filter(|event| event.is_linkable(&reader));
        assert_eq!(linked, ids(expected), "{reader:?}");
    }
    let anonymous = Visibility::new(Caller::Anonymous, at("2030-08-01 00:00:00"));
    assert_eq!(store.events().linkable_ids(&[], &anonymous).await.unwrap(), []);
}

/// The parts that a reader finds are direct ones, without those that a password locks.
pub async fn lists_of_parts(store: &dyn Store) {
    let festival = part(store, "festival", None).await;
    let open = part(store, "open", Some(festival)).await;
    part(store, "part of a part", Some(open)).await;
    part(store, "no part", None).await;
    let with = |title| event(title).with(|event| event.details.parent = Some(festival));
    let draft = add(store, with("draft").status(Status::Draft).build(), "draft").await;
    let locked = add(store, with("locked").password_hash(RIGHT).build(), "locked").await;
    let filter = EventFilter { parent: Some(festival), ..EventFilter::default() };
    let now = moments()[0];
    let anonymous = Visibility::new(Caller::Anonymous, now);
    let editor = Visibility::new(caller(user_id(2), Role::Editor), now);
    compare::<Event>(store, &anonymous, &filter, &[open]).await;
    compare::<Event>(store, &editor, &filter, &[open, draft.id, locked.id]).await;
    for reader in readers() {
        let events = [open, draft.id, locked.id];
        let mut expected = store.events().find_many(&events).await.unwrap();
        expected.retain(|event| filter.matches(event, None, &reader));
        compare::<Event>(store, &reader, &filter, &ids(&expected)).await;
    }
}
