//! The writes of records, each with its entry of the audit trail. `event::series::split_series` alone writes without one: the link
//! of a series to its new neighbour.

use std::collections::HashSet;

use domain::{
    Event, EventId, Id, Stored,
    audit::{AuditAction, FieldChange, action_of},
    event::SlotChanges,
};

use super::Resource;
use crate::{
    audit::add_entry,
    error::AppError,
    ports::{
        OccurrenceFilter, OccurrencePlan, Repositories, SlugRequest, SlugRequests, StoreError,
    },
    request::Request,
};

/// A record after a write.
///
/// ```
/// use events_calendar_app::{resource::Changed, test_support::venue};
/// use domain::{Id, Stored};
///
/// let mill = Stored { id: Id::from_raw(1), revision: 1, content: venue("Old Mill").build() };
/// assert!(Changed::from(mill).slots.is_none());
/// ```
#[derive(Debug)]
pub struct Changed<R> {
    /// The record that the answer shows.
    pub record: Stored<R>,
    /// The effect on the slots of a series.
    pub slots: Option<SlotChanges>,
}

impl<R> From<Stored<R>> for Changed<R> {
    fn from(record: Stored<R>) -> Self {
        Self {
            record,
            slots: None,
        }
    }
}

/// [`Resource::create`] by the repository.
pub(crate) async fn create<R: Resource>(
    write: R::Write,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<R>, AppError> {
    let (content, mut slugs) = R::new_content(write, request, unit).await?;
    if let (Some(slug), Some(original)) = (request.wanted_slug, &mut slugs.original) {
        *original = SlugRequest::new(slug.clone());
    }
    if let Some(id) = request.wanted_id {
        let wanted = Stored {
            id: Id::from_raw(id),
            revision: 1,
            content: content.clone(),
        };
        if let Some(stored) = insert_at(wanted, slugs.clone(), request, unit).await? {
            return Ok(stored);
        }
    }
    Ok(insert(content, slugs, request, unit).await?)
}

/// [`Resource::change`] by the repository.
pub(crate) async fn change<R: Resource>(
    write: R::Write,
    before: Stored<R>,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Changed<R>, AppError> {
    let (content, slugs) = R::changed_content(write, &before, request, unit).await?;
    Ok(save(before, content, slugs, request, unit).await?.into())
}

/// Stores the content of a record, if it differs.
pub(crate) async fn save<R: Resource>(
    before: Stored<R>,
    content: R,
    slugs: SlugRequests,
    request: &Request<'_>,
    unit: &dyn Repositories,
) -> Result<Stored<R>, AppError> {
    if slugs.is_empty() && content == before.content {
        return Ok(before);
    }
    let after = update(&before, content, slugs, request, unit).await?;
    let given_up = before.slugs_given_up(&after.content, request.now);
    if !given_up.is_empty() {
        R::repository(unit)
            .give_up_slugs(after.id, &given_up)
            .await?;
    }
    Ok(after)
}

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
async fn insert_at<R: Resource>(
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
