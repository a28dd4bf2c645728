//! Occurrences of series: their slots, and their series.

use app::{
    ports::{OccurrenceFilter, OccurrencePlan, SlugRequests, Store, StoredOccurrence},
    test_support::{START, at, caller, event},
};
use domain::{
    Event, EventId, Id, Role, Status, Stored,
    event::{EventFilter, Repetition, Series, Window},
    policy::{Caller, Visibility},
    recurrence::Slot,
};

use crate::{
    lists::{Events, compare, compare_pages},
    sample::{add, change, edit, found, in_unit, remove, set_override, user_id},
};

/// A weekly series of six, on Saturdays from 1 June 2030 at 10:00 UTC.
pub async fn jazz(store: &dyn Store) -> (Stored<Event>, Vec<EventId>) {
    in_unit(store, async |to| {
        let jazz = event("Jazz").repeating("FREQ=WEEKLY;COUNT=6", at(START));
        jazz.insert_series(to).await
    })
    .await
}

pub fn slots(series: &Stored<Event>) -> Vec<Slot> {
    series.series().unwrap().recurrence.slots(..).collect()
}

/// An occurrence in a series that stands at this slot as a plain one.
pub fn plain(series: &Stored<Event>, id: EventId, slot: Slot) -> StoredOccurrence {
    let when = series.occurrence_at(slot).unwrap().details.when;
    let (start, end) = (when.start().utc, when.end().utc);
    StoredOccurrence { id, slot, start, end, is_override: false }
}

pub async fn of_series(store: &dyn Store, series: EventId) -> Vec<StoredOccurrence> {
    let repository = store.repositories().occurrences();
    repository.of_series(series, &OccurrenceFilter::default()).await.unwrap()
}

pub async fn save(
    store: &dyn Store,
    series: &Stored<Event>,
    changes: OccurrencePlan,
) -> Vec<EventId> {
    let saved = in_unit(store, async |to| to.occurrences().apply(series, &changes).await);
    saved.await.unwrap()
}

pub fn removing(removed: &[EventId]) -> OccurrencePlan {
    OccurrencePlan { removed: removed.to_vec(), ..OccurrencePlan::default() }
}

/// An event gets no ID of an occurrence.
pub async fn no_event_gets_the_id_of_an_occurrence(store: &dyn Store) {
    let (series, ids) = jazz(store).await;
    let part = event("Part").build();
    let (at_occurrence, at_series, next) = in_unit(store, async |to| {
        let none = SlugRequests::default;
        let at = |id| {
            let part = Stored { id, revision: 1, content: part.clone() };
            to.events().insert_at(part, none())
        };
        let taken = (at(ids[2]).await.unwrap(), at(series.id).await.unwrap());
        let next = EventId::from_raw(ids[5].get() + 1);
        (taken.0, taken.1, at(next).await.unwrap())
    })
    .await;
    assert_eq!((at_occurrence, at_series), (None, None));
    assert_eq!(next.unwrap().id.get(), ids[5].get() + 1);
    assert_eq!(found(store, ids[2]).await.unwrap().title, series.title);
}

/// Makes a plain occurrence an override.
pub async fn own(
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

pub fn titled(title: &str) -> impl FnOnce(&mut Event) {
    let title = title.parse().unwrap();
    |event| event.title = title
}

/// Compares the list of everybody, and that of an editor, with what the domain says.
pub async fn compare_lists(store: &dyn Store) -> Vec<EventId> {
    let events = Events::of(store).await;
    let statuses = domain::query::Statuses(Some(Status::ALL.to_vec()));
    let any_status = EventFilter { statuses, ..EventFilter::default() };
    let editor = Visibility::new(caller(user_id(2), Role::Editor), at(START));
    let expected = events.list(&any_status, &editor);
    compare_pages::<Event>(store, &editor, &any_status, &expected).await;
    let anybody = Visibility::new(Caller::Anonymous, at(START));
    let expected = events.list(&EventFilter::default(), &anybody);
    compare::<Event>(store, &anybody, &EventFilter::default(), &expected).await;
    expected
}

pub async fn added_occurrences_are_found(store: &dyn Store) {
    let before = add(store, event("Before").build(), "before").await;
    let (series, occurrences) = jazz(store).await;
    let after = add(store, event("After").build(), "after").await;
    let all = [vec![before.id, series.id], occurrences.clone(), vec![after.id]].concat();
    assert!(all.is_sorted_by(|a, b| a < b), "{all:?}");
    assert_eq!(found(store, series.id).await.as_ref(), Some(&series));

    let mut expected = Vec::new();
    for (id, slot) in occurrences.iter().zip(slots(&series)) {
        let content = series.occurrence_at(slot).unwrap();
        expected.push(Stored { id: *id, revision: series.revision, content });
    }
    for one in &expected {
        assert_eq!(found(store, one.id).await.as_ref(), Some(one));
        let slug = one.slug.clone().unwrap();
        let by_slug = store.repositories().events().find_by_slug(&slug).await;
        assert_eq!(by_slug.unwrap(), None, "occurrences have no slug in the registry");
    }
    let locked = in_unit(store, async |to| to.events().find_for_update(occurrences[1]).await).await;
    assert_eq!(locked.unwrap().as_ref(), Some(&expected[1]));
    let asked = [after.id, occurrences[3], Id::from_raw(9999), series.id, occurrences[3]];
    let many = store.repositories().events().find_many(&asked).await.unwrap();
    assert_eq!(many, [after, expected[3].clone(), series]);
}

pub async fn a_slot_leads_to_its_occurrence(store: &dyn Store) {
    let (series, occurrences) = jazz(store).await;
    let (other, others) = jazz(store).await;
    let repository = store.repositories().occurrences();
    for (index, slot) in slots(&series).into_iter().enumerate() {
        let of = async |series: EventId| repository.find_slot(series, slot).await.unwrap();
        assert_eq!(of(series.id).await, Some(occurrences[index]));
        assert_eq!(of(other.id).await, Some(others[index]));
        assert_eq!(of(occurrences[0]).await, None);
    }
    let none = repository.find_slot(series.id, "2030-06-02T10:00:00".parse().unwrap()).await;
    assert_eq!(none.unwrap(), None);
}

/// Windows hold by the times that occurrences have, their own ones included, also in the trash.
pub async fn windows_bound_the_occurrences_of_a_series(store: &dyn Store) {
    let (series, ids) = jazz(store).await;
    jazz(store).await;
    let all: Vec<_> =
        ids.iter().zip(slots(&series)).map(|(id, slot)| plain(&series, *id, slot)).collect();
    assert_eq!(of_series(store, series.id).await, all);
    assert_eq!(of_series(store, ids[0]).await, []);

    let moved = event("x").lasting("2030-06-29 10:00:00", "2030-06-29 11:00:00").build();
    own(store, &series, ids[1], |event| event.details.when = moved.details.when).await;
    own(store, &series, ids[2], |event| event.move_to(Status::Trash, at(START))).await;
    let mut all = all;
    all[2].is_override = true;
    let (start, end) = (at("2030-06-29 10:00:00"), at("2030-06-29 11:00:00"));
    let moved = StoredOccurrence { start, end, is_override: true, ..all.remove(1) };
    all.insert(3, moved); // the ID is smaller than that of the other one with this start
    assert_eq!(of_series(store, series.id).await, all);

    let (early, late) = (at("2030-06-15 10:00:00"), at("2030-06-29 12:00:00"));
    let windows = [
        Window { start_min: Some(early), ..Window::default() },
        Window { start_max: Some(early), ..Window::default() },
        Window { end_min: Some(late), ..Window::default() },
        Window { end_max: Some(late), ..Window::default() },
        Window { start_min: Some(early), end_max: Some(late), ..Window::default() },
        Window { start_min: Some(late), start_max: Some(early), ..Window::default() },
    ];
    for window in windows {
        let held = all.iter().filter(|one| window.holds(one.start, one.end));
        let held: Vec<_> = held.copied().collect();
        let filter = OccurrenceFilter { window, ..OccurrenceFilter::default() };
        let got = store.repositories().occurrences().of_series(series.id, &filter).await;
        assert_eq!(got.unwrap(), held, "{window:?}");
    }
}

/// One change adds occurrences, removes some, and gives others the slots that some had before.
pub async fn occurrences_change_their_slots(store: &dyn Store) {
    let (series, occurrences) = jazz(store).await;
    own(store, &series, occurrences[1], titled("Trio")).await;
    own(store, &series, occurrences[5], titled("Last")).await;
    let all = slots(&series);
    let changes = OccurrencePlan {
        added: vec![all[0], all[4], "2030-07-13T10:00:00".parse().unwrap()],
        kept: vec![(occurrences[0], all[1]), (occurrences[1], all[2]), (occurrences[2], all[3])],
        removed: vec![occurrences[3], occurrences[4], occurrences[5]],
        ..OccurrencePlan::default()
    };
    let added = save(store, &series, changes).await;
    assert!(added.is_sorted() && added[0] > occurrences[5], "{added:?}");
    let mut expected = [
        plain(&series, added[0], all[0]),
        plain(&series, occurrences[0], all[1]),
        plain(&series, occurrences[1], all[2]),
        plain(&series, occurrences[2], all[3]),
        plain(&series, added[1], all[4]),
        plain(&series, added[2], "2030-07-13T10:00:00".parse().unwrap()),
    ];
    let trio = found(store, occurrences[1]).await.unwrap();
    assert_eq!(trio.title.as_str(), "Trio");
    let content = series.inherited_by(&trio, all[2]).unwrap();
    change(store, &trio, content.clone(), None).await;
    expected[2].is_override = true;
    assert_eq!(of_series(store, series.id).await, expected);
    assert_eq!(found(store, occurrences[1]).await.unwrap().content, content);
    let first = found(store, occurrences[0]).await.unwrap();
    assert_eq!(Some(first.content), series.occurrence_at(all[1]));
    for gone in &occurrences[3..] {
        assert_eq!(found(store, *gone).await, None);
    }
    assert_eq!(compare_lists(store).await.len(), 6);
}

/// Another series takes occurrences over, under their IDs and with new revisions.
pub async fn a_series_takes_occurrences_over(store: &dyn Store) {
    let (series, occurrences) = jazz(store).await;
    let series = edit(store, &series, |series| series.details.featured = true).await;
    let trio = own(store, &series, occurrences[4], titled("Trio")).await;
    let former = found(store, occurrences[5]).await.unwrap();
    let late = in_unit(store, async |to| {
        let late = event("Late Jazz").lasting("2030-06-22 20:00:00", "2030-06-22 23:00:00");
        late.repeating("FREQ=WEEKLY;COUNT=3", at(START)).insert(to).await
    })
    .await;
    let new = slots(&late);
    let kept = occurrences[3..].iter().copied().zip(new.iter().copied()).collect();
    let added = save(store, &late, OccurrencePlan { kept, ..OccurrencePlan::default() });
    assert_eq!(added.await, []);
    let content = late.inherited_by(&trio, new[1]).unwrap();
    let trio = change(store, &trio, content, None).await;

    let left: Vec<_> = of_series(store, series.id).await.iter().map(|one| one.id).collect();
    assert_eq!(left, occurrences[..3]);
    let taken: Vec<_> = of_series(store, late.id).await;
    let mut expected: Vec<_> =
        occurrences[3..].iter().zip(&new).map(|(id, slot)| plain(&late, *id, *slot)).collect();
    expected[1].is_override = true;
    assert_eq!(taken, expected);
    let last = found(store, occurrences[5]).await.unwrap();
    assert_eq!(Some(&last.content), late.occurrence_at(new[2]).as_ref());
    assert!(last.revision > former.revision, "{} {}", last.revision, former.revision);

    assert!(remove(store, series.id).await);
    assert_eq!(found(store, occurrences[0]).await, None);
    assert_eq!(found(store, occurrences[5]).await, Some(last));
    assert_eq!(found(store, trio.id).await, Some(trio));
    assert_eq!(compare_lists(store).await, occurrences[3..]);
}

/// A series goes with its occurrences and their records; no ID is used again.
pub async fn a_series_goes_with_its_occurrences(store: &dyn Store) {
    let (series, occurrences) = jazz(store).await;
    let (other, others) = jazz(store).await;
    own(store, &series, occurrences[1], titled("Trio")).await;
    own(store, &series, occurrences[2], |event| event.move_to(Status::Trash, at(START))).await;
    assert!(remove(store, series.id).await);
    for gone in &occurrences {
        assert_eq!(found(store, *gone).await, None);
    }
    assert_eq!(of_series(store, series.id).await, []);
    assert_eq!(compare_lists(store).await, others);
    assert!(!remove(store, series.id).await);

    assert_eq!(save(store, &other, removing(&others[4..])).await, []);
    assert_eq!(compare_lists(store).await, others[..4]);
    let next = add(store, event("Next").build(), "next").await;
    assert!(next.id > others[5], "{} {}", next.id, others[5]);
    let added = vec![slots(&other)[5]];
    let added = save(store, &other, OccurrencePlan { added, ..OccurrencePlan::default() });
    let added = added.await;
    assert!(added[0] > next.id, "{} {}", added[0], next.id);
    assert!(remove(store, other.id).await);
    let (again, _) = jazz(store).await;
    assert!(again.id > added[0], "{} {}", again.id, added[0]);
}

pub async fn what_a_unit_did_not_commit_is_not_there(store: &dyn Store) {
    let (series, occurrences) = jazz(store).await;
    let before = found(store, occurrences[0]).await.unwrap();
    let unit = store.begin().await.unwrap();
    let mut plan = removing(&occurrences[1..]);
    let mut content = before.content.clone();
    titled("Trio")(&mut content);
    let content = series.with_overrides(&before, content, |_| false).unwrap();
    plan.overridden.push((before.clone(), content));
    unit.occurrences().apply(&series, &plan).await.unwrap();
    let inside =
        unit.occurrences().of_series(series.id, &OccurrenceFilter::default()).await.unwrap();
    assert_eq!(inside.len(), 1);
    unit.rollback().await.unwrap();
    assert_eq!(found(store, occurrences[0]).await, Some(before));
    assert_eq!(compare_lists(store).await, occurrences);
}

/// Adds an endless weekly series of which the occurrences are stored up to a moment.
async fn endless(store: &dyn Store, kept: &str, change: impl FnOnce(&mut Event)) -> Stored<Event> {
    let endless = event("Market").repeating("FREQ=WEEKLY", at(kept)).with(change);
    in_unit(store, async |to| endless.insert_series(to).await.0).await
}

pub async fn unfinished_series_are_locked(store: &dyn Store) {
    jazz(store).await;
    add(store, event("Once").build(), "once").await;
    let late = endless(store, "2030-09-01 00:00:00", |_| {}).await;
    let early = endless(store, "2030-08-01 00:00:00", |_| {}).await;
    let draft = endless(store, "2030-08-01 00:00:00", |event| event.stage = domain::Stage::Draft);
    let draft = draft.await;
    let unfinished = async |until: &str, limit| {
        let locked = in_unit(store, async |to| {
            to.occurrences().lock_unfinished(at(until), limit).await.unwrap()
        });
        let mut locked = locked.await;
        locked.sort_by_key(|series| series.id);
        locked
    };
    assert_eq!(unfinished("2030-08-01 00:00:00", 100).await, []);
    let both = [early.clone(), draft.clone()];
    assert_eq!(unfinished("2030-08-01 00:00:01", 100).await, both);
    assert_eq!(unfinished("2030-09-01 00:00:00", 100).await, both);
    assert_eq!(unfinished("2031-01-01 00:00:00", 2).await.len(), 2);
    assert_eq!(unfinished("2031-01-01 00:00:00", 100).await, [late, early.clone(), draft]);

    // A series that is carried on is found as it is then.
    let mut content = early.content.clone();
    if let Repetition::Series(series) = &mut content.details.repetition {
        series.kept_until = Some(at("2031-01-01 00:00:00"));
    }
    let after = change(store, &early, content.clone(), None).await;
    assert_eq!(after.content, content);
    assert_eq!(found(store, early.id).await, Some(after));
    assert_eq!(unfinished("2031-01-01 00:00:00", 100).await.len(), 2);
}

/// The horizon is the least of those of the endless series whose occurrences everybody sees.
pub async fn the_horizon_is_the_least_of_listed_series(store: &dyn Store) {
    let horizon =
        async |now: &str| store.repositories().occurrences().horizon(at(now)).await.unwrap();
    assert_eq!(horizon(START).await, None);
    jazz(store).await;
    endless(store, "2030-07-01 00:00:00", |event| event.details.hide_from_listings = true).await;
    endless(store, "2030-07-02 00:00:00", |event| event.stage = domain::Stage::Draft).await;
    endless(store, "2030-07-03 00:00:00", |event| event.stage = domain::Stage::Trashed).await;
    assert_eq!(horizon(START).await, None);
    endless(store, "2030-10-01 00:00:00", |_| {}).await;
    assert_eq!(horizon(START).await, Some(at("2030-10-01 00:00:00")));
    let due = "2030-02-01 00:00:00";
    let scheduled = endless(store, "2030-09-01 00:00:00", |event| {
        (event.date, event.date_is_chosen) = (at(due), true);
        event.move_to(Status::Future, at(START));
    })
    .await;
    assert_eq!(horizon(START).await, Some(at("2030-10-01 00:00:00")));
    assert_eq!(horizon(due).await, Some(at("2030-09-01 00:00:00")));
    assert!(remove(store, scheduled.id).await);
    assert_eq!(horizon(due).await, Some(at("2030-10-01 00:00:00")));
}

/// A series as stored has its rule, its extra and deleted dates, and its neighbours.
pub async fn a_series_is_found_as_it_is(store: &dyn Store) {
    let (other, occurrences) = jazz(store).await;
    let occurrence = occurrences[0];
    let slot = |text: &str| text.parse::<Slot>().unwrap();
    let rules = [
        "FREQ=WEEKLY;UNTIL=20300705T100000Z;BYDAY=SA,SU",
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR;BYSETPOS=1;WKST=SU",
        "FREQ=YEARLY;COUNT=30;BYMONTH=2,6;BYMONTHDAY=-1,1",
    ];
    for rule in rules {
        let content = event("Jazz").repeating(rule, at("2031-01-01 00:00:00")).with(|event| {
            if let Repetition::Series(series) = &mut event.details.repetition {
                let extra = ["2030-05-01T08:00:00", "2030-07-01T08:00:00"].map(slot).into();
                let deleted = ["2030-06-02T10:00:00", "2050-01-01T00:00:00"].map(slot).into();
                let recurrence = series.recurrence.with_dates(extra, deleted);
                let (kept_until, previous) = (series.kept_until, Some(other.id));
                **series = Series { kept_until, previous, ..Series::new(recurrence) };
            }
        });
        let (series, _) = in_unit(store, async |to| content.insert_series(to).await).await;
        assert_eq!(found(store, series.id).await.as_ref(), Some(&series));
        let neighbours = async |ids: &[EventId]| store.events().neighbours(ids).await.unwrap();
        let asked = [occurrence, series.id, other.id, EventId::from_raw(99_999)];
        assert_eq!(neighbours(&asked).await, [(series.id, other.id)]);
        assert_eq!(neighbours(&[]).await, []);
        let after = edit(store, &series, |event| {
            if let Repetition::Series(series) = &mut event.details.repetition {
                let dates = [slot("2030-06-15T10:00:00")].into();
                series.recurrence = series.recurrence.with_dates([].into(), dates);
                (series.previous, series.next) = (None, Some(other.id));
            }
        })
        .await;
        assert_ne!(after.content, series.content);
        assert_eq!(found(store, after.id).await, Some(after));
    }
}

/// An event becomes a series and an event again, under its ID.
pub async fn an_event_begins_to_repeat_and_ends(store: &dyn Store) {
    let once = add(store, event("Jazz").build(), "jazz").await;
    assert_eq!(compare_lists(store).await, [once.id]);
    let weekly = event("x").repeating("FREQ=WEEKLY;COUNT=3", at(START)).build();
    let series = edit(store, &once, |event| {
        event.details.repetition = weekly.details.repetition;
    })
    .await;
    assert_eq!(compare_lists(store).await, []);
    let added = slots(&series);
    let added = save(store, &series, OccurrencePlan { added, ..OccurrencePlan::default() });
    let added = added.await;
    assert_eq!(compare_lists(store).await, added);
    let after = in_unit(store, async |to| {
        let content = once.content.clone();
        let after = to.events().update(&series, content, SlugRequests::default()).await.unwrap();
        to.occurrences().apply(&after, &removing(&added)).await.unwrap();
        after
    })
    .await;
    assert_eq!(after.content, once.content);
    assert_eq!(found(store, once.id).await, Some(after));
    assert_eq!(compare_lists(store).await, [once.id]);
}

/// As many occurrences as a series may have are added, moved and removed in one change each.
pub async fn five_thousand_occurrences_are_one_change(store: &dyn Store) {
    let (series, occurrences) = in_unit(store, async |to| {
        let daily = event("Daily").repeating("FREQ=DAILY;COUNT=5000", at(START));
        daily.insert_series(to).await
    })
    .await;
    assert_eq!(occurrences.len(), 5000);
    assert!(occurrences.is_sorted_by(|a, b| a < b));
    let anybody = Visibility::new(Caller::Anonymous, at(START));
    let total = async || {
        let page = domain::page::PageRequest::new(1, 1, 1);
        let (visibility, filter) = (anybody.clone(), EventFilter::default());
        let query = domain::query::Query { visibility, filter, page };
        store.repositories().events().page(&query).await.unwrap().total
    };
    assert_eq!(total().await, 5000);
    let next = slots(&series).into_iter().skip(1);
    let kept = occurrences.iter().copied().zip(next).collect();
    let removed = vec![occurrences[4999]];
    let changes = OccurrencePlan { kept, removed, ..OccurrencePlan::default() };
    save(store, &series, changes).await;
    let stored = of_series(store, series.id).await;
    assert_eq!(stored.len(), 4999);
    assert_eq!((stored[0].id, stored[0].start), (occurrences[0], at("2030-06-02 10:00:00")));
    assert_eq!(total().await, 4999);
    save(store, &series, removing(&occurrences[..4999])).await;
    assert_eq!(total().await, 0);
    assert_eq!(of_series(store, series.id).await, []);
}
