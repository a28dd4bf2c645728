//! Overrides: occurrences with a record of their own.

use std::collections::HashMap;

use domain::{Event, EventId, Stored, event::Renewal, recurrence::Slot};

use crate::{
    error::AppError,
    ports::{Repositories, SlugRequests},
};

/// Gives an occurrence a record of its own.
pub(super) async fn set_own(
    before: &Stored<Event>,
    content: Event,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    let content = before.override_with(content);
    Ok(unit.occurrences().set_own(before, content).await?)
}

/// Renews own records of a series. `slots` are the present slots of those whose slots have changed.
pub(super) async fn renew_all(
    series: &Stored<Event>,
    own: impl IntoIterator<Item = Stored<Event>, IntoIter: Send> + Send,
    slots: &HashMap<EventId, Slot>,
    resets: bool,
    unit: &dyn Repositories,
) -> Result<(), AppError> {
    let (mut cleared, mut changed) = (Vec::new(), Vec::new());
    for own in own {
        match series.renew(&own, slots.get(&own.id).copied(), resets) {
            Renewal::Same => {}
            Renewal::Plain => cleared.push(own),
            Renewal::Changed(content) => changed.push((own, *content)),
        }
    }
    if !cleared.is_empty() || !changed.is_empty() {
        unit.occurrences().renew(series, &cleared, &changed).await?;
    }
    Ok(())
}

/// Renews one own record, and returns the occurrence.
pub(super) async fn renew_one(
    series: &Stored<Event>,
    own: Stored<Event>,
    unit: &dyn Repositories,
) -> Result<Stored<Event>, AppError> {
    Ok(match series.renew(&own, None, false) {
        Renewal::Same => own,
        Renewal::Plain => unit.occurrences().clear_own(series, &own).await?,
        Renewal::Changed(content) => {
            let none = SlugRequests::default();
            unit.events().update(&own, *content, none).await?
        }
    })
}
