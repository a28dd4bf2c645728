//! The writes of records, each with its entry of the audit trail. `event::series::split_series` alone writes without one: the link
//! of a series to its new neighbour.

use std::collections::HashSet;

use domain::{
    Event, EventId, Stored,
    audit::{AuditAction, FieldChange, action_of},
};

use super::Resource;
use crate::{
    audit::add_entry,
    ports::{OccurrenceFilter, OccurrencePlan, Repositories, SlugRequests, StoreError},
    request::Request,
};

/// Adds a record.
pub(crate) async fn insert<R: Resource>(
    content: R,
    slugs: SlugRequests,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<R>, StoreError> {
    let after = R::repository(unit).insert(content, slugs).await?;
    note_change(None, Some(&after), request, unit).await?;
    Ok(after)
}

/// Adds a record under an ID; `None` if it is taken.
pub(crate) async fn insert_at<R: Resource>(
    record: Stored<R>,
    slugs: SlugRequests,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Option<Stored<R>>, StoreError> {
    let after = R::repository(unit).insert_at(record, slugs).await?;
    if let Some(after) = &after {
        note_change(None, Some(after), request, unit).await?;
    }
    Ok(after)
}

/// Changes a record.
pub(crate) async fn update<R: Resource>(
    before: &Stored<R>,
    content: R,
    slugs: SlugRequests,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<R>, StoreError> {
    let after = R::repository(unit).update(before, content, slugs).await?;
    note_change(Some(before), Some(&after), request, unit).await?;
    Ok(after)
}

/// Deletes a record for good.
pub(crate) async fn delete<R: Resource>(
    before: &Stored<R>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<bool, StoreError> {
    let is_deleted = R::repository(unit).delete(before.id).await?;
    if is_deleted {
        note_change(Some(before), None, request, unit).await?;
    }
    Ok(is_deleted)
}

/// Changes occurrences of a series. A plain occurrence has no entry: its series determines it.
pub(crate) async fn apply(
    series: &Stored<Event>,
    plan: &OccurrencePlan,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Vec<EventId>, StoreError> {
    let removed = own(series.id, &plan.removed, unit).await?;
    let ids = unit.occurrences().apply(series, plan).await?;
    for before in &removed {
        note_change(Some(before), None, request, unit).await?;
    }
    for (before, content) in plan.overridden.iter().chain(&plan.changed) {
        let after = Stored {
            id: before.id,
            revision: before.revision + 1,
            content: content.clone(),
        };
        note_change(Some(before), Some(&after), request, unit).await?;
    }
    for before in &plan.cleared {
        let changes = FieldChange::between(Some(&before.content), None);
        note(
            AuditAction::Update,
            before,
            before.revision + 1,
            changes,
            request,
            unit,
        )
        .await?;
    }
    Ok(ids)
}

/// The occurrences among these that have fields of their own.
async fn own(
    series: EventId,
    ids: &[EventId],
    unit: &dyn Repositories,
) -> Result<Vec<Stored<Event>>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let overrides = OccurrenceFilter::overrides();
    let overrides = unit.occurrences().of_series(series, &overrides).await?;
    let ids: HashSet<_> = ids.iter().collect();
    let own = overrides.iter().map(|one| one.id);
    let own: Vec<_> = own.filter(|id| ids.contains(id)).collect();
    unit.events().find_many(&own).await
}

/// Adds the entry of a change, unless no field changed.
async fn note_change<R: Resource>(
    before: Option<&Stored<R>>,
    after: Option<&Stored<R>>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<(), StoreError> {
    let [old, new] = [before, after].map(|record| record.map(|record| &record.content));
    let Some(record) = after.or(before) else {
        return Ok(());
    };
    let changes = FieldChange::between(old, new);
    let revision = match after {
        Some(after) => after.revision,
        None => record.revision + 1,
    };
    note(
        action_of(old, new),
        record,
        revision,
        changes,
        request,
        unit,
    )
    .await
}

async fn note<R: Resource>(
    action: AuditAction,
    record: &Stored<R>,
    revision: i64,
    changes: Vec<FieldChange>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<(), StoreError> {
    let of = (R::KIND.into(), record.id.get(), revision);
    let user = request.caller.user();
    add_entry(user, request.now, of, action, changes, unit).await
}
