//! The in-memory repository of occurrences.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use domain::{Event, EventId, Record, Stored, recurrence::Slot, time::Timestamp};

use super::{occurrence_row::OccurrenceRow, session::Session, state::State, tables::RecordTable};
use crate::ports::{
    GivenOccurrence, OccurrenceFilter, OccurrencePlan, OccurrenceRepository, Repository,
    SlugRequests, StoreError, StoredOccurrence,
};

impl State {
    /// The plain occurrence with an ID.
    pub(super) fn plain_occurrence(&self, id: EventId) -> Option<Stored<Event>> {
        let row = self.occurrences.get(&id)?;
        if self.events.holds(id) {
            return None;
        }
        let series = self.events.get(row.series)?;
        Some(Stored {
            id,
            revision: series.revision + row.offset,
            content: series.occurrence_at(row.slot)?,
        })
    }

    /// The plain occurrences of the rows that `wanted` accepts.
    pub(super) fn plain_occurrences(
        &self,
        wanted: impl Fn(&OccurrenceRow) -> bool,
    ) -> impl Iterator<Item = Stored<Event>> {
        let rows = self.occurrences.iter().filter(move |(_, row)| wanted(row));
        rows.filter_map(|(id, _)| self.plain_occurrence(*id))
    }

    fn stored_occurrence(&self, id: EventId, row: &OccurrenceRow) -> StoredOccurrence {
        let own = self.events.get(id).map(|event| &event.details.when);
        StoredOccurrence {
            id,
            slot: row.slot,
            start: own.map_or(row.start, |when| when.start().utc),
            end: own.map_or(row.end, |when| when.end().utc),
            is_override: own.is_some(),
        }
    }

    /// The revision of an occurrence.
    fn revision(&self, id: EventId) -> Option<i64> {
        let stored = self.events.get(id).map(|event| event.revision);
        stored.or_else(|| {
            let row = self.occurrences.get(&id)?;
            Some(self.events.get(row.series)?.revision + row.offset)
        })
    }
}

fn broken<T>(rule: &str) -> Result<T, StoreError> {
    Err(StoreError::Internal(rule.to_owned()))
}

impl Session {
    /// Removes, moves and adds occurrences.
    fn save_slots(
        &self,
        series: &Stored<Event>,
        plan: &OccurrencePlan,
    ) -> Result<Vec<EventId>, StoreError> {
        let OccurrencePlan {
            added,
            kept,
            removed,
            ..
        } = plan;
        self.write(|state| {
            if !state.events.holds(series.id) {
                return broken(&format!("there is no event {}", series.id));
            }
            let revision = state.revision(series.id).unwrap_or_default();
            let mut rows = Vec::new();
            for (id, slot) in kept {
                let (Some(row), Some(former)) = (state.occurrences.get(id), state.revision(*id))
                else {
                    return broken(&format!("there is no occurrence {id}"));
                };
                let offset = if row.series == series.id {
                    row.offset
                } else {
                    former + 1 - revision
                };
                rows.push((*id, OccurrenceRow::new(series, *slot, offset)?));
            }
            let new = added.iter();
            let new: Vec<_> = new
                .map(|slot| OccurrenceRow::new(series, *slot, 0))
                .collect::<Result<_, _>>()?;
            let stays = |id: &EventId| !removed.contains(id) && !kept.iter().any(|(k, _)| k == id);
            let others = state.occurrences.iter();
            let others = others.filter(|(id, row)| row.series == series.id && stays(id));
            let mut taken: BTreeSet<_> = others.map(|(_, row)| row.slot).collect();
            let mut slots = rows.iter().map(|(_, row)| row).chain(&new);
            if let Some(twice) = slots.find(|row| !taken.insert(row.slot)) {
                return broken(&format!("two occurrences at {}", twice.slot));
            }
            for id in removed {
                Event::delete(state, *id);
            }
            state.occurrences.extend(rows);
            let ids = new.into_iter().map(|row| {
                let id = state.events.next_id();
                state.occurrences.insert(id, row);
                id
            });
            Ok(ids.collect())
        })
    }

    /// Makes an occurrence an override.
    fn set_override(&self, before: &Stored<Event>, content: Event) -> Result<(), StoreError> {
        self.write(|state| {
            let id = before.id;
            let is_plain = state.plain_occurrence(id).is_some();
            if !is_plain || state.revision(id) != Some(before.revision) {
                return Err(StoreError::Conflict);
            }
            content.check(Some(id), state)?;
            let own = Stored {
                id,
                revision: before.revision + 1,
                content,
            };
            state.events.rows.insert(id, own);
            Ok(())
        })
    }

    /// Deletes the record of an override.
    fn clear_override(
        &self,
        series: &Stored<Event>,
        own: &Stored<Event>,
    ) -> Result<(), StoreError> {
        self.write(|state| {
            let is_present = state.events.holds(own.id);
            if !is_present || state.revision(own.id) != Some(own.revision) {
                return Err(StoreError::Conflict);
            }
            let of_series = state.revision(series.id).unwrap_or_default();
            let Some(row) = state.occurrences.get_mut(&own.id) else {
                return broken(&format!("event {} is no occurrence", own.id));
            };
            let offset = own.revision + 1 - of_series;
            *row = OccurrenceRow::new(series, row.slot, offset)?;
            state.events.rows.remove(&own.id);
            Ok(())
        })
    }

    /// Makes an override an event.
    fn detach(&self, id: EventId) -> Result<(), StoreError> {
        self.write(|state| {
            if !state.events.holds(id) || state.occurrences.remove(&id).is_none() {
                return broken(&format!("event {id} is no override"));
            }
            Ok(())
        })
    }
}

#[async_trait]
impl OccurrenceRepository for Session {
    async fn of_series(
        &self,
        series: EventId,
        filter: &OccurrenceFilter,
    ) -> Result<Vec<StoredOccurrence>, StoreError> {
        self.read(|state| {
            let rows = state.occurrences.iter();
            let rows = rows.filter(|(_, row)| row.series == series);
            let all = rows.map(|(id, row)| state.stored_occurrence(*id, row));
            let mut found: Vec<_> = all.filter(|one| filter.holds(one)).collect();
            found.sort_by_key(|one| (one.start, one.id));
            found
        })
    }

    async fn parents(&self, series: EventId) -> Result<Vec<EventId>, StoreError> {
        self.read(|state| {
            let events = state.events.rows.values();
            let parents: BTreeSet<_> = events.filter_map(|event| event.details.parent).collect();
            let rows = state.occurrences.iter();
            rows.filter(|(id, row)| row.series == series && parents.contains(id))
                .map(|(id, _)| *id)
                .collect()
        })
    }

    async fn find_slot(&self, series: EventId, slot: Slot) -> Result<Option<EventId>, StoreError> {
        self.read(|state| {
            let mut rows = state.occurrences.iter();
            rows.find(|(_, row)| row.series == series && row.slot == slot)
                .map(|(id, _)| *id)
        })
    }

    async fn apply(
        &self,
        series: &Stored<Event>,
        plan: &OccurrencePlan,
    ) -> Result<Vec<EventId>, StoreError> {
        let added = self.save_slots(series, plan)?;
        for (before, content) in &plan.overridden {
            self.set_override(before, content.clone())?;
        }
        for own in &plan.cleared {
            self.clear_override(series, own)?;
        }
        for (before, content) in &plan.changed {
            let none = SlugRequests::default();
            Repository::<Event>::update(self, before, content.clone(), none).await?;
        }
        for id in &plan.detached {
            self.detach(*id)?;
        }
        Ok(added)
    }

    async fn insert_at(
        &self,
        series: &Stored<Event>,
        occurrences: &[GivenOccurrence],
    ) -> Result<(), StoreError> {
        self.write(|state| {
            let of_series = |row: &&OccurrenceRow| row.series == series.id;
            let rows = state.occurrences.values().filter(of_series);
            let mut slots: BTreeSet<_> = rows.map(|row| row.slot).collect();
            let mut added = BTreeMap::new();
            for one in occurrences {
                let row = OccurrenceRow::new(series, one.slot, one.revision - series.revision)?;
                let is_taken =
                    state.events.holds(one.id) || state.occurrences.contains_key(&one.id);
                if is_taken || !slots.insert(one.slot) || added.insert(one.id, row).is_some() {
                    return Err(StoreError::Conflict);
                }
            }
            for id in added.keys() {
                state.events.skip_to(*id);
            }
            state.occurrences.extend(added);
            Ok(())
        })
    }

    async fn lock_unfinished(
        &self,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<Stored<Event>>, StoreError> {
        self.read(|state| {
            let events = state.events.rows.values();
            let unfinished = events.filter(|event| {
                let kept = event.series().and_then(|series| series.kept_until);
                kept.is_some_and(|kept| kept < until)
            });
            unfinished.take(limit).cloned().collect() // one unit at a time
        })
    }

    async fn extend(&self, series: &[(Stored<Event>, Vec<Slot>)]) -> Result<usize, StoreError> {
        self.write(|state| {
            let mut number = 0;
            for (series, slots) in series {
                if state.revision(series.id) != Some(series.revision) {
                    return Err(StoreError::Conflict);
                }
                let rows = state.occurrences.values();
                let rows = rows.filter(|row| row.series == series.id);
                let known: BTreeSet<_> = rows.map(|row| row.slot).collect();
                for slot in slots.iter().filter(|slot| !known.contains(slot)) {
                    let row = OccurrenceRow::new(series, *slot, 0)?;
                    let id = state.events.next_id();
                    state.occurrences.insert(id, row);
                    number += 1;
                }
                state.events.rows.insert(series.id, series.clone());
            }
            Ok(number)
        })
    }

    async fn horizon(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.read(|state| {
            let events = state.events.rows.values();
            let listed =
                events.filter(|event| event.lists_occurrences() && event.is_published(now));
            let kept = listed.filter_map(|event| event.series()?.kept_until);
            kept.min()
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        Role,
        event::{EventFilter, OverrideField, SeriesListing},
        page::PageRequest,
        policy::{Caller, Visibility},
        query::Query,
    };

    use super::*;
    use crate::{
        ports::{Repositories, Store},
        test_support::{InMemoryStore, add_user, at, event, in_unit, tag},
    };

    fn now() -> Timestamp {
        at("2030-01-01 12:00:00")
    }

    async fn list(store: &InMemoryStore, filter: EventFilter) -> Vec<EventId> {
        let query = Query {
            visibility: Visibility::new(Caller::Anonymous, now()),
            filter,
            page: PageRequest::new(1, 50, 50),
        };
        store.events().page(&query).await.unwrap().rows
    }

    /// A store with a weekly series of six occurrences and a tag.
    async fn jazz() -> (InMemoryStore, Stored<Event>, Vec<EventId>) {
        let store = InMemoryStore::new();
        add_user(&store, "ada", Role::Author).await;
        let (series, ids) = in_unit(&store, async |unit| {
            let loud = tag("Loud").insert(unit).await;
            let jazz = event("Jazz").tags(&[loud.id]);
            let jazz = jazz.repeating("FREQ=WEEKLY;COUNT=6", now());
            jazz.insert_series(unit).await
        })
        .await;
        (store, series, ids)
    }

    #[tokio::test]
    async fn lists_hold_occurrences_and_terms_count_the_series() {
        let (store, series, ids) = jazz().await;
        assert!(ids.is_sorted() && series.id < ids[0]);
        assert_eq!(list(&store, EventFilter::default()).await, ids);
        let listing = |series| EventFilter {
            series,
            ..EventFilter::default()
        };
        assert_eq!(list(&store, listing(SeriesListing::First)).await, ids[..1]);
        assert_eq!(
            list(&store, listing(SeriesListing::Series)).await,
            [series.id]
        );
        let tags = store.tags().find_with_counts(&series.details.tags, now());
        assert_eq!(tags.await.unwrap()[0].events, 1);
        let own_slug = series.occurrence_at("2030-06-08T10:00:00".parse().unwrap());
        let own_slug = own_slug.unwrap().slug.unwrap();
        assert_eq!(store.events().find_by_slug(&own_slug).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_record_of_its_own_comes_and_goes() {
        let (store, series, ids) = jazz().await;
        let unit = store.begin().await.unwrap();
        let before = unit.events().find(ids[2]).await.unwrap().unwrap();
        let mut content = before.content.clone();
        content.title = "Trio".parse().unwrap();
        let sent = |field| field == OverrideField::Title;
        let content = series.with_overrides(&before, content, sent).unwrap();
        let occurrences = unit.occurrences();
        let plan = OccurrencePlan {
            overridden: vec![(before.clone(), content.clone())],
            ..OccurrencePlan::default()
        };
        occurrences.apply(&series, &plan).await.unwrap();
        let again = occurrences.apply(&series, &plan).await;
        assert!(matches!(again, Err(StoreError::Conflict)));
        let own = unit.events().find(ids[2]).await.unwrap().unwrap();
        assert_eq!(own.content, content);
        let all = OccurrenceFilter::default();
        let stored = occurrences.of_series(series.id, &all).await;
        assert!(stored.unwrap()[2].is_override);
        let plan = OccurrencePlan {
            cleared: vec![own.clone()],
            ..OccurrencePlan::default()
        };
        occurrences.apply(&series, &plan).await.unwrap();
        let shown = unit.events().find(ids[2]).await.unwrap().unwrap();
        assert_eq!(shown.content, before.content);
        assert!(before.revision < own.revision && own.revision < shown.revision);
    }

    #[tokio::test]
    async fn occurrences_go_with_their_series() {
        let (store, series, ids) = jazz().await;
        let (other, others) = in_unit(&store, async |unit| {
            let part = event("Part").with(|event| event.details.parent = Some(ids[1]));
            let part = part.insert(unit).await;
            assert!(unit.events().delete(series.id).await.unwrap());
            let part = unit.events().find(part.id).await.unwrap().unwrap();
            assert_eq!(part.details.parent, None);
            let endless = event("Market").repeating("FREQ=WEEKLY", at("2030-07-01 00:00:00"));
            endless.insert_series(unit).await
        })
        .await;
        assert_eq!(store.events().find_many(&ids).await.unwrap(), []);
        assert!(ids.last() < others.first(), "no ID is used again");
        let occurrences = store.occurrences();
        let kept = other.series().unwrap().kept_until;
        assert_eq!(occurrences.horizon(now()).await.unwrap(), kept);
        let due = occurrences.lock_unfinished(at("2030-08-01 00:00:00"), 9);
        assert_eq!(due.await.unwrap(), [other]);
        let none = occurrences.lock_unfinished(kept.unwrap(), 9).await;
        assert_eq!(none.unwrap(), []);
    }
}
