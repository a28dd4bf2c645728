//! Overrides of a series that change together.

use app::{
    ports::{OccurrencePlan, Store, StoreError},
    test_support::{START, at, category, event, tag},
};
use domain::{
    CategoryId, Event, EventId, Language, OrganizerId, Stored, Translation, event::OverrideField,
};

use crate::sample::{counts, edit, found, in_unit, overrides, set_override, try_in_unit};

/// A weekly series of six, and its occurrences.
async fn jazz(store: &dyn Store) -> (Stored<Event>, Vec<EventId>) {
    in_unit(store, async |to| {
        let jazz = event("Jazz").repeating("FREQ=WEEKLY;COUNT=6", at(START));
        jazz.insert_series(to).await
    })
    .await
}

/// Gives an occurrence the fields that `change` changes.
async fn own(
    store: &dyn Store,
    series: &Stored<Event>,
    id: EventId,
    change: impl FnOnce(&mut Event),
) -> Stored<Event> {
    let before = found(store, id).await.unwrap();
    let mut content = before.content.clone();
    change(&mut content);
    let content = series.with_overrides(&before, content, |_| false).unwrap();
    in_unit(store, async |to| set_override(to, series, &before, content).await).await.unwrap()
}

async fn renew(
    store: &dyn Store,
    series: &Stored<Event>,
    cleared: &[Stored<Event>],
    changed: &[(Stored<Event>, Event)],
) -> Result<(), StoreError> {
    let plan = OccurrencePlan {
        cleared: cleared.to_vec(),
        changed: changed.to_vec(),
        ..OccurrencePlan::default()
    };
    try_in_unit(store, async |to| to.occurrences().apply(series, &plan).await).await.map(drop)
}

async fn events_of(store: &dyn Store, terms: &[CategoryId]) -> Vec<u64> {
    let counts = counts(store.repositories().categories(), terms, at(START)).await;
    terms.iter().map(|term| counts[term]).collect()
}

/// One plan changes several overrides, each in other columns, terms, organizers and translations.
pub async fn overrides_change_together(store: &dyn Store) {
    let (series, ids) = jazz(store).await;
    let (terms, loud, organizers) = in_unit(store, async |to| {
        let mut terms = Vec::new();
        for name in ["Music", "Talk", "Dance"] {
            terms.push(category(name).insert(to).await.id);
        }
        let mut organizers: Vec<OrganizerId> = Vec::new();
        for name in ["Ada", "Bob"] {
            organizers.push(app::test_support::organizer(name).insert(to).await.id);
        }
        (terms, tag("Loud").insert(to).await.id, organizers)
    })
    .await;
    let french =
        |title: &str| Translation { title: Some(title.parse().unwrap()), ..Translation::default() };
    let trio = own(store, &series, ids[0], |event| {
        event.title = "Trio \u{1f3b7} \"quoted\"".parse().unwrap();
        event.details.categories = vec![terms[0], terms[1]];
        event.translations.put(Language::French, french("Trio français"));
    });
    let trio = trio.await;
    let duo = own(store, &series, ids[1], |event| {
        event.details.categories = vec![terms[1]];
        event.details.organizers.clone_from(&organizers);
        event.details.tags = vec![loud];
    });
    let duo = duo.await;
    let solo = own(store, &series, ids[2], |event| {
        event.details.show_map = false;
        event.details.categories = vec![terms[0]];
    });
    let solo = solo.await;
    let quiet = own(store, &series, ids[3], |event| event.details.featured = true).await;
    let same = own(store, &series, ids[4], |event| event.details.sticky = true).await;
    assert_eq!(events_of(store, &terms).await, [2, 2, 0]);

    let series = edit(store, &series, |event| {
        event.title = "Late jazz".parse().unwrap();
        event.details.website = Some("https://jazz.example/".parse().unwrap());
        event.details.categories = vec![terms[2]];
    })
    .await;
    let mut changed = Vec::new();
    for (own, slot) in
        [&trio, &duo, &solo].into_iter().zip(series.series().unwrap().recurrence.slots(..))
    {
        let mut content = series.inherited_by(own, slot).unwrap();
        content.modified = at("2030-01-02 03:04:05");
        changed.push((own.clone(), content));
    }
    changed[0].1.details.categories = vec![terms[1]];
    changed[0].1.translations.put(Language::French, french("Le trio"));
    changed[0].1.details.cancelled = true;
    changed[1].1.details.organizers.reverse();
    changed[1].1.details.tags.clear();
    changed[2].1.details.venue = None;
    let changed: Vec<_> = changed
        .into_iter()
        .map(|(own, content)| {
            let content = series.with_overrides(&own, content, |one| one == OverrideField::Tags);
            (own, content.unwrap())
        })
        .collect();
    let cleared = [quiet.clone(), same];
    renew(store, &series, &cleared, &changed).await.unwrap();

    for (before, content) in &changed {
        let found = found(store, before.id).await.unwrap();
        assert_eq!(found.content, *content);
        assert_eq!(found.revision, before.revision + 1);
    }
    for before in &cleared {
        let found = found(store, before.id).await.unwrap();
        let slot = before.occurrence().unwrap().slot;
        assert_eq!(Some(found.content), series.occurrence_at(slot));
        assert_eq!(found.revision, before.revision + 1);
    }
    assert_eq!(overrides(store, series.id).await, ids[..3]);
    let of = |term: &CategoryId| {
        let all = changed.iter().map(|(_, event)| event.counted_categories());
        let own = all.filter(|terms| terms.contains(term)).count();
        (own + usize::from(*term == terms[2])) as u64
    };
    assert_eq!(events_of(store, &terms).await, terms.iter().map(of).collect::<Vec<_>>());

    // One that has changed since refuses all of them.
    let plain = found(store, quiet.id).await;
    for (cleared, changed) in [(vec![quiet], vec![]), (vec![trio], vec![]), (vec![], changed)] {
        let refused = renew(store, &series, &cleared, &changed).await;
        assert!(matches!(refused, Err(StoreError::Conflict)));
    }
    assert_eq!(found(store, ids[3]).await, plain);
    renew(store, &series, &[], &[]).await.unwrap();
}

/// Occurrences become overrides together, each with its own fields. One that is an override already, or
/// has changed since, refuses all of them.
pub async fn occurrences_get_records_together(store: &dyn Store) {
    let (series, ids) = jazz(store).await;
    let music = in_unit(store, async |to| category("Music").insert(to).await.id).await;
    let mut records = Vec::new();
    for (number, id) in ids[..3].iter().enumerate() {
        let before = found(store, *id).await.unwrap();
        let mut content = before.content.clone();
        content.title = format!("Number {number}").parse().unwrap();
        let text = Translation {
            title: Some(format!("Numéro {number}").parse().unwrap()),
            ..Translation::default()
        };
        content.translations.put(Language::French, text);
        content.details.categories = vec![music];
        let content = series.with_overrides(&before, content, |_| false).unwrap();
        records.push((before, content));
    }
    let set = async |records: &[(Stored<Event>, Event)]| {
        let plan = OccurrencePlan { overridden: records.to_vec(), ..OccurrencePlan::default() };
        try_in_unit(store, async |to| to.occurrences().apply(&series, &plan).await).await
    };
    set(&records).await.unwrap();
    set(&[]).await.unwrap();
    for (before, content) in &records {
        let found = found(store, before.id).await.unwrap();
        assert_eq!(found.content, *content);
        assert_eq!(found.revision, before.revision + 1);
    }
    assert_eq!(overrides(store, series.id).await, ids[..3]);
    assert_eq!(events_of(store, &[music]).await, [3]);

    let plain = found(store, ids[3]).await.unwrap();
    let plain = (plain.clone(), plain.content);
    let stale = Stored { revision: plain.0.revision - 1, ..plain.0.clone() };
    let stale = (stale, plain.1.clone());
    let other = found(store, ids[4]).await.unwrap();
    let other = (other.clone(), other.content);
    for refused in [[other.clone(), records[0].clone()], [other, stale]] {
        assert!(matches!(set(&refused).await, Err(StoreError::Conflict)));
        assert_eq!(overrides(store, series.id).await, ids[..3]);
    }
}
