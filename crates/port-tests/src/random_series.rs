//! Series with their occurrences, for the rules of lists that hold events of every kind.

use std::collections::{BTreeSet, HashMap};

use app::{
    ports::{OccurrenceFilter, OccurrencePlan, Repositories, SlugRequest, SlugRequests, Store},
    test_support::{at, event},
};
use domain::{
    Event, EventId, Language, Status, Stored,
    event::{OverrideField, Repetition, Series},
    recurrence::{Recurrence, Slot},
    time::Timestamp,
};

use crate::Dice;
use crate::sample::{
    DATES, Sample, all, change, clear_override, found, in_unit, remove, set_override,
};

/// Rules of a few occurrences, and an endless one.
const RULES: [&str; 7] = [
    "FREQ=DAILY;COUNT=3",
    "FREQ=DAILY;INTERVAL=2;COUNT=4",
    "FREQ=WEEKLY;COUNT=5",
    "FREQ=MONTHLY;COUNT=7",
    "FREQ=YEARLY;COUNT=3",
    "FREQ=DAILY;BYHOUR=0,10;COUNT=4",
    "FREQ=MONTHLY",
];

/// How long after its start the occurrences of an endless series are stored, in seconds.
const KEPT: i64 = 200 * 86_400;

fn horizon(event: &Event) -> Timestamp {
    event.details.when.start().utc.saturating_add(KEPT)
}

/// The occurrences of a series that are stored.
pub async fn slots(to: &dyn Repositories, series: EventId) -> HashMap<Slot, EventId> {
    let stored = to.occurrences().of_series(series, &OccurrenceFilter::default()).await.unwrap();
    stored.into_iter().map(|one| (one.slot, one.id)).collect()
}

/// Adds a series with the values of an event, and some occurrences with fields of their own. Returns
/// the IDs of all.
pub async fn add_series(
    to: &dyn Repositories,
    dice: &mut Dice,
    content: Event,
    varied: impl Fn(&mut Dice) -> Event,
) -> Vec<EventId> {
    let kept_until = horizon(&content);
    let builder = event("Series").with(|event| *event = content);
    let builder = builder.repeating(dice.pick(&RULES), kept_until);
    let (series, occurrences) = builder.insert_series(to).await;
    for id in &occurrences {
        if dice.once_in(3) {
            let other = varied(dice);
            give_own(to, dice, &series, *id, other).await;
        }
    }
    [vec![series.id], occurrences].concat()
}

/// Gives an occurrence some fields of another event.
async fn give_own(
    to: &dyn Repositories,
    dice: &mut Dice,
    series: &Stored<Event>,
    id: EventId,
    other: Event,
) {
    let before = to.events().find_for_update(id).await.unwrap().unwrap();
    let content = with_own(dice, series, &before, other);
    let is_override =
        to.occurrences().of_series(series.id, &OccurrenceFilter::default()).await.unwrap();
    let stored = if is_override.iter().any(|one| one.id == id && one.is_override) {
        to.events().update(&before, content.clone(), SlugRequests::default()).await
    } else {
        set_override(to, series, &before, content.clone()).await
    };
    let stored = stored.unwrap();
    assert_eq!(stored, Stored { id, revision: before.revision + 1, content });
}

/// An occurrence with some fields of another event.
fn with_own(dice: &mut Dice, series: &Stored<Event>, before: &Event, other: Event) -> Event {
    let mut content = before.clone();
    let (to, from) = (&mut content.details, other.details);
    if dice.once_in(2) {
        content.title = other.title;
    }
    if dice.once_in(3) {
        (content.description, content.excerpt) = (other.description, other.excerpt);
    }
    if dice.once_in(3) {
        for language in Language::ALL {
            let mut mine = content.translations.take(language);
            if language != content.language
                && let Some(theirs) = other.translations.get(language)
            {
                mine.title.clone_from(&theirs.title);
                mine.description.clone_from(&theirs.description);
            }
            content.translations.put(language, mine);
        }
    }
    if dice.once_in(3) {
        to.when = from.when;
    }
    if dice.once_in(2) {
        (to.categories, to.tags) = (from.categories, from.tags);
    }
    if dice.once_in(3) {
        (to.venue, to.organizers, to.tickets) = (from.venue, from.organizers, from.tickets);
    }
    if dice.once_in(2) {
        (to.featured, to.cancelled) = (from.featured, true);
    }
    if dice.once_in(4) {
        to.hide_from_listings = from.hide_from_listings;
    }
    if dice.once_in(3) {
        content.modified = content.modified.max(at(dice.pick(&DATES)));
    }
    content.stage = series.stage;
    if dice.once_in(6) {
        content.move_to(Status::Trash, content.modified);
    }
    series.with_overrides(before, content, |field| field == OverrideField::Title).unwrap()
}

/// Deletes some events, and changes others into what `varied` returns: series with their rules,
/// occurrences with fields of their own or without.
pub async fn shuffle_events(
    store: &dyn Store,
    dice: &mut Dice,
    varied: impl Fn(&mut Dice) -> Event,
) {
    for event in all::<Event>(store).await {
        let Some(event) = found(store, event.id).await else {
            continue; // gone with its series
        };
        let kind = dice.roll(4);
        match &event.details.repetition {
            Repetition::Once if kind > 1 => {
                let content = varied(dice).in_place_of(&event);
                change(store, &event, content, None).await;
            }
            Repetition::Series(_) if kind > 1 => {
                let content = varied(dice).in_place_of(&event);
                in_unit(store, async |to| change_series(to, dice, &event, content).await).await;
            }
            Repetition::Occurrence(_) => {
                let other = varied(dice);
                in_unit(store, async |to| change_occurrence(to, dice, &event, other).await).await;
            }
            Repetition::Once | Repetition::Series(_) if kind == 0 => {
                assert!(remove(store, event.id).await);
            }
            Repetition::Once | Repetition::Series(_) => {}
        }
    }
}

/// Changes the fields of a series, and its rule, or gives its later half to a new series.
async fn change_series(
    to: &dyn Repositories,
    dice: &mut Dice,
    before: &Stored<Event>,
    mut content: Event,
) {
    let former = before.series().unwrap();
    content.details.when.clone_from(&before.details.when);
    let stored = slots(to, before.id).await;
    let mut moved: HashMap<EventId, Slot> = stored.iter().map(|(slot, id)| (*id, *slot)).collect();
    if dice.once_in(4) {
        let series = event("Later").with(|event| {
            let uid = event.details.uid.clone();
            *event = content;
            event.details.uid = uid;
            event.details.repetition = Repetition::Series(Box::new(former.clone()));
        });
        let series = series.insert(to).await;
        let mut slots: Vec<_> = moved.into_iter().map(|(id, slot)| (slot, id)).collect();
        slots.sort_unstable();
        let kept: Vec<_> =
            slots.split_off(slots.len() / 2).into_iter().map(|(s, id)| (id, s)).collect();
        let changes = OccurrencePlan { kept: kept.clone(), ..OccurrencePlan::default() };
        assert_eq!(to.occurrences().apply(&series, &changes).await.unwrap(), []);
        return renew_own(to, &series, &kept).await;
    }
    let mut series = former.clone();
    let mut changes = OccurrencePlan::default();
    if dice.once_in(2) {
        let (none, rule) = (BTreeSet::new(), dice.pick(&RULES).parse().unwrap());
        let when = content.details.when.clone();
        series = Series::new(Recurrence::from_stored(when, Some(rule), none.clone(), none));
        let is_endless = [&former.recurrence, &series.recurrence].map(Recurrence::is_endless);
        let until = if is_endless[0] || is_endless[1] { horizon(&content) } else { Timestamp::MAX };
        series.kept_until = is_endless[1].then_some(until);
        let comparison = former.recurrence.compare(&series.recurrence, until);
        let kept = comparison.kept.into_iter();
        changes.kept = kept.filter_map(|(old, new)| Some((*stored.get(&old)?, new))).collect();
        moved.extend(changes.kept.iter().copied());
        changes.removed =
            comparison.removed.iter().filter_map(|slot| stored.get(slot).copied()).collect();
        moved.retain(|id, _| !changes.removed.contains(id));
        let taken: BTreeSet<_> = moved.values().copied().collect();
        changes.added = comparison.added;
        changes.added.retain(|slot| !taken.contains(slot));
    }
    content.details.repetition = Repetition::Series(Box::new(series));
    let after = to.events().update(before, content, SlugRequests::default()).await.unwrap();
    let added = to.occurrences().apply(&after, &changes).await.unwrap();
    assert_eq!(added.len(), changes.added.len());
    assert!(added.is_sorted());
    renew_own(to, &after, &Vec::from_iter(moved)).await;
}

/// Makes overrides follow a change of their series.
async fn renew_own(to: &dyn Repositories, series: &Stored<Event>, slots: &[(EventId, Slot)]) {
    let mut changed = Vec::new();
    let stored =
        to.occurrences().of_series(series.id, &OccurrenceFilter::overrides()).await.unwrap();
    for (id, slot) in slots {
        if stored.iter().any(|one| one.id == *id) {
            let own = to.events().find_for_update(*id).await.unwrap().unwrap();
            let content = series.inherited_by(&own, *slot).unwrap();
            changed.push((own, content));
        }
    }
    let plan = OccurrencePlan { changed, ..OccurrencePlan::default() };
    to.occurrences().apply(series, &plan).await.unwrap();
}

/// Changes the fields of an occurrence, or makes it plain, an event of its own, or nothing.
async fn change_occurrence(
    to: &dyn Repositories,
    dice: &mut Dice,
    before: &Stored<Event>,
    other: Event,
) {
    let occurrence = before.occurrence().unwrap();
    let series = to.events().find_for_update(occurrence.series).await.unwrap().unwrap();
    let stored = to.occurrences().of_series(series.id, &OccurrenceFilter::default()).await.unwrap();
    let is_override = stored.iter().any(|one| one.id == before.id && one.is_override);
    match (dice.roll(6), is_override) {
        (0, _) => {
            let removed = vec![before.id];
            let changes = OccurrencePlan { removed, ..OccurrencePlan::default() };
            to.occurrences().apply(&series, &changes).await.unwrap();
        }
        (1, true) => {
            let plain = clear_override(to, &series, before).await.unwrap();
            assert_eq!(Some(plain.content), series.occurrence_at(occurrence.slot));
        }
        (2, true) => {
            let detached = vec![before.id];
            let plan = OccurrencePlan { detached, ..OccurrencePlan::default() };
            to.occurrences().apply(&series, &plan).await.unwrap();
            let content = other.in_place_of(before);
            let slug = SlugRequest::new(content.slug_from_title());
            to.events().update(before, content, slug.into()).await.unwrap();
        }
        (3, _) => give_own(to, dice, &series, before.id, other).await,
        _ => {}
    }
}
