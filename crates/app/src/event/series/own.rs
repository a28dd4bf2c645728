//! Records of their own of occurrences.

use domain::{Event, Stored};

use crate::{error::AppError, ports::Repositories};

/// Gives an occurrence a record of its own.
pub(super) async fn set_own(
    before: &Stored<Event>,
    content: Event,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let content = with_own_uid(before, content);
    Ok(unit.occurrences().set_own(before, content).await?)
}

/// The content of the record of an occurrence. Its UID has its ID instead of its slot, so that two
/// occurrences whose slots move onto each other keep different UIDs.
pub(super) fn with_own_uid(before: &Stored<Event>, mut content: Event) -> Event {
    let uid = content.details.uid.split_once('.');
    if let Some((_, of_series)) = uid {
        content.details.uid = format!("{}.{of_series}", before.id);
    }
    content
}
