//! The items of some events, with the occurrences of series that differ from them.

use std::collections::{BTreeSet, HashMap, HashSet};

use domain::{
    Event, EventId, Stored,
    event::{EventFilter, Repetition, SeriesListing, Window},
    page::PageRequest,
    policy::{Guarded as _, Visibility},
    query::Query,
    recurrence::{Recurrence, RecurrenceParts, Slot},
    time::Timestamp,
};

use super::item::event_of;
use crate::{
    error::AppError,
    event::EventView,
    feed::{FeedEvent, FeedItem, FeedOverride, FeedSeries, FeedUrls},
    ports::{OccurrenceFilter, Repositories},
    resource,
};

/// The inputs from which the items of some events are made.
pub(super) struct Batch<'a> {
    pub(super) visibility: &'a Visibility,
    /// The filter of the feed.
    pub(super) filter: &'a EventFilter,
    pub(super) repositories: &'a dyn Repositories,
    /// The instant up to which occurrences are named that differ by a change of time.
    pub(super) until: Timestamp,
}

/// The overrides of a series, and whether its plain occurrences match the filter.
#[derive(Default)]
struct Parts {
    own: Vec<Part>,
    plain_match: bool,
}

/// An override.
struct Part {
    view: EventView,
    /// Whether it matches the filter.
    matches: bool,
}

impl Batch<'_> {
    /// The items of events, in their order.
    pub(super) async fn items(
        &self,
        ids: &[EventId],
        urls: &dyn FeedUrls,
    ) -> Result<Vec<FeedItem>, AppError> {
        let mut records = self.repositories.events().find_many(ids).await?;
        records.retain(|record| record.is_visible(self.visibility));
        let views = resource::load::<Event>(records, self.visibility, self.repositories).await?;
        let mut parts = self.parts(&views).await?;
        let parents = self.parents(&views, &parts).await?;
        let item = |view: EventView| {
            let parts = view.event.id.and_then(|id| parts.remove(&id));
            self.item_of(&view, parts, &parents, urls)
        };
        Ok(views.into_iter().filter_map(item).collect())
    }

    /// The item of one event, whatever the filter.
    pub(super) async fn item(
        &self,
        view: EventView,
        urls: &dyn FeedUrls,
    ) -> Result<FeedItem, AppError> {
        let views = [view];
        let mut parts = self.parts(&views).await?;
        let parents = self.parents(&views, &parts).await?;
        let [view] = views;
        let parts = view.event.id.and_then(|id| parts.remove(&id));
        let alone = event_of(&view, &parents, urls);
        let item = self.item_of(&view, parts, &parents, urls);
        Ok(item.unwrap_or_else(|| alone.into()))
    }

    fn item_of(
        &self,
        view: &EventView,
        parts: Option<Parts>,
        parents: &HashMap<EventId, String>,
        urls: &dyn FeedUrls,
    ) -> Option<FeedItem> {
        let mut event = event_of(view, parents, urls);
        match &view.event.details.repetition {
            Repetition::Once => Some(event.into()),
            Repetition::Occurrence(_) => {
                event.uid = view.uid().into_owned();
                Some(event.into())
            }
            Repetition::Series(series) => {
                let parts = parts.unwrap_or_default();
                self.series(event, &series.recurrence, &parts, |view| {
                    event_of(view, parents, urls)
                })
            }
        }
    }

    /// The item of a series; none if no occurrence is left.
    fn series(
        &self,
        event: FeedEvent,
        recurrence: &Recurrence,
        parts: &Parts,
        event_of: impl Fn(&EventView) -> FeedEvent,
    ) -> Option<FeedItem> {
        let mut left_out = BTreeSet::new();
        let mut overrides = Vec::new();
        for Part { view, matches } in &parts.own {
            let Some(one) = view.event.occurrence() else {
                continue;
            };
            if !matches {
                left_out.insert(one.slot);
                continue;
            }
            let own = event_of(view);
            overrides.push(FeedOverride {
                slot: one.slot,
                event: FeedEvent {
                    uid: event.uid.clone(),
                    sequence: own.sequence.max(event.sequence),
                    ..own
                },
            });
        }
        overrides.sort_by_key(|one| one.slot);
        let recurrence = if parts.plain_match {
            recurrence.clone()
        } else {
            left_out.clear();
            at_slots(recurrence, overrides.iter().map(|one| one.slot))?
        };
        let series = FeedSeries {
            left_out,
            overrides,
            ..FeedSeries::new(event, recurrence, self.until)
        };
        Some(series.into())
    }

    /// The parts of each series among some events.
    async fn parts(&self, views: &[EventView]) -> Result<HashMap<EventId, Parts>, AppError> {
        let series = views.iter().map(|view| &view.event);
        let series = series.filter(|event| event.series().is_some());
        let series = series.filter_map(|event| event.id);
        let mut parts = HashMap::new();
        let mut own = Vec::new();
        // The occurrence that stands for the plain ones of a series.
        let mut plain = HashMap::new();
        for series in series {
            let occurrences = self.repositories.occurrences();
            let overrides = OccurrenceFilter {
                overrides_only: !self.asks_beside_dates(),
                ..OccurrenceFilter::default()
            };
            let stored = occurrences.of_series(series, &overrides).await?;
            // Without other filters, the overrides alone were read.
            if let Some(one) = stored.iter().find(|one| !one.is_override) {
                plain.insert(one.id, series);
            }
            own.extend(
                stored
                    .iter()
                    .filter(|one| one.is_override)
                    .map(|one| one.id),
            );
            let part = Parts {
                plain_match: !self.asks_beside_dates(),
                ..Parts::default()
            };
            parts.insert(series, part);
        }
        let asked: Vec<_> = own.iter().chain(plain.keys()).copied().collect();
        let matching = self.matching(asked).await?;
        for (one, series) in plain {
            if let Some(part) = parts.get_mut(&series) {
                part.plain_match = matching.contains(&one);
            }
        }
        let mut records = self.repositories.events().find_many(&own).await?;
        records.retain(|record| record.is_linkable(self.visibility));
        let views = resource::load::<Event>(records, self.visibility, self.repositories).await?;
        for view in views {
            let part = view.event.occurrence();
            let part = part.and_then(|one| parts.get_mut(&one.series));
            let Some(part) = part else { continue };
            let matches = view.event.id.is_some_and(|id| matching.contains(&id))
                && !view.event.details.hide_from_listings;
            part.own.push(Part { view, matches });
        }
        Ok(parts)
    }

    /// Whether the filter asks for more than dates and statuses.
    fn asks_beside_dates(&self) -> bool {
        let EventFilter {
            author,
            modified_after,
            modified_before,
            search,
            ..
        } = self.filter;
        self.filter.asks_for_content()
            || author.is_some()
            || modified_after.is_some()
            || modified_before.is_some()
            || !search.is_empty()
    }

    /// The occurrences among some that match the filter, whatever their dates.
    async fn matching(&self, ids: Vec<EventId>) -> Result<HashSet<EventId>, AppError> {
        if ids.is_empty() || !self.asks_beside_dates() {
            return Ok(ids.into_iter().collect());
        }
        let count = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        let query = Query {
            visibility: self.visibility.clone(),
            filter: EventFilter {
                include: Some(ids),
                window: Window::default(),
                series: SeriesListing::Occurrences,
                ..self.filter.clone()
            },
            page: PageRequest::new(1, count.into(), count),
        };
        let found = self.repositories.events().page(&query).await?;
        Ok(found.rows.into_iter().collect())
    }

    /// The unique identifiers of the parents that the caller may list. A parent that is an occurrence has the one of its
    /// series, as in the feed.
    async fn parents(
        &self,
        views: &[EventView],
        parts: &HashMap<EventId, Parts>,
    ) -> Result<HashMap<EventId, String>, AppError> {
        let own = parts.values().flat_map(|parts| &parts.own);
        let ids = views
            .iter()
            .chain(own.map(|part| &part.view))
            .filter_map(|view| view.parent);
        let parents = self.events(ids.collect()).await?;
        let is_listed = |event: &Stored<Event>| {
            !event.details.hide_from_listings || self.visibility.caller.may_edit(event)
        };
        let series_of = |event: &Stored<Event>| event.occurrence().map(|one| one.series);
        let series = self
            .events(parents.iter().filter_map(series_of).collect())
            .await?;
        let uid_of = |event: &Stored<Event>| {
            let series = series_of(event).and_then(|id| series.iter().find(|one| one.id == id));
            series.unwrap_or(event).details.uid.clone()
        };
        let listed = parents.iter().filter(|event| is_listed(event));
        Ok(listed.map(|event| (event.id, uid_of(event))).collect())
    }

    /// The events with some IDs, without the absent ones.
    async fn events(&self, ids: BTreeSet<EventId>) -> Result<Vec<Stored<Event>>, AppError> {
        let ids: Vec<_> = ids.into_iter().collect();
        Ok(self.repositories.events().find_many(&ids).await?)
    }
}

/// The recurrence at some of the slots of another; none without a slot.
fn at_slots(recurrence: &Recurrence, slots: impl Iterator<Item = Slot>) -> Option<Recurrence> {
    let extra: BTreeSet<_> = slots.collect();
    if extra.is_empty() {
        return None;
    }
    let first = recurrence.first_slot();
    let deleted = (!extra.contains(&first))
        .then_some(first)
        .into_iter()
        .collect();
    let parts = RecurrenceParts {
        rule: None,
        ..RecurrenceParts::default()
    };
    let alone = Recurrence::new(recurrence.first().clone(), parts).ok()?;
    Some(alone.with_dates(extra, deleted))
}
