//! Overrides: occurrences with content of their own. The others are plain.

use std::collections::HashMap;

use domain::{Event, EventId, Stored, event::Renewal, recurrence::Slot};

use crate::{
    error::AppError,
    ports::{OccurrenceFilter, OccurrencePlan, Repositories},
    request::Request,
    resource::{Resource as _, writes},
};

/// Whether an occurrence is an override.
pub(super) async fn is_override(
    series: &Stored<Event>,
    id: EventId,
    unit: &dyn Repositories,
) -> Result<bool, AppError> {
    let filter = OccurrenceFilter {
        id: Some(id),
        ..OccurrenceFilter::overrides()
    };
    let found = unit.occurrences().of_series(series.id, &filter).await?;
    Ok(!found.is_empty())
}

/// The overrides of a series.
pub(super) async fn overrides(
    series: EventId,
    unit: &dyn Repositories,
) -> Result<Vec<Stored<Event>>, AppError> {
    let all = OccurrenceFilter::overrides();
    let overrides = unit.occurrences().of_series(series, &all).await?;
    let ids: Vec<_> = overrides.iter().map(|one| one.id).collect();
    Ok(unit.events().find_many(&ids).await?)
}

/// Makes an occurrence an override with this content. `is_override` says whether it is one already.
pub(super) async fn set_override(
    series: &Stored<Event>,
    before: &Stored<Event>,
    content: Event,
    is_override: bool,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let mut plan = OccurrencePlan::default();
    let content = before.override_with(content);
    let change = (before.clone(), content.clone());
    if is_override {
        plan.changed.push(change);
    } else {
        plan.overridden.push(change);
    }
    writes::apply(series, &plan, request, unit).await?;
    Ok(Stored {
        id: before.id,
        revision: before.revision + 1,
        content,
    })
}

/// The change of overrides after a change of their series. `slots` are the present slots of those whose
/// slots have changed.
pub(super) fn renewals(
    series: &Stored<Event>,
    overrides: impl IntoIterator<Item = Stored<Event>>,
    slots: &HashMap<EventId, Slot>,
    resets: bool,
) -> OccurrencePlan {
    let mut plan = OccurrencePlan::default();
    for own in overrides {
        match series.renew(&own, slots.get(&own.id).copied(), resets) {
            Renewal::Same => {}
            Renewal::Plain => plan.cleared.push(own),
            Renewal::Changed(content) => plan.changed.push((own, *content)),
        }
    }
    plan
}

/// Renews one override, and returns the occurrence.
pub(super) async fn renew_one(
    series: &Stored<Event>,
    own: Stored<Event>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let plan = renewals(series, [own.clone()], &HashMap::new(), false);
    let content = if let Some((_, content)) = plan.changed.first() {
        Some(content.clone())
    } else if plan.cleared.is_empty() {
        return Ok(own);
    } else {
        let slot = own.occurrence().map(|one| one.slot);
        slot.and_then(|slot| series.occurrence_at(slot))
    };
    writes::apply(series, &plan, request, unit).await?;
    Ok(Stored {
        id: own.id,
        revision: own.revision + 1,
        content: content.ok_or_else(Event::not_found)?,
    })
}
