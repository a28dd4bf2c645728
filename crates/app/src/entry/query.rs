//! Filters that lists of several kinds have.

use domain::{Event, EventId, FieldName, Id, Stored, policy::Guarded};

use crate::{
    error::AppError,
    fault::{Fault, FaultCollector},
    ports::Repositories,
    request::Request,
    resource::Resource,
};

/// The event that a filter names, if the caller may read it.
///
/// # Errors
///
/// [`AppError::UnknownEvent`] if there is none; else the error of a read of the event.
pub(crate) async fn readable_event(
    field: FieldName,
    id: EventId,
    request: &Request<'_>,
    repositories: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let event = repositories
        .events()
        .find(id)
        .await?
        .ok_or(AppError::UnknownEvent(field))?;
    event.check_readable(&request.visibility())?;
    Ok(event)
}

/// The IDs of a filter; an ID without a record that the caller may read is reported.
pub(crate) async fn check_ids<R: Resource>(
    field: FieldName,
    ids: Option<Vec<i64>>,
    request: &Request<'_>,
    repositories: &dyn Repositories,
    faults: &mut FaultCollector,
) -> Result<Option<Vec<Id<R>>>, AppError> {
    let Some(ids) = ids else { return Ok(None) };
    let ids: Vec<_> = ids.into_iter().map(Id::from_raw).collect();
    let mut found = R::repository(repositories).find_many(&ids).await?;
    let visibility = request.visibility();
    found.retain(|record| record.check_readable(&visibility).is_ok());
    if !ids
        .iter()
        .all(|id| found.iter().any(|record| record.id == *id))
    {
        faults.fault(field, Fault::unknown(R::KIND));
    }
    Ok(Some(ids))
}
