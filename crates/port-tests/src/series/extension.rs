//! Endless series of which more occurrences are stored.

use app::{
    ports::{Store, StoreError, StoredOccurrence},
    test_support::{START, at, event},
};
use domain::{
    Event, EventId, Stored,
    event::{OverrideField, Repetition},
    recurrence::Slot,
};

use crate::sample::{edit, found, in_unit, overrides, set_override, try_in_unit};

/// An endless weekly series, of Saturdays at 10:00 UTC, and the IDs of its occurrences in June 2030.
async fn weekly(store: &dyn Store) -> (Stored<Event>, Vec<EventId>) {
    in_unit(store, async |to| {
        let weekly = event("Chess").repeating("FREQ=WEEKLY", at("2030-07-01 00:00:00"));
        weekly.insert_series(to).await
    })
    .await
}

/// The series when its occurrences are stored up to August 2030, and those of July that are not deleted.
fn until_august(series: &Stored<Event>) -> (Stored<Event>, Vec<Slot>) {
    let end = at("2030-08-01 00:00:00");
    let mut series = series.clone();
    let Repetition::Series(own) = &mut series.content.details.repetition else {
        panic!("a series");
    };
    let begin = own.kept_until.replace(end).unwrap();
    let july = own.recurrence.occurrences(begin..end).map(|one| one.slot).collect();
    (series, july)
}

async fn extend(
    store: &dyn Store,
    series: &[(Stored<Event>, Vec<Slot>)],
) -> Result<usize, StoreError> {
    try_in_unit(store, async |to| to.occurrences().extend(series).await).await
}

async fn of_series(store: &dyn Store, series: EventId) -> Vec<StoredOccurrence> {
    let repository = store.repositories().occurrences();
    repository.of_series(series, &app::ports::OccurrenceFilter::default()).await.unwrap()
}

/// Series are extended together, each in its own way; nothing that is stored changes but the
/// instants up to which they are stored.
pub async fn series_are_extended(store: &dyn Store) {
    let (listed, ids) = weekly(store).await;
    let (draft, _) = weekly(store).await;
    let draft = edit(store, &draft, |event| event.stage = domain::Stage::Draft).await;
    let before = found(store, ids[0]).await;
    // A write has stored an occurrence beyond the horizon, and another has a title of its own.
    let third: Slot = "2030-07-20T10:00:00".parse().unwrap();
    let added = [third].into();
    let changes = app::ports::OccurrencePlan { added, ..Default::default() };
    let third = in_unit(store, async |to| to.occurrences().apply(&listed, &changes).await);
    let third = third.await.unwrap()[0];
    let plain = found(store, third).await.unwrap();
    let mut content = plain.content.clone();
    content.title = "Final".parse().unwrap();
    let content =
        listed.with_overrides(&plain, content, |one| one == OverrideField::Title).unwrap();
    let own = in_unit(store, async |to| set_override(to, &listed, &plain, content).await);
    let own = own.await.unwrap();

    let [first, second] = [&listed, &draft].map(until_august);
    assert_eq!((first.1.len(), second.1.len()), (4, 4));
    assert_eq!(extend(store, &[first.clone(), second.clone()]).await.unwrap(), 3 + 4);
    for (series, july) in [&first, &second] {
        assert_eq!(found(store, series.id).await.as_ref(), Some(series));
        let stored = of_series(store, series.id).await;
        let slots: Vec<_> = stored.iter().map(|one| one.slot).collect();
        assert_eq!(
            slots[..5],
            series.series().unwrap().recurrence.slots(..).take(5).collect::<Vec<_>>()
        );
        assert_eq!(&slots[5..], july);
        for one in &stored[5..] {
            let found = found(store, one.id).await.unwrap();
            assert_eq!(found.revision, series.revision + i64::from(one.is_override));
            assert_eq!((found.details.when.start().utc, found.stage), (one.start, series.stage));
        }
        let new: Vec<_> =
            stored[5..].iter().filter(|one| !one.is_override).map(|one| one.id).collect();
        assert!(new.is_sorted() && new[0] > third, "{new:?}");
    }
    assert_eq!(found(store, ids[0]).await, before);
    assert_eq!(found(store, third).await, Some(own));
    let last = of_series(store, listed.id).await.pop().unwrap();
    let visibility = domain::policy::Visibility::new(domain::policy::Caller::Anonymous, at(START));
    let listed = in_unit(store, async |to| {
        to.events().linkable_ids(&[last.id, third], &visibility).await.unwrap()
    });
    assert_eq!(listed.await, [last.id, third]);

    // Without further slots, the instants alone change.
    let (series, _) = until_august(&first.0);
    assert_eq!(extend(store, &[(series.clone(), Vec::new())]).await.unwrap(), 0);
    assert_eq!(extend(store, &[]).await.unwrap(), 0);
    assert_eq!(found(store, series.id).await, Some(series));
}

/// A series that has changed since it was read is not extended, nor those with it.
pub async fn series_that_changed_are_not_extended(store: &dyn Store) {
    let (one, _) = weekly(store).await;
    let (other, _) = weekly(store).await;
    let extended = [until_august(&one), until_august(&other)];
    let other = edit(store, &other, |event| event.details.sticky = true).await;
    assert!(matches!(extend(store, &extended).await, Err(StoreError::Conflict)));
    for series in [one, other] {
        assert_eq!(of_series(store, series.id).await.len(), 5);
        assert_eq!(found(store, series.id).await, Some(series));
    }
}

/// The records of one series are read, and no record of another series.
pub async fn overrides_are_those_of_a_series(store: &dyn Store) {
    let (series, ids) = weekly(store).await;
    let (other, others) = weekly(store).await;
    for (series, id) in [(&series, ids[3]), (&series, ids[1]), (&other, others[0])] {
        let plain = found(store, id).await.unwrap();
        let content = plain.content.clone();
        in_unit(store, async |to| set_override(to, series, &plain, content).await).await.unwrap();
    }
    assert_eq!(overrides(store, series.id).await, [ids[1], ids[3]]);
    assert_eq!(overrides(store, other.id).await, [others[0]]);
    assert_eq!(overrides(store, ids[1]).await, []);
    let own: Vec<_> = of_series(store, series.id).await.iter().map(|one| one.is_override).collect();
    assert_eq!(own[..3], [false, true, false]);
}
