//! Records of their own of occurrences.

use domain::{Event, Stored};

use crate::{error::AppError, ports::Repositories};

/// Gives an occurrence a record of its own. Its UID has its ID instead of its slot, so that two
/// occurrences whose slots move onto each other keep different UIDs.
pub(super) async fn set_own(
    before: &Stored<Event>,
    mut content: Event,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let uid = content.details.uid.split_once('.');
    if let Some((_, of_series)) = uid {
        content.details.uid = format!("{}.{of_series}", before.id);
    }
    Ok(unit.occurrences().set_own(before, content).await?)
}
