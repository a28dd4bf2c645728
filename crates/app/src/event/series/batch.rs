//! Changes of many occurrences of one series.

use std::collections::{HashMap, HashSet};

use domain::{
    Event, EventId, Record as _, Stored,
    policy::Caller,
    recurrence::{DateValue, Slot},
};

use super::{update_occurrence::changed_content, written_back::take_fields_of_series};
use crate::{
    entry::EntryWrite,
    error::AppError,
    event::{EventWrite, SeriesChange},
    ports::{OccurrenceFilter, OccurrencePlan, Repositories},
    request::Request,
    resource::{Resource as _, writes},
};

/// The plain occurrences of a series, which are no overrides. They are read in one query, and their
/// changes are stored together. The series is locked.
pub(crate) struct OccurrenceBatch {
    series: Stored<Event>,
    plain: HashMap<Slot, Stored<Event>>,
    changed: Vec<(Stored<Event>, Event)>,
}

impl OccurrenceBatch {
    /// Locks a series and reads its occurrences at some dates. `None` if the event is no series, is in
    /// the trash, or may not be changed by the caller.
    pub(crate) async fn read(
        series: EventId,
        dates: impl Iterator<Item = DateValue>,
        caller: Caller,
        unit: &dyn Repositories,
    ) -> Result<Option<Self>, AppError> {
        let series = unit.events().find_for_update(series).await?;
        let series = series.filter(|series| !series.is_in_trash() && series.may_edit(caller));
        let Some((series, own)) = series.as_ref().and_then(|one| Some((one, one.series()?))) else {
            return Ok(None);
        };
        let slots: HashSet<_> = dates.filter_map(|date| own.recurrence.find(date)).collect();
        let stored = unit.occurrences();
        let stored = stored
            .of_series(series.id, &OccurrenceFilter::default())
            .await?;
        let plain = stored
            .iter()
            .filter(|one| !one.is_override && slots.contains(&one.slot));
        let ids: Vec<_> = plain.map(|one| one.id).collect();
        let plain = unit.events().find_many(&ids).await?.into_iter();
        let plain = plain.filter_map(|event| Some((event.occurrence()?.slot, event)));
        Ok(Some(Self {
            series: series.clone(),
            plain: plain.collect(),
            changed: Vec::new(),
        }))
    }

    /// Changes the occurrence at a date. False if it must be changed alone: it is an override,
    /// is not stored, was changed in this batch, or more than its fields changes.
    pub(crate) async fn change(
        &mut self,
        date: DateValue,
        changes: &EventWrite,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<bool, AppError> {
        let EntryWrite { mut shared, own } = changes.clone();
        if shared.status.is_some() || own.series != SeriesChange::default() {
            return Ok(false);
        }
        let slot = self
            .series
            .series()
            .and_then(|one| one.recurrence.find(date));
        let Some(before) = slot.and_then(|slot| self.plain.remove(&slot)) else {
            return Ok(false);
        };
        take_fields_of_series(&mut shared, &own, &before, request)?;
        let content = changed_content(
            EntryWrite { shared, own },
            &self.series,
            &before,
            request,
            unit,
        )
        .await?;
        if let Some(content) = content {
            let content = before.override_with(content);
            self.changed.push((before, content));
        }
        Ok(true)
    }

    /// Stores the changes.
    pub(crate) async fn store(
        self,
        request: &Request<'_>,
        unit: &dyn Repositories,
    ) -> Result<(), AppError> {
        let plan = OccurrencePlan {
            overridden: self.changed,
            ..OccurrencePlan::default()
        };
        writes::apply(&self.series, &plan, request, unit).await?;
        Ok(())
    }
}
