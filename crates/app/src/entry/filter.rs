//! Filters that lists of several kinds have.

use domain::{
    Event, EventId, Id, Status, Stored,
    policy::{Capability, Guarded},
    query::Statuses,
};
use serde_json::Value;

use crate::{
    error::AppError,
    input::{self, Commas, Fault, FaultCollector, Input},
    ports::Repositories,
    request::Request,
    resource::Resource,
};

/// Reads `status`: names of statuses, or `any` for no filter. Callers without the right to list
/// unpublished records may only request `publish`.
pub(crate) fn read_statuses(input: &mut Input<'_>, request: &Request<'_>) -> Statuses {
    let named = input.read_list("status", Commas::Separate, |value| {
        let names = input::filled_list(value)?;
        if names.len() == 1 && names[0] == "any" {
            return Ok(None);
        }
        let statuses = names
            .iter()
            .map(input::status)
            .collect::<Result<Vec<_>, _>>()?;
        let may_ask = request.caller.can(Capability::ListUnpublished)
            || statuses.iter().all(|status| *status == Status::Publish);
        if may_ask {
            Ok(Some(statuses))
        } else {
            Err(Fault::RequiresCapability(Capability::ListUnpublished))
        }
    });
    Statuses(named.flatten())
}

/// The event that a filter names, if the caller may read it.
///
/// # Errors
///
/// [`AppError::UnknownEvent`] if there is none; else the error of a read of the event.
pub(crate) async fn readable_event(
    field: &'static str,
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

/// Reads the ID of an event that restricts a list.
pub(crate) fn read_event_id(value: &Value) -> Result<EventId, Fault> {
    input::positive(value).map(EventId::from_raw)
}

/// The IDs of a filter; an ID without a record that the caller may read is reported.
pub(crate) async fn check_ids<R: Resource>(
    field: &'static str,
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
