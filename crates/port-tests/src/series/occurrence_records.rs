//! Records of occurrences: their own ones, and as lists show them.

use app::{
    ports::{OccurrencePlan, Store, StoreError},
    test_support::{START, at, category, event, tag},
};
use domain::{
    Event, EventId, Status, Stored,
    event::{EventFilter, Repetition},
    policy::{Caller, Visibility},
};

use super::occurrences::{compare_lists, jazz, of_series, own, removing, save, slots, titled};
use crate::{
    lists::{Events, compare},
    sample::{
        add, change, clear_override, counts, edit, found, id_of_slug, in_unit, remove,
        set_override, slug, try_in_unit,
    },
};

/// An override is found as it is, and the occurrence follows its series again without it.
pub async fn overrides_come_and_go(store: &dyn Store) {
    let (series, occurrences) = jazz(store).await;
    let id = occurrences[2];
    let before = found(store, id).await.unwrap();
    let content = |title| {
        let mut content = before.content.clone();
        titled(title)(&mut content);
        series.with_overrides(&before, content, |_| false).unwrap()
    };
    let set = async |before: &Stored<Event>, title| {
        let content = content(title);
        try_in_unit(store, async |to| set_override(to, &series, before, content).await).await
    };
    let trio = set(&before, "Trio").await.unwrap();
    assert_eq!(trio, Stored { id, revision: before.revision + 1, content: content("Trio") });
    assert_eq!(found(store, id).await.as_ref(), Some(&trio));
    assert_eq!(trio.occurrence().unwrap().overridden.names(), ["title"]);
    assert!(matches!(set(&before, "Duo").await, Err(StoreError::Conflict)));
    assert!(matches!(set(&trio, "Duo").await, Err(StoreError::Conflict)));
    let duo = change(store, &trio, content("Duo"), None).await;
    assert_eq!(found(store, id).await.as_ref(), Some(&duo));
    assert_eq!(compare_lists(store).await, occurrences);

    let clear = async |own: &Stored<Event>| {
        try_in_unit(store, async |to| clear_override(to, &series, own).await).await
    };
    assert!(matches!(clear(&trio).await, Err(StoreError::Conflict)));
    let plain = clear(&duo).await.unwrap();
    assert_eq!(plain.content, before.content);
    assert!(plain.revision > duo.revision);
    assert_eq!(found(store, id).await.as_ref(), Some(&plain));
    assert!(matches!(clear(&duo).await, Err(StoreError::Conflict)));
    let again = set(&plain, "Trio").await.unwrap();
    assert!(again.revision > plain.revision);
    assert_eq!(compare_lists(store).await, occurrences);
}

/// The revision of an occurrence grows with each change of its series and of its own.
pub async fn revisions_only_grow(store: &dyn Store) {
    let (mut series, occurrences) = jazz(store).await;
    let id = occurrences[0];
    let mut last = found(store, id).await.unwrap();
    let mut check = async |after: Stored<Event>| {
        assert!(last.revision < after.revision, "{} {}", last.revision, after.revision);
        assert_eq!(found(store, id).await.as_ref(), Some(&after));
        last = after;
    };
    for round in 0..3 {
        for _ in 0..round {
            series = edit(store, &series, |series| series.details.sticky ^= true).await;
            check(found(store, id).await.unwrap()).await;
        }
        let trio = own(store, &series, id, titled("Trio")).await;
        check(trio.clone()).await;
        series = edit(store, &series, |series| series.details.show_map ^= true).await;
        assert_eq!(found(store, id).await, Some(trio.clone()), "the override has not changed");
        let plain = in_unit(store, async |to| clear_override(to, &series, &trio).await);
        check(plain.await.unwrap()).await;
    }
}

/// An override is stored with the values that it inherits: slugs, terms and translations.
pub async fn overrides_follow_their_series(store: &dyn Store) {
    let (series, occurrences) = jazz(store).await;
    let [loud, quiet] = in_unit(store, async |to| {
        [tag("Loud").insert(to).await.id, tag("Quiet").insert(to).await.id]
    })
    .await;
    let id = occurrences[1];
    let trio = own(store, &series, id, |event| event.details.tags = vec![loud, quiet]).await;
    assert_eq!(trio.occurrence().unwrap().own_tags, [loud, quiet]);
    let mut content = series.content.clone();
    titled("Blues")(&mut content);
    content.details.tags = vec![quiet];
    let request = crate::sample::request("blues");
    let series = change(store, &series, content, Some(request)).await;
    let content = series.inherited_by(&trio, slots(&series)[1]).unwrap();
    let trio = change(store, &trio, content.clone(), None).await;
    assert_eq!(trio.content, content);
    assert_eq!(trio.slug, Some(slug("blues~2030-06-08")));
    assert_eq!(trio.occurrence().unwrap().own_tags, [loud]);
    assert_eq!(found(store, id).await, Some(trio));
    let repository = store.repositories().events();
    assert_eq!(repository.find_by_slug(&slug("blues~2030-06-08")).await.unwrap(), None);
    assert_eq!(repository.find_by_slug(&slug("blues")).await.unwrap(), Some(series.id));
}

/// An occurrence that is detached stays when its series goes, and its slot is free.
pub async fn a_detached_occurrence_is_an_event_of_its_own(store: &dyn Store) {
    let (series, occurrences) = jazz(store).await;
    let id = occurrences[3];
    let trio = own(store, &series, id, titled("Trio")).await;
    let mut content = trio.content.clone();
    content.details.repetition = Repetition::Once;
    "trio@cal.example".clone_into(&mut content.details.uid);
    let trio = in_unit(store, async |to| {
        let plan = OccurrencePlan { detached: vec![id], ..OccurrencePlan::default() };
        to.occurrences().apply(&series, &plan).await.unwrap();
        let slugs = crate::sample::request("jazz-2030-06-22").into();
        to.events().update(&trio, content.clone(), slugs).await.unwrap()
    })
    .await;
    content.slug = Some(slug("jazz-2030-06-22"));
    assert_eq!(trio.content, content);
    let by_slug = id_of_slug(store, "jazz-2030-06-22").await;
    assert_eq!(by_slug, Some(id));
    let slot = slots(&series)[3];
    let at_slot = store.repositories().occurrences().find_slot(series.id, slot);
    assert_eq!(at_slot.await.unwrap(), None);
    assert_eq!(of_series(store, series.id).await.len(), 5);
    let changes = OccurrencePlan { added: vec![slot], ..OccurrencePlan::default() };
    assert_ne!(save(store, &series, changes).await, [id]);
    assert_eq!(compare_lists(store).await.len(), 7);
    assert!(remove(store, series.id).await);
    assert_eq!(found(store, id).await, Some(trio));
    assert_eq!(compare_lists(store).await, [id]);
}

/// Lists follow the status of the series, and each caller sees what it may.
pub async fn occurrences_show_as_their_series(store: &dyn Store) {
    let (mut series, occurrences) = jazz(store).await;
    assert_eq!(compare_lists(store).await, occurrences);
    for status in [Status::Draft, Status::Publish, Status::Private, Status::Trash] {
        series = edit(store, &series, |event| event.move_to(status, at(START))).await;
        let listed = compare_lists(store).await;
        assert_eq!(listed.is_empty(), status != Status::Publish, "{status:?}");
    }
    series = edit(store, &series, |event| {
        (event.date, event.date_is_chosen) = (at("2030-02-01 00:00:00"), true);
        event.move_to(Status::Future, at(START));
    })
    .await;
    assert_eq!(compare_lists(store).await, []);
    let later = Visibility::new(Caller::Anonymous, at("2030-02-01 00:00:00"));
    compare::<Event>(store, &later, &EventFilter::default(), &occurrences).await;
    series = edit(store, &series, |event| {
        event.date = at("2029-02-01 00:00:00");
        event.move_to(Status::Publish, at(START));
        event.details.hide_from_listings = true;
    })
    .await;
    assert_eq!(compare_lists(store).await, []);
    own(store, &series, occurrences[2], |event| event.details.hide_from_listings = false).await;
    assert_eq!(compare_lists(store).await, occurrences[2..3]);
    edit(store, &series, |event| event.details.hide_from_listings = false).await;
    assert_eq!(compare_lists(store).await, occurrences);
}

/// A term counts a series once, and an occurrence for the terms that its series has not.
pub async fn terms_count_a_series_once(store: &dyn Store) {
    let (music, talk, series, occurrences) = in_unit(store, async |to| {
        let music = category("Music").insert(to).await.id;
        let talk = category("Talk").insert(to).await.id;
        let jazz = event("Jazz").categories(&[music]).repeating("FREQ=WEEKLY;COUNT=6", at(START));
        let (series, occurrences) = jazz.insert_series(to).await;
        (music, talk, series, occurrences)
    })
    .await;
    let counted = async |expected: [u64; 2]| {
        let repository = store.repositories().categories();
        let counts = counts(repository, &[music, talk], at(START)).await;
        assert_eq!([counts[&music], counts[&talk]], expected);
    };
    counted([1, 0]).await;
    let both = own(store, &series, occurrences[0], |event| {
        event.details.categories = vec![music, talk];
    })
    .await;
    own(store, &series, occurrences[1], |event| event.details.categories = vec![talk]).await;
    counted([1, 2]).await;
    edit(store, &both, |event| event.move_to(Status::Trash, at(START))).await;
    counted([1, 1]).await;
    edit(store, &series, |event| event.move_to(Status::Draft, at(START))).await;
    counted([0, 1]).await; // the override follows by a change of its own
    save(store, &series, removing(&occurrences[..2])).await;
    counted([0, 0]).await;
}

/// An occurrence may have parts, as any event.
pub async fn an_occurrence_has_parts(store: &dyn Store) {
    let festival = add(store, event("Festival").build(), "festival").await;
    let (series, occurrences) = in_unit(store, async |to| {
        let jazz = event("Jazz").with(|event| event.details.parent = Some(festival.id));
        jazz.repeating("FREQ=WEEKLY;COUNT=6", at(START)).insert_series(to).await
    })
    .await;
    let part = |id| event("Part").with(|event| event.details.parent = Some(id)).build();
    let plain = add(store, part(occurrences[0]), "one").await;
    own(store, &series, occurrences[1], titled("Trio")).await;
    let other = add(store, part(occurrences[1]), "two").await;
    let repository = store.repositories().events();
    let ancestors = repository.ancestors(plain.id).await.unwrap();
    assert_eq!(ancestors, [plain.id, occurrences[0], festival.id]);
    let ancestors = repository.ancestors(other.id).await.unwrap();
    assert_eq!(ancestors, [other.id, occurrences[1], festival.id]);
    let anybody = Visibility::new(Caller::Anonymous, at(START));
    let asked = [occurrences[0], occurrences[1], series.id];
    let mut linkable = repository.linkable_ids(&asked, &anybody).await.unwrap();
    linkable.sort_unstable();
    assert_eq!(linkable, [series.id, occurrences[0], occurrences[1]]);
    let asked = [&asked[..], &[EventId::from_raw(99_999)]].concat();
    let recorded = repository.recorded(&asked).await.unwrap();
    assert_eq!(recorded, [series.id, occurrences[1]]);
    assert_eq!(repository.recorded(&[]).await.unwrap(), []);
    let list = async |parent| {
        let filter = EventFilter { parent: Some(parent), ..EventFilter::default() };
        let expected = Events::of(store).await.list(&filter, &anybody);
        compare::<Event>(store, &anybody, &filter, &expected).await;
        expected
    };
    assert_eq!(list(festival.id).await, occurrences);
    assert_eq!(list(occurrences[0]).await, [plain.id]);
    assert_eq!(list(series.id).await, occurrences);

    let mut parents = store.repositories().occurrences().parents(series.id).await.unwrap();
    parents.sort_unstable();
    assert_eq!(parents, occurrences[..2]);

    save(store, &series, removing(&occurrences[..1])).await;
    assert_eq!(found(store, plain.id).await.unwrap().details.parent, None);
    assert!(remove(store, series.id).await);
    assert_eq!(found(store, other.id).await.unwrap().details.parent, None);
}

/// A festival that goes is no longer the parent of a series and its occurrences.
pub async fn occurrences_lose_a_parent_that_goes(store: &dyn Store) {
    let festival = add(store, event("Festival").build(), "festival").await;
    let (series, occurrences) = in_unit(store, async |to| {
        let jazz = event("Jazz").with(|event| event.details.parent = Some(festival.id));
        jazz.repeating("FREQ=WEEKLY;COUNT=6", at(START)).insert_series(to).await
    })
    .await;
    own(store, &series, occurrences[1], titled("Trio")).await;
    assert!(remove(store, festival.id).await);
    for id in [series.id, occurrences[0], occurrences[1]] {
        assert_eq!(found(store, id).await.unwrap().details.parent, None);
    }
}
